"""The layout of a YAML text of simple lines, read all at once in arrays.

After any hyphens, a simple line holds an unquoted key, a value, or both. A value may be quoted if
it ends with its line and holds no such quote and no backslash. Other texts are left to
:mod:`toon.layout.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.codec.text import MAX_DEPTH
from toon.layout.quotes import Places
from toon.layout.spans import (
    NAMES,
    PUNCTUATION,
    VALUES,
    WHITESPACE,
    Layout,
    require,
)

_UNUSUAL: Final = (b"\n\n", b"\r", b"\t")
_KINDS: Final = np.array([WHITESPACE, NAMES, PUNCTUATION, WHITESPACE, VALUES, WHITESPACE], np.uint8)


def _among(characters: bytes) -> NDArray[np.bool_]:
    """Return for each byte value whether it is one of ``characters``."""
    return np.isin(np.arange(256), list(characters))


_UNUSUAL_HEADS: Final = _among(b"#?:. \n")  # comments, long keys, document ends, blanks
_AFTER_MARKS: Final = _among(b"- \n")  # after a hyphen: a document mark, or too many hyphens
_QUOTES: Final = _among(b"\"'")


def read_layout(data: bytes) -> Layout:
    """Return one kind code per byte of ``data``.

    Raises:
        UnusualText: A line is of another form.
    """
    require(data and data[-1] not in b" \n" and not any(mark in data for mark in _UNUSUAL))
    raw = np.frombuffer(data + b"\n\n", np.uint8)  # two more, to look past the end
    ends = np.flatnonzero(raw[:-1] == ord("\n"))
    starts = np.append(0, ends[:-1] + 1)
    solid = np.flatnonzero((raw != ord(" ")) & (raw != ord("\n")))
    contents = solid[np.searchsorted(solid, starts)]
    require((contents < ends).all())
    hyphens, contents = _hyphens(raw, contents)
    colons, values = _fields(raw, contents, ends)
    edges = np.column_stack((starts, contents, colons, colons + (colons > contents), values, ends))
    lengths = np.diff(np.append(edges.ravel(), len(data)))
    layout = np.repeat(np.tile(_KINDS, starts.size), lengths)
    for places in (hyphens, *_marks(data, raw, values, ends)):
        layout[places] = PUNCTUATION
    return layout


def _hyphens(raw: NDArray[np.uint8], contents: Places) -> tuple[Places, Places]:
    """Return the places of the hyphens of items, and where the text after them starts."""
    hyphens = [contents[:0]]
    dashed = np.arange(contents.size)
    contents = contents.copy()
    for _ in range(MAX_DEPTH):
        at = contents[dashed]
        dashed = dashed[(raw[at] == ord("-")) & (raw[at + 1] == ord(" "))]
        if not dashed.size:
            break
        hyphens.append(contents[dashed])
        contents[dashed] += 2
    heads, after = raw[contents], raw[contents + 1]
    require(not _UNUSUAL_HEADS[heads].any())
    require(not ((heads == ord("-")) & _AFTER_MARKS[after]).any())
    return np.concatenate(hyphens), contents


def _fields(raw: NDArray[np.uint8], contents: Places, ends: Places) -> tuple[Places, Places]:
    """Return the place of each line's colon, or of its content without one, and of its value."""
    blank = (raw == ord(" ")) | (raw == ord("\n"))
    candidates = np.flatnonzero((raw[:-1] == ord(":")) & blank[1:])
    colons = np.append(candidates, raw.size)[np.searchsorted(candidates, contents)]
    is_key = colons < ends
    require(not (is_key & _QUOTES[raw[contents]]).any())
    colons = np.where(is_key, colons, contents)
    values = np.where(is_key, np.minimum(colons + 2, ends), contents)
    require((raw[values] != ord(" ")).all())
    return colons, values


def _marks(data: bytes, raw: NDArray[np.uint8], values: Places, ends: Places) -> Iterator[Places]:
    """Yield the places of the quotes of values, and of the brackets of empty collections."""
    heads = raw[values]
    brackets = values[(heads == ord("[")) | (heads == ord("{"))]
    closing = raw[brackets] + 2  # in ASCII each bracket stands two before its other half
    require((raw[brackets + 1] == closing).all() and (raw[brackets + 2] == ord("\n")).all())
    yield brackets
    yield brackets + 1
    for quote in b"\"'":
        quoted = heads == quote
        opening, last = values[quoted], ends[quoted] - 1
        places = np.flatnonzero(raw == quote)
        count = np.searchsorted(places, last + 1) - np.searchsorted(places, opening)
        require((count == 2).all() and (raw[last] == quote).all())
        require(quote == ord("'") or not opening.size or b"\\" not in data)
        yield opening
        yield last
