"""Downloads of the report, its figures and the run, each written when somebody presses it."""

import re
from functools import partial
from html import escape

import streamlit as st

from pages.parts.dashboard.opened import Opened
from toon.errors import RunError
from toon.reports.csv import as_csv
from toon.reports.deck import as_deck
from toon.reports.facts import Report
from toon.reports.html import as_html


def draw_downloads(opened: Opened, report: Report) -> None:
    """Draw one button with all files. They hold the figures shown, filtered, with every caveat."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", opened.name.partition(".")[0]).strip("-") or "run"
    forms = (
        ("Report (.html)", "html", "text/html", partial(_page, report)),
        ("Slides (.html)", "slides.html", "text/html", lambda: as_deck(report, opened.about)),
        ("Figures (.csv)", "csv", "text/csv", lambda: as_csv(report)),
        ("Run (.parquet)", "parquet", "application/vnd.apache.parquet", opened.path.read_bytes),
    )
    with st.popover("Download"):
        for title, ending, mime, data in forms:
            st.download_button(
                title,
                data,
                f"savings-{stem}.{ending}",
                mime,
                key=f"dashboard_download_{ending.partition('.')[0]}",
                on_click="ignore",
                width="stretch",
            )


def _page(report: Report) -> str:
    """Return the report as HTML, or the reason against it if the run turns out to be damaged.

    Reading all of a run before somebody presses would cost every visit of the page.
    """
    try:
        return as_html(report)
    except RunError as error:
        return f"<!doctype html><title>No report</title><p>{escape(str(error))}.</p>"
