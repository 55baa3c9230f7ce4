"""Draws the report's charts and sections on the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.tables import draw_table
from toon.reports.charts import Chart, styles
from toon.reports.noted import Line, Section

#: The most lines of a table that stands in text; a longer one scrolls.
_FEW: Final = 30


def draw_chart(chart: Chart | None) -> None:
    """A chart of the report with its title and its note, if there is one."""
    if chart is None:
        return
    st.subheader(escape_markdown(chart.title), anchor=False)
    st.html(f"<style>{styles()}</style>{chart.html}")
    if chart.note:
        st.caption(escape_markdown(chart.note))


def draw_section(section: Section) -> None:
    """What readers noted beside payloads, such as tools' definitions: sentences and tables."""
    st.markdown("\n".join(f"- {escape_markdown(text)}" for text in section.words))
    for place, (title, lines) in enumerate(section.tables):
        st.subheader(title, anchor=False)
        draw_table(
            lines,
            f"dashboard_{section.key}_{place}" if len(lines) > _FEW else "",
            counts=_columns(lines, int),
            percents=_columns(lines, float),
            alt=f"{section.title}, {title.lower()}.",
        )


def _columns(lines: Iterable[Line], kind: type) -> list[str]:
    """Return the columns that hold values of a kind."""
    return list({name: None for line in lines for name in line if isinstance(line[name], kind)})
