"""The kind of each byte of a YAML text: name, punctuation, whitespace or value.

One pattern, whose groups leave no gap, reads any text. It knows block style without block scalars,
which is what :mod:`toon.formats.yaml` writes: a collection in flow style is one value, and the
lines of a block scalar are read like all others. Texts of simple lines are read in arrays to the
same layout, six times as fast for texts of 50 KB.
"""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.codec.text import MAX_DEPTH
from toon.layout.spans import (
    NAMES,
    PUNCTUATION,
    VALUES,
    WHITESPACE,
    Layout,
    Places,
    UnusualText,
    lay_out_groups,
    require,
)

#: For texts of fewer UTF-8 bytes, setting up the arrays takes longer than the pattern.
_SHORT: Final = 1000

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
    """Return one kind code per UTF-8 byte of a YAML text, which may be broken.

    Hyphens, colons, quotes, ``[]``, ``{}`` and comments that fill a line are punctuation. The
    inside of quotes is a name or a value, with its escapes and line breaks. If it has several
    lines, the indentation of those after the first is whitespace.
    """
    data = text.encode()
    if len(data) >= _SHORT:
        try:
            return read_simple_lines(data)
        except UnusualText:
            pass
    return read_entries(data)


def read_entries(data: bytes) -> Layout:
    """Return one kind code per byte of any YAML text, by one pass of one pattern."""
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


# -- texts of simple lines, in arrays ----------------------------------------------------------

_UNUSUAL: Final = (b"\n\n", b"\r", b"\t")
_LINE_KINDS: Final = np.array(
    [WHITESPACE, NAMES, PUNCTUATION, WHITESPACE, VALUES, WHITESPACE], np.uint8
)


def _among(characters: bytes) -> NDArray[np.bool_]:
    """Return for each byte value whether it is one of ``characters``."""
    return np.isin(np.arange(256), list(characters))


_UNUSUAL_HEADS: Final = _among(b"#?:. \n")  # comments, long keys, document ends, blanks
_AFTER_MARKS: Final = _among(b"- \n")  # after a hyphen: a document mark, or too many hyphens
_QUOTES: Final = _among(b"\"'")


def read_simple_lines(data: bytes) -> Layout:
    """Return one kind code per byte of a YAML text of simple lines.

    After any hyphens, a simple line holds an unquoted key, a value, or both. A value may be quoted
    if it ends with its line and holds no such quote and no backslash.

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
    layout = np.repeat(np.tile(_LINE_KINDS, starts.size), lengths)
    for places in (hyphens, *_marks(data, raw, values, ends)):
        layout[places] = PUNCTUATION
    return layout


def _hyphens(raw: NDArray[np.uint8], contents: Places) -> tuple[Places, Places]:
    """Find the hyphens that begin list items in the lines of a YAML text.

    Return all their places, and for each line the place of the text after them. ``contents`` are
    the places of the first character of each line that is no space.
    """
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
    """Return two arrays of offsets in a YAML text, with an item for each line.

    They are the offsets of the colon after the line's key and of its value. Both are the start of
    the content if the line has no key. ``contents`` and ``ends`` are where the lines' contents
    start and end.
    """
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
    """Yield the places of a YAML text's quotes of values, and of brackets of empty collections."""
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
