"""The dashboard's panels: an analysis as totals, groups, policy, kinds of text, spread and time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, Literal

import streamlit as st

from pages.parts import charts as shared
from pages.parts.dashboard import charts
from pages.parts.dashboard.opened import Opened
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.corpus.report.csv import as_csv
from toon.corpus.report.facts import (
    Report,
    caveats,
    groups_left_out,
    headline,
    no_rate,
    sent_ways,
)
from toon.corpus.report.html import as_html
from toon.corpus.report.markdown import as_markdown
from toon.formats import label
from toon.values.fractions import fraction
from toon.wording import dollars, plural, signed_percent

#: The most lines that a table shows; the report has them all.
_LINES: Final = 500


def draw_totals(report: Report) -> None:
    """The headline, the total tokens of each way to send the payloads, and the caveats."""
    analysis = report.analysis
    st.subheader(escape_markdown(headline(report)), anchor=False)
    about = "≈ " if report.estimated else ""
    policy = analysis.policy
    cells = st.columns(4)
    with cells[0].container(border=True):
        st.metric(
            "Payloads",
            f"{analysis.payloads:,}",
            plural(analysis.selected.bad.size, "bad record"),
            delta_color="orange" if analysis.selected.bad.size else "gray",
            delta_arrow="off",
        )
        st.caption(_rate(report))
    for cell, way in zip(cells[1:], sent_ways(report), strict=True):
        tokens, change = way.tokens, way.vs(policy.now)
        with cell.container(border=True):
            st.metric(
                f"{way.name}, tokens",
                "not possible" if tokens is None else f"{about}{tokens:,}",
                f"{signed_percent(change)} vs today",
                delta_color=_color(change),
                delta_arrow="off",
            )
            st.caption(_against(report, tokens, way.dollars))
    with st.expander(plural(len(caveats(report)), "caveat"), key="dashboard_caveats"):
        st.markdown("\n".join(f"- {escape_markdown(text)}" for text in caveats(report)))


def _estimated(report: Report) -> str:
    """The end of a caption that marks its figures as estimates; "" if they are exact."""
    return "; ≈ estimates" if report.estimated else ""


def _unexplained(report: Report) -> str:
    """The note of a panel without explanations; "" if no other panel counts them either."""
    return ", explanations not counted" if report.analysis.choice.explain else ""


def _color(change: float | None) -> Literal["gray", "orange", "blue"]:
    if not change:
        return "gray"
    return "orange" if change > 0 else "blue"


def _against(report: Report, tokens: int | None, money: Decimal | None) -> str:
    sums = report.analysis.sums
    if tokens is None:
        total = sums.total(report.analysis.choice.format)
        vs = signed_percent(total.vs("json-compact"))
        return f"carries {plural(total.payloads, 'payload')}: {vs} vs compact JSON on those"
    shares = [
        f"{signed_percent(fraction(tokens, sums.total(name).tokens))} vs {label(name)}"
        for name in ("json-compact", "json-pretty")
    ]
    worth = f"{escape_markdown(dollars(money, estimated=report.estimated))} a month"
    if report.analysis.bill is None:
        worth = "rate unknown"
    return " · ".join([*shares, worth])


def _rate(report: Report) -> str:
    """The payloads a month, and whether that rate was given or observed."""
    rate, given = report.analysis.rate, report.analysis.choice.monthly
    if given is not None:
        return f"{given:,} a month, as given"
    if rate is None:
        return f"{no_rate(report.analysis)}: give the payloads a month"
    days = (rate.last - rate.first) / 86_400
    return (
        f"{rate.monthly:,.0f} a month, observed over {days:,.1f} days: {_date(rate.first)} to "
        f"{_date(rate.last)}"
    )


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def draw_groups(report: Report) -> None:
    """The chosen format against today's by group, savings and losses."""
    choice = report.analysis.choice
    st.subheader("Savings by group", anchor=False)
    sides = f"All {label(choice.format)} against {label(choice.now)}"
    st.caption(f"{sides}{_unexplained(report)}{_estimated(report)}.")
    frame = charts.changes(report.analysis)
    if frame.empty:
        st.info(f"{label(choice.format)} cannot carry all payloads of any group.")
        return
    st.altair_chart(
        charts.group_bars(frame),
        key="dashboard_groups_chart",
        alt="Bars of tokens against today by group, saved to the left, added to the right.",
    )
    if left_out := groups_left_out(report.analysis, len(frame)):
        st.caption(f"{left_out} The CSV report has all groups.")


def draw_policy(report: Report) -> None:
    """The format to send each group in, and what that mix takes against a single format."""
    analysis = report.analysis
    policy, choice = analysis.policy, analysis.choice
    st.subheader("Policy: what to switch first, what to leave alone", anchor=False)
    st.caption(_mix(report))
    lines = [
        {
            "Group": row.group,
            "Send": label(row.format) if row.switch else f"leave: {label(choice.now)}",
            "Change": row.vs_now if row.switch else 0.0,
            "in tokens": row.change if row.switch else 0,
            "Tokens today": row.now,
            "Payloads": row.payloads,
        }
        for row in policy.advice[:_LINES]
    ]
    draw_table(
        lines,
        "dashboard_policy",
        counts=["Payloads", "Tokens today"],
        percents=["Change"],
        differences=["in tokens"],
        marked=[],
        alt="Groups, what to send them in, and what that changes.",
    )
    if len(policy.advice) > _LINES:
        st.caption(f"{_LINES:,} of {len(policy.advice):,} groups; the report has them all.")


