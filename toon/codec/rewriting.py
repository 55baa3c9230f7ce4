"""A TOON document in another form, from its text: several times as fast as writing it again.

The same values are tables and lists with each delimiter, and most often by both versions of the
specification; only headers, delimiters and a few quotes differ.
"""

import re
from typing import Final

from toon.codec.text import compile_safe
from toon.text import QUOTED

# No bare string holds a bracket, a brace or a comma (§7.2), so outside strings these find headers.
_LENGTH: Final = re.compile(r"\[([0-9]++:?)\]")
_QUOTED_COLUMN: Final = re.compile(r'\{[^\n]*"')
_GROUP: Final = re.compile(r"\]\{[^\n]*\{")

_STRING: Final = re.compile(f"({QUOTED})", re.DOTALL)


def change_delimiter(text: str, delimiter: str) -> str | None:
    """Rewrite a TOON text with another delimiter, as encoded; None where only the encoder can tell.

    ``text`` is an object or array as the encoder wrote it with commas.
    """
    outside, *others = pieces = _STRING.split(text)
    if others:
        outside = '"'.join(pieces[::2])
        if _QUOTED_COLUMN.search(outside):
            return None
    if delimiter in outside:  # bare strings hold it that need quotes now
        return None
    outside = _LENGTH.sub(rf"[\1{delimiter}]", outside).replace(",", delimiter)
    if not others:
        return outside
    pieces[::2] = outside.split('"')
    safe = compile_safe(delimiter).match
    for place in range(1, len(pieces), 2):
        string = pieces[place]
        is_key = pieces[place + 1][:1] in (":", "[", "{")
        if "," in string and not is_key and safe(string[1:-1]):
            pieces[place] = string[1:-1]
    return "".join(pieces)


def is_legacy(text: str) -> bool:
    """Return whether a TOON 4.4 document with commas is certainly the same text in TOON 3.3.

    Keyed tables, field groups and quotes for strings like ``#1`` and ``+1`` are new in 4.
    """
    return not any(mark in text for mark in (":]", '"#', '"+')) and not _GROUP.search(text)
