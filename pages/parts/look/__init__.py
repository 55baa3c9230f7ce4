"""The look of every page: the product's name and mark, and styles that the theme lacks."""

from pathlib import Path
from typing import Final

import streamlit as st

from pages.parts.built import component, styles

_HERE: Final = Path(__file__).parent
NAME: Final = "Token lab"
MARK: Final = _HERE / "mark.svg"

_STYLES: Final = styles(_HERE / "look.css", _HERE / "falls.css", _HERE / "verdict.css")
_mount = component("access")


def apply() -> None:
    """Add the app's logo, styles and accessibility script to the page that is drawn."""
    st.logo(MARK)
    st.html(f"<style>{_STYLES}</style>")
    with st.container(key="access"):
        _mount(key="skip")