def _mix(report: Report) -> str:
    analysis = report.analysis
    tokens, whole = analysis.policy.tokens, analysis.all_format
    parts = [f"{signed_percent(fraction(tokens, analysis.policy.now))} vs today"]
    if whole is not None:
        vs = signed_percent(fraction(tokens, whole))
        parts.append(f"{vs} vs all {label(analysis.choice.format)}")
    vs = signed_percent(fraction(tokens, analysis.policy.compact))
    parts.append(f"{vs} vs all compact JSON")
    return (
        f"The mix takes {', '.join(parts)}. Each group gets the lossless format with a public "
        "library from which every payload of the group came back, and which has the fewest tokens "
        f"in total{_estimated(report)}."
    )


def draw_kinds(report: Report) -> None:
    """The kinds of text in compact JSON by group: names, punctuation, whitespace, values."""
    rows = report.rows
    st.subheader("Where the tokens go", anchor=False)
    estimate = "" if rows.exact(rows.tokenizers[0]) else ", an estimate"
    st.caption(f"Compact JSON by kind of text, counted by {rows.tokenizers[0]}{estimate}.")
    share = st.toggle("Per cent of each group", key="dashboard_share", persist_state="session")
    drawn = charts.kinds_bars(report.analysis)
    frame = shared.kinds_frame(drawn)
    st.altair_chart(
        shared.kinds_chart(frame, share=share).properties(
            height=28 * frame["label"].nunique() + 170
        ),
        key="dashboard_kinds",
        alt="Stacked bars of names, punctuation, whitespace and values by group.",
    )
    if left_out := len(report.analysis.sums.groups) - len(drawn):
        st.caption(f"Left out: {plural(left_out, 'group')} with fewer tokens.")


def draw_spread(report: Report) -> None:
    """How the change in tokens varies between payloads, as a histogram and quantiles."""
    spread, choice = report.analysis.vs, report.analysis.choice
    st.subheader("Single payloads", anchor=False)
    sides = f"{label(choice.format)} against {label(choice.now)}"
    st.caption(f"Each payload as {sides}{_unexplained(report)}{_estimated(report)}.")
    if spread.bars:
        st.altair_chart(
            charts.histogram(spread),
            key="dashboard_spread",
            alt="Histogram of payloads by their change in tokens; the figures stand below.",
        )
    if not spread.quantiles:
        st.info(f"{label(choice.format)} cannot carry any of these payloads.")
        return
    if spread.bars and spread.bars[-1].high >= 1:
        st.caption("The last bar holds all that take about twice the tokens or more.")
    low, lower, middle, upper, high = map(signed_percent, spread.quantiles)
    st.caption(
        f"{plural(spread.fewer, 'payload takes', 'payloads take')} fewer tokens, "
        f"{spread.same:,} as many, {spread.more:,} more. Median {middle}; "
        f"half lie between {lower} and {upper}, nine in ten between {low} and {high}."
    )


def draw_series(report: Report) -> None:
    """Tokens over time, if the payloads carry times."""
    series = report.analysis.series
    st.subheader("Tokens over time", anchor=False)
    if series is None:
        st.caption("These payloads carry no times.")
        return
    untimed = f" {plural(series.untimed, 'payload')} without a time." if series.untimed else ""
    st.caption(f"Tokens a {series.unit}, UTC{_estimated(report)}.{untimed}")
    st.altair_chart(
        charts.volume(series, report.analysis),
        key="dashboard_volume",
        alt="Lines of tokens over time: today, all in the chosen format, recommended mix.",
    )


def draw_downloads(opened: Opened, report: Report) -> None:
    """A button for each file, which is written when the button is pressed."""
    st.subheader("Report", anchor=False)
    st.caption(
        "What is shown above, filters included, with every caveat. The HTML page opens offline and "
        "runs no scripts. The run opens here, in pandas or in DuckDB."
    )
    stem = re.sub(r"[^A-Za-z0-9]+", "-", opened.name.partition(".")[0]).strip("-") or "run"
    forms = (
        ("HTML", "html", "text/html", lambda: as_html(report)),
        ("Markdown", "md", "text/markdown", lambda: as_markdown(report)),
        ("CSV", "csv", "text/csv", lambda: as_csv(report)),
        ("Run (.parquet)", "parquet", "application/vnd.apache.parquet", opened.path.read_bytes),
    )
    with st.container(horizontal=True):
        for title, ending, mime, data in forms:
            st.download_button(
                title,
                data,
                f"savings-{stem}.{ending}",
                mime,
                key=f"dashboard_download_{ending}",
                on_click="ignore",
            )
