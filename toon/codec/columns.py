"""Table rows read a column at a time: the fast path of the decoder. Rows built from columns.

A reader here either reads a whole block or column for certain, or gives up. The decoder then reads
it by rows, or cell by cell, with the same result, and finds any error.
"""

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any, Final, TypeAlias

import orjson

from toon.codec.header import Field, Header
from toon.codec.numbers import ALWAYS_FITS, Exactly
from toon.codec.text import (
    LITERALS,
    TYPED_HEADS,
    TokenError,
    parse_finite,
    parse_token,
    read_key,
)

#: A table of fewer rows is not worth reading by columns.
FEW_ROWS: Final = 8
#: A table is worth a compiled row maker from ``MANY_ROWS`` on, up to ``FEW_LEAVES`` leaf columns.
MANY_ROWS: Final = 200
FEW_LEAVES: Final = 64

_NUMBER_HEADS: Final = frozenset("-0123456789")
#: The bytes of numbers; integers of more than ``_MANY_DIGITS`` become floats in orjson.
_FIGURES: Final = b"-.0123456789"
_SAME_DIGIT: Final = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS: Final = b"0" * 19
_NEGATIVE_ZERO: Final = re.compile(r"-0(?![0-9.]*[1-9])")
#: A token that may be no bare string, or has a space before it.
_TYPED: Final = re.compile(r'\n(?=["\-0-9tfn ])(?:[" ]|-?[0-9]++[\n.eE]|(?:true|false|null)\n)')
#: Marks for what may stand in a quoted token without being a delimiter or the end of the token.
_COMMA, _BACKSLASH, _QUOTE = "\0", "\1", "\2"
#: An escape that JSON and TOON may read otherwise.
_ESCAPED: Final = re.compile(r"\\[/bfu]")


#: The keys of entry rows (none for other rows), and the objects of all rows.
Rows: TypeAlias = tuple[list[str], list[dict[str, Any]]]


class Unsure(Exception):
    """Raised where a fast reader of TOON cannot be certain: its lines must be read one by one."""


def read_block(block: list[str], header: Header, parse_float: Callable[[str], Any]) -> Rows | None:
    """Read a TOON table's rows by columns: return their keys, if keyed, and a dict for each row.

    Return None if a line may not fit the header.
    """
    assert header.fields is not None
    keys: list[str] = []
    try:
        if header.keyed:  # §9.5
            tokens, colons, cells = zip(*[line.partition(": ") for line in block], strict=True)
            joined = "\n".join([token for token in tokens if token[:1] != '"']) + "\n"
            # An unquoted key with a colon or a quote in it would end at another colon.
            if "" in colons or ":" in joined or '"' in joined or " \n" in joined:
                return None
            keys = [read_key(token) if token[:1] == '"' else token for token in tokens]
            if len(set(keys)) < len(keys):
                return None
            block = list(cells)
        columns = _split_columns(block, header)
        typed = [type_column(column, parse_float) for column in columns]
    except (Unsure, TokenError):
        return None
    return keys, build_rows(header.fields, typed)


def _split_columns(block: list[str], header: Header) -> list[Sequence[str]]:
    """Split a TOON table's lines into columns of text tokens; raise Unsure if one may be ragged."""
    delimiter, width = header.delimiter, header.width
    joined = f"{delimiter}\n".join(block)
    plain = joined
    if '"' in plain:
        joined = _hide_quoted(plain, delimiter)
    tokens = joined.split(delimiter)
    columns: list[Sequence[str]] = [tokens[index::width] for index in range(width)]
    # Every row has full width if all line breaks ended up in the first column.
    columns[0] = "".join(columns[0]).split("\n")
    if len(tokens) != width * len(block) or len(columns[0]) != len(block):
        raise Unsure
    if joined != plain:
        columns = [_restore_quoted(column, delimiter) for column in columns]
    colons = ":" in joined and not header.keyed
    if colons and any(":" in token and token[0] != '"' for token in columns[0]):
        raise Unsure  # a colon before the first delimiter: not a row
    return columns


def _hide_quoted(joined: str, delimiter: str) -> str:
    """Return rows of a TOON table with marks for the delimiters and quotes inside quoted cells.

    Raise Unsure unless every quoted token certainly is a whole cell.
    """
    if _COMMA in joined or _BACKSLASH in joined or _QUOTE in joined:
        raise Unsure
    if "\\" in joined:
        joined = joined.replace("\\\\", _BACKSLASH).replace('\\"', _QUOTE)
    parts = f"\n{joined}{delimiter}".split('"')
    outside = parts[::2]
    heads, tails = {part[:1] for part in outside[1:]}, {part[-1:] for part in outside[:-1]}
    if len(parts) % 2 == 0 or heads != {delimiter} or not tails <= {delimiter, "\n"}:
        raise Unsure
    if _QUOTE in joined and any(_QUOTE in part for part in outside):
        raise Unsure
    parts[1::2] = [part.replace(delimiter, _COMMA) for part in parts[1::2]]
    return '"'.join(parts)[1:-1]


