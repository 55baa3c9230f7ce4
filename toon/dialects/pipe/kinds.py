"""The kind of each byte of pipe tables: name, punctuation, whitespace or value.

One pattern matches a line at a time; in a row it matches a cell at a time. Its groups leave no gap,
so their lengths and kinds give the layout. Headers, lists on one line and a text that is a single
value are corrected afterwards.
"""

import re
from typing import Final

import numpy as np

from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, lay_out_groups

_INSIDE: Final = r'(?<=")(?:[^"\\\n]++|\\[^\n]|\\(?=\n|\Z))*+'
_END: Final = r"(?=[ \t\r]*+(?:\n|\Z))"
_GAP: Final = r"(?=[ \t\r\n]|\Z)"

_UNIT: Final = re.compile(
    rf"""([ \t\r\n]*+)
    (?: (\|) ([ \t]*+)                                              # a pipe and its cell, if any
        (?: (") ({_INSIDE}) ("?+) | ([^| \t\r\n"] (?: [^|\n]*[^| \t\r\n] )?+) )?+
      | (?: (-{_GAP}) ([ \t]*+)                                     # a hyphen
          | (?: (") ({_INSIDE}) ("(?: :{_GAP} | {_END} ))           # a key
              | ((?!["\[{{|]) [^: \t\r\n] (?: [^:\n]*[^: \t\r\n] )?+ (?= :{_GAP} | {_END} )) (:?+)
            ) ([ \t]*+)
        )?+
        (?: (") ({_INSIDE}) ("{_END}) | (\[\]{_END} | {{\}}{_END})  # a value
          | ([^\n]*[^ \t\r\n]) )?+
    )""".encode(),
    re.VERBOSE,
)
_UNIT_KINDS: Final = np.array(
    [
        WHITESPACE,
        PUNCTUATION, WHITESPACE, PUNCTUATION, VALUES, PUNCTUATION, VALUES,
        PUNCTUATION, WHITESPACE,
        PUNCTUATION, NAMES, PUNCTUATION, NAMES, PUNCTUATION, WHITESPACE,
        PUNCTUATION, VALUES, PUNCTUATION, PUNCTUATION, VALUES,
    ],
    np.uint8,
)  # fmt: skip

# A header: a row without another row right above it.
_HEADER: Final = re.compile(rb"(?:\A|^[ ]*+(?!\|)[^\n]*\n)([ ]*+\|[^\n]*)", re.MULTILINE)
# A list on one line, in brackets: all of the line, or what follows its key or hyphen.
_FLOW: Final = re.compile(
    rf'^(?:[ ]*+"{_INSIDE}"|[^\n\["|]*+)[ :]*+(\[[^\n]*\])[ \t\r]*+$'.encode(), re.MULTILINE
)
# A bracket or comma of such a list, and the item after it, if any.
_ITEM: Final = re.compile(
    rf"""([\[,\]]?+) ([ \t\n]*+)
    (?: (") ({_INSIDE}) ("?+) | ([^\[,\]" \t\n] (?: [^,\]\n]*[^,\] \t\n] )?+) )?+""".encode(),
    re.VERBOSE,
)
_ITEM_KINDS: Final = np.array(
    [PUNCTUATION, WHITESPACE, PUNCTUATION, VALUES, PUNCTUATION, VALUES], np.uint8
)


def layout(text: str) -> Layout:
    """Return an array with the kind of each UTF-8 byte of pipe tables, damaged ones too.

    Keys and the cells of a header are names. Pipes, hyphens, colons, quotes, ``[]`` and ``{}``, and
    the brackets and commas of a list on one line are punctuation. Other text is values.
    """
    data = text.encode()
    kinds = lay_out_groups(_UNIT.findall(data), _UNIT_KINDS)
    if b"|" in data:
        for match in _HEADER.finditer(data):
            header = kinds[match.start(1) : match.end()]
            header[header == VALUES] = NAMES
    flows = [match.span(1) for match in _FLOW.finditer(data)] if b"[" in data else []
    flows = [
        (start, end)
        for start, end in flows
        if kinds[start] == VALUES and (start == 0 or kinds[start - 1] != VALUES)
    ]
    if flows:  # lists on one line, all in one pass over their joined texts
        joined = b"".join(data[start:end] + b"\n" for start, end in flows)
        inside = lay_out_groups(_ITEM.findall(joined), _ITEM_KINDS)
        edges = np.zeros(len(data) + 1, np.int8)
        edges[[start for start, _ in flows]] = 1
        edges[[end for _, end in flows]] = -1
        kinds[np.cumsum(edges[:-1]) > 0] = inside[np.frombuffer(joined, np.uint8) != ord("\n")]
    if b"\n" not in data.strip(b" \t\r\n") and data.lstrip(b" ")[:1] != b"|":
        names = np.flatnonzero(kinds == NAMES)
        if names.size and b":" not in data[names[-1] + 1 :]:  # the only line is a value, not a key
            kinds[names] = VALUES
    return kinds
