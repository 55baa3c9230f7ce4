"""What each byte of a YAML text is: name, punctuation, whitespace or value.

For block style without block scalars, which is what :mod:`toon.formats.yaml` writes; a collection
in flow style is one value here, and the lines of a block scalar are read like any others. One
pass of one pattern, whose groups follow each other without a gap.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final

import numpy as np

from toon.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout

_DOUBLE: Final = r'(?<=")(?:[^"\\]++|\\.|\\\Z)*+'
_SINGLE: Final = r"(?<=')(?:[^']++|'')*+"
_END: Final = r"(?=[ \r\n]|\Z)"

# What a line starts with: blanks, then a hyphen or the like, or a key, if any, and a value.
_ENTRY: Final = re.compile(
    rf"""([ \t\r\n]*+)
    (?: ( [-?:]{_END} | \#[^\r\n]*+ | (?:---|\.\.\.){_END} )
      | (?:
          (["'])?
          ((?(3) (?:{_DOUBLE}|{_SINGLE}) | (?!["'])[^:\r\n]*+(?::(?![ \r\n]|\Z)[^:\r\n]*+)*+ ))
          ((?(3)["'][ ]*+):{_END})
        )?
        ([ \t]*+)
        (["'] | \[\]{_END} | {{\}}{_END})?+
        ((?(7) (?:{_DOUBLE}|{_SINGLE}|(?<=[\]}}])) | [^\r\n]*+))
        ((?(7) ["']?+))
    )""".encode(),
    re.VERBOSE | re.DOTALL,
)
_KINDS: Final = np.array(
    [
        WHITESPACE, PUNCTUATION, PUNCTUATION, NAMES, PUNCTUATION, WHITESPACE,
        PUNCTUATION, VALUES, PUNCTUATION,
    ],
    np.uint8,
)  # fmt: skip
# A key too long or of too many lines to stand before a colon; its value follows on a line of its
# own, after a colon.
_LONG_KEY: Final = re.compile(
    rf"""^[ ]*+(?:-[ ]++)*+(\?)[ ]++ (?: "{_DOUBLE} | '{_SINGLE} | [^\r\n]*+ )""".encode(),
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_FOLD: Final = re.compile(rb"\n +")


def yaml_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``; never raises on text that UTF-8 can carry.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments on lines of their own are punctuation.
    The inside of quotes is a name or a value, escapes and line breaks included, but for the
    indentation of its further lines.
    """
    data = text.encode()
    entries = _ENTRY.findall(data)
    # A byte that UTF-8 has no use for, between any two groups: faster than asking for lengths.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(entries), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    layout = np.repeat(np.tile(_KINDS, len(entries)), np.diff(ends, prepend=-1) - 1)
    if b"? " in data:
        for match in _LONG_KEY.finditer(data):
            if layout[match.start(1)] == PUNCTUATION:
                key = layout[match.end(1) : match.end()]
                key[key == VALUES] = NAMES
    if b"'" in data or b'"' in data:
        for match in _FOLD.finditer(data):
            if layout[match.start()] in (NAMES, VALUES):
                layout[match.start() + 1 : match.end()] = WHITESPACE
    return layout
