"""The tabs beside the tools: what was spent over time, and the definitions of tools."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

import numpy as np
import streamlit as st

from pages.parts.dashboard.choices import DATES
from pages.parts.dashboard.drawn import draw_chart, draw_section
from toon.analysis import analyse
from toon.reports.facts import Report
from toon.reports.html import tokens_over_time
from toon.reports.noted import sections

#: Calls of fewer seconds are of one day: nothing is compared.
_DAY: Final = 86_400.0


def draw_time(report: Report) -> None:
    """The bill of the log, by model, day, project and session, and tokens over time."""
    found = sections(report)
    if "bill" in found:
        draw_section(found["bill"])
    else:
        st.caption("This log names no usage, so nothing is said as billed.")
    if "spent" in found:
        tables = dict(found["spent"].tables)
        chosen = st.segmented_control(
            "As billed",
            list(tables),
            default=next(iter(tables)),
            required=True,
            key="dashboard_billed_by",
        )
        draw_section(found["spent"]._replace(tables=[(chosen, tables[chosen])]))
    if not report.analysis.payloads:
        return
    if report.analysis.series is None:
        st.caption("These payloads carry no times.")
    draw_chart(tokens_over_time(report))
    _draw_before_and_since(report)


def _draw_before_and_since(report: Report) -> None:
    """The tools before a day that one chooses and since then: what a change has saved."""
    times = report.analysis.rows.time[report.analysis.selected.measured]
    if np.isnan(times).all() or np.nanmax(times) - np.nanmin(times) < _DAY:
        return
    day = st.date_input(
        "Compare the tools before a day and since",
        None,
        *DATES,
        key="dashboard_since",
        width=300,
    )
    if isinstance(day, date):
        draw_section(sections(_split(report, day))["compared"])


def _split(report: Report, day: date) -> Report:
    """A report of the calls since a day in UTC, which has one of those before it."""
    choice, moment = report.analysis.choice, datetime(day.year, day.month, day.day, tzinfo=UTC)
    start = moment.timestamp()
    own, end = choice.filter, float(np.nextafter(start, 0))
    until = end if own.until is None else min(end, own.until)
    before = replace(choice, filter=replace(own, until=until))
    start = start if own.since is None else max(start, own.since)
    since = replace(choice, filter=replace(own, since=start))
    earlier, later = (analyse(report.analysis.rows, part) for part in (before, since))
    return Report(
        report.name, later, report.made, Report(f"the calls before {day}", earlier, report.made)
    )


def draw_definitions(report: Report) -> None:
    """The definitions of tools by server and by tool, and which of them were never called."""
    found = sections(report).get("fixed")
    if found:
        draw_section(found)
    else:
        st.caption("This log holds no definitions of tools.")
