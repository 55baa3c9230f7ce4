"""What every page wears: the product's name and mark, and what the theme cannot say."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

_HERE: Final = Path(__file__).parent
NAME: Final = "Token lab"
MARK: Final = _HERE / "mark.svg"

#: The files of one JavaScript module; each uses what those before it declare.
_SCRIPTS: Final = ("../lasting.js", "pictures.js", "access.js")

_mount = st.components.v2.component(
    "token_lab_access",
    js="\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)


def wear() -> None:
    """Draws the mark into the header, and adds the styles and what the scripts add."""
    st.logo(MARK)
    st.html(_HERE / "look.css")
    with st.container(key="access"):
        _mount(key="skip")
