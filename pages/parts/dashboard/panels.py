"""The dashboard's panels: an analysis as totals, groups, policy, kinds of text, spread and time.

Session state:
    dashboard_clicks: How often a bar was clicked. Each click starts a new chart, in which nothing
        is selected, so that the next click is heard wherever it is.
    dashboard_clicked: Whether one was clicked just now.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

import altair as alt
import pandas as pd
import streamlit as st

from pages.parts import charts
from pages.parts.dashboard.choices import filter_by_group
from pages.parts.dashboard.opened import Opened, moments
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from pages.parts.tabs import draw_fold
from toon.analysis import Analysis
from toon.analysis.spread import Series
from toon.colours import GREY, SAVES, TODAY, TOON
from toon.costs.choice import COMPACT
from toon.formats import label, versus
from toon.reports.facts import Report
from toon.reports.figures import (
    bar_range,
    flips,
    group_changes,
    groups_left_out,
    largest_groups,
    policy_words,
    smaller_groups,
    spread_words,
    totals,
    untimed,
    why_apart,
    worth_from,
)
from toon.reports.noted import COUNTS, PERCENTS, Section
from toon.traffic.urls import short_names
from toon.wording import BADGES, capitalised, plural, signed_percent

#: The most lines that a table shows, the report has them all; and that stand in text.
_LINES: Final = 500
_FEW: Final = 30
#: Groups that a chart draws, characters in a line of a name beside one, and pixels of the two
#: charts that stand beside each other.
_DRAWN: Final = 20
_LINE: Final = 28
_BESIDE: Final = 260
_CLICKED: Final = "clicked"
_AGAINST: Final = versus(COMPACT)
_CLICK: Final = "Click a bar to see its group alone, and again to see all."


def _joined(*sentences: str) -> str:
    """The sentences as one caption; those that are "" are left out."""
    return " ".join(filter(None, sentences))


def draw_groups(opened: Opened, report: Report) -> None:
    """The chosen format against today's by group, savings and losses."""
    choice = report.analysis.choice
    st.header("Savings by group", anchor=False)
    sides = f"All {label(choice.format)} against {label(choice.now)}"
    st.caption(_joined(f"{sides}.", why_apart(report.analysis), _CLICK))
    changes = group_changes(report.analysis, _DRAWN)
    if not changes:
        st.info(f"{label(choice.format)} cannot carry all payloads of any group.")
        return
    rows = ((change.group, change.tokens, change.vs) for change in changes)
    _draw_clickable(
        _group_bars(report, rows, apart=bool(report.analysis.apart)),
        opened,
        "group",
        "dashboard_groups_chart",
        "Bars of tokens against today by group, saved to the left, added to the right.",
    )
    if left_out := groups_left_out(report.analysis, len(changes)):
        st.caption(f"{left_out} The CSV report has all groups.")


def _group_bars(
    report: Report, rows: Iterable[tuple[str, float, float | None]], *, apart: bool
) -> alt.LayerChart:
    """Tokens saved to the left of zero, added to its right, by group: its tokens and their share.

    The bars are grey where the format stands ``apart``.
    """
    short = short_names(report.analysis.sums.groups)
    frame = pd.DataFrame(
        [(group, wrapped(short[group]), tokens, signed_percent(vs)) for group, tokens, vs in rows],
        columns=["group", "label", "tokens", "text"],
    )
    tips = [
        alt.Tooltip("group:N"),
        alt.Tooltip("tokens:Q", format="+,.0f", title="tokens against today"),
        alt.Tooltip("text:N", title="in per cent"),
    ]
    chart = charts.bars(
        frame,
        "tokens against today (negative: fewer)",
        charts.by_label(frame["label"], labelExpr="split(datum.label, '\\n')"),
        charts.signed_color("datum.tokens > 0", apart),
        tips,
        clicked=True,
    )
    lines = max(name.count("\n") + 1 for name in frame["label"])
    return chart.properties(height=max(26, 14 * lines + 4) * len(frame) + 84)


def wrapped(name: str) -> str:
    """A name in lines that fit beside a chart, broken before a slash where there is one."""
    lines = []
    while len(name) > _LINE:
        at = name.rfind("/", 1, _LINE + 1)
        at = at if at > 0 else _LINE
        lines.append(name[:at])
        name = name[at:]
    return "\n".join([*lines, name])


