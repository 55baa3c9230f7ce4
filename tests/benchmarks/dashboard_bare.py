"""The dashboard's first panels with prepared figures: the cost of drawing alone.

The run in ``BARE_RUN`` is analysed once for every search in ``SEARCHES``. The content of an upload
is ignored.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from pages.parts.dashboard import panels
from pages.parts.dashboard.opened import Opened
from tests.benchmarks.timing import SEARCHES
from toon.analysis import Analysis, Comparison, Filter, analyse
from toon.costs.models import MODELS
from toon.reports.facts import Report


@st.cache_resource
def prepared() -> tuple[Opened, dict[str, Analysis]]:
    """The run, and its analysis by search."""
    opened = Opened("run.parquet", Path(os.environ["BARE_RUN"]))
    analyses = {}
    for search in ("", *SEARCHES):
        filter = Filter(search=search)
        choice = Comparison("o200k_base", "json-compact", "toon", filter, model=MODELS["gpt-5"])
        analyses[search] = analyse(opened.rows, choice)
    return opened, analyses


st.set_page_config(layout="wide")
opened, analyses = prepared()
uploaded = st.file_uploader("a run", key="dashboard_upload")
search = st.text_input("Search")
if uploaded:
    analysis = analyses[search]
    report = Report(opened.name, analysis, datetime.now(UTC))
    panels.draw_totals(report)
    panels.draw_policy(report)
    panels.draw_apart(report)
