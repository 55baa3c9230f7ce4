"""Table rows a column at a time: the fast path of the decoder, and the rows built from columns.

Each function either vouches for a whole block or column, or returns None, and then the decoder
reads it a row, or a cell, at a time with the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

from toon.codec.header import Field, Header
from toon.codec.text import LITERALS, TYPED_HEADS, TokenError, key_value, primitive

if TYPE_CHECKING:
    from toon.codec.decoder import Decoder

_INTS: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,300}+)(?:\n|\Z))*+\Z")
_FLOATS: Final = re.compile(r"(?:-?(?:0|[1-9][0-9]{0,300}+)\.[0-9]++(?:\n|\Z))*+\Z")
_NUMBER_HEADS: Final = frozenset("-0123456789")
_LITERAL_HEADS: Final = frozenset("tfn")
_FEW_ROWS: Final = 3


def fast_cells(
    decoder: Decoder, header: Header, depth: int, keys: list[str]
) -> list[Sequence[Any]] | None:
    """The typed columns of the declared rows if they are plainly rows, else None.

    Entry keys of a keyed object are added to ``keys``.
    """
    start, length = decoder.pos, header.length
    stop = start + length
    if length < _FEW_ROWS or stop > len(decoder.contents) or decoder.depths[stop] >= depth:
        return None
    if decoder.depths[start:stop] != [depth] * length:
        return None
    rows = _split(decoder.contents[start:stop], header)
    if rows is None:
        return None
    columns = list(zip(*rows, strict=True))
    try:
        entries = [key_value(token) for token in columns.pop(0)] if header.keyed else []
        typed = [_typed(column, decoder.parse_float) for column in columns]
    except TokenError:
        return None
    if len(set(entries)) < len(entries):
        return None
    keys += entries
    decoder.pos = stop
    return typed


def _split(block: list[str], header: Header) -> list[Sequence[str]] | None:
    """Each line as tokens, trimmed, an entry key first; None if a line is not surely a row."""
    delimiter, keyed = header.delimiter, header.keyed
    plain = [line for line in block if '"' not in line]
    joined = "\n".join(plain)
    spaced = f"{delimiter} ", f" {delimiter}", ":  ", " :"
    if any(pair in joined for pair in spaced[: 4 if keyed else 2]):
        return None
    rows: list[Sequence[str]] = []
    match = _pattern(delimiter, header.width, keyed).match
    if len(plain) == len(block) and not keyed:
        rows = [line.split(delimiter) for line in block]
    else:
        for line in block:
            row = _split_quoted(line, match) if '"' in line else _split_plain(line, header)
            if row is None:
                return None
            rows.append(row)
    if set(map(len, rows)) != {header.width + keyed}:
        return None
    if not keyed and any(":" in row[0] and row[0][0] != '"' for row in rows):
        return None  # a colon before the first delimiter: not a row (§9.3)
    return rows


def _split_quoted(
    line: str, match: Callable[[str], re.Match[str] | None]
) -> tuple[str, ...] | None:
    found = match(line)
    return found.groups() if found else None


def _split_plain(line: str, header: Header) -> Sequence[str] | None:
    if not header.keyed:
        return line.split(header.delimiter)
    key, colon, cells = line.partition(": ")
    return (key, *cells.split(header.delimiter)) if colon and ":" not in key else None


@lru_cache(maxsize=64)
def _pattern(delimiter: str, width: int, keyed: bool) -> re.Pattern[str]:
    """A whole row of trimmed cells, each quoted or free of quotes; for an entry, its key first."""
    d = re.escape(delimiter)
    quoted = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    cell = rf'({quoted}|(?:[^"{d} ][^"{d}]*+(?<!\ ))?+)'
    key = rf'({quoted}|[^":]++(?<!\ )):\ ' if keyed else ""
    return re.compile(rf"{key}{d.join([cell] * width)}\Z", re.DOTALL)


def _typed(column: Sequence[str], parse_float: Callable[[str], Any]) -> Sequence[Any]:
    """The values of a column of tokens."""
    heads = {token[:1] for token in column}
    if heads.isdisjoint(TYPED_HEADS):
        return column
    if heads <= _NUMBER_HEADS:
        joined = "\n".join(column)
        if _INTS.match(joined):
            return list(map(int, column))
        if _FLOATS.match(joined):
            return list(map(parse_float, column))
    elif heads == {'"'} and "\\" not in "".join(column):
        return [token[1:-1] for token in column]
    elif heads <= _LITERAL_HEADS and LITERALS.keys() >= set(column):
        return [LITERALS[token] for token in column]
    return [
        primitive(token, parse_float) if token[:1] in TYPED_HEADS else token for token in column
    ]


def build(fields: tuple[Field, ...], columns: Iterator[Sequence[Any]]) -> list[dict[str, Any]]:
    """The objects made of the leaf columns, in depth-first header order (§9.3)."""
    names = [field.name for field in fields]
    members = [build(field.fields, columns) if field.fields else next(columns) for field in fields]
    return list(map(dict, map(zip, repeat(names), zip(*members, strict=True))))
