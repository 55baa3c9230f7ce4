"""Positions in the editors' JSON and TOON that hold the same key or value.

Two places are partners if they have the same path and decode to the same value, which both formats'
readers also find at that path. Without that proof a place has no partner. The TOON is decoded a
second time, with all places kept. Paths are numbered, so that two texts can be compared.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypedDict

import numpy as np

from toon.codec.columns import Rows
from toon.codec.decoder import Decoder
from toon.codec.header import Field, Header, find_bracket
from toon.codec.item_reader import Items
from toon.codec.numbers import exact_number
from toon.codec.text import (
    LITERALS,
    TYPED_HEADS,
    TokenError,
    parse_int,
    parse_token,
    split_outside_quotes,
)
from toon.errors import TextError, ToonDecodeError
from toon.layout.spans import utf16_offsets
from toon.playground.detection import guess_dialect
from toon.playground.panes import Options
from toon.text import QUOTED
from toon.values.equality import is_same_leaf
from toon.values.json_text import TOKEN, parse_json
from toon.values.paths import step_text

#: The number of the whole value's path.
_ROOT: Final = 0
# A name in a field list, with the spaces within and around it.
_NAME: Final = re.compile(rf"{QUOTED}|[^,\t|{{}}]+", re.DOTALL)


class Places(TypedDict):
    """The keys and values that a JSON and a TOON text both hold, with their positions in each text.

    Attributes:
        json: Four numbers for each place, in the order of the text: its start and end in UTF-16
            code units, its path, and the index of its partner in ``toon``.
        toon: The same for the TOON. If several places of the JSON have this partner, as the
            keys of a table's rows do, the first of them.
        parents: By path, the path without its last step; the first path is the whole value and
            its own parent.
        steps: By path, the text of the last step.
    """

    json: list[int]
    toon: list[int]
    parents: list[int]
    steps: list[str]


def places(json_text: str, toon_text: str, options: Options) -> Places:
    """Match the keys and values of a JSON text with those of its TOON; return their positions.

    The result is empty if one text is unreadable, or if the TOON is a dialect.
    """
    nodes, json, toon = _Nodes(), _Marks(), _Marks()
    #: The index of the span in the JSON and in the TOON, and the number of the path.
    pairs: list[tuple[int, int, int]] = []
    with suppress(TextError):
        if guess_dialect(toon_text) == "toon":
            decoded = options.toon.read(toon_text, strict=options.strict)
            values = [parse_json(json_text).value, decoded.value]
            _mark_json(json_text, nodes, json)
            with suppress(ToonDecodeError, TokenError):
                document = _Reader(toon_text, options.indent, toon).document()
                _mark_toon(document, _ROOT, nodes, toon)
            value, returned = map(nodes.find_parts, values)
            both = value.keys() & returned.keys()
            for node in json.keys.keys() & toon.keys.keys() & both:
                pairs.append((json.keys[node], toon.keys[node], node))
            for node in json.leaves.keys() & toon.leaves.keys() & both:
                (here, leaf), (there, other) = json.leaves[node], toon.leaves[node]
                if all(is_same_leaf(leaf, twin) for twin in (other, value[node], returned[node])):
                    pairs.append((here, there, node))
    pairs.sort()
    firsts: dict[int, tuple[int, int]] = {}
    for index, (_, there, node) in enumerate(pairs):
        firsts.setdefault(there, (node, index))
    order = {span: index for index, span in enumerate(sorted(firsts))}
    return {
        "json": _pack(json_text, json, [(here, node, order[there]) for here, there, node in pairs]),
        "toon": _pack(toon_text, toon, [(span, *firsts[span]) for span in order]),
        "parents": [_ROOT, *(parent for parent, _ in nodes.numbers)],
        "steps": ["", *(step_text(step, parent == _ROOT) for parent, step in nodes.numbers)],
    }


def _pack(text: str, marks: _Marks, partners: list[tuple[int, int, int]]) -> list[int]:
    """Return places in a text as one flat list, four numbers each, as in :class:`Places`.

    ``partners`` has for each place the index of its span in ``marks``, its path and its partner.
    """
    ends = np.array([marks.spans[span] for span, _, _ in partners], np.int64).reshape(-1, 2)
    others = np.array([rest for _, *rest in partners], np.int64).reshape(-1, 2)
    return list(np.hstack((utf16_offsets(text, ends), others)).ravel().tolist())


@dataclass(frozen=True, slots=True)
class _Nodes:
    """A numbering of paths in JSON values: the same path in two values has the same number.

    Attributes:
        numbers: The path's number, from 1 on, by its parent's number and the key or index.
    """

    numbers: dict[tuple[int, str | int], int] = field(default_factory=dict)

    def number(self, parent: int, step: str | int) -> int:
        """Return the number that names path ``parent`` plus ``step``; number a new path."""
        return self.numbers.setdefault((parent, step), len(self.numbers) + 1)

    def find_parts(self, value: Any) -> dict[int, Any]:
        """Return the parts of a JSON value whose paths are numbered, as a dict by number."""
        parts: dict[int, Any] = {}
        stack = [(_ROOT, value)]
        while stack:
            node, item = stack.pop()
            parts[node] = item
            if isinstance(item, dict):
                below = [(self.numbers.get((node, key)), part) for key, part in item.items()]
            elif isinstance(item, list):
                below = [(self.numbers.get((node, index)), part) for index, part in enumerate(item)]
            else:
                continue
            stack += [(number, part) for number, part in below if number is not None]
        return parts


@dataclass(frozen=True, slots=True)
class _Marks:
    """The spans of keys and leaves in a text, in ascending order.

    A leaf is a scalar or an empty object or array.

    Attributes:
        spans: The start and end of each.
        keys: By path number, the index of the last key's span. All rows of a table share the spans
            of the keys in its header.
        leaves: By path number, the index of the leaf's span, and the leaf as decoded.
    """

    spans: list[tuple[int, int]] = field(default_factory=list)
    keys: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, tuple[int, Any]] = field(default_factory=dict)

    def add(self, start: int, end: int) -> int:
        """Append a key or leaf's start and end to ``spans``; return their index there."""
        self.spans.append((start, end))
        return len(self.spans) - 1


