"""Positions of keys and leaves in a JSON text, by their paths.

A leaf is a scalar or an empty object or array. Paths are numbered, so that two texts can be
compared; :mod:`toon.playground.toon_marks` reads TOON.
"""

from __future__ import annotations

import json
from typing import Any, Final

from toon.codec.numbers import exact_number
from toon.codec.text import LITERALS, parse_int
from toon.values.json_text import TOKEN

#: The number of the whole value's path.
ROOT: Final = 0


class Nodes:
    """The numbers of paths in one or several values: the same path has the same number."""

    def __init__(self) -> None:
        #: Numbers, from 1 on in this order, by the parent's number and the key or index.
        self.numbers: dict[tuple[int, str | int], int] = {}

    def at(self, parent: int, step: str | int) -> int:
        """Return the number of the path that leads one step on from ``parent``."""
        return self.numbers.setdefault((parent, step), len(self.numbers) + 1)

    def of(self, value: Any) -> dict[int, Any]:
        """Return every part of ``value`` whose path has a number, by that number."""
        found: dict[int, Any] = {}
        stack = [(ROOT, value)]
        while stack:
            node, item = stack.pop()
            found[node] = item
            if isinstance(item, dict):
                below = [(self.numbers.get((node, key)), part) for key, part in item.items()]
            elif isinstance(item, list):
                below = [(self.numbers.get((node, at)), part) for at, part in enumerate(item)]
            else:
                continue
            stack += [(number, part) for number, part in below if number is not None]
        return found


class Marks:
    """The spans of keys and leaves in a text, in ascending order.

    Attributes:
        keys: By path number, the index of the last key's span. All rows of a table share the spans
            of the keys in its header.
        leaves: By path number, the index of the leaf's span, and the leaf as decoded.
    """

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.keys: dict[int, int] = {}
        self.leaves: dict[int, tuple[int, Any]] = {}

    def span(self, start: int, end: int) -> int:
        """Add a span and return its index."""
        self.spans.append((start, end))
        return len(self.spans) - 1

    def leaf(self, node: int, start: int, end: int, value: Any) -> None:
        """Add the span of a leaf."""
        self.leaves[node] = self.span(start, end), value


def json_marks(text: str, nodes: Nodes) -> Marks:
    """Return the spans of keys and leaves in valid JSON; the last of repeated keys counts."""
    marks = Marks()
    # Open containers: the path, the next item's index (None in an object), the start.
    outer: list[tuple[int, int | None, int]] = []
    node, index, begun = ROOT, None, -1
    key: int | None = None
    previous = ""
    for match in TOKEN.finditer(text):
        token, (start, end) = match[0], match.span()
        if token in "}]":
            if previous in "{[":
                marks.leaf(node, begun, end, {} if token == "}" else [])
            node, index, begun = outer.pop()
        elif token == ",":
            key = None
            index = None if index is None else index + 1
        elif token == ":":
            pass
        elif begun >= 0 and index is None and key is None:
            key = nodes.at(node, _scalar(token))
            marks.keys[key] = marks.span(start, end)
        else:
            here = ROOT if begun < 0 else nodes.at(node, index) if index is not None else key
            assert here is not None
            if token in "{[":
                outer.append((node, index, begun))
                node, index, begun, key = here, None if token == "{" else 0, start, None
            else:
                marks.leaf(here, start, end, _scalar(token))
        previous = token
    return marks


def _scalar(token: str) -> Any:
    if token[0] == '"':
        return json.loads(token) if "\\" in token else token[1:-1]
    if token in LITERALS:
        return LITERALS[token]
    return exact_number(token) if any(mark in token for mark in ".eE") else parse_int(token)
