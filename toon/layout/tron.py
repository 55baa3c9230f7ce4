"""The kind of each byte of a TRON text: name, punctuation, whitespace or value.

The text may be broken. It is laid out as JSON first. Then the additions of TRON are marked: class
definitions, names and parentheses of instances, names of arguments, and comments.
"""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.layout.json import json_layout
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, Layout, inside_strings
from toon.text import QUOTED, QUOTED_OR_OPEN

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
#: A class and its keys. What follows is another class or the data: a word before a parenthesis.
_CLASS: Final = re.compile(
    rf"[ \t\r\n;]*+(class[ \t]++{_WORD}[ \t]*+(?:\([^()\n]*+\))?+[ \t]*+:)"
    rf"((?:[ \t\r\n,]|(?!class\b){_WORD}(?![ \t]*+\()|{QUOTED})*+)".encode(),
    re.S,
)
_STRING_OR_COMMENT: Final = re.compile(rf"{QUOTED_OR_OPEN}|(#[^\n]*+)".encode(), re.S)

_IS_WORD: Final = bytes((chr(byte).isalnum() and byte < 128) or byte == 95 for byte in range(256))
_IS_SIGN: Final = bytes(byte in b"();=" for byte in range(256))


def tron_layout(text: str) -> Layout:
    """Return one kind code per UTF-8 byte of a TRON text.

    Keys are names, in classes, in objects and before an equals sign. Class names, the word
    ``class``, quotes, ``{}[]():,;=`` and comments are punctuation.

    Raises:
        UnicodeEncodeError: The text holds a lone surrogate.
    """
    encoded = text.encode()
    data = bytearray(encoded)
    comments = list[slice]()
    if b"#" in encoded:
        found = _STRING_OR_COMMENT.finditer(encoded)
        comments = [slice(*match.span()) for match in found if match[1] is not None]
    for comment in comments:
        data[comment] = b" " * len(data[comment])
    raw = np.frombuffer(data, np.uint8)
    outside = ~inside_strings(bytes(data))
    signs = np.frombuffer(data.translate(_IS_SIGN), np.bool_) & outside
    words = np.frombuffer(data.translate(_IS_WORD), np.bool_) & outside
    equals = signs & (raw == ord("="))
    raw[equals] = ord(":")  # what stands before it is a name, as before a colon
    layout = json_layout(data.decode())
    layout[signs] = PUNCTUATION
    layout[_before(words, signs & (raw == ord("(")))] = PUNCTUATION
    layout[_before(words, equals)] = NAMES
    match = _CLASS.match(data)  # the class definitions at the start
    while match:
        for place, kind in ((1, PUNCTUATION), (2, NAMES)):
            part = layout[slice(*match.span(place))]
            part[part == VALUES] = kind
        match = _CLASS.match(data, match.end())
    for comment in comments:
        layout[comment] = PUNCTUATION
    return layout


def _before(words: NDArray[np.bool_], signs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each byte of a TRON text whether it is of a word right before a sign."""
    marked = np.zeros(words.size, np.bool_)
    if signs.any():
        edges = np.flatnonzero(np.diff(words, prepend=False, append=False))
        starts, ends = edges[::2], edges[1::2]
        ends, starts = ends[signs.take(ends, mode="clip")], starts[signs.take(ends, mode="clip")]
        steps = np.zeros(words.size + 1, np.int8)
        steps[starts], steps[ends] = 1, -1
        marked = np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)
    return marked
