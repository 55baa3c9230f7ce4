"""What stands first: what was spent as billed, what to change, and the tools by what they cost.

Session state:
    dashboard_clicks: How often a row was clicked. Each click starts a new table, in which nothing
        is selected, so that the next click is heard wherever it is.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts.dashboard import life
from pages.parts.dashboard.choices import filter_by_groups
from pages.parts.dashboard.opened import Opened
from pages.parts.hosted import where_texts_go
from pages.parts.markdown import escape_markdown
from toon import wording
from toon.analysis.tools import find_reach, rank_tools
from toon.formats import label
from toon.reports.billed import spent
from toon.reports.facts import Report, unpriced
from toon.reports.figures import act, projected, untested
from toon.traffic.urls import short_names
from toon.wording import percent

#: Rows of the table that ranks, which scrolls; the CSV has them all.
_ROWS: Final = 500
_HEIGHT: Final = 318
_WRITTEN: Final = {
    wording.count: ("Calls", "Tokens today", "Saves, tokens"),
    partial(percent, digits=1): ("Of the bill",),
}


def draw_answer(opened: Opened, report: Report) -> None:
    """Whose figures these are, what was spent as billed, and what to change."""
    analysis = report.analysis
    if bill := spent(report):
        st.header(escape_markdown(bill[0]), anchor=False)
        st.caption(escape_markdown(bill[1]))
    if not analysis.payloads:
        st.info(
            "No payload passes the filters. Clear some of them."
            if opened.payloads
            else "This run holds no payload with figures."
        )
    elif analysis.nothing:
        st.info(f"{analysis.nothing}.")
    elif not bill:
        st.header(escape_markdown(act(report)), anchor=False)
    else:
        reach = find_reach(analysis)
        touch = f"Formats can touch {percent(reach)} of this bill. " if reach is not None else ""
        st.markdown(escape_markdown(f"{touch}{act(report)}."))
    is_said = (life.said() or ("", ""))[0] == "success"
    whose = "" if is_said else f"{opened.about}."
    about = whose, where_texts_go(), unpriced(analysis)
    st.caption(escape_markdown(" ".join(filter(None, about))))


def draw_ranked(opened: Opened, report: Report) -> None:
    """The tools by what they cost today; a click on one filters everything by it."""
    tools = rank_tools(report.analysis)[:_ROWS]
    if not tools:
        return
    short = short_names([each.tool for each in tools])
    a_month = _a_month(report)
    money, times = ("Money a month", a_month) if a_month else ("Money today", 1.0)
    frame = pd.DataFrame(
        {
            "Tool": short[each.tool],
            "Server": each.server,
            money: _dollars(each.money, times),
            "Of it carried": _dollars(each.carried),
            "Of the bill": each.share,
            "Calls": each.calls,
            "Tokens today": each.tokens,
            "Send as": label(each.send_as) if each.send_as else "as today",
            "Saves": _dollars(each.saves_money, times),
            "Saves, tokens": each.saves_tokens,
        }
        for each in tools
    ).dropna(axis="columns", how="all")  # what nobody knows has no column
    digits = 2 if frame.get(money, pd.Series([1.0])).max() >= 1 else 4
    written = {**_WRITTEN, f"${{:,.{digits}f}}".format: (money, "Of it carried", "Saves")}
    shown = frame.style
    for write, names in written.items():
        there = [name for name in names if name in frame]
        shown = shown.format(write, subset=there, na_rep=wording.UNKNOWN)
    widget = f"dashboard_ranked_{st.session_state.setdefault('dashboard_clicks', 0)}"
    with st.container(key="dashboard_ranked"):
        st.dataframe(
            shown,
            hide_index=True,
            height=min(_HEIGHT, 38 + 35 * len(frame)),
            key=widget,
            on_select=partial(_take_click, opened, widget, [each.groups for each in tools]),
            selection_mode=["single-row", "single-cell"],
            placeholder=wording.UNKNOWN,
            alt="Tools by what they cost, with what to send them in and what that saves.",
        )
    if offered := untested(report):
        st.caption(escape_markdown(offered))


def _a_month(report: Report) -> float | None:
    """What makes a month's money of the run's; None where the log says what was billed."""
    analysis = report.analysis
    if spent(report) or analysis.monthly is None or projected(report):
        return None
    return analysis.monthly / analysis.payloads


def _dollars(money: Decimal | None, times: float = 1.0) -> float | None:
    return None if money is None else float(money) * times


def _take_click(opened: Opened, widget: str, tools: list[tuple[str, ...]]) -> None:
    """Callback of the table: filters by the tool of the row, or shows all again."""
    chosen = st.session_state[widget]["selection"]
    rows = [*chosen["rows"], *(row for row, _ in chosen["cells"])]
    if rows:
        filter_by_groups(opened, tools[rows[0]])
        st.session_state.dashboard_clicks += 1
