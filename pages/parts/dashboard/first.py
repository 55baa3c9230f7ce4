"""The top of the dashboard: what was spent as billed, what to change, tools by cost, downloads.

Session state:
    dashboard_clicks: How often a row was clicked. Each click starts a new table, in which nothing
        is selected, so that the next click is heard wherever it is.
    dashboard_all: Whether tools that cost next to nothing are shown too.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from html import escape
from typing import Final

import pandas as pd
import streamlit as st

from pages.parts.dashboard.choices import filter_by_groups
from pages.parts.dashboard.open_run import OpenRun
from pages.parts.hosted import describe_privacy
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_verdict
from toon import wording
from toon.analysis.tools import RankedTool, add_up, find_bill, find_reach
from toon.errors import RunError
from toon.formats import label
from toon.reading.verdicts import describe_loss
from toon.reports.billed import billed_cost
from toon.reports.csv import as_csv
from toon.reports.deck import as_deck
from toon.reports.facts import Report, no_price
from toon.reports.figures import action, has_month, untested_words
from toon.reports.html import as_html
from toon.traffic.urls import shorten_names
from toon.wording import capitalised, cents, percent, plural, rough_cents

#: Rows of the table that ranks, which scrolls; the CSV has them all.
_ROWS: Final = 500
_HEIGHT: Final = 318
#: A tool below this share of the whole, for which no format saves anything, is next to nothing.
_SMALL_SHARE: Final = 0.005
_PAID_AGAIN: Final = "Paid again later"

_Figures = list[tuple[str, str]]


def draw_answer(run: OpenRun, report: Report, tools: Sequence[RankedTool]) -> None:
    """Draw the dashboard's headline for a log: what was spent, what to change, what that saves."""
    analysis, bill = report.analysis, billed_cost(report)
    if not analysis.payloads or analysis.nothing:
        if bill:
            draw_verdict(bill[0], bill[1], ())
        if analysis.payloads:
            st.info(f"{analysis.nothing}.")
        elif run.payloads:
            st.info("No payload passes the filters. Clear some of them.")
        else:
            st.info("This run holds no payload with figures.")
        return
    tip = f"{bill[0]}. {bill[1]}" if bill else ""
    say, figures = _bill_facts(report, tools) if bill else (action(report), _month_facts(report))
    reach = find_reach(analysis)
    lost = describe_loss(switch.format for switch in analysis.policy.switches)
    quiet = [
        f"{capitalised(run.title.partition(': ')[2])}." if run.is_sample else "",
        f"Formats can touch {percent(reach)} of this bill." if reach is not None else "",
        f"{capitalised(lost)}." if lost else "",
        describe_privacy() if run.is_sample else "",
        no_price(analysis),
    ]
    draw_verdict(say, " ".join(filter(None, quiet)), figures, tip)


def _bill_facts(report: Report, tools: Sequence[RankedTool]) -> tuple[str, _Figures]:
    """Return a sentence on the tool whose format saves most, and a log's bill and its savings as
    pairs of an amount in words and its name.
    """
    bill, saved = find_bill(report.analysis), add_up(tool.saves_money for tool in tools)
    figures = [(cents(bill or Decimal(0)), "spent, as billed")]
    switched = [tool for tool in tools if tool.send_as and tool.saves_money]
    if not bill or not saved or not switched:
        return action(report), figures
    first = max(switched, key=lambda tool: tool.saves_money or 0)
    by = f"saved by all {len(switched):,} tools" if len(switched) > 1 else "saved"
    share = percent(float(saved / bill), 0 if saved >= bill / 100 else 1)
    figures.append((rough_cents(saved), f"{by}: {share} of the bill"))
    return (
        f"Send {first.name} as {label(first.send_as or '')}: "
        f"saves {rough_cents(first.saves_money or Decimal(0))}"
    ), figures


def _month_facts(report: Report) -> _Figures:
    """Return (text, unit) pairs: a log's cost today and as advised, in money a month or tokens."""
    now, mix = (report.analysis.ways[name] for name in ("now", "mix"))
    if now.dollars is None or mix.dollars is None or not has_month(report):
        figures = [(f"{round(way.cost):,}", "tokens") for way in (now, mix)]
    else:
        rate = f"a month, at {plural(round(report.analysis.monthly or 0), 'call')}"
        figures = [(cents(now.dollars), rate), (cents(mix.dollars), "a month")]
    if not report.analysis.policy.switches:
        return figures[:1]
    then, unit = figures[1]
    return [figures[0], (then, f"{unit}, switched")]