def _draw_clickable(
    chart: alt.Chart | alt.LayerChart, opened: Opened, field: str, key: str, about: str
) -> None:
    """Draws a chart; a click on a bar filters by the group that its ``field`` names.

    A click on the group that is filtered by removes the filter again. ``about`` says what the
    chart shows, for those who cannot see it; they have the filter above.
    """
    clicks = st.session_state.setdefault("dashboard_clicks", 0)
    widget = f"{key}_{clicks}"
    with st.container(key=key):
        st.altair_chart(
            chart.add_params(alt.selection_point(name=_CLICKED, fields=[field])),
            key=widget,
            on_select=partial(_take_click, opened, widget, field),
            alt=about,
        )
    if st.session_state.pop("dashboard_clicked", False):  # the tabs run alone; all must follow
        st.rerun()


def _take_click(opened: Opened, widget: str, field: str) -> None:
    points = st.session_state[widget]["selection"].get(_CLICKED)
    if points:
        filter_by_group(opened, points[0][field])
        st.session_state.dashboard_clicks += 1
        st.session_state.dashboard_clicked = True


def draw_policy(opened: Opened, report: Report) -> None:
    """The format to send each group in, and what that mix takes against a single format."""
    analysis = report.analysis
    policy = analysis.policy
    st.header("What to switch first, what to leave alone", anchor=False)
    short = short_names(analysis.sums.groups)
    st.caption(
        f"Most tokens saved first. {_CLICK}{_shared_words(short)}", help=policy_words(report)
    )
    if differing := flips(report):
        st.caption(escape_markdown(differing))
    if switches := policy.switches[:_DRAWN]:
        rows = ((row.group, row.change, row.vs_now) for row in switches)
        _draw_clickable(
            _group_bars(report, rows, apart=False),
            opened,
            "group",
            "dashboard_policy_chart",
            "Bars of the tokens that switching saves by group; the numbers are in the table.",
        )
    lines = [
        {
            "Group": short[row.group],
            "Send": label(row.format) if row.switch else "as today",
            "vs today": row.vs_now if row.switch else 0.0,
            "vs today, tokens": row.change if row.switch else 0,
            "Worth it from": worth_from(row) or None,
            "Payloads": row.payloads,
        }
        for row in policy.advice[:_LINES]
    ]
    draw_table(
        lines,
        "dashboard_policy" if len(lines) > _FEW else "",
        counts=["Payloads"],
        percents=["vs today"],
        differences=["vs today, tokens"],
        marked=[],
        alt="Groups, what to send them in, and what that changes.",
    )
    if len(policy.advice) > _LINES:
        st.caption(f"{_LINES:,} of {len(policy.advice):,} groups; the report has them all.")


def _shared_words(short: dict[str, str]) -> str:
    """What the short names of groups leave out; "" if they leave out nothing."""
    name, rest = next(iter(short.items()), ("", ""))
    if name == rest:
        return ""
    return f" Names leave out what all groups share, as in {escape_markdown(name)}."


def draw_apart(report: Report) -> None:
    """The formats that are not recommended for all payloads, each with the reason in words."""
    lines: list[dict[str, object]] = [
        {
            "Format": label(name),
            f"Why it is {BADGES['not-recommended']}": reason,
            "Payloads": total.payloads,
            "Tokens": total.tokens,
            _AGAINST: total.vs(COMPACT),
        }
        for name, total, reason in totals(report)
        if reason
    ]
    if not lines:
        return
    draw_fold(
        f"Measured, but {BADGES['not-recommended']}: {plural(len(lines), 'format')}",
        "dashboard_apart_fold",
        lambda: _draw_apart(lines),
    )


def _draw_apart(lines: list[dict[str, object]]) -> None:
    st.caption("No saving is counted for these. Tokens are those of the texts alone.")
    draw_table(
        lines,
        "dashboard_apart",
        counts=["Payloads", "Tokens"],
        percents=[_AGAINST],
        marked=[],
        height="content",
        alt=f"Formats that are {BADGES['not-recommended']}, with the reason.",
    )


