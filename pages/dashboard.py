"""The page Dashboard: what agents and programs spent on data, for what, and what to change."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.parts import keeper
from pages.parts.dashboard import calls, context, first, sections
from pages.parts.dashboard.choices import choose
from pages.parts.dashboard.source import current_run, draw_read_as, draw_source, is_hidden
from pages.parts.faults import counting
from pages.parts.tabs import draw_open
from toon.analysis import analyse
from toon.analysis.tools import rank_tools
from toon.reports.deck import as_slides
from toon.reports.facts import Report

head = st.container(horizontal=True, vertical_alignment="center")
head.title("Dashboard", anchor=False, width="content")
opened = current_run()
draw_source(head, opened)
if is_hidden(opened):
    st.stop()
answer, controls = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    choice = choose(opened)
with counting():
    analysis = analyse(opened.rows, choice)
report = Report(opened.name, analysis, datetime.now(UTC))
keeper.offer_deck(partial(as_slides, report, opened.title))
tools = rank_tools(analysis)
with answer:
    first.draw_answer(opened, report, tools)
with controls:
    first.draw_downloads(opened, report)
first.draw_ranked(opened, report, tools)


@st.fragment
def draw_tabs() -> None:
    opened.look()  # the tabs rerun alone, and whoever opens one looks at the run
    tabs: dict[str, Callable[[], None]] = {
        "Tools": lambda: sections.draw_tools(report),
        "Time": lambda: sections.draw_time(report),
        "Calls": lambda: calls.draw_calls(opened, report),
        "Definitions": lambda: sections.draw_definitions(report),
        "Context": lambda: context.draw_context(opened, choice),
    }
    draw_open("dashboard_tab", tabs)


draw_tabs()
draw_read_as(opened)
