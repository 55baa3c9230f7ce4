"""The demo: a page for a projector, its answer large, what explains and chooses out of the way.

Session state:
    demo: Whether it is on. The address turns it on with its parameter ``demo=true``.
    demo_asked: Whether the address has done so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

_STYLES: Final = Path(__file__).parent / "look" / "demo.css"
_PARAMETER: Final = "demo"


def wear() -> None:
    """Dresses the page where the demo is on, with a way out."""
    is_asked = st.query_params.get(_PARAMETER) == "true"
    if is_asked and "demo_asked" not in st.session_state:  # once, so that it can be turned off
        st.session_state.demo = st.session_state.demo_asked = True
    if is_on():
        st.html(_STYLES)
        st.button("Leave demo", key="leave_demo", on_click=_leave, shortcut="Esc")


def is_on() -> bool:
    """Whether pages are shown for a projector."""
    return bool(st.session_state.get("demo"))


def draw_switch() -> None:
    """Turns the demo on and off."""
    st.toggle(
        "Demo",
        key="demo",
        persist_state="session",
        help="For a projector: the whole width, large figures, and nothing but the answer.",
    )


def _leave() -> None:
    st.session_state.demo = False
    st.query_params.pop(_PARAMETER, None)
