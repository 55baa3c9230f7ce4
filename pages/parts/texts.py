"""Texts that may be long, drawn up to a limit."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from toon.limits import SHOWN_CHARACTERS


def draw_text(
    text: str,
    language: str | None = None,
    *,
    height: int | Literal["content"] | None = None,
    wrap: bool = True,
    numbered: bool = False,
    length: int = 0,
) -> None:
    """Draw a text as it is; of a long text only the start, with a caption.

    ``text`` may already be the start of a text of ``length``. Without a ``height`` a long text
    scrolls.
    """
    st.code(
        text[:SHOWN_CHARACTERS] or " ",
        language=language,
        wrap_lines=wrap,
        line_numbers=numbered,
        height=height or (380 if len(text) > 2_000 else "content"),
    )
    if (whole := max(len(text), length)) > SHOWN_CHARACTERS:
        st.caption(f"The first {SHOWN_CHARACTERS:,} of {whole:,} characters.")
