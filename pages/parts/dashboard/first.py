"""What stands first: what was spent as billed, what to change, and the tools by what they cost.

Session state:
    dashboard_clicks: How often a row was clicked. Each click starts a new table, in which nothing
        is selected, so that the next click is heard wherever it is.
    dashboard_all: Whether tools that cost next to nothing are shown too.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from pages.parts.dashboard.choices import filter_by_groups
from pages.parts.dashboard.opened import Opened
from pages.parts.hosted import where_texts_go
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_verdict
from toon import wording
from toon.analysis.tools import RankedTool, add_up, find_bill, find_reach
from toon.formats import label
from toon.reading.verdicts import lost_in_loops
from toon.reports.billed import spent
from toon.reports.facts import Report, unpriced
from toon.reports.figures import act, has_month, untested
from toon.reports.tools import named
from toon.traffic.urls import short_names
from toon.wording import about_cents, capitalised, cents, percent, plural

#: Rows of the table that ranks, which scrolls; the CSV has them all.
_ROWS: Final = 500
_HEIGHT: Final = 318
#: A tool below this share of the whole, for which no format saves anything, is next to nothing.
_LITTLE: Final = 0.005
_PAID_AGAIN: Final = "Paid again later"

_Figures = list[tuple[str, str]]


def draw_answer(opened: Opened, report: Report, tools: Sequence[RankedTool]) -> None:
    """What was spent as billed, what to change and what that saves, in one band."""
    analysis, bill = report.analysis, spent(report)
    if not analysis.payloads or analysis.nothing:
        if bill:
            draw_verdict(bill[0], bill[1], ())
        st.info(_why_nothing(opened, report))
        return
    tip = f"{bill[0]}. {bill[1]}" if bill else ""
    say, figures = _of_bill(report, tools) if bill else (act(report), _of_month(report))
    draw_verdict(say, " ".join(filter(None, _quiet(opened, report))), figures, tip)


def _why_nothing(opened: Opened, report: Report) -> str:
    if report.analysis.payloads:
        return f"{report.analysis.nothing}."
    if opened.payloads:
        return "No payload passes the filters. Clear some of them."
    return "This run holds no payload with figures."


def _of_bill(report: Report, tools: Sequence[RankedTool]) -> tuple[str, _Figures]:
    """The tool whose format saves most, and what all save as a share of the whole bill."""
    bill, saved = find_bill(report.analysis), add_up(tool.saves_money for tool in tools)
    figures = [(cents(bill or Decimal(0)), "spent, as billed")]
    switched = [tool for tool in tools if tool.send_as and tool.saves_money]
    if not bill or not saved or not switched:
        return act(report), figures
    first = max(switched, key=lambda tool: tool.saves_money or 0)
    by = f"saved by all {len(switched):,} tools" if len(switched) > 1 else "saved"
    share = percent(float(saved / bill), 0 if saved >= bill / 100 else 1)
    figures.append((about_cents(saved), f"{by}: {share} of the bill"))
    return (
        f"Send {named(first)} as {label(first.send_as or '')}: "
        f"saves {about_cents(first.saves_money or Decimal(0))}"
    ), figures


def _of_month(report: Report) -> _Figures:
    """What is paid today and once it is switched: a month's money, else tokens."""
    now, mix = (report.analysis.ways[name] for name in ("now", "mix"))
    if now.dollars is None or mix.dollars is None or not has_month(report):
        figures = [(f"{round(way.cost):,}", "tokens") for way in (now, mix)]
    else:
        at = f"a month, at {plural(round(report.analysis.monthly or 0), 'call')}"
        figures = [(cents(now.dollars), at), (cents(mix.dollars), "a month")]
    if not report.analysis.policy.switches:
        return figures[:1]
    then, unit = figures[1]
    return [figures[0], (then, f"{unit}, switched")]


def _quiet(opened: Opened, report: Report) -> list[str]:
    """What the answer rests on, in few words: whose figures, what formats reach, what they risk."""
    analysis = report.analysis
    reach = find_reach(analysis)
    lost = lost_in_loops(each.format for each in analysis.policy.switches)
    return [
        f"{capitalised(opened.about.partition(': ')[2])}." if opened.is_sample else "",
        f"Formats can touch {percent(reach)} of this bill." if reach is not None else "",
        f"{capitalised(lost)}." if lost else "",
        where_texts_go() if opened.is_sample else "",
        unpriced(analysis),
    ]


