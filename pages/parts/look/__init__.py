"""What every page wears: the product's name and mark, and what the theme cannot say.

For a projector there is the demo: a page whose answer is large, and what explains and chooses is
out of the way.

Session state:
    demo: Whether the demo is on. The address turns it on with its parameter ``demo=true``.
    demo_asked: Whether the address has done so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts.browser import styles
from pages.parts.built import component

_HERE: Final = Path(__file__).parent
NAME: Final = "Token lab"
MARK: Final = _HERE / "mark.svg"
_DEMO: Final = "demo"

_STYLES: Final = styles(_HERE / "look.css", _HERE / "falls.css")
_mount = component("access")


def wear() -> None:
    """Draws the mark into the header, and adds the styles and what the scripts add."""
    st.logo(MARK)
    st.html(f"<style>{_STYLES}</style>")
    with st.container(key="access"):
        _mount(key="skip")


def wear_demo() -> None:
    """Dresses the page where the demo is on, with a way out."""
    is_asked = st.query_params.get(_DEMO) == "true"
    if is_asked and "demo_asked" not in st.session_state:  # once, so that it can be turned off
        st.session_state.demo = st.session_state.demo_asked = True
    if is_demo():
        st.html(_HERE / "demo.css")
        st.button("Leave demo", key="leave_demo", on_click=_leave_demo, shortcut="Esc")


def is_demo() -> bool:
    """Whether pages are shown for a projector."""
    return bool(st.session_state.get(_DEMO))


def draw_demo_switch() -> None:
    """Turns the demo on and off."""
    st.toggle(
        "Demo",
        key=_DEMO,
        persist_state="session",
        help="For a projector: the whole width, large figures, and nothing but the answer.",
    )


def _leave_demo() -> None:
    st.session_state.demo = False
    st.query_params.pop(_DEMO, None)
