"""What each byte of a TOON text is: name, punctuation, whitespace or value.

Two readers give the same layout. :mod:`toon.layout.toon_lines` reads any text line by line and
defines what the layout is. :mod:`toon.layout.toon_arrays` reads the whole text at once, two to
eight times as fast for texts of 50 KB, but only texts as an encoder writes them.
"""

from __future__ import annotations

from typing import Final

from toon.layout import toon_arrays, toon_lines
from toon.layout.spans import Layout, UnusualText

#: UTF-8 bytes below which setting up arrays takes longer than reading lines.
SHORT: Final = 3000


def toon_layout(text: str, comments: bool = True) -> Layout:
    """One kind code per UTF-8 byte of ``text``, which may be broken TOON.

    ``comments`` False reads TOON 3.3, where a line that starts with ``#`` is not a comment.
    """
    data = text.encode()
    if len(data) >= SHORT:
        try:
            return toon_arrays.read_layout(data, comments)
        except UnusualText:
            pass
    return toon_lines.read_layout(data, comments)
