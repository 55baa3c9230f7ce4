"""A textarea that Python hears of while the user types; ``st.text_area`` tells it only when left.

Session state: ``template`` is the text Python put there last, ``{"version", "text"}``; a new
version replaces what is shown. ``template_text`` is what the user has made of it.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import streamlit as st

HERE: Final = Path(__file__).parent

#: Characters the textarea takes: more than a template may have, so that the error can say so.
LIMIT: Final = 100_000

_mount = st.components.v2.component(
    "token_lab_template",
    html=(HERE / "area.html").read_text(encoding="utf-8"),
    css=(HERE / "area.css").read_text(encoding="utf-8"),
    js=(HERE / "area.js").read_text(encoding="utf-8"),
)


def write(text: str) -> None:
    """Replaces the template."""
    text = text[:LIMIT].replace("\r\n", "\n")  # as a textarea holds it
    version = time.time_ns() // 1_000_000
    st.session_state.template = {"version": version, "text": text}
    st.session_state.template_text = text


def area(key: str) -> str:
    """Mounts the textarea; gives the template as far as it was heard of."""
    template = st.session_state.template
    state = _mount(
        key=key,
        data={"key": key, "limit": LIMIT, **template},
        default={"typed": None},
        on_typed_change=lambda: None,
    )
    typed = state.typed
    if typed and typed["version"] == template["version"]:
        # Half an emoji is no character, and Python could write it nowhere.
        whole = typed["text"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        st.session_state.template_text = whole
    return str(st.session_state.template_text)