def draw_ranked(opened: Opened, report: Report, tools: Sequence[RankedTool]) -> None:
    """The tools by what they cost today; a click on one filters everything by it."""
    if not tools:
        return
    whole, of = _whole(report, tools)
    rows = [(tool, _size(tool, of) / whole) for tool in tools[:_ROWS]]
    kept = [(tool, share) for tool, share in rows if tool.saves_tokens or share >= _LITTLE]
    place = st.container(key="dashboard_ranked")
    if 0 < len(kept) < len(rows):
        is_more = st.toggle(f"Show {len(rows) - len(kept)} more", key="dashboard_all")
        kept = rows if is_more else kept
    with place:
        _draw_rows(opened, report, kept or rows)
    if offered := untested(report):
        st.caption(escape_markdown(offered))


def _whole(report: Report, tools: Sequence[RankedTool]) -> tuple[float, str]:
    """What shares are of: the bill, else the money of all tools, else their tokens."""
    money = add_up(tool.money for tool in tools)
    if money:
        return float(find_bill(report.analysis) or money), "money"
    return sum(tool.tokens for tool in tools) or 1, "tokens"


def _size(tool: RankedTool, of: str) -> float:
    return float(tool.money or 0) if of == "money" else tool.tokens


def _draw_rows(opened: Opened, report: Report, rows: Sequence[tuple[RankedTool, float]]) -> None:
    short = short_names([tool.tool for tool, _ in rows])
    a_month = _a_month(report)
    money, times = ("A month", a_month) if a_month else ("Cost", 1.0)
    is_priced = any(tool.saves_money is not None and tool.money is not None for tool, _ in rows)
    frame = pd.DataFrame(
        {
            "Tool": " · ".join(filter(None, [short[tool.tool], tool.server])),
            money: _dollars(tool.money, times),
            "Share": 100 * share,
            _PAID_AGAIN: _dollars(tool.carried),
            "Send as": label(tool.send_as) if tool.send_as else "as today",
            "Saves": _saves(tool, times if is_priced else None),
            "Calls": tool.calls,
            "Tokens": tool.tokens,
        }
        for tool, share in rows
    ).dropna(axis="columns", how="all")  # what nobody knows has no column
    write = dict.fromkeys((money, _PAID_AGAIN, "Saves"), lambda each: cents(Decimal(repr(each))))
    write |= dict.fromkeys(("Calls", "Tokens", *(() if is_priced else ("Saves",))), wording.count)
    there = {name: written for name, written in write.items() if name in frame}
    widget = f"dashboard_ranked_{st.session_state.setdefault('dashboard_clicks', 0)}"
    st.dataframe(
        frame.style.format(there, na_rep=wording.UNKNOWN),
        hide_index=True,
        height=min(_HEIGHT, 38 + 35 * len(frame)),
        key=widget,
        on_select=partial(_take_click, opened, widget, [tool.groups for tool, _ in rows]),
        selection_mode=["single-row", "single-cell"],
        placeholder=wording.UNKNOWN,
        column_config=_looks(bool(spent(report))),
        alt="Tools by what they cost, with what to send them in and what that saves.",
    )


def _saves(tool: RankedTool, times: float | None) -> float | None:
    """What a format saves of a tool, in money so many times, or in tokens; None: nothing."""
    if not tool.send_as:
        return None
    return tool.saves_tokens if times is None else _dollars(tool.saves_money, times)


def _looks(is_billed: bool) -> dict[str, Any]:
    """Return how columns look: shares are bars of the whole."""
    whole = "the whole bill" if is_billed else "all tools here"
    return {
        "Cost": st.column_config.Column(
            help="What was paid for its results as input, in all calls that sent them: ≈, as "
            "their tokens are counted here."
        ),
        "Share": st.column_config.ProgressColumn(
            format="%.1f %%", min_value=0, max_value=100, help=f"Of {whole}."
        ),
        _PAID_AGAIN: st.column_config.Column(
            help="Of the cost: what later calls paid for the same results, which stay in the "
            "prompt until the conversation ends or is compacted."
        ),
    }


def _a_month(report: Report) -> float | None:
    """What makes a month's money of the run's; None where the log says what was billed."""
    analysis = report.analysis
    if spent(report) or not has_month(report):
        return None
    return (analysis.monthly or 0) / analysis.payloads


def _dollars(money: Decimal | None, times: float = 1.0) -> float | None:
    return None if money is None else float(money) * times


def _take_click(opened: Opened, widget: str, tools: list[tuple[str, ...]]) -> None:
    """Callback of the table: filters by the tool of the row, or shows all again."""
    chosen = st.session_state[widget]["selection"]
    rows = [*chosen["rows"], *(row for row, _ in chosen["cells"])]
    if rows:
        filter_by_groups(opened, tools[rows[0]])
        st.session_state.dashboard_clicks += 1
