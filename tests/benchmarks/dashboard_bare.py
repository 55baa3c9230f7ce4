"""The dashboard's panels over figures that are there already: what drawing alone costs.

The figures of the run named by ``BARE_RUN`` are worked out once, for every search in ``SEARCHES``.
An upload is taken and not looked at.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from pages.parts.dashboard import panels, records
from pages.parts.dashboard.opened import Opened
from tests.benchmarks.timing import SEARCHES
from toon.corpus.analysis import Analysis, Choice, Filter, analyse
from toon.corpus.report.facts import Report


@st.cache_resource
def prepared() -> tuple[Opened, dict[str, Analysis]]:
    """The run, and its analysis by search."""
    opened = Opened("run.parquet", Path(os.environ["BARE_RUN"]))
    found = {}
    for search in ("", *SEARCHES):
        filter = Filter(search=search)
        choice = Choice("o200k_base", "json-compact", "toon", filter, model="openai/gpt-5")
        found[search] = analyse(opened.rows, choice)
    return opened, found


st.set_page_config(layout="wide")
opened, analyses = prepared()
uploaded = st.file_uploader("a run", key="dashboard_upload")
search = st.text_input("Search")
if uploaded:
    analysis = analyses[search]
    report = Report(opened.name, opened.rows, analysis, datetime.now(UTC))
    panels.show_totals(report)
    left, right = st.columns(2, gap="medium")
    with left:
        panels.show_groups(report)
    with right:
        panels.show_policy(report)
    left, right = st.columns(2, gap="medium")
    with left:
        panels.show_kinds(report)
    with right:
        panels.show_spread(report)
        panels.show_series(report)
    records.show_payloads(opened, analysis)
    records.show_bad(opened, analysis)