def _mark_json(text: str, nodes: _Nodes, marks: _Marks) -> None:
    """Add a JSON text's keys and leaves, with spans, to ``marks``; of repeated keys the last."""
    # Open containers: the path, the next item's index (None in an object), the start.
    outer: list[tuple[int, int | None, int]] = []
    node, index, opening = _ROOT, None, -1
    key: int | None = None
    previous = ""
    for match in TOKEN.finditer(text):
        token, (start, end) = match[0], match.span()
        if token in "}]":
            if previous in "{[":
                marks.leaves[node] = marks.add(opening, end), {} if token == "}" else []
            node, index, opening = outer.pop()
        elif token == ",":
            key = None
            index = None if index is None else index + 1
        elif token == ":":
            pass
        elif opening >= 0 and index is None and key is None:
            key = nodes.number(node, _decode_scalar(token))
            marks.keys[key] = marks.add(start, end)
        else:
            here = _ROOT if opening < 0 else nodes.number(node, index) if index is not None else key
            assert here is not None
            if token in "{[":
                outer.append((node, index, opening))
                node, index, opening, key = here, None if token == "{" else 0, start, None
            else:
                marks.leaves[here] = marks.add(start, end), _decode_scalar(token)
        previous = token


def _decode_scalar(token: str) -> Any:
    if token[0] == '"':
        return json.loads(token) if "\\" in token else token[1:-1]
    if token in LITERALS:
        return LITERALS[token]
    return exact_number(token) if any(mark in token for mark in ".eE") else parse_int(token)


class _Key(str):
    """A key decoded from TOON, and the index of its place in ``spans`` of :class:`_Marks`."""

    __slots__ = ("span",)
    span: int


class _Leaf(NamedTuple):
    """A scalar or empty container decoded from TOON, and the index of its place in ``spans``."""

    span: int
    value: Any


