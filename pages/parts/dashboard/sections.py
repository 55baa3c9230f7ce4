"""The report's charts and sections on the page, and the tabs Time and Definitions."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

import numpy as np
import streamlit as st

from pages.parts.dashboard.choices import DATES
from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.analysis import analyse
from toon.reports.charts import Chart, styles
from toon.reports.facts import Report, Section
from toon.reports.html import tokens_over_time
from toon.reports.noted import sections

#: The most lines of a table that stands in text; a longer one scrolls.
_FEW: Final = 30
#: Calls of fewer seconds are of one day: nothing is compared.
_DAY: Final = 86_400.0


def draw_chart(chart: Chart | None) -> None:
    """Draw a chart of the report with its title and its note; nothing for None."""
    if chart is None:
        return
    st.subheader(escape_markdown(chart.title), anchor=False)
    st.html(f"<style>{styles()}</style>{chart.html}")
    if chart.note:
        st.caption(escape_markdown(chart.note))


def _draw_section(section: Section) -> None:
    st.markdown("\n".join(f"- {escape_markdown(text)}" for text in section.words))
    for place, (title, lines) in enumerate(section.tables):
        st.subheader(title, anchor=False)
        names = list(dict.fromkeys(name for line in lines for name in line))
        counts, percents = (
            [name for name in names if any(isinstance(line.get(name), kind) for line in lines)]
            for kind in (int, float)
        )
        draw_table(
            lines,
            f"dashboard_{section.key}_{place}" if len(lines) > _FEW else "",
            counts=counts,
            percents=percents,
            alt=f"{section.title}, {title.lower()}.",
        )


def draw_time(report: Report) -> None:
    """Draw the bill of the log by model, day, project and session, and tokens over time."""
    found = sections(report)
    if "bill" in found:
        _draw_section(found["bill"])
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
        _draw_section(found["spent"]._replace(tables=[(chosen, tables[chosen])]))
    if not report.analysis.payloads:
        return
    if report.analysis.series is None:
        st.caption("These payloads carry no times.")
    draw_chart(tokens_over_time(report))
    times = report.analysis.rows.time[report.analysis.selected.measured]
    if np.isnan(times).all() or np.nanmax(times) - np.nanmin(times) < _DAY:
        return
    day = st.date_input(
        "Compare the tools before a day and since", None, *DATES, key="dashboard_since", width=300
    )
    if isinstance(day, date):
        _draw_section(sections(_split(report, day))["compared"])


def _split(report: Report, day: date) -> Report:
    """Return a report of the calls since a day in UTC, which has one of those before it."""
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
    """Draw the definitions of tools by server and by tool, and which were never called."""
    if found := sections(report).get("fixed"):
        _draw_section(found)
    else:
        st.caption("This log holds no definitions of tools.")
