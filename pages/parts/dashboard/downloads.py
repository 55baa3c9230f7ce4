"""The report of what is shown, as files: one button beside the answer, and all forms."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from pages.parts.dashboard.opened import Opened
from pages.parts.runs.life import file_stem
from toon.errors import RunError
from toon.reports.csv import as_csv
from toon.reports.facts import Report
from toon.reports.html import as_html
from toon.reports.markdown import as_markdown


def draw_download(opened: Opened, report: Report) -> None:
    """The button beside the answer: the whole report as one page."""
    st.download_button(
        "Download report",
        partial(_page, report),
        f"savings-{file_stem(opened.name)}.html",
        "text/html",
        key="dashboard_download_report",
        on_click="ignore",
        help="An HTML page with every figure and caveat. It opens offline and runs no scripts.",
    )


def _page(report: Report) -> str:
    """The report; of a run that turns out to be damaged, why there is none.

    Reading all of a run before somebody presses would cost every visit of the page.
    """
    try:
        return as_html(report)
    except RunError as error:
        return f"<!doctype html><title>No report</title><p>{escape(str(error))}.</p>"


def draw_downloads(opened: Opened, report: Report) -> None:
    """A button for each file, which is written when the button is pressed.

    What the files need of the run is read before: a press that fails says nothing of why.
    """
    dict(opened.rows.kinds)
    st.header("Report", anchor=False)
    st.caption(
        "What is shown above, filters included, with every caveat.",
        help="The HTML page opens offline and runs no scripts. The run opens here, in pandas or in "
        "DuckDB.",
    )
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
                f"savings-{file_stem(opened.name)}.{ending}",
                mime,
                key=f"dashboard_download_{ending}",
                on_click="ignore",
            )
