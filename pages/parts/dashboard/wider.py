"""The tabs beside the tools: what was spent over time, and the definitions of tools."""

from __future__ import annotations

import streamlit as st

from pages.parts.dashboard.drawn import draw_chart, draw_section
from toon.reports.facts import Report
from toon.reports.html import tokens_over_time
from toon.reports.noted import sections


def draw_time(report: Report) -> None:
    """The bill of the log, and tokens over time."""
    _draw_noted(report, "bill", "This log names no usage, so nothing is said as billed.")
    if report.analysis.payloads:
        if report.analysis.series is None:
            st.caption("These payloads carry no times.")
        draw_chart(tokens_over_time(report))


def draw_definitions(report: Report) -> None:
    """The definitions of tools by server and by tool, and which of them were never called."""
    _draw_noted(report, "fixed", "This log holds no definitions of tools.")


def _draw_noted(report: Report, key: str, otherwise: str) -> None:
    found = {section.key: section for section in sections(report)}
    if key in found:
        draw_section(found[key])
    else:
        st.caption(otherwise)
