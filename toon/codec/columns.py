"""Table rows a column at a time: the fast path of the decoder, and the rows built from columns.

Each function either vouches for a whole block or column, or returns None, and then the decoder
reads it a row, or a cell, at a time with the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from toon.codec.header import Field, Header
from toon.codec.text import LITERALS, TokenError, primitive

if TYPE_CHECKING:
    from toon.codec.decoder import Decoder

_INTS: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,300}+)(?:\n|\Z))*+\Z")
_FLOATS: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,300}+)\.[0-9]++(?:\n|\Z))*+\Z")
_NUMBER_HEADS: Final = frozenset("-0123456789")
_TYPED_HEADS: Final = _NUMBER_HEADS | frozenset("tfn")
_FEW_ROWS: Final = 4


def fast_cells(decoder: Decoder, header: Header, depth: int) -> list[Sequence[Any]] | None:
    """The typed columns of the declared rows if they are plainly rows, else None."""
    start, length = decoder.pos, header.length
    stop = start + length
    if length < _FEW_ROWS or stop > len(decoder.contents) or decoder.depths[stop] >= depth:
        return None
    if decoder.depths[start:stop] != [depth] * length:
        return None
    block = decoder.contents[start:stop]
    rows = _split("\n".join(block), block, header)
    if rows is None:
        return None
    try:
        columns = [_typed(column, decoder.parse_float) for column in zip(*rows, strict=True)]
    except TokenError:
        return None
    decoder.pos = stop
    return columns


def _split(joined: str, block: list[str], header: Header) -> list[Any] | None:
    """The cells of each row as tokens, trimmed, if every line is surely a row of full width."""
    delimiter, width = header.delimiter, header.width
    if f"{delimiter} " in joined or f" {delimiter}" in joined:
        return None
    rows: list[Any]
    if '"' in joined:
        rows = _row_pattern(delimiter, width).findall(joined)
        if len(rows) != len(block):
            return None
        if width == 1:
            rows = [(cell,) for cell in rows]
    else:
        rows = [line.split(delimiter) for line in block]
        if set(map(len, rows)) != {width}:
            return None
    if ":" in joined and any(":" in row[0] and row[0][0] != '"' for row in rows):
        return None  # a colon before the first delimiter: not a row (§9.3)
    return rows


def _row_pattern(delimiter: str, width: int) -> re.Pattern[str]:
    escaped = re.escape(delimiter)
    cell = rf'("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|[^"{escaped}\n]*+)'
    return re.compile(rf"^{escaped.join([cell] * width)}$", re.MULTILINE)


def _typed(column: Sequence[str], parse_float: Callable[[str], Any]) -> Sequence[Any]:
    """The values of a column of tokens."""
    heads = {token[:1] for token in column}
    if heads.isdisjoint(_TYPED_HEADS) and '"' not in heads:
        return column
    if heads <= _NUMBER_HEADS:
        joined = "\n".join(column)
        if _INTS.match(joined):
            return list(map(int, column))
        if _FLOATS.match(joined):
            return list(map(parse_float, column))
    elif heads == {'"'} and "\\" not in "".join(column):
        return [token[1:-1] for token in column]
    elif heads <= {"t", "f", "n"} and LITERALS.keys() >= set(column):
        return [LITERALS[token] for token in column]
    return [primitive(token, parse_float) for token in column]


def build(fields: tuple[Field, ...], columns: Iterator[Sequence[Any]], count: int) -> list[Any]:
    """``count`` objects from the leaf columns, in depth-first header order (§9.3)."""
    names = [field.name for field in fields]
    members = [
        build(field.fields, columns, count) if field.fields else next(columns) for field in fields
    ]
    return [dict(zip(names, row, strict=True)) for row in zip(*members, strict=True)]
