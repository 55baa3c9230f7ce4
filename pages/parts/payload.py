"""The payload being worked on: where it comes from, and what the editors last said of it.

Session state: ``document`` is what the editors were given, ``{"version", "side", "text",
"name"}``; a new version replaces what they show. ``source`` is what the user has made of it,
``{"side", "text"}``.
"""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from pages.parts import cached
from toon.playground.documents import DOCUMENTS

#: Characters above which nothing is worked out before a button is pressed.
LIVE_LIMIT = 1_000_000


def start() -> None:
    """Gives a new session its first document."""
    if "document" not in st.session_state:
        name, text = next(iter(cached.samples().items()))
        open_document("json", text, name)


def open_document(side: str, text: str, name: str) -> None:
    """Replaces what is in the editors."""
    # Milliseconds, so that no two sessions of one browser page share a version by accident.
    version = time.time_ns() // 1_000_000
    st.session_state.document = {"version": version, "side": side, "text": text, "name": name}
    st.session_state.source = {"side": side, "text": text}


def name() -> str:
    """What the payload is called: what was typed or pasted over a document is not that document."""
    document, source = st.session_state.document, st.session_state.source
    return document["name"] if source["text"] == document["text"] else "your own text"


def open_sample() -> None:
    """Callback of the sample control."""
    name = st.session_state.sample
    if name:
        open_document("json", cached.samples()[name], name)


def open_upload() -> None:
    """Callback of the upload control; what is no UTF-8 is reported and nothing is replaced."""
    file = st.session_state.upload
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        st.session_state.upload_error = f"{file.name} is not UTF-8: byte {error.start}"
        return
    stem, _, suffix = file.name.rpartition(".")
    open_document("toon" if suffix.lower() == "toon" else "json", text, stem or file.name)


def accept_edit(edit: dict[str, Any] | None) -> None:
    """Takes over what the editors say they hold."""
    if not edit or edit["version"] != st.session_state.document["version"]:
        return
    text = DOCUMENTS.get(edit[edit["side"]] or "")
    if text is not None:
        st.session_state.source = {"side": edit["side"], "text": text}