def _mark_toon(value: Any, node: int, nodes: _Nodes, marks: _Marks) -> None:
    """Add the keys and leaves that :class:`_Reader` decoded from TOON to ``marks``, by path."""
    if isinstance(value, _Leaf):
        marks.leaves[node] = value
    elif isinstance(value, dict):
        for key, item in value.items():
            below = nodes.number(node, str(key))
            marks.keys[below] = key.span
            _mark_toon(item, below, nodes, marks)
    else:
        for index, item in enumerate(value):
            _mark_toon(item, nodes.number(node, index), nodes, marks)


class _Reader(Decoder):
    """A decoder of TOON that marks the place of every key and every leaf of a text."""

    def __init__(self, text: str, indent: int, marks: _Marks) -> None:
        super().__init__(text, indent, strict=False, parse_float=exact_number)
        self.marks = marks
        raw = self.raw
        starts = list(accumulate((len(line) + 1 for line in raw), initial=text[:1] == "\ufeff"))
        self.ends = [
            starts[number - 1] + len(raw[number - 1].removesuffix("\r").rstrip(" "))
            for number in self.numbers
        ]

    def start(self, tail: str, at: int) -> int:
        """Return the offset in the TOON text of ``tail``, which ends the content of line ``at``."""
        return self.ends[at] - len(tail)

    # -- keys ------------------------------------------------------------------------------

    def key(self, token: str, at: int) -> str:
        return self.mark_key(super().key(token, at), token, self.start(self.contents[at], at))

    def mark_key(self, name: str, token: str, start: int) -> _Key:
        key = _Key(name)
        key.span = self.marks.add(start, start + len(token))
        return key

    def field_header(self, content: str, at: int) -> Header | None:
        header = super().field_header(content, at)
        if header is None or header.key is None:
            return header
        return header._replace(key=self.key(content[: find_bracket(content)], at))

    def field(self, result: dict[str, Any], depth: int) -> None:
        """Read a field of a TOON object into the dict ``result``; replace one of the same key."""
        pair: dict[str, Any] = {}
        super().field(pair, depth)
        ((key, value),) = pair.items()
        result.pop(key, None)  # with the place of the earlier key
        result[key] = value

    # -- values ----------------------------------------------------------------------------

    def leaf(self, value: Any, start: int, length: int) -> _Leaf:
        return _Leaf(self.marks.add(start, start + length), value)

    def value(self, token: str, at: int) -> Any:
        return self.leaf(parse_token(token, exact_number), self.start(token, at), len(token))

    def values(self, text: str, delimiter: str, at: int) -> list[Any]:
        leaves, start = [], self.start(text, at)
        for token in split_outside_quotes(text, delimiter):
            rest = token.lstrip(" ")
            trimmed = rest.rstrip(" ")
            value = parse_token(trimmed, exact_number) if trimmed[:1] in TYPED_HEADS else trimmed
            leaves.append(self.leaf(value, start + len(token) - len(rest), len(trimmed)))
            start += len(token) + 1
        return leaves

    def field_value(self, token: str, at: int) -> Any:
        value = super().field_value(token, at)
        return value or self.leaf(value, self.start(token, at), len(token))

    def empty_object(self, at: int, offset: int) -> Any:
        return self.leaf({}, self.start(self.contents[at], at) + offset, 1)

    def headed_value(self, header: Header, depth: int) -> Any:
        content = self.contents[self.pos]
        start, bracket = self.start(content, self.pos), find_bracket(content)
        if header.fields is not None:
            tokens = _NAME.finditer(content, content.index("{", bracket), header.end - 1)

            def mark(field: Field) -> Field:
                match = next(tokens)
                place = start + match.end() - len(match[0].lstrip(" "))
                name = self.mark_key(field.name, match[0].strip(" "), place)
                return Field(name, field.fields and tuple(map(mark, field.fields)))

            fields = tuple(map(mark, header.fields))
            names = header.names and tuple(field.name for field in fields)
            header = header._replace(fields=fields, names=names)
        value = super().headed_value(header, depth)
        end = content.index("]", bracket) + 1
        return value or self.leaf(value, start + bracket, end - bracket)

    # -- no fast paths ---------------------------------------------------------------------

    def fields(self, depth: int, known: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while self.depths[self.pos] == depth:
            self.field(result, depth)
        return result

    def read_alike(self, depth: int) -> Items:
        return {}

    def block(self, header: Header, depth: int) -> Rows | None:
        return None
