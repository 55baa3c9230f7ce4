"""The rows of a run: its payloads, each of which opens in the playground, and its bad records."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.dashboard.life import GONE
from pages.parts.dashboard.opened import Opened, moments
from pages.parts.faults import apart
from pages.parts.payload import open_document
from pages.parts.tables import draw_table, style_losses
from toon import wording
from toon.analysis import Analysis
from toon.analysis.columns import Floats
from toon.analysis.single import best_of_each, cost_of_each
from toon.formats import label
from toon.reports.facts import Report
from toon.wording import plural

#: Rows per page of the table.
_PAGE: Final = 100
#: Characters shown of a payload that is not opened.
_PREVIEW: Final = 1_500


class _Order(NamedTuple):
    """An order of payloads in words: the figure to sort by, and 1 to sort up or -1 down."""

    label: str
    figure: Literal["now", "change", "vs", "place"]
    sign: int


_ORDERS: Final = {
    "today": _Order("most tokens today", "now", -1),
    "saved": _Order("most tokens saved", "change", 1),
    "added": _Order("most tokens added", "change", -1),
    "share-saved": _Order("largest share saved", "vs", 1),
    "share-added": _Order("largest share added", "vs", -1),
    "file": _Order("as in the file", "place", 1),
}


def draw_payloads(opened: Opened, report: Report) -> None:
    """The payloads that pass the filters, page by page. One can be opened in the playground."""
    st.header("Payloads", anchor=False)
    st.caption(
        "Each payload by itself. “Send alone” is what Compare says of it; the policy decides for "
        "whole groups."
    )
    draw = st.fragment(apart(_draw_table), key="dashboard_payloads")
    draw(opened, report.analysis)


def _draw_table(opened: Opened, analysis: Analysis) -> None:
    opened.look()
    pages = max(1, -(-analysis.payloads // _PAGE))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = st.selectbox(
            "Sorted by",
            list(_ORDERS),
            format_func=lambda key: _ORDERS[key].label,
            key="dashboard_order",
            persist_state="session",
            width=220,
        )
        page = st.number_input(
            f"Page of {pages:,}", 1, pages, key=f"dashboard_page_{pages}", width=140
        )
    indices = _ordered(opened, analysis, order)[(page - 1) * _PAGE : page * _PAGE]
    chosen = st.dataframe(
        _frame(opened, analysis, indices),
        hide_index=True,
        height=388,
        key="dashboard_table",
        on_select="rerun",
        selection_mode="single-row",
        column_config={"Time, UTC": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="Payloads with their tokens today and in the chosen format.",
    )
    rows = [row for row in chosen["selection"]["rows"] if row < indices.size]
    if rows:
        _draw_one(opened, int(indices[rows[0]]))
    else:
        st.caption("Mark a row at its left to see the payload and open it in the playground.")


def _ordered(opened: Opened, analysis: Analysis, order: str) -> Any:
    """The indices of the payloads' rows in that order; payloads without the figure come last."""
    measured = analysis.selected.measured
    _, figure, sign = _ORDERS[order]
    if figure == "place":
        return measured
    now, then = _costs(opened, analysis, measured)
    change = then - now
    figures = {"now": now, "change": change, "vs": change / np.maximum(now, 1)}[figure]
    return measured[np.argsort(sign * figures, kind="stable")]


def _costs(opened: Opened, analysis: Analysis, places: Any) -> tuple[Floats, Floats]:
    """The tokens of rows as sent today and in the chosen format, with their explanations."""
    choice = analysis.choice
    now, then = (
        cost_of_each(opened.rows, places, choice.tokenizer, name, analysis.explaining)
        for name in (choice.now, choice.format)
    )
    return now, then


def _frame(opened: Opened, analysis: Analysis, indices: Any) -> Any:
    """The table of the rows at ``indices``."""
    rows, choice = opened.rows, analysis.choice
    now, then = _costs(opened, analysis, indices)
    best = best_of_each(rows, indices, choice.tokenizer, analysis.explaining)
    frame = pd.DataFrame(
        {
            "Group": [rows.names[code] for code in rows.group[indices]],
            "Time, UTC": moments(rows.time[indices]),
            "Bytes": rows.bytes[indices],
            "Tokens today": now,
            label(choice.format): then,
            "vs today": (then - now) / np.where(now > 0, now, np.nan),
            "Send alone": list(map(label, best)),
            "Source": rows.sources.take(indices).to_pylist(),
            "Record": rows.record[indices],
        }
    )
    return (
        frame.style.format(wording.count, subset=["Bytes", "Record", *frame.columns[3:5]])
        .format(wording.signed_percent, subset=["vs today"])
        .map(style_losses(), subset=["vs today"])
    )


def _draw_one(opened: Opened, index: int) -> None:
    if not opened.path.exists():
        st.warning(GONE)
        return
    rows = opened.rows
    name = f"{rows.names[rows.group[index]]}, record {rows.record[index]}"
    text = opened.payload(index) if opened.holds_payloads else None
    if text is None:
        st.info(
            "This run does not hold its payloads. To open them here, measure with "
            "`--keep-payloads`, or tick **Keep the payloads in the run**."
        )
        return
    if st.button("Open in the playground", key="dashboard_open", type="primary"):
        open_document("json", text, name)
        st.switch_page("playground.py")
    more = f"\n… {len(text) - _PREVIEW:,} more characters" if len(text) > _PREVIEW else ""
    st.code(text[:_PREVIEW] + more, language=None, wrap_lines=True, height=220)


def draw_bad_records(opened: Opened, analysis: Analysis) -> None:
    """The bad records and the skipped ones, each with its source, its number and the reason."""
    selected = analysis.selected
    _draw_unmeasured(opened, selected.bad, plural(selected.bad.size, "bad record"), "bad")
    skipped = f"{plural(selected.skipped.size, 'record')} skipped: no JSON payload"
    _draw_unmeasured(opened, selected.skipped, skipped, "skipped")


def _draw_unmeasured(opened: Opened, indices: Any, title: str, key: str) -> None:
    if not indices.size:
        return
    rows = opened.rows
    with st.expander(title, key=f"dashboard_{key}"):
        shown = indices[:500]
        columns = {
            "Source": rows.sources.take(shown).to_pylist(),
            "Record": rows.record[shown],
            "Reason": rows.errors.take(shown).to_pylist(),
        }
        draw_table(
            pd.DataFrame(columns),
            f"dashboard_{key}_table",
            alt="Records with source, number and reason.",
        )
        if indices.size > shown.size:
            st.caption(f"The first {shown.size:,} of {indices.size:,}.")
