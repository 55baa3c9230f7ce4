"""The lexical rules that encoder and decoder share: when to quote a text and how to escape it."""

from __future__ import annotations

import re
from typing import Final

from toon.codec.text import BARE_KEY
from toon.dialects.writing import quote

#: Spaces per level.
INDENT: Final = 2

_CONTROL: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
# Wider than a JSON number on purpose, so that "007" and "+5" stay strings in every reader.
_NUMERIC_LIKE: Final = r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"


def _safe_pattern(delimiter: str) -> re.Pattern[str]:
    """Return a pattern for the strings that need no quotes next to ``delimiter``."""
    odd = rf'"\\\[\]{{}}{_CONTROL}{re.escape(delimiter)}'
    return re.compile(rf"(?!(?:true|false|null|{_NUMERIC_LIKE})\Z)[^\s\-|{odd}][^{odd}]*+(?<!\s)\Z")


#: The strings that need no quotes: as the value of a line, in a cell, in a list on one line.
SAFE_LINE: Final = _safe_pattern("")
SAFE_CELL: Final = _safe_pattern("|")
SAFE_ITEM: Final = _safe_pattern(",")

#: Every character that could break a line, besides those of the quotes.
SPECIAL: Final = re.compile(rf'["\\{_CONTROL}]')


def write_key(key: str) -> str:
    """Write ``key`` as on a line or in a header, in quotes where it needs them."""
    return key if BARE_KEY.match(key) else quote(key, SPECIAL)
