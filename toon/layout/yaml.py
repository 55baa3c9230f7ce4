"""The kind of each byte of a YAML text: name, punctuation, whitespace or value.

One pattern, whose groups leave no gap, reads any text. It knows block style without block scalars,
which is what :mod:`toon.formats.yaml` writes: a collection in flow style is one value, and the
lines of a block scalar are read like all others.
"""

import re
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, lay_out_groups

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
    """Return the kind of every UTF-8 byte of a YAML text, maybe broken, by index into ``KINDS``.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments that fill a line are punctuation. The
    inside of quotes is a name or a value, with its escapes and line breaks. If it has several
    lines, the indentation of those after the first is whitespace.
    """
    data = text.encode()
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
