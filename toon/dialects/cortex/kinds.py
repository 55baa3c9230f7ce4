"""The kind of each byte of the library's text, which looks like TOON without comments."""

from __future__ import annotations

from toon.layout.spans import Layout
from toon.layout.toon import toon_layout


def layout(text: str) -> Layout:
    """The kind of each UTF-8 byte of ``text``; never raises on text that UTF-8 can carry."""
    return toon_layout(text, comments=False)
