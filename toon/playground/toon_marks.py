"""Which characters of a TOON text are a key or a leaf of its value (SPEC 4.4 §5-§11).

The text has been decoded before, so this reader looks for no errors. What it finds is compared
with the decoded value by :mod:`toon.playground.places`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate, islice
from typing import Any, Final, NamedTuple, TypeAlias

from toon.codec.header import (
    Field,
    Header,
    Rules,
    first_bracket,
    first_colon,
    is_header,
    parse_header,
)
from toon.codec.lines import Lines
from toon.codec.numbers import NumberRangeError, exact_number
from toon.codec.text import TYPED_HEADS, TokenError, key_value, primitive, split_outside_quotes
from toon.playground.marks import ROOT, Marks, Nodes
from toon.text import QUOTED

# A name in a field list, with the spaces within and around it.
_NAME: Final = re.compile(rf"{QUOTED}|[^,\t|{{}}]+", re.DOTALL)
_RULES: Final = Rules(strict=False)

#: Tokens with the offsets at which they start.
Tokens: TypeAlias = Iterator[tuple[int, str]]


class _Column(NamedTuple):
    """A field of a table: its name, the span of that in the header, and the fields below."""

    name: str
    span: int
    below: list[_Column]


def toon_marks(text: str, indent: int, nodes: Nodes) -> Marks:
    """The keys and leaves of a valid TOON text. Of repeated keys it is the last."""
    reader = _Reader(text, indent, nodes)
    with suppress(TokenError, NumberRangeError):
        reader.document()
    return reader.marks


class _Reader:
    """Each method reads what starts on the line at ``pos``, and leaves ``pos`` after it."""

    def __init__(self, text: str, indent: int, nodes: Nodes) -> None:
        lines = Lines(text, indent, strict=False)
        self.contents = lines.contents
        self.depths = lines.depths
        self.nodes = nodes
        self.marks = Marks()
        self.pos = 0
        ends = list(accumulate((len(line) + 1 for line in lines.raw), initial=text[:1] == "\ufeff"))
        bodies = [lines.raw[number - 1].removesuffix("\r").rstrip(" ") for number in lines.numbers]
        self.starts = [
            ends[number - 1] + len(body) - len(content)
            for number, body, content in zip(lines.numbers, bodies, self.contents, strict=True)
        ]

    def document(self) -> None:
        if not self.contents:
            return
        content, start = self.contents[0], self.starts[0]
        header = _header(content)
        if header is not None and header.key is None:
            self.headed(ROOT, header, content, start, 0)
        elif len(self.contents) == 1 and first_colon(content) < 0:
            self.value(ROOT, content, start)
        else:
            self.fields(ROOT, 0)

    def fields(self, node: int, depth: int) -> None:
        while self.depths[self.pos] == depth:
            self.field(node, self.contents[self.pos], self.starts[self.pos], depth)

    def field(self, node: int, content: str, start: int, depth: int) -> None:
        header = _header(content)
        if header is not None and header.key is not None:
            child = self.key(node, content[: first_bracket(content)], start)
            self.headed(child, header, content, start, depth)
            return
        colon = first_colon(content)
        child = self.key(node, content[:colon].rstrip(" "), start)
        token = content[colon + 1 :].lstrip(" ")
        self.pos += 1
        if token:
            self.value(child, token, start + len(content) - len(token))
        elif self.depths[self.pos] > depth:
            self.fields(child, depth + 1)
        else:
            self.marks.leaf(child, start + colon, start + colon + 1, {})

    def headed(self, node: int, header: Header, content: str, start: int, depth: int) -> None:
        bracket = first_bracket(content)
        rest = content[header.end :].lstrip(" ")
        self.pos += 1
        if header.fields is None and rest:
            cells = _cells(rest, header.delimiter, start + len(content) - len(rest))
            for index, (at, token) in enumerate(cells):
                self.scalar(self.nodes.at(node, index), token, at)
        elif self.depths[self.pos] <= depth:
            end = start + content.index("]", bracket) + 1
            self.marks.leaf(node, start + bracket, end, {} if header.keyed else [])
        elif header.fields is None:
            self.items(node, depth + 1)
        else:
            names = _NAME.finditer(content, content.index("{", bracket), header.end - 1)
            columns = self.columns(header.fields, names, start)
            self.rows(node, header, columns, depth + 1)

    def items(self, node: int, depth: int) -> None:
        index = 0
        while self.depths[self.pos] == depth:
            child = self.nodes.at(node, index)
            content, start = self.contents[self.pos], self.starts[self.pos]
            index += 1
            item = content[1:].lstrip(" ")
            at = start + len(content) - len(item)
            header = _header(item)
            if not item:
                self.pos += 1
                self.marks.leaf(child, start, start + 1, {})
            elif header is not None and header.key is None:
                self.headed(child, header, item, at, depth)
            elif first_colon(item) < 0 or item[0] == "[":
                self.pos += 1
                self.value(child, item, at)
            else:  # §10: the first field stands one level deeper
                self.field(child, item, at, depth + 1)
                self.fields(child, depth + 1)

    # -- tables ----------------------------------------------------------------------------

    def columns(
        self, fields: tuple[Field, ...], names: Iterator[re.Match[str]], start: int
    ) -> list[_Column]:
        """The columns of a table, from the names in its header in the order of the text."""
        columns = []
        for field in fields:
            name = next(names)
            at = start + name.end() - len(name[0].lstrip(" "))
            span = self.marks.span(at, at + len(name[0].strip(" ")))
            below = self.columns(field.fields, names, start) if field.fields else []
            columns.append(_Column(field.name, span, below))
        return columns

    def rows(self, node: int, header: Header, columns: list[_Column], depth: int) -> None:
        index = 0
        while self.depths[self.pos] == depth:
            content, start = self.contents[self.pos], self.starts[self.pos]
            cells = content
            if header.keyed:
                colon = first_colon(content)
                row = self.key(node, content[:colon].rstrip(" "), start)
                cells = content[colon + 1 :].lstrip(" ")
            else:
                row = self.nodes.at(node, index)
            first = start + len(content) - len(cells)
            self.row(row, columns, _cells(cells, header.delimiter, first))
            self.pos += 1
            index += 1

    def row(self, node: int, columns: list[_Column], cells: Tokens) -> None:
        for column in columns:
            child = self.nodes.at(node, column.name)
            self.marks.keys[child] = column.span
            if column.below:
                self.row(child, column.below, cells)
            else:
                for start, token in islice(cells, 1):
                    self.scalar(child, token, start)

    # -- tokens ----------------------------------------------------------------------------

    def key(self, node: int, token: str, start: int) -> int:
        child = self.nodes.at(node, key_value(token))
        self.marks.keys[child] = self.marks.span(start, start + len(token))
        return child

    def value(self, node: int, token: str, start: int) -> None:
        """A value that is alone in its field or item, where ``[]`` is the empty array (§9.1)."""
        if token == "[]":
            self.marks.leaf(node, start, start + 2, [])
        else:
            self.scalar(node, token, start)

    def scalar(self, node: int, token: str, start: int) -> None:
        value: Any = token
        if token[:1] in TYPED_HEADS:
            value = primitive(token, exact_number)
        self.marks.leaf(node, start, start + len(token), value)


def _header(content: str) -> Header | None:
    """The header on a line; None for any other line, and for brackets in a literal key."""
    if not is_header(content):
        return None
    try:
        return parse_header(content, _RULES)
    except TokenError:
        return None


def _cells(text: str, delimiter: str, start: int) -> Tokens:
    """The trimmed cells of delimited text."""
    tokens = split_outside_quotes(text, delimiter) if '"' in text else text.split(delimiter)
    for token in tokens:
        yield start + len(token) - len(token.lstrip(" ")), token.strip(" ")
        start += len(token) + 1
