"""The kind of each byte of a TRON text: name, punctuation, whitespace or value.

The text may be broken. It is laid out as JSON first. Then the additions of TRON are marked: class
definitions, and the names and parentheses of instances.
"""

import re
from typing import Final

import numpy as np

from toon.layout.json import json_layout
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, Layout, mask_strings
from toon.text import QUOTED

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
#: A class and its keys.
_CLASS: Final = re.compile(
    rf"\s*+(class[ \t]++{_WORD}[ \t]*+:)((?:[ \t\r,]|{_WORD}|{QUOTED})*+)".encode(), re.S
)
_IS_WORD: Final = bytes((chr(byte).isalnum() and byte < 128) or byte == 95 for byte in range(256))
_IS_SIGN: Final = bytes(byte in b"()" for byte in range(256))


def tron_layout(text: str) -> Layout:
    """Return the kind of every UTF-8 byte of a TRON text, as an array of indexes into ``KINDS``.

    Keys are names, in classes and in objects. Class names, the word ``class``, quotes and
    ``{}[]():,`` are punctuation.

    Raises:
        UnicodeEncodeError: The text holds a lone surrogate.
    """
    data = text.encode()
    layout = json_layout(text)
    signs = np.frombuffer(data.translate(_IS_SIGN), np.bool_) & ~mask_strings(data)
    if signs.any():
        layout[signs] = PUNCTUATION
        words = np.frombuffer(data.translate(_IS_WORD), np.bool_)
        edges = np.flatnonzero(np.diff(words, prepend=False, append=False))
        starts, ends = edges[::2], edges[1::2]
        opens = signs & (np.frombuffer(data, np.uint8) == ord("("))
        before = opens.take(ends, mode="clip")
        steps = np.zeros(words.size + 1, np.int8)
        steps[starts[before]], steps[ends[before]] = 1, -1
        layout[np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)] = PUNCTUATION
    match = _CLASS.match(data)
    while match:
        for place, kind in ((1, PUNCTUATION), (2, NAMES)):
            part = layout[slice(*match.span(place))]
            part[part == VALUES] = kind
        match = _CLASS.match(data, match.end())
    return layout
