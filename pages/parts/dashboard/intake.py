"""What one's logs are: kinds that can be read, what a file is read as, which path to take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

import streamlit as st

from pages.parts.dashboard.opened import Opened
from pages.parts.markdown import escape_markdown
from pages.parts.static import draw_details, draw_short_table
from toon.errors import TextError
from toon.reports.read_as import read_as_lines
from toon.traffic import sniff
from toon.traffic.account import Account
from toon.traffic.known import known_kinds
from toon.traffic.wrapped import WrappedError
from toon.wording import plural

#: Files whose kind the form says.
_SAID = 5


def draw_known() -> None:
    """The kinds of logs that are read, what of them is measured, and where people find them."""
    draw_short_table(
        [
            {"What you have": kind.label, "Measured": kind.records, "Where it is": kind.kept}
            for kind in known_kinds()
        ],
        box="Which logs can be read, and where tools keep them",
    )


def need_path(files: Sequence[BytesIO]) -> bool:
    """Whether somebody must say where the payloads of the first of the files are."""
    for file in files[:_SAID]:
        try:
            sniff(file, file.name)
        except WrappedError:
            return True
        except TextError:  # measuring will name the reason
            continue
    return False


def draw_detected(files: Sequence[BytesIO], start: Callable[[], None]) -> bool:
    """What the first of the files were recognised as; False if one of them needs a path.

    The button of a path takes it and calls ``start``.
    """
    clear = True
    for file in files[:_SAID]:
        try:
            found = str(sniff(file, file.name))
        except WrappedError as error:
            _draw_choice(file.name, error, start)
            clear = False
            continue
        except TextError as error:
            found = str(error)
        st.caption(escape_markdown(f"{file.name}: {found}."))
    return clear


def _draw_choice(name: str, error: WrappedError, start: Callable[[], None]) -> None:
    """The places in an unknown wrapper that payloads may lie in, each as a button."""
    st.warning(
        escape_markdown(f"{name} wraps its payloads in a way that is not known here.")
        + " Which part was sent to the model?"
    )
    for found in (*error.candidates, None):
        path = "$" if found is None else found.path
        seen = "the whole record" if found is None else plural(found.count, "time")
        example = "" if found is None else f": {found.example}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(path, key=f"dashboard_path_{path}", on_click=_take, args=(path, start))
            st.caption(escape_markdown(f"{seen}{example}"))


def _take(path: str, start: Callable[[], None]) -> None:
    st.session_state.dashboard_payload = path
    start()


def draw_read_as(opened: Opened) -> None:
    """What each file of the run was read as, in a closed box."""
    rows = Account.of_facts(opened.rows.about.get("read_as"))
    if rows:
        lines = read_as_lines(rows, quoting=opened.holds_payloads)
        draw_details("What the files were read as", lines)
