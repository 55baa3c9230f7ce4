"""The dashboard's panels: totals, groups, policy, spread, time. They present an analysis."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from pages.parts import charts as shared
from pages.parts.dashboard import charts
from pages.parts.markdown import escape_markdown
from toon import wording
from toon.corpus.report.facts import (
    Report,
    caveats,
    dollars,
    groups_left_out,
    headline,
    label,
    no_rate,
    sent_ways,
    signed_count,
    some,
)
from toon.values.fractions import fraction

#: Lines of a table; the report has them all.
_LINES: Final = 500


def show_totals(report: Report) -> None:
    """The headline, what everything takes each way, and the caveats."""
    analysis = report.analysis
    st.subheader(escape_markdown(headline(report)), anchor=False)
    about = "≈ " if report.estimated else ""
    policy = analysis.policy
    cells = st.columns(4)
    with cells[0].container(border=True):
        st.metric(
            "Payloads",
            f"{analysis.payloads:,}",
            some(analysis.selected.bad.size, "bad record"),
            delta_color="orange" if analysis.selected.bad.size else "gray",
            delta_arrow="off",
        )
        st.caption(_rate(report))
    for cell, (name, tokens, money) in zip(cells[1:], sent_ways(report), strict=True):
        change = None if tokens is None else fraction(tokens, policy.now)
        with cell.container(border=True):
            st.metric(
                f"{name}, tokens",
                "not possible" if tokens is None else f"{about}{tokens:,}",
                f"{wording.signed_percent(change)} vs today",
                delta_color=_color(change),
                delta_arrow="off",
            )
            st.caption(_against(report, tokens, money))
    with st.expander(some(len(caveats(report)), "caveat"), key="dashboard_caveats"):
        st.markdown("\n".join(f"- {escape_markdown(text)}" for text in caveats(report)))


def _estimated(report: Report) -> str:
    """What every panel says of figures that are estimates."""
    return "; ≈ estimates" if report.estimated else ""


def _unexplained(report: Report) -> str:
    """What panels say that leave explanations out while others count them."""
    return ", explanations not counted" if report.analysis.choice.explain else ""


def _color(change: float | None) -> Any:
    if not change:
        return "gray"
    return "orange" if change > 0 else "blue"


def _against(report: Report, tokens: int | None, money: Any) -> str:
    found = report.analysis.sums
    if tokens is None:
        total = found.total(report.analysis.choice.format)
        vs = wording.signed_percent(total.vs("json-compact"))
        return f"carries {total.payloads:,} payloads: {vs} vs compact JSON on those"
    shares = [
        f"{wording.signed_percent(fraction(tokens, found.total(name).tokens))} vs {label(name)}"
        for name in ("json-compact", "json-pretty")
    ]
    worth = f"{escape_markdown(dollars(money, report.estimated))} a month"
    if report.analysis.bill is None:
        worth = "rate unknown"
    return " · ".join([*shares, worth])


def _rate(report: Report) -> str:
    """What a month is told from."""
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


def show_groups(report: Report) -> None:
    """The chosen format against today by group, losses in view."""
    choice = report.analysis.choice
    st.subheader("Savings by group", anchor=False)
    sides = f"All {label(choice.format)} against {label(choice.now)}"
    st.caption(f"{sides}{_unexplained(report)}{_estimated(report)}.")
    frame = charts.changes(report.analysis)
    if frame.empty:
        st.info(f"{label(choice.format)} cannot carry all payloads of any group.")
        return
    drawn = charts.extremes(frame)
    st.altair_chart(
        charts.group_bars(drawn),
        key="dashboard_groups_chart",
        alt="Bars of tokens against today by group, saved to the left, added to the right.",
    )
    if left_out := groups_left_out(report.analysis, len(drawn)):
        st.caption(f"{left_out} The CSV report has all groups.")


def show_policy(report: Report) -> None:
    """What to send each group in, and what that mix comes to against all of one."""
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
    styled = (
        pd.DataFrame(lines)
        .style.format(wording.count, subset=["Payloads", "Tokens today"])
        .format(wording.signed_percent, subset=["Change"])
        .format(signed_count, subset=["in tokens"])
    )
    st.dataframe(
        styled,
        hide_index=True,
        key="dashboard_policy",
        alt="Groups, what to send them in, and what that changes.",
    )
    if len(policy.advice) > _LINES:
        st.caption(f"{_LINES:,} of {len(policy.advice):,} groups; the report has them all.")


def _mix(report: Report) -> str:
    analysis = report.analysis
    tokens, whole = analysis.policy.tokens, analysis.all_format
    parts = [f"{wording.signed_percent(fraction(tokens, analysis.policy.now))} vs today"]
    if whole is not None:
        vs = wording.signed_percent(fraction(tokens, whole))
        parts.append(f"{vs} vs all {label(analysis.choice.format)}")
    vs = wording.signed_percent(fraction(tokens, analysis.policy.compact))
    parts.append(f"{vs} vs all compact JSON")
    return (
        f"The mix takes {', '.join(parts)}. Recommended is the cheapest lossless format with a "
        "public library that every payload of the group came back from, over the group's "
        f"total{_estimated(report)}."
    )


def show_kinds(report: Report) -> None:
    """Names, punctuation, whitespace and values of compact JSON by group."""
    rows = report.rows
    st.subheader("Where the tokens go", anchor=False)
    estimate = "" if rows.exact(rows.tokenizers[0]) else ", an estimate"
    st.caption(f"Compact JSON by kind of text, counted by {rows.tokenizers[0]}{estimate}.")
    share = st.toggle("Per cent of each group", key="dashboard_share", persist_state="session")
    drawn = charts.kinds_rows(report.analysis)
    frame = shared.kinds_frame(drawn)
    st.altair_chart(
        shared.kinds_chart(frame, share=share).properties(
            height=28 * frame["label"].nunique() + 170
        ),
        key="dashboard_kinds",
        alt="Stacked bars of names, punctuation, whitespace and values by group.",
    )
    if left_out := len(report.analysis.sums.groups) - len(drawn):
        st.caption(f"Left out: {some(left_out, 'group')} with fewer tokens.")


def show_spread(report: Report) -> None:
    """Single payloads against today: histogram and quantiles, not a mean."""
    found, choice = report.analysis.vs, report.analysis.choice
    st.subheader("Single payloads", anchor=False)
    sides = f"{label(choice.format)} against {label(choice.now)}"
    st.caption(f"Each payload as {sides}{_unexplained(report)}{_estimated(report)}.")
    if found.bars:
        st.altair_chart(
            charts.histogram(found),
            key="dashboard_spread",
            alt="Histogram of payloads by their change in tokens; the figures stand below.",
        )
    if not found.quantiles:
        st.info(f"{label(choice.format)} cannot carry any of these payloads.")
        return
    if found.bars and found.bars[-1].high >= 1:
        st.caption("The last bar holds all that take about twice the tokens or more.")
    low, lower, middle, upper, high = map(wording.signed_percent, found.quantiles)
    st.caption(
        f"{found.fewer:,} payloads take fewer tokens, {found.same:,} as many, {found.more:,} more. "
        f"Median {middle}; half lie between {lower} and {upper}, nine in ten between {low} and "
        f"{high}."
    )


def show_series(report: Report) -> None:
    """Tokens over time, where there are times."""
    found = report.analysis.series
    st.subheader("Tokens over time", anchor=False)
    if found is None:
        st.caption("These payloads carry no times.")
        return
    untimed = f" {some(found.untimed, 'payload')} without a time." if found.untimed else ""
    st.caption(f"Tokens a {found.unit}, UTC{_estimated(report)}.{untimed}")
    st.altair_chart(
        charts.volume(found, report.analysis),
        key="dashboard_volume",
        alt="Lines of tokens over time: today, all in the chosen format, recommended mix.",
    )
