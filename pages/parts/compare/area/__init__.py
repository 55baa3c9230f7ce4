"""A textarea that reports while the user types; ``st.text_area`` reports only when it is left.

Session state:
    template: The text Python put there last, ``{"version", "text"}``. A new version replaces the
        shown text.
    template_text: The text as the user has edited it.
"""

import time
from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts.built import component

_HERE: Final = Path(__file__).parent

#: The most characters of the textarea. A template's own limit is lower, so its error can say so.
_LIMIT: Final = 100_000

_mount = component("template", [_HERE / "area.css"], _HERE / "area.html")


def write(text: str) -> None:
    """Replace the template of compact lines in the textarea, for this session, by ``text``."""
    text = text[:_LIMIT].replace("\r\n", "\n")  # as a textarea holds it
    version = time.time_ns() // 1_000_000
    st.session_state.template = {"version": version, "text": text}
    st.session_state.template_text = text


def draw_area(key: str) -> str:
    """Draw the textarea that edits a template of compact lines; return the text now in it."""
    template = st.session_state.template
    state = _mount(
        key=key,
        data={"key": key, "limit": _LIMIT, **template},
        default={"typed": None},
        on_typed_change=lambda: None,
    )
    typed = state.typed
    if typed and typed["version"] == template["version"]:
        # Half an emoji is not a character: Python could not encode it.
        text = typed["text"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        st.session_state.template_text = text
    return str(st.session_state.template_text)
