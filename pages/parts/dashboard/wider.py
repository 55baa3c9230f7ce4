"""The tabs beside the tools: what was spent over time, and the definitions of tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from pages.parts.dashboard.drawn import draw_chart, draw_section
from pages.parts.tables import draw_table
from toon.analysis.billed import Part, find_days, find_projects, find_sessions
from toon.measuring.table import About
from toon.reports.facts import Report
from toon.reports.html import tokens_over_time
from toon.reports.noted import sections
from toon.wording import dollars

#: What the bill is told by, besides models.
_PARTS: Final[dict[str, Callable[[About], list[Part]]]] = {
    "Day": find_days,
    "Project": find_projects,
    "Session": find_sessions,
}


def draw_time(report: Report) -> None:
    """The bill of the log by model, day, project and session, and tokens over time."""
    _draw_noted(report, "bill", "This log names no usage, so nothing is said as billed.")
    about = report.analysis.rows.about
    parts = {name: found for name, find in _PARTS.items() if (found := find(about))}
    if parts:
        chosen = st.segmented_control(
            "As billed by",
            list(parts),
            default=next(iter(parts)),
            required=True,
            key="dashboard_billed_by",
            persist_state="session",
        )
        _draw_parts(chosen, parts[chosen])
    if report.analysis.payloads:
        if report.analysis.series is None:
            st.caption("These payloads carry no times.")
        draw_chart(tokens_over_time(report))


def _draw_parts(title: str, parts: Sequence[Part]) -> None:
    draw_table(
        [
            {
                title: part.name or "not named",
                "Calls": part.calls,
                "Input": part.tokens.input,
                "From cache": part.tokens.cached,
                "Output": part.tokens.output,
                "Cost": dollars(part.dollars),
            }
            for part in parts
        ],
        f"dashboard_by_{title}",
        counts=["Calls", "Input", "From cache", "Output"],
        right=["Cost"],
        alt=f"What calls cost by {title.lower()}.",
    )


def draw_definitions(report: Report) -> None:
    """The definitions of tools by server and by tool, and which of them were never called."""
    _draw_noted(report, "fixed", "This log holds no definitions of tools.")


def _draw_noted(report: Report, key: str, otherwise: str) -> None:
    found = {section.key: section for section in sections(report)}
    if key in found:
        draw_section(found[key])
    else:
        st.caption(otherwise)
