"""Positions of keys and leaves in a TOON text.

The text is decoded a second time, with all places kept. :mod:`toon.playground.places` compares the
two values.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import accumulate
from typing import Any, Final, NamedTuple

from toon.codec.columns import Rows
from toon.codec.decoder import Decoder
from toon.codec.header import Field, Header, find_bracket
from toon.codec.item_reader import Items
from toon.codec.numbers import exact_number
from toon.codec.text import TYPED_HEADS, TokenError, primitive, split_outside_quotes
from toon.errors import ToonDecodeError
from toon.playground.marks import ROOT, Marks, Nodes
from toon.text import QUOTED

# A name in a field list, with the spaces within and around it.
_NAME: Final = re.compile(rf"{QUOTED}|[^,\t|{{}}]+", re.DOTALL)


class _Key(str):
    """A key, and the index of its span."""

    __slots__ = ("span",)
    span: int


class _Leaf(NamedTuple):
    """A leaf, and the index of its span."""

    span: int
    value: Any


def toon_marks(text: str, indent: int, nodes: Nodes) -> Marks:
    """Return the spans of keys and leaves in valid TOON; the last of repeated keys counts."""
    marks = Marks()
    with suppress(ToonDecodeError, TokenError):
        _add(_Reader(text, indent, marks).document(), ROOT, nodes, marks)
    return marks


def _add(value: Any, node: int, nodes: Nodes, marks: Marks) -> None:
    """Add the marked keys and leaves of ``value``, the part at ``node``."""
    if isinstance(value, _Leaf):
        marks.leaves[node] = value
    elif isinstance(value, dict):
        for key, item in value.items():
            below = nodes.at(node, str(key))
            marks.keys[below] = key.span
            _add(item, below, nodes, marks)
    else:
        for index, item in enumerate(value):
            _add(item, nodes.at(node, index), nodes, marks)


class _Reader(Decoder):
    """A decoder that marks every token: keys become _Key, leaves _Leaf."""

    def __init__(self, text: str, indent: int, marks: Marks) -> None:
        super().__init__(text, indent, strict=False, parse_float=exact_number)
        self.marks = marks
        raw = self.raw
        starts = list(accumulate((len(line) + 1 for line in raw), initial=text[:1] == "\ufeff"))
        self.ends = [
            starts[number - 1] + len(raw[number - 1].removesuffix("\r").rstrip(" "))
            for number in self.numbers
        ]

    def start(self, tail: str, at: int) -> int:
        """Return where the ``tail`` of line ``at`` starts."""
        return self.ends[at] - len(tail)

    # -- keys ------------------------------------------------------------------------------

    def key(self, token: str, at: int) -> str:
        return self.marked(super().key(token, at), token, self.start(self.contents[at], at))

    def marked(self, name: str, token: str, start: int) -> _Key:
        key = _Key(name)
        key.span = self.marks.span(start, start + len(token))
        return key

    def field_header(self, content: str, at: int) -> Header | None:
        header = super().field_header(content, at)
        if header is None or header.key is None:
            return header
        return header._replace(key=self.key(content[: find_bracket(content)], at))

    def field(self, result: dict[str, Any], depth: int) -> None:
        """Read one field into ``result``; replace an earlier field with the same key."""
        found: dict[str, Any] = {}
        super().field(found, depth)
        ((key, value),) = found.items()
        result.pop(key, None)  # with the place of the earlier key
        result[key] = value

    def named(self, header: Header, content: str, start: int) -> Header:
        """Return the header at the start of ``content``, with its field names marked."""
        tokens = _NAME.finditer(content, content.index("{", find_bracket(content)), header.end - 1)

        def marked(fields: tuple[Field, ...]) -> tuple[Field, ...]:
            return tuple(map(field, fields))

        def field(field: Field) -> Field:
            found = next(tokens)
            place = start + found.end() - len(found[0].lstrip(" "))
            name = self.marked(field.name, found[0].strip(" "), place)
            return Field(name, field.fields and marked(field.fields))

        fields = marked(header.fields or ())
        names = header.names and tuple(field.name for field in fields)
        return header._replace(fields=fields, names=names)

    # -- values ----------------------------------------------------------------------------

    def leaf(self, value: Any, start: int, length: int) -> _Leaf:
        return _Leaf(self.marks.span(start, start + length), value)

    def value(self, token: str, at: int) -> Any:
        return self.leaf(primitive(token, exact_number), self.start(token, at), len(token))

    def values(self, text: str, delimiter: str, at: int) -> list[Any]:
        leaves, start = [], self.start(text, at)
        for token in split_outside_quotes(text, delimiter):
            rest = token.lstrip(" ")
            trimmed = rest.rstrip(" ")
            value = primitive(trimmed, exact_number) if trimmed[:1] in TYPED_HEADS else trimmed
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
            header = self.named(header, content, start)
        value = super().headed_value(header, depth)
        end = content.index("]", bracket) + 1
        return value or self.leaf(value, start + bracket, end - bracket)

    # -- no fast paths ---------------------------------------------------------------------

    def fields(self, depth: int, known: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while self.depths[self.pos] == depth:
            self.field(result, depth)
        return result

    def alike(self, depth: int) -> Items:
        return {}

    def block(self, header: Header, depth: int) -> Rows | None:
        return None
