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
run = current_run()
draw_source(head, run)
if is_hidden(run):
    st.stop()
answer, controls = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    choice = choose(run)
with counting():
    analysis = analyse(run.rows, choice)
report = Report(run.name, analysis, datetime.now(UTC))
keeper.offer_deck(partial(as_slides, report, run.title))
tools = rank_tools(analysis)
with answer:
    first.draw_answer(run, report, tools)
with controls:
    first.draw_downloads(run, report)
first.draw_ranking(run, report, tools)


@st.fragment
def draw_tabs() -> None:
    run.look()  # the tabs rerun alone, and whoever opens one looks at the run
    tabs: dict[str, Callable[[], None]] = {
        "Tools": lambda: sections.draw_tools(report),
        "Time": lambda: sections.draw_time(report),
        "Calls": lambda: calls.draw_calls(run, report),
        "Definitions": lambda: sections.draw_definitions(report),
        "Context": lambda: context.draw_context(run, choice),
    }
    draw_open("dashboard_tab", tabs)


draw_tabs()
draw_read_as(run)
