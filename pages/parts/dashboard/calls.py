"""The dashboard's tab Calls: each payload of a measured log, and the records without figures."""

from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from pages.parts.dashboard.life import GONE
from pages.parts.dashboard.open_run import OpenRun, to_datetimes
from pages.parts.dashboard.sections import draw_chart
from pages.parts.faults import guard
from pages.parts.payload import open_document
from pages.parts.tables import draw_table, style_losses
from toon import wording
from toon.analysis import Analysis
from toon.analysis.sums import choose_formats, cost_rows
from toon.formats import label
from toon.reports.facts import Report
from toon.reports.html import spread_of_payloads
from toon.wording import plural

#: Payloads in the table; the run has them all, and a filter brings others.
_ROWS: Final = 1_000
#: Characters shown of a payload that is not opened.
_PREVIEW: Final = 1_500


def draw_calls(run: OpenRun, report: Report) -> None:
    """Draw a measured log's payloads as a table, their tokens as a chart, and failed records."""
    if report.analysis.payloads:
        st.fragment(guard(_draw_table), key="dashboard_payloads")(run, report.analysis)
        draw_chart(spread_of_payloads(report))
    selected = report.analysis.selected
    _draw_unmeasured(run, selected.bad, plural(selected.bad.size, "bad record"), "bad")
    skipped = f"{plural(selected.skipped.size, 'record')} skipped: no JSON payload"
    _draw_unmeasured(run, selected.skipped, skipped, "skipped")


def _draw_table(run: OpenRun, analysis: Analysis) -> None:
    run.look()
    measured, choice = analysis.selected.measured, analysis.choice
    now = cost_rows(run.rows, measured, choice.tokenizer, choice.now, analysis.explaining)
    largest = measured[np.argsort(-now, kind="stable")][:_ROWS]
    more = f" The {_ROWS:,} largest of {measured.size:,}." if measured.size > _ROWS else ""
    st.caption(f"Mark a row at its left to open its payload in the playground.{more}")
    chosen = st.dataframe(
        _frame(run, analysis, largest),
        hide_index=True,
        height=388,
        key="dashboard_table",
        on_select="rerun",
        selection_mode="single-row",
        column_config={"Time, UTC": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")},
        alt="Payloads with their tokens today and in the chosen format.",
    )
    for row in chosen["selection"]["rows"]:
        if row < largest.size:
            _draw_one(run, int(largest[row]))


def _frame(run: OpenRun, analysis: Analysis, indices: Any) -> Any:
    """Return a styled table of a run's payloads at ``indices``: tokens today and in a format."""
    rows, choice = run.rows, analysis.choice
    now, then = (
        cost_rows(rows, indices, choice.tokenizer, name, analysis.explaining)
        for name in (choice.now, choice.format)
    )
    best = choose_formats(rows, indices, choice.tokenizer, analysis.explaining)
    frame = pd.DataFrame(
        {
            "Group": [rows.names[code] for code in rows.group[indices]],
            "Time, UTC": to_datetimes(rows.time[indices]),
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


def _draw_one(run: OpenRun, index: int) -> None:
    if not run.path.exists():
        st.warning(GONE)
        return
    rows = run.rows
    name = f"{rows.names[rows.group[index]]}, record {rows.record[index]}"
    text = run.payload(index) if run.holds_payloads else None
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


def _draw_unmeasured(run: OpenRun, indices: Any, title: str, key: str) -> None:
    if not indices.size:
        return
    rows = run.rows
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
