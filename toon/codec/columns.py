"""Table rows a column at a time: the fast path of the decoder, and the rows built from columns.

Each function either vouches for a whole block or column, or returns None, and then the decoder
reads it a row, or a cell, at a time with the same result.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import orjson

from toon.codec.header import Field, Header
from toon.codec.text import (
    LITERALS,
    TYPED_HEADS,
    TokenError,
    key_value,
    parse_finite,
    primitive,
)

if TYPE_CHECKING:
    from toon.codec.decoder import Decoder

# Numbers that any reader takes for the same: no minus nothing, no exponent, and no integer of more
# than 18 digits, of which orjson would make a float.
_NUMBER: Final = r"(?!-0)-?(?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]++)?"
_NUMBERS: Final = re.compile(rf"{_NUMBER}(?:\n{_NUMBER})*+\Z")
_TYPED_LINE: Final = re.compile(r'\n["0-9-]')  # a token that is quoted or may be a number
_NUMBER_HEADS: Final = frozenset("-0123456789")
_FEW_ROWS: Final = 8
_MANY_ROWS: Final = 200
_FEW_LEAVES: Final = 64


def fast_rows(
    decoder: Decoder, header: Header, depth: int, keys: list[str]
) -> list[dict[str, Any]] | None:
    """The declared rows if all of them are plainly rows, else None.

    Entry keys of a keyed object are added to ``keys``.
    """
    start, length = decoder.pos, header.length
    stop = start + length
    if length < _FEW_ROWS or stop > len(decoder.contents) or decoder.depths[stop] >= depth:
        return None
    if decoder.depths[start:stop] != [depth] * length:
        return None
    block = decoder.contents[start:stop]
    try:
        entries, block = _entries(block) if header.keyed else ([], block)
        columns = _columns(block, header)
        typed = [_typed(column, decoder.parse_float) for column in columns]
    except (NotPlainly, TokenError):
        return None
    keys += entries
    decoder.pos = stop
    assert header.fields is not None
    return build(header.fields, typed)


class NotPlainly(Exception):
    """A block that has to be read a row at a time."""


def _entries(block: list[str]) -> tuple[list[str], list[str]]:
    """The keys of entry rows, and the cells behind them (§9.5)."""
    tokens, colons, cells = zip(*[line.partition(": ") for line in block], strict=True)
    joined = "\n".join([token for token in tokens if token[:1] != '"']) + "\n"
    # A colon or a quote inside an unquoted key would have ended it elsewhere.
    if "" in colons or ":" in joined or '"' in joined or " \n" in joined:
        raise NotPlainly
    keys = [key_value(token) if token[:1] == '"' else token for token in tokens]
    if len(set(keys)) < len(keys):
        raise NotPlainly
    return keys, list(cells)


def _columns(block: list[str], header: Header) -> list[Sequence[str]]:
    """The columns of trimmed tokens, if every line is surely a row of full width (§9.3)."""
    joined = "\n".join(block)
    delimiter, width = header.delimiter, header.width
    if joined[0] == " " or "\n " in joined:
        raise NotPlainly
    if '"' in joined:
        columns = _quoted_columns(block, delimiter, width)
    elif f"{delimiter} " in joined or f" {delimiter}" in joined:
        raise NotPlainly
    else:
        tokens = joined.replace("\n", f"{delimiter}\n").split(delimiter)
        columns = [tokens[index::width] for index in range(width)]
        # Every row is of full width if all line breaks have come to stand in the first column.
        columns[0] = "".join(columns[0]).split("\n")
        if len(tokens) != width * len(block) or len(columns[0]) != len(block):
            raise NotPlainly
    colons = ":" in joined and not header.keyed
    if colons and any(":" in token and token[0] != '"' for token in columns[0]):
        raise NotPlainly  # a colon before the first delimiter: not a row
    return columns


def _quoted_columns(block: list[str], delimiter: str, width: int) -> list[Sequence[str]]:
    match = _pattern(delimiter, width).match
    before, behind = f" {delimiter}", f"{delimiter} "
    rows: list[Sequence[str]] = []
    for line in block:
        if '"' not in line and before not in line and behind not in line:
            rows.append(line.split(delimiter))
            continue
        found = match(line)
        if found is None:
            raise NotPlainly
        rows.append(found.groups())
    if set(map(len, rows)) != {width}:
        raise NotPlainly
    return list(zip(*rows, strict=True))


@lru_cache(maxsize=64)
def _pattern(delimiter: str, width: int) -> re.Pattern[str]:
    """A whole row of trimmed cells, each quoted or free of quotes."""
    d = re.escape(delimiter)
    quoted = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    cell = rf'({quoted}|(?:[^"{d} ][^"{d}]*+(?<!\ ))?+)'
    return re.compile(rf"{d.join([cell] * width)}\Z", re.DOTALL)


def _typed(column: Sequence[str], parse_float: Callable[[str], Any]) -> Sequence[Any]:
    """The values of a column of tokens."""
    joined = "\n".join(column)
    first = column[0][:1]
    if first in _NUMBER_HEADS:
        plain_floats = parse_float is parse_finite or "." not in joined
        if plain_floats and _NUMBERS.match(joined):
            commas = joined.replace("\n", ",")
            numbers: list[Any] = orjson.loads(f"[{commas}]")
            return numbers
    if _TYPED_LINE.search("\n" + joined) is None and LITERALS.keys().isdisjoint(column):
        return column
    if first == '"' and "\\" not in joined and {token[:1] for token in column} == {'"'}:
        return [token[1:-1] for token in column]
    if LITERALS.keys() >= set(column):
        return [LITERALS[token] for token in column]
    return [
        primitive(token, parse_float) if token[:1] in TYPED_HEADS else token for token in column
    ]


def build(fields: tuple[Field, ...], columns: list[Sequence[Any]]) -> list[dict[str, Any]]:
    """The objects made of the leaf columns, in depth-first header order (§9.3)."""
    many = len(columns[0]) >= _MANY_ROWS and len(columns) <= _FEW_LEAVES
    if many and all(type(field.name) is str for field in fields):  # none marked as quoted
        return _maker(fields)(zip(*columns, strict=True))
    return _zipped(fields, iter(columns))


def _zipped(fields: tuple[Field, ...], columns: Iterator[Sequence[Any]]) -> list[dict[str, Any]]:
    names = [field.name for field in fields]
    members = [
        _zipped(field.fields, columns) if field.fields else next(columns) for field in fields
    ]
    return list(map(dict, map(zip, repeat(names), zip(*members, strict=True))))


@lru_cache(maxsize=64)
def _maker(
    fields: tuple[Field, ...],
) -> Callable[[Iterable[Sequence[Any]]], list[dict[str, Any]]]:
    """``[{"name": a, "group": {"x": b}} for (a, b) in rows]``, compiled for these fields.

    Twice as fast as zipping names to values; worth its compilation for many rows alone. Names go
    into the syntax tree as constants, so none of them can become code.
    """
    leaves = itertools.count()

    def display(fields: tuple[Field, ...]) -> ast.Dict:
        return ast.Dict(
            keys=[ast.Constant(field.name) for field in fields],
            values=[
                display(field.fields) if field.fields else ast.Name(f"v{next(leaves)}", ast.Load())
                for field in fields
            ],
        )

    row = display(fields)
    names: list[ast.expr] = [ast.Name(f"v{index}", ast.Store()) for index in range(next(leaves))]
    loop = ast.comprehension(ast.Tuple(names, ast.Store()), ast.Name("rows", ast.Load()), [], 0)
    argument = ast.arguments([], [ast.arg("rows")], None, [], [], None, [])
    tree = ast.Expression(ast.Lambda(argument, ast.ListComp(row, [loop])))
    maker: Callable[[Iterable[Sequence[Any]]], list[dict[str, Any]]] = eval(
        compile(ast.fix_missing_locations(tree), "<table row>", "eval"), {"__builtins__": {}}
    )
    return maker
