"""List items that are objects, read a field at a time: the fast path of the decoder's lists.

The objects of a list mostly have the same fields on the same lines. Each field of those is a
column, as in a table. An item is read here only where its lines certainly have no error. The
decoder reads every other item line by line, with the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import orjson

from toon.codec.columns import build_rows, type_column
from toon.codec.header import Field
from toon.codec.text import MAX_DEPTH, TYPED_HEADS, TokenError, primitive

#: A key that can be taken as written: without quotes, brackets, colons and outer spaces.
PLAIN_KEY: Final = re.compile(r'[^"\[:\s][^"\[:]*+(?<! )\Z')
#: Fewer items with the same lines are read faster one by one.
_FEW_ITEMS: Final = 4

#: A line without a value, or with more than one space before it.
_ODD: Final = re.compile(r"\n[\n ]")
#: A line whose token is perhaps no bare string.
_TYPED: Final = re.compile(r'\n["\[0-9tfn-]')
#: An escape that JSON and TOON may read otherwise.
_ESCAPED: Final = re.compile(r"\\[/bfu]")

#: Items by their first line: their values, and the lines after their ends.
Items: TypeAlias = dict[int, tuple[dict[str, Any], int]]


class _Unsure(Exception):
    """Items that must be read line by line."""


def read_items(
    contents: list[str],
    depths: list[int],
    start: int,
    depth: int,
    parse_float: Callable[[str], Any],
) -> Items:
    """The items that are certain, of the list at ``depth`` that starts at the line ``start``.

    ``contents`` and ``depths`` are the prepared lines.
    """
    stop = start
    while depths[stop] >= depth:
        stop += 1
    firsts = [at for at in range(start, stop) if depths[at] == depth]
    if len(firsts) < _FEW_ITEMS:
        return {}
    ends = dict(zip(firsts, [*firsts[1:], stop], strict=True))
    found: Items = {}
    try:
        _keys(contents, start, ends[start])
    except _Unsure:  # one that is not plain speaks for all
        return found
    groups: dict[tuple[int, ...], list[int]] = {}
    for first, end in ends.items():
        groups.setdefault(tuple(depths[first + 1 : end]), []).append(first)
    for below, places in groups.items():
        if len(places) < _FEW_ITEMS:
            continue
        try:
            values = _read_alike(contents, places, [depth + 1, *below], parse_float)
        except (_Unsure, TokenError):
            continue
        for first, value in zip(places, values, strict=True):
            found[first] = value, ends[first]
    return found


def _read_alike(
    contents: list[str], places: list[int], depths: list[int], parse_float: Callable[[str], Any]
) -> list[dict[str, Any]]:
    """The items at ``places``, whose lines have these depths; the keys are those of the first."""
    keys = _keys(contents, places[0], places[0] + len(depths))
    columns = [
        _tokens([contents[first + line] for first in places], "" if line else "- ", *key)
        for line, key in enumerate(keys)
    ]
    leaves: list[Sequence[Any]] = []
    names = [key for key, _ in keys]
    fields, _ = _read_fields(names, columns, depths, 0, parse_float, leaves)
    return build_rows(fields, leaves)


def _keys(contents: list[str], first: int, end: int) -> list[tuple[str, str]]:
    """The keys of an item's lines, each with what stands after it: see :func:`_key`."""
    return [_key(contents[first].removeprefix("- ")), *map(_key, contents[first + 1 : end])]


def _key(line: str) -> tuple[str, str]:
    """The key of a line that has a plain one, and what stands after it: nothing for an object."""
    key, colon, _ = line.partition(": ")
    if not colon:
        key, colon = line[:-1], line[-1]
    if colon[0] != ":" or PLAIN_KEY.match(key) is None:
        raise _Unsure
    return key, colon


def _tokens(column: list[str], mark: str, key: str, colon: str) -> list[str] | None:
    """What lines that start with a mark and a key hold; None where each opens an object."""
    _, *tokens = "\n".join(["", *column]).split(f"\n{mark}{key}{colon}")
    if len(tokens) != len(column) or (colon == ":" and any(tokens)):
        raise _Unsure
    return tokens if colon == ": " else None


def _read_fields(
    keys: list[str],
    columns: list[list[str] | None],
    depths: Sequence[int],
    at: int,
    parse_float: Callable[[str], Any],
    leaves: list[Sequence[Any]],
) -> tuple[tuple[Field, ...], int]:
    """The fields from the line ``at`` on, at its depth, and the line after them (§8).

    The values of those that are no objects, from ``columns``, are added to ``leaves``.
    """
    depth = depths[at]
    if depth > MAX_DEPTH:
        raise _Unsure
    fields: dict[str, Field] = {}
    while at < len(keys) and depths[at] == depth:
        key, tokens, inside = keys[at], columns[at], None
        at += 1
        if key in fields:
            raise _Unsure
        if tokens is not None:
            leaves.append(_type(tokens, parse_float))
        elif at < len(keys) and depths[at] == depth + 1:
            inside, at = _read_fields(keys, columns, depths, at, parse_float, leaves)
        else:
            raise _Unsure
        fields[key] = Field(key, inside)
    if at < len(keys) and depths[at] > depth:
        raise _Unsure
    return tuple(fields.values()), at


def _type(column: list[str], parse_float: Callable[[str], Any]) -> Sequence[Any]:
    """The values of the tokens of one field (§4)."""
    joined = "\n".join(column)
    if _ODD.search(f"\n{joined}\n"):
        raise _Unsure
    if _TYPED.search(f"\n{joined}") is None:
        return column
    if '"' not in joined and "[]" not in column:
        return type_column(column, parse_float)
    if joined[0] == '"' and joined.count('\n"') == len(column) - 1 and not _ESCAPED.search(joined):
        try:
            strings: list[str] = orjson.loads("[{}]".format(",\n".join(column)))
        except orjson.JSONDecodeError:
            raise _Unsure from None
        if len(strings) == len(column) and {*map(type, strings)} == {str}:
            return strings
    return [
        [] if token == "[]" else primitive(token, parse_float) if token[0] in TYPED_HEADS else token
        for token in column
    ]
