"""The dashboard's panels of what readers noted beside payloads: tools' definitions and the bill."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_short_table
from pages.parts.tables import draw_table
from toon.reports.noted import COUNTS, PERCENTS, Section

#: The most lines of a table that stands in text.
_FEW: Final = 30


def draw_section(section: Section) -> None:
    """A section's sentences and tables."""
    st.header(section.title, anchor=False)
    st.markdown("\n".join(f"- {escape_markdown(text)}" for text in section.words))
    for place, (title, lines) in enumerate(section.tables):
        st.subheader(title, anchor=False)
        columns = list(lines[0])
        key = f"dashboard_{section.key}_{place}"
        draw = (
            draw_short_table
            if len(lines) <= _FEW
            else partial(draw_table, key=key, marked=[], alt=f"{section.title}, {title.lower()}.")
        )
        draw(
            lines,
            counts=[name for name in COUNTS if name in columns],
            percents=[name for name in PERCENTS if name in columns],
        )
