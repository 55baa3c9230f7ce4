"""What each byte of a YAML text is: name, punctuation, whitespace or value.

For block style without block scalars, which is what :mod:`toon.formats.yaml` writes; a collection
in flow style is one value here, and the lines of a block scalar are read like any others. Texts
of plain lines are laid out at once, in arrays; all others in a pass of one pattern, whose groups
follow each other without a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.codec.text import MAX_DEPTH
from toon.layout.quotes import Places
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout

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

_SHORT: Final = 1000  # bytes below which setting up arrays takes longer than the pattern
_ODDITIES: Final = (b"\n\n", b"\r", b"\t")
_PLAIN_KINDS: Final = np.array(
    [WHITESPACE, NAMES, PUNCTUATION, WHITESPACE, VALUES, WHITESPACE], np.uint8
)


def _among(characters: bytes) -> NDArray[np.bool_]:
    """For every byte, whether it is one of ``characters``."""
    return np.isin(np.arange(256), list(characters))


_ODD_HEADS: Final = _among(b"#?:. \n")  # comments, long keys, ends of documents, stray blanks
_AFTER_MARKS: Final = _among(b"- \n")  # behind a hyphen: a mark, or a hyphen too many
_QUOTES: Final = _among(b"\"'")


def yaml_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``; never raises on text that UTF-8 can carry.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments on lines of their own are punctuation.
    The inside of quotes is a name or a value, escapes and line breaks included, but for the
    indentation of its further lines.
    """
    data = text.encode()
    if len(data) < _SHORT:
        return _any_layout(data)
    try:
        return _plain_layout(data)
    except _OddError:
        return _any_layout(data)


def _any_layout(data: bytes) -> Layout:
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


# -- whole texts of plain lines ---------------------------------------------------------------


class _OddError(Exception):
    """A text that the arrays do not allow for."""


def _allow(condition: object) -> None:
    if not condition:
        raise _OddError


def _plain_layout(data: bytes) -> Layout:
    """The layout of lines that hold a plain key, a value, or both, after any hyphens.

    A value may be quoted, if it ends with its line and holds no such quote and no backslash.

    Raises:
        _OddError: there are other lines.
    """
    _allow(not any(oddity in data for oddity in _ODDITIES) and data[-1] not in b" \n")
    raw = np.frombuffer(data + b"\n\n", np.uint8)  # with something to see past the end
    ends = np.flatnonzero(raw[:-1] == ord("\n"))
    starts = np.append(0, ends[:-1] + 1)
    solid = np.flatnonzero((raw != ord(" ")) & (raw != ord("\n")))
    contents = solid[np.searchsorted(solid, starts)]
    _allow((contents < ends).all())
    hyphens, contents = _hyphens(raw, contents)
    colons, values = _fields(raw, contents, ends)
    edges = np.column_stack((starts, contents, colons, colons + (colons > contents), values, ends))
    lengths = np.diff(np.append(edges.ravel(), len(data)))
    layout = np.repeat(np.tile(_PLAIN_KINDS, starts.size), lengths)
    for places in (hyphens, *_marks(data, raw, values, ends)):
        layout[places] = PUNCTUATION
    return layout


def _hyphens(raw: NDArray[np.uint8], contents: Places) -> tuple[Places, Places]:
    """Where the hyphens of list items are, and where what follows them starts."""
    found = [contents[:0]]
    dashed = np.arange(contents.size)
    contents = contents.copy()
    for _ in range(MAX_DEPTH):
        at = contents[dashed]
        dashed = dashed[(raw[at] == ord("-")) & (raw[at + 1] == ord(" "))]
        if not dashed.size:
            break
        found.append(contents[dashed])
        contents[dashed] += 2
    heads, behind = raw[contents], raw[contents + 1]
    _allow(not _ODD_HEADS[heads].any())
    _allow(not ((heads == ord("-")) & _AFTER_MARKS[behind]).any())
    return np.concatenate(found), contents


def _fields(raw: NDArray[np.uint8], contents: Places, ends: Places) -> tuple[Places, Places]:
    """Where each line has its colon, or its content if it has none; and where its value starts."""
    blank = (raw == ord(" ")) | (raw == ord("\n"))
    candidates = np.flatnonzero((raw[:-1] == ord(":")) & blank[1:])
    colons = np.append(candidates, raw.size)[np.searchsorted(candidates, contents)]
    is_key = colons < ends
    _allow(not (is_key & _QUOTES[raw[contents]]).any())
    colons = np.where(is_key, colons, contents)
    values = np.where(is_key, np.minimum(colons + 2, ends), contents)
    _allow((raw[values] != ord(" ")).all())
    return colons, values


def _marks(data: bytes, raw: NDArray[np.uint8], values: Places, ends: Places) -> Iterator[Places]:
    """Where the quotes of quoted values are, and the brackets of empty collections."""
    heads = raw[values]
    brackets = values[(heads == ord("[")) | (heads == ord("{"))]
    closing = raw[brackets] + 2  # in ASCII each bracket stands two before its other half
    _allow((raw[brackets + 1] == closing).all() and (raw[brackets + 2] == ord("\n")).all())
    yield brackets
    yield brackets + 1
    for quote in b"\"'":
        mine = heads == quote
        opening, last = values[mine], ends[mine] - 1
        places = np.flatnonzero(raw == quote)
        count = np.searchsorted(places, last + 1) - np.searchsorted(places, opening)
        _allow((count == 2).all() and (raw[last] == quote).all())
        _allow(quote == ord("'") or not opening.size or b"\\" not in data)
        yield opening
        yield last
