"""Dashboard: where the tokens of a month's traffic go, and what to switch first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.parts import keeper
from pages.parts.dashboard import panels, totals
from pages.parts.dashboard.choices import choose
from pages.parts.dashboard.records import draw_bad_records, draw_payloads
from pages.parts.dashboard.source import current_run, draw_read_as, draw_source, is_hidden
from pages.parts.faults import apart, counting
from pages.parts.hosted import where_texts_go
from pages.parts.markdown import escape_markdown
from pages.parts.tabs import draw_open
from toon.analysis import analyse
from toon.reports.deck import as_slides
from toon.reports.facts import Report
from toon.reports.noted import sections

st.title("Dashboard", anchor=False)
opened = current_run()
said = (
    f"{escape_markdown(opened.about)}. Negative differences mean fewer tokens. {where_texts_go()}"
)
st.caption(where_texts_go() if is_hidden(opened) else said)
draw_source(opened)
if is_hidden(opened):
    st.stop()
choice = choose(opened)
with counting():
    analysis = analyse(opened.rows, choice)
report = Report(opened.name, analysis, datetime.now(UTC))
keeper.offer_deck(partial(as_slides, report, opened.about))
if not analysis.payloads:
    st.info(
        "No payload passes the filters. Clear some of them."
        if opened.payloads
        else "This run holds no payload with figures."
    )
    draw_bad_records(opened, analysis)
    for noted in sections(report):
        panels.draw_noted(noted)
    st.stop()


@apart
def draw_nothing() -> None:
    """What can be said of payloads that no format makes smaller."""
    totals.draw_nothing(report)
    if analysis.payloads:
        draw_payloads(opened, report)
    draw_bad_records(opened, analysis)
    for noted in sections(report):
        panels.draw_noted(noted)
    totals.draw_downloads(opened, report)


if analysis.nothing:
    draw_nothing()
    st.stop()

totals.draw_totals(opened, report)
draw_read_as(opened)


def draw_policy() -> None:
    """What to switch, and what not."""
    panels.draw_policy(opened, report)
    panels.draw_apart(report)


def draw_tokens() -> None:
    """Where the tokens go, how payloads differ, and how that changes over time."""
    panels.draw_kinds(opened, report)
    left, right = st.columns(2, gap="medium")
    with left:
        panels.draw_spread(report)
    with right:
        panels.draw_series(report)


def draw_records() -> None:
    """The payloads one by one, and what could not be measured."""
    draw_payloads(opened, report)
    draw_bad_records(opened, analysis)


@st.fragment
def draw_tabs() -> None:
    """The tabs rerun alone, and whoever opens one looks at the run."""
    opened.look()
    tabs: dict[str, Callable[[], None]] = {
        "What to switch": draw_policy,
        "Savings by group": lambda: panels.draw_groups(opened, report),
        "Kinds, spread and time": draw_tokens,
        "Payloads": draw_records,
        **{noted.title: partial(panels.draw_noted, noted) for noted in sections(report)},
        "Report": lambda: totals.draw_downloads(opened, report),
    }
    draw_open("dashboard_tab", tabs)


draw_tabs()
