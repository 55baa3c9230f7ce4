"""The panel "Your own template": its text, what is wrong with it, its lines and what they cost."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.compact import area, forms, measured, source
from pages.parts.markdown import plain
from toon.compact.templates import HELP, MAX_LENGTH, TemplateError, decoded
from toon.errors import render

_FIRST = "events"


@st.fragment
def show(tokenizer: str, now: str, tz: str) -> None:
    """An editor for a template, applied to the payload or to bundled records."""
    if "template" not in st.session_state:
        area.write(measured.starters()[_FIRST])
        st.session_state.template_on = _FIRST
    found = source.found_in_playground("template")
    if found["is_new"] and found["domain"]:
        _follow(found["domain"])
    name = _controls(readable=not found["unread"])
    if found["unread"]:
        st.caption(f"The payload of the playground is not offered: {plain(found['unread'])}.")
    _show_upload_error()
    left, right = st.columns([4, 5], gap="medium")
    with left:
        text = area.area("template_area")
        _keep(text)
    payload = source.given() if name == source.PLAYGROUND else None
    moment = source.moment(now, bundled=payload is None)
    if moment is None:
        source.explain_moment(now)
        return
    try:
        row = measured.templated(payload, name, text, moment, tz, tokenizer)
    except ValueError as error:
        forms.explain_unmeasured(error)
        return
    with right:
        _result(row)
    with st.expander("How a template is written"):
        st.markdown(HELP)
    if row.get("envelope"):
        forms.headline(row["forms"], tokenizer)
        forms.show(row["forms"], "template_forms")


def _controls(*, readable: bool) -> str:
    """Starter, payload, file; gives the name of what the template is applied to."""
    starters = list(measured.starters())
    mine = [source.PLAYGROUND] if readable else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Start from",
            starters,
            index=None,
            format_func=lambda name: name.replace("-", " "),
            key="template_starter",
            on_change=_start,
            placeholder="a bundled template",
            width=220,
        )
        name = st.selectbox(
            "Applied to",
            [*mine, *starters],
            format_func=source.label,
            key="template_on",
            persist_state="session",
            width=260,
        )
        with st.popover("Upload"):
            st.file_uploader(
                "A template as text, UTF-8",
                type=["txt"],
                key="template_upload",
                on_change=_open_upload,
            )
    return str(name)


def _follow(domain: str) -> None:
    """Turns to a new payload of a domain, and to its template unless one was written."""
    st.session_state.template_on = source.PLAYGROUND
    if st.session_state.template_text == st.session_state.template["text"]:
        area.write(measured.starters()[domain])


def _start() -> None:
    """Callback of the starter: its text, and the records it was written for."""
    name = st.session_state.template_starter
    if name:
        area.write(measured.starters()[name])
        st.session_state.template_on = name
        st.session_state.template_starter = None


def _open_upload() -> None:
    """Callback of the upload; what is no text is reported and nothing is replaced."""
    file = st.session_state.template_upload
    if file is None:
        return
    try:
        area.write(decoded(file.getvalue()))
    except TemplateError as error:
        st.session_state.template_error = file.name, render(error)


def _show_upload_error() -> None:
    """Why the last upload was not taken over, once."""
    if error := st.session_state.pop("template_error", None):
        name, message = error
        st.error("The file was not taken over; the template below is the one you had.")
        st.code(f"{name}\n{message}", language=None)


def _keep(text: str) -> None:
    left, right = st.columns(2)
    left.download_button(
        "Download the template", text, "template.txt", "text/plain", key="template_download"
    )
    right.caption(f"{len(text):,} of {MAX_LENGTH:,} characters. Nothing of a template is run.")


def _result(row: dict[str, Any]) -> None:
    if row["error"]:
        st.error("The template cannot be applied:")
        st.code(row["error"], language=None)
        return
    if row["envelope"] is None:
        st.info("There is no list of records where the template looks for it. It looks at:")
        st.code("\n".join(row["missing"]), language=None)
        return
    forms.envelope(row["envelope"], row["text"], "template")
    st.caption(forms.header(row))
    if row["missing"]:
        st.warning("Paths that lead nowhere in this payload:")
        st.code("\n".join(row["missing"]), language=None)
