"""What one takes along: the report, its figures and the run, each written when it is asked for."""

from __future__ import annotations

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
    """The files behind one button; they hold what is shown, filters included, with every caveat."""
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
                f"savings-{_stem(opened.name)}.{ending}",
                mime,
                key=f"dashboard_download_{ending.partition('.')[0]}",
                on_click="ignore",
                width="stretch",
            )


def _page(report: Report) -> str:
    """The report; of a run that turns out to be damaged, why there is none.

    Reading all of a run before somebody presses would cost every visit of the page.
    """
    try:
        return as_html(report)
    except RunError as error:
        return f"<!doctype html><title>No report</title><p>{escape(str(error))}.</p>"


def _stem(name: str) -> str:
    """What a file about the run of this name is called, without its ending."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name.partition(".")[0]).strip("-") or "run"
