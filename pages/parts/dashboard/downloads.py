"""Downloads: the report in three formats, and the run itself."""

from __future__ import annotations

import re

import streamlit as st

from pages.parts.dashboard.opened import Opened
from toon.corpus.report.csv import as_csv
from toon.corpus.report.facts import Report
from toon.corpus.report.html import as_html
from toon.corpus.report.markdown import as_markdown


def draw_downloads(opened: Opened, report: Report) -> None:
    """A button for each file, which is written when the button is pressed."""
    st.subheader("Report", anchor=False)
    st.caption(
        "What is shown above, filters included, with every caveat. The HTML page opens offline and "
        "runs no scripts. The run opens here, in pandas or in DuckDB."
    )
    stem = re.sub(r"[^A-Za-z0-9]+", "-", opened.name.partition(".")[0]).strip("-") or "run"
    forms = (
        ("HTML", "html", "text/html", lambda: as_html(report)),
        ("Markdown", "md", "text/markdown", lambda: as_markdown(report)),
        ("CSV", "csv", "text/csv", lambda: as_csv(report)),
        ("Run (.parquet)", "parquet", "application/vnd.apache.parquet", opened.path.read_bytes),
    )
    with st.container(horizontal=True):
        for title, ending, mime, data in forms:
            st.download_button(
                title,
                data,
                f"savings-{stem}.{ending}",
                mime,
                key=f"dashboard_download_{ending}",
                on_click="ignore",
            )
