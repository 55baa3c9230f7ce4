"""Where the document in the editors comes from: a sample, an upload, or what the user types."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.payload import open_document
from pages.parts.samples import sample_payloads
from toon.playground.documents import DOCUMENTS


def choose_document() -> None:
    """The controls for a sample and an upload."""
    st.selectbox(
        "Sample",
        list(sample_payloads()),
        format_func=lambda name: name.replace("-", " "),
        key="sample",
        on_change=_open_sample,
        persist_state="session",
        width=190,
    )
    with st.popover("Upload"):
        st.file_uploader(
            "A .json or .toon file, UTF-8",
            type=["json", "toon"],
            key="upload",
            on_change=_open_upload,
        )


def _open_sample() -> None:
    name = st.session_state.sample
    if name:
        open_document("json", sample_payloads()[name], name)


def _open_upload() -> None:
    """Opens the uploaded file. One that is not UTF-8 is reported and replaces nothing."""
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


def draw_upload_error() -> None:
    """Says once why the last upload was not opened."""
    if error := st.session_state.pop("upload_error", None):
        st.error(error)


def accept_edit(edit: dict[str, Any] | None) -> None:
    """Takes over the text that the editors report."""
    if not edit or edit["version"] != st.session_state.document["version"]:
        return
    text = DOCUMENTS.get(edit[edit["side"]] or "")
    if text is not None:
        st.session_state.source = {"side": edit["side"], "text": text}