def draw_ranking(run: OpenRun, report: Report, tools: Sequence[RankedTool]) -> None:
    """Draw a table of tools by what their results cost; a click on one shows its payloads alone."""
    if not tools:
        return
    if money := add_up(tool.money for tool in tools):  # shares are of the bill, if there is one
        total = float(find_bill(report.analysis) or money)
        rows = [(tool, float(tool.money or 0) / total) for tool in tools[:_ROWS]]
    else:
        tokens = sum(tool.tokens for tool in tools) or 1
        rows = [(tool, tool.tokens / tokens) for tool in tools[:_ROWS]]
    visible = [(tool, share) for tool, share in rows if tool.saves_tokens or share >= _SMALL_SHARE]
    place = st.container(key="dashboard_ranked")
    if 0 < len(visible) < len(rows):
        is_more = st.toggle(f"Show {len(rows) - len(visible)} more", key="dashboard_all")
        visible = rows if is_more else visible
    with place:
        _draw_rows(run, report, visible or rows)
    if offered := untested_words(report):
        st.caption(escape_markdown(offered))


def _draw_rows(run: OpenRun, report: Report, rows: Sequence[tuple[RankedTool, float]]) -> None:
    short = shorten_names([tool.tool for tool, _ in rows])
    is_billed, analysis, money, times = bool(billed_cost(report)), report.analysis, "Cost", 1.0
    if not is_billed and has_month(report) and analysis.monthly:
        money, times = "A month", analysis.monthly / analysis.payloads
    is_priced = any(tool.saves_money is not None and tool.money is not None for tool, _ in rows)

    def saving(tool: RankedTool) -> float | None:
        if not tool.send_as:
            return None
        return _dollars(tool.saves_money, times) if is_priced else tool.saves_tokens

    frame = pd.DataFrame(
        {
            "Tool": " · ".join(filter(None, [short[tool.tool], tool.server])),
            money: _dollars(tool.money, times),
            "Share": 100 * share,
            _PAID_AGAIN: _dollars(tool.carried),
            "Send as": label(tool.send_as) if tool.send_as else "as today",
            "Saves": saving(tool),
            "Calls": tool.calls,
            "Tokens": tool.tokens,
        }
        for tool, share in rows
    ).dropna(axis="columns", how="all")  # what nobody knows has no column
    write = dict.fromkeys((money, _PAID_AGAIN, "Saves"), lambda usd: cents(Decimal(repr(usd))))
    write |= dict.fromkeys(("Calls", "Tokens", *(() if is_priced else ("Saves",))), wording.count)
    there = {name: written for name, written in write.items() if name in frame}
    widget = f"dashboard_ranked_{st.session_state.setdefault('dashboard_clicks', 0)}"
    st.dataframe(
        frame.style.format(there, na_rep=wording.UNKNOWN),
        hide_index=True,
        height=min(_HEIGHT, 38 + 35 * len(frame)),
        key=widget,
        on_select=partial(_take_click, run, widget, [tool.groups for tool, _ in rows]),
        selection_mode=["single-row", "single-cell"],
        placeholder=wording.UNKNOWN,
        column_config={
            "Cost": st.column_config.Column(
                help="What was paid for its results as input, in all calls that sent them: ≈, as "
                "their tokens are counted here."
            ),
            "Share": st.column_config.ProgressColumn(
                format="%.1f %%",
                min_value=0,
                max_value=100,
                help=f"Of {'the whole bill' if is_billed else 'all tools here'}.",
            ),
            _PAID_AGAIN: st.column_config.Column(
                help="Of the cost: what later calls paid for the same results, which stay in the "
                "prompt until the conversation ends or is compacted."
            ),
        },
        alt="Tools by what they cost, with what to send them in and what that saves.",
    )


def _dollars(money: Decimal | None, times: float = 1.0) -> float | None:
    return None if money is None else float(money) * times


def _take_click(run: OpenRun, widget: str, tools: list[tuple[str, ...]]) -> None:
    """Show only the payloads of the tool whose row was clicked; at a second click all again."""
    chosen = st.session_state[widget]["selection"]
    rows = [*chosen["rows"], *(row for row, _ in chosen["cells"])]
    if rows:
        filter_by_groups(run, tools[rows[0]])
        st.session_state.dashboard_clicks += 1


def draw_downloads(run: OpenRun, report: Report) -> None:
    """Draw a button with downloads: report and slides (HTML), figures (CSV), the run (Parquet)."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", run.name.partition(".")[0]).strip("-") or "run"
    forms = (
        ("Report (.html)", "html", "text/html", partial(_page, report)),
        ("Slides (.html)", "slides.html", "text/html", lambda: as_deck(report, run.title)),
        ("Figures (.csv)", "csv", "text/csv", lambda: as_csv(report)),
        ("Run (.parquet)", "parquet", "application/vnd.apache.parquet", run.path.read_bytes),
    )
    with st.popover("Download"):
        for title, ending, mime, data in forms:
            st.download_button(
                title,
                data,
                f"savings-{stem}.{ending}",
                mime,
                key=f"dashboard_download_{ending.partition('.')[0]}",
                on_click="ignore",
                width="stretch",
            )


def _page(report: Report) -> str:
    """Return the report as HTML, made when the download is pressed; or a page that says the run is
    damaged.
    """
    try:
        return as_html(report)
    except RunError as error:
        return f"<!doctype html><title>No report</title><p>{escape(str(error))}.</p>"