def _restore_quoted(column: Sequence[str], delimiter: str) -> Sequence[str]:
    """Undo :func:`_hide_quoted` in a column of TOON tokens: put back what its marks stand for."""
    joined = "\n".join(column)
    restored = joined.replace(_COMMA, delimiter).replace(_BACKSLASH, "\\\\").replace(_QUOTE, '\\"')
    return column if restored == joined else restored.split("\n")


def type_column(column: Sequence[str], parse_float: Callable[[str], Any]) -> Sequence[Any]:
    """Convert a column of TOON tokens, maybe with spaces around them, to Python values (§4)."""
    first = column[0][:1]
    if first in _NUMBER_HEADS:
        numbers = _read_numbers(column, parse_float)
        if numbers is not None:
            return numbers
    joined = "\n".join(column)
    lines = f"\n{joined}\n"
    if _TYPED.search(lines) is None and " \n" not in lines:
        return column
    if first == '"' and joined.count('\n"') == len(column) - 1:
        strings = _read_strings(column)
        if strings is not None:
            return strings
    if column[0] in LITERALS and LITERALS.keys() >= set(column):
        return [LITERALS[token] for token in column]
    return [
        parse_token(token.strip(" "), parse_float)
        if token[:1] in TYPED_HEADS or token[-1:] == " "
        else token
        for token in column
    ]


def _read_numbers(column: Sequence[str], parse_float: Callable[[str], Any]) -> list[Any] | None:
    """Convert TOON tokens to numbers by orjson; return None if it may not read all as TOON does."""
    joined = ",".join(column)
    if not joined.isascii():
        return None
    is_short = isinstance(parse_float, Exactly) and max(map(len, column)) <= ALWAYS_FITS
    if "." in joined and parse_float is not parse_finite and not is_short:
        return None
    figures = joined.encode()
    commas = figures.translate(None, _FIGURES)
    if len(commas) != len(column) - 1 or commas.strip(b","):
        return None
    if _MANY_DIGITS in figures.translate(_SAME_DIGIT) or _NEGATIVE_ZERO.search(joined):
        return None
    return _load_json(joined)


def _read_strings(column: Sequence[str]) -> list[Any] | None:
    """Convert quoted TOON tokens to strings by orjson; None if it may not read all as TOON does."""
    joined = ",\n".join(column)
    if "\t" in joined or "\r" in joined or _ESCAPED.search(joined):
        return None  # to JSON, tabs and returns around a string are white space
    strings = _load_json(joined)
    whole = strings is not None and len(strings) == len(column) and {*map(type, strings)} == {str}
    return strings if whole else None


def _load_json(joined: str) -> list[Any] | None:
    try:
        values: list[Any] = orjson.loads(f"[{joined}]")
    except orjson.JSONDecodeError:
        return None
    return values


def build_rows(fields: tuple[Field, ...], columns: list[Sequence[Any]]) -> list[dict[str, Any]]:
    """Build a table's rows as dicts from its columns of values, nested where the fields are."""
    many = len(columns[0]) >= MANY_ROWS and len(columns) <= FEW_LEAVES
    if many and all(type(field.name) is str for field in fields):  # none marked as quoted
        return _compile_maker(fields)(zip(*columns, strict=True))
    return _zip_rows(fields, iter(columns))


def _zip_rows(fields: tuple[Field, ...], columns: Iterator[Sequence[Any]]) -> list[dict[str, Any]]:
    names = [field.name for field in fields]
    members = [
        _zip_rows(field.fields, columns) if field.fields else next(columns) for field in fields
    ]
    return list(map(dict, map(zip, repeat(names), zip(*members, strict=True))))


@lru_cache(maxsize=64)
def _compile_maker(
    fields: tuple[Field, ...],
) -> Callable[[Iterable[Sequence[Any]]], list[dict[str, Any]]]:
    """Compile a maker of row dicts: ``[{"name": a, "group": {"x": b}} for (a, b) in rows]``.

    It makes decoding tables of more than 200 rows 10 to 30 % faster than :func:`_zip_rows` does,
    measured on the official benchmark's tables. Names are constants in the syntax tree, so they
    cannot become code.
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
