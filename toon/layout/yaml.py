"""The kind of each byte of a YAML text: name, punctuation, whitespace or value.

One pattern, whose groups leave no gap, reads any text. It knows block style without block scalars,
which is what :mod:`toon.formats.yaml` writes: a collection in flow style is one value, and the
lines of a block scalar are read like all others. Texts of simple lines are read by
:mod:`toon.layout.yaml_arrays` to the same layout, six times as fast for texts of 50 KB.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from toon.layout import yaml_arrays
from toon.layout.spans import (
    NAMES,
    PUNCTUATION,
    VALUES,
    WHITESPACE,
    Layout,
    UnusualText,
    lay_out_groups,
)

#: For texts of fewer UTF-8 bytes, setting up the arrays takes longer than the pattern.
SHORT: Final = 1000

_DOUBLE: Final = r'(?<=")(?:[^"\\]++|\\.|\\\Z)*+'
_SINGLE: Final = r"(?<=')(?:[^']++|'')*+"
_END: Final = r"(?=[ \r\n]|\Z)"

# Blanks, then a hyphen or another mark; or an optional key, and a value.
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
# A key too long, or of too many lines, to stand before a colon: its value follows on the next line,
# after a colon.
_LONG_KEY: Final = re.compile(
    rf"""^[ ]*+(?:-[ ]++)*+(\?)[ ]++ (?: "{_DOUBLE} | '{_SINGLE} | [^\r\n]*+ )""".encode(),
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_FOLD: Final = re.compile(rb"\n +")


def yaml_layout(text: str) -> Layout:
    """Return one kind code per UTF-8 byte of ``text``, which may be broken YAML.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments that fill a line are punctuation. The
    inside of quotes is a name or a value, with its escapes and line breaks. If it has several
    lines, the indentation of those after the first is whitespace.
    """
    data = text.encode()
    if len(data) >= SHORT:
        try:
            return yaml_arrays.read_layout(data)
        except UnusualText:
            pass
    return read_entries(data)


def read_entries(data: bytes) -> Layout:
    """Return one kind code per byte of any ``data``, by one pass of one pattern."""
    layout = lay_out_groups(_ENTRY.findall(data), _KINDS)
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
