"""What every byte of a ZON text is: a name, punctuation, whitespace or a value.

Names have no mark of their own, so they are known by where they stand: in the header of a table,
and before a colon or a bracket at the start of a line, of an object or after a comma. A line of a
table starts with a value.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from toon.layout.quotes import inside_strings
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, kinds_of_bytes
from toon.text import QUOTED_OR_OPEN

_KINDS: Final = kinds_of_bytes(VALUES, (b'"{}[],', PUNCTUATION), (b"\n\r", WHITESPACE))
# A quoted text is passed over; a time has colons, but is no name.
_NAME: Final = re.compile(
    rf'(?:(?<=[{{,\n])|\A)(?!\d{{4}}-\d\d-\d\dT)("?)([^,:{{}}\[\]"\n@]++)"?(?=[:{{\[])'
    rf"|{QUOTED_OR_OPEN}".encode(),
    re.S,
)
_HEADER: Final = re.compile(rb"^[^\n@]*(@(?:\w*\([0-9]+\)|[0-9]+)(?:\[\w+\])*:)([^\n]*)", re.M)
_LENGTH: Final = re.compile(rb"^[^\n:]*\[([0-9]+\]:)", re.M)
_IS_NAME: Final = kinds_of_bytes(NAMES, (b'",:', PUNCTUATION), (b" ", WHITESPACE))


def zon_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``, which may be broken ZON.

    Quotes, brackets, colons, commas and the size of a table or a list are punctuation.

    Raises:
        UnicodeEncodeError: The text holds a lone surrogate.
    """
    data = text.encode()
    layout = np.frombuffer(bytearray(data.translate(_KINDS)), np.uint8)
    inside = inside_strings(data)
    inside &= np.frombuffer(data, np.uint8) != ord('"')
    layout[inside] = VALUES
    for match in _NAME.finditer(data):
        if match[2] is not None:
            layout[slice(*match.span(2))] = NAMES
            layout[match.end()] = PUNCTUATION  # no other colon is: times have them too
    for pattern in (_HEADER, _LENGTH):
        for match in pattern.finditer(data):
            layout[slice(*match.span(1))] = PUNCTUATION
    for match in _HEADER.finditer(data):
        kinds = np.frombuffer(match[2].translate(_IS_NAME), np.uint8)
        layout[slice(*match.span(2))] = kinds
    return layout
