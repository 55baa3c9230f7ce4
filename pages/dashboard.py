"""Dashboard: where the tokens of a month's traffic go, and what to switch first."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts.dashboard import choices, downloads, panels, records, source
from pages.parts.markdown import escape_markdown
from toon.corpus.analysis import analyse
from toon.corpus.report.facts import Report

st.title("Where do the tokens of our traffic go, and what would save some?", anchor=False)
opened = source.current()
about = "a made-up shop's four weeks of traffic" if opened.is_sample else "measured payloads"
st.caption(
    f"{escape_markdown(opened.name)}: {about}. Differences are signed, negative is fewer tokens; "
    "≈ marks estimates. Everything runs on this machine."
)
source.show(opened)
choice = choices.choose(opened)
try:
    analysis = analyse(opened.rows, choice)
except (RuntimeError, ValueError) as error:  # a tokenizer is missing here: the message says which
    st.error(str(error))
    st.stop()
report = Report(opened.name, opened.rows, analysis, datetime.now(UTC))
if not analysis.payloads:
    st.info(
        "No payload passes the filters. Clear some of them."
        if opened.payloads
        else "This run holds no payload with figures."
    )
    records.show_bad(opened, analysis)
    st.stop()

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
downloads.show_downloads(opened, report)
