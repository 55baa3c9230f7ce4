"""Which characters of a text are a key or a leaf of its value, by their paths: the JSON reader.

A leaf is a scalar or an empty object or array. Paths are numbered, so that those of two texts can
be compared; :mod:`toon.playground.toon_marks` reads TOON.
"""

from __future__ import annotations

import json
from typing import Any, Final

from toon.codec.numbers import exact_number
from toon.codec.text import LITERALS, parse_int
from toon.values.json_text import TOKEN

#: The number of the path of the whole value.
ROOT: Final = 0


class Nodes:
    """The paths of one or several values, numbered: the same path has the same number."""

    def __init__(self) -> None:
        #: The numbers by the parent's number and the key or index; from 1 on, in this order.
        self.numbers: dict[tuple[int, str | int], int] = {}

    def at(self, parent: int, step: str | int) -> int:
        """The number of the path that leads one step on from ``parent``."""
        return self.numbers.setdefault((parent, step), len(self.numbers) + 1)

    def of(self, value: Any) -> dict[int, Any]:
        """Every part of ``value`` by the number of its path, if the path has one."""
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
    """Spans of characters, ascending, and what stands there.

    Attributes:
        keys: by the number of a path, the span of its last key. Keys may share one: those of all
            rows of a table stand in its header.
        leaves: by the number of a path, the span of the leaf, and the leaf as decoded.
    """

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.keys: dict[int, int] = {}
        self.leaves: dict[int, tuple[int, Any]] = {}

    def span(self, start: int, end: int) -> int:
        """Adds a span and returns its index."""
        self.spans.append((start, end))
        return len(self.spans) - 1

    def leaf(self, node: int, start: int, end: int, value: Any) -> None:
        """Adds the span of a leaf."""
        self.leaves[node] = self.span(start, end), value


def json_marks(text: str, nodes: Nodes) -> Marks:
    """The keys and leaves of a valid JSON text. Of repeated keys it is the last."""
    marks = Marks()
    # Of what is open: its path, the index of the next item (None in an object), where it started.
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