def draw_kinds(opened: Opened, report: Report) -> None:
    """The kinds of text in compact JSON by group: names, punctuation, whitespace, values."""
    rows = report.analysis.rows
    first = rows.tokenizers[0]
    st.header("Where the tokens go", anchor=False)
    st.caption(f"{capitalised(label(COMPACT))} by kind of text, counted by {first}. {_CLICK}")
    share = st.toggle("Per cent of each group", key="dashboard_share", persist_state="session")
    groups = largest_groups(report.analysis, _DRAWN)
    frame = charts.kinds_frame(
        charts.KindsBar(group, sum(kinds.values()), kinds) for group, kinds in groups
    )
    _draw_clickable(
        charts.kinds_chart(frame, share=share).properties(
            height=28 * frame["label"].nunique() + 110
        ),
        opened,
        "label",
        "dashboard_kinds",
        f"Stacked bars of {charts.KINDS_TOLD} by group.",
    )
    if left_out := smaller_groups(report.analysis, len(groups)):
        st.caption(left_out)


def draw_spread(report: Report) -> None:
    """How the change in tokens varies between payloads, as a histogram and quantiles."""
    spread, choice = report.analysis.vs, report.analysis.choice
    st.header("Single payloads", anchor=False)
    sides = f"{label(choice.format)} against {label(choice.now)}"
    st.caption(_joined(f"Each payload as {sides}.", why_apart(report.analysis)))
    if spread.bars:
        frame = pd.DataFrame(spread.bars)
        frame["range"] = [bar_range(bar) for bar in spread.bars]
        st.altair_chart(
            charts.histogram(frame, apart=bool(report.analysis.apart)).properties(height=_BESIDE),
            key="dashboard_spread",
            alt="Histogram of payloads by their change in tokens; the figures stand below.",
        )
    if not spread.quantiles:
        st.info(f"{label(choice.format)} cannot carry any of these payloads.")
        return
    if spread.bars and spread.bars[-1].high >= 1:
        st.caption("The last bar holds all that take about twice the tokens or more.")
    st.caption(spread_words(report))


def draw_series(report: Report) -> None:
    """Tokens over time, if the payloads carry times."""
    series = report.analysis.series
    st.header("Tokens over time", anchor=False)
    if series is None:
        st.caption("These payloads carry no times.")
        return
    unit = f"Tokens a {series.unit}, UTC."
    st.caption(_joined(unit, why_apart(report.analysis), untimed(series)))
    st.altair_chart(
        _volume(series, report.analysis),
        key="dashboard_volume",
        alt="Lines of tokens over time: today, all in the chosen format, recommended mix.",
    )


def _volume(series: Series, analysis: Analysis) -> alt.Chart:
    """Tokens over time: as sent today, all in the chosen format, and as recommended."""
    choice = analysis.choice
    names = {"now": f"today: {label(choice.now)}", "mix": "recommended mix"}
    lines = {
        names["now"]: charts.Line(TODAY, charts.DOTTED),
        names["mix"]: charts.Line(SAVES, charts.SOLID),
    }
    if analysis.sums.carries_all(choice.format):
        names["format"] = f"all {label(choice.format)}"
        colour = GREY if analysis.apart else TOON
        lines[names["format"]] = charts.Line(colour, charts.DASHED)
    times = moments(series.starts)
    frame = pd.concat(
        pd.DataFrame({"time": times, "tokens": series.tokens[key], "sent": name})
        for key, name in names.items()
    )
    tips = [
        alt.Tooltip("time:T", format="%Y-%m-%d %H:%M"),
        alt.Tooltip("sent:N"),
        alt.Tooltip("tokens:Q", format=",.0f"),
    ]
    along, title = alt.X("time:T", title=None), f"tokens a {series.unit}"
    chart = charts.token_lines(frame, along, title, lines, tips, strokeWidth=1.8)
    return chart.properties(height=_BESIDE)


def draw_noted(section: Section) -> None:
    """What readers noted beside payloads, such as tools' definitions: sentences and tables."""
    st.header(section.title, anchor=False)
    st.markdown("\n".join(f"- {escape_markdown(text)}" for text in section.words))
    for place, (title, lines) in enumerate(section.tables):
        st.subheader(title, anchor=False)
        draw_table(
            lines,
            f"dashboard_{section.key}_{place}" if len(lines) > _FEW else "",
            counts=[name for name in COUNTS if name in lines[0]],
            percents=[name for name in PERCENTS if name in lines[0]],
            alt=f"{section.title}, {title.lower()}.",
        )
