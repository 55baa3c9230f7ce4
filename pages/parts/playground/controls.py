"""The playground's controls: what the editors hold, and how it is read, written and counted."""

from functools import partial
from typing import Final

import streamlit as st

from pages.parts import controls, keeper, payload
from pages.parts.hosted import describe_privacy
from pages.parts.payload import open_document
from pages.parts.samples import sample_payloads, sample_titles
from toon import services
from toon.bounded import Exceeded
from toon.costs.explanation import Explaining
from toon.costs.models import Choice
from toon.playground.state import INDENTS
from toon.wording import YOUR_TEXT

#: Entries in the list of samples for an empty editor and for a file.
_PASTE: Final = "paste"
_FILE: Final = "file"


def draw_introduction() -> None:
    """Draw what the playground is for and where texts go, while it still shows a sample."""
    if payload.is_own():
        return
    st.html(
        "<p class='introduction'><b>What JSON costs a language model, and what costs less</b><br>"
        "TOON writes names once, then rows. "
        f"<span>{describe_privacy()}</span></p>"
    )


@st.fragment(key="document")
def choose_document() -> None:
    """Draw a select box that opens a sample, a file or an empty editor in the playground.

    The box has no value of its own: it shows the name of what the editors hold, so that it never
    names a sample over another text, and the sample shown can be chosen again.
    """
    titles = {_PASTE: "Paste your JSON", _FILE: "Open a file…", **sample_titles()}
    st.selectbox(
        "Sample",
        list(titles),
        index=None,
        placeholder=payload.name() if payload.is_own() else f"Sample: {payload.name()}",
        format_func=titles.__getitem__,
        key="sample",
        on_change=_open_sample,
        width=190,
    )
    if st.session_state.pop("choosing_file", False):
        _choose_file()


@st.dialog("Open a file")
def _choose_file() -> None:
    st.file_uploader(
        "JSON, JSON Lines, TOON or other text in UTF-8; whole logs belong on the Dashboard",
        key="upload",
        on_change=_open_upload,
    )


def _open_sample() -> None:
    name = st.session_state.sample
    st.session_state.sample = None
    if name == _PASTE:
        open_document("json", "", YOUR_TEXT)
    elif name == _FILE:
        st.session_state.choosing_file = True
    elif name:
        _open(name)


def choose_options(choice: Choice) -> Explaining:
    """Draw a button that asks the model's service for its count, and one that opens more settings.

    Return how a prompt explains formats, as chosen there.
    """
    row = st.container(horizontal=True)
    if choice.counted and (service := services.find_service(choice.model)):
        ask = partial(st.session_state.update, asking=True)
        row.button(f"Ask {service.maker}", key="ask_service", on_click=ask)
    with row.popover("Options"):
        st.caption(controls.evidence(choice))
        explaining = controls.choose_note()
        controls.choose_traffic()
        st.segmented_control(
            "Indent",
            INDENTS,
            default=2,
            required=True,
            key="indent",
            persist_state="session",
            help="Spaces a level. Only widths that can be decoded again are offered; 0 cannot.",
        )
        st.toggle(
            "Strict",
            value=True,
            key="strict",
            persist_state="session",
            help="Off: TOON is read with the five recoveries of the specification (wrong counts, "
            "duplicate keys, uneven indentation, blank lines, blocks that start too deep).",
        )
    return explaining


def open_next_sample() -> None:
    """Put the bundled sample after the one shown into the playground's editors; rerun the page."""
    names = list(sample_titles())
    name = st.session_state.document["name"]
    _open(names[(names.index(name) + 1) % len(names) if name in names else 0])


def _open(sample: str) -> None:
    open_document("json", sample_payloads()[sample], sample, sample=True)
    st.rerun()


def _open_upload() -> None:
    """Put an uploaded file into the playground's editors, or keep the reason if unreadable."""
    file = st.session_state.upload
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
        if not keeper.open_file(text):
            stem, _, suffix = file.name.rpartition(".")
            open_document("toon" if suffix.lower() == "toon" else "json", text, stem or file.name)
    except UnicodeDecodeError as error:
        st.session_state.upload_error = f"{file.name} is not UTF-8: byte {error.start}"
    except Exceeded as error:
        st.session_state.upload_error = f"{file.name} was not opened: {error}."
    st.rerun()
