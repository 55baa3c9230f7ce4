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
from toon.codec.text import LITERALS, TYPED_HEADS, TokenError, primitive

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
    block = decoder.contents[start:stop]
    tokens = _split_entries(block, header) if header.keyed else _split_rows(block, header)
    if tokens is None:
        return None
    columns = list(zip(*tokens, strict=True))
    entries = columns.pop(0) if header.keyed else ()
    if len(set(entries)) < len(entries):
        return None
    try:
        typed = [_typed(column, decoder.parse_float) for column in columns]
    except TokenError:
        return None
    keys += entries
    decoder.pos = stop
    return typed


def _split_rows(block: list[str], header: Header) -> list[Any] | None:
    """The cells of each row as tokens, trimmed, if every line is surely a row of full width."""
    delimiter, width = header.delimiter, header.width
    joined = "\n".join(block)
    rows: list[Any]
    if '"' in joined:
        rows = _pattern(delimiter, width, False).findall(joined)
        if len(rows) != len(block):
            return None
        if width == 1:
            rows = [(cell,) for cell in rows]
    else:
        if f"{delimiter} " in joined or f" {delimiter}" in joined:
            return None
        rows = [line.split(delimiter) for line in block]
        if set(map(len, rows)) != {width}:
            return None
    if ":" in joined and any(":" in row[0] and row[0][0] != '"' for row in rows):
        return None  # a colon before the first delimiter: not a row (§9.3)
    return rows


def _split_entries(block: list[str], header: Header) -> list[Any] | None:
    """The key and the cells of each entry row, if every line is surely one (§9.5)."""
    joined = "\n".join(block)
    if '"' in joined:
        found = _pattern(header.delimiter, header.width, True).findall(joined)
        return found if len(found) == len(block) else None
    keys, colons, cells = zip(*(line.partition(": ") for line in block), strict=True)
    spaced = f"{header.delimiter} ", f" {header.delimiter}", " :"
    if "" in colons or ":" in "".join(keys) or any(pair in joined for pair in spaced):
        return None
    rows = [text.split(header.delimiter) for text in cells]
    if set(map(len, rows)) != {header.width} or any(text[:1] == " " for text in cells):
        return None
    return [(key, *row) for key, row in zip(keys, rows, strict=True)]


@lru_cache(maxsize=64)
def _pattern(delimiter: str, width: int, keyed: bool) -> re.Pattern[str]:
    """A whole row of trimmed cells, each quoted or free of quotes; a key without quotes first."""
    d = re.escape(delimiter)
    cell = (
        r'("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
        rf'|(?:[^"{d}\n ][^"{d}\n]*+(?<!\ ))?+)'
    )
    key = r'([^":\n]++)(?<!\ ):\ ' if keyed else ""
    return re.compile(rf"^{key}{d.join([cell] * width)}$", re.MULTILINE)


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
