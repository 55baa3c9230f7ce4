"""Writes values as pipe tables, line by line.

Open containers are kept on a list, not on Python's call stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final, NamedTuple

from toon.codec.normalise import normalise
from toon.codec.text import MAX_DEPTH, int_text
from toon.dialects.pipe.text import (
    INDENT,
    SAFE_CELL,
    SAFE_ITEM,
    SAFE_LINE,
    key_text,
    quote,
)
from toon.dialects.scalars import check_finite, is_finite
from toon.text import surrogate_in

_SCALARS: Final = frozenset({str, int, float, bool, type(None), Decimal})


def encode(value: Any) -> str:
    """Writes a JSON value as pipe tables.

    Args:
        value: any JSON value, nested at most 256 levels deep.

    Returns:
        The text, without a line break at its end.

    Raises:
        EncodeError: a value or key has no JSON or UTF-8 form, or the nesting is too deep; the
            error's ``path`` says where.
    """
    try:
        text = "\n".join(_lines(value))
    except _Refused:
        plain = normalise(value)
        check_finite(plain)
        text = "\n".join(_lines(plain))
    if surrogate_in(text) is not None:
        normalise(value)
    return text


def losses(value: Any) -> list[str]:
    """Nothing: every value comes back equal, with its keys in order."""
    return []


class _Refused(Exception):
    """The writer met a value it cannot write; normalising names it, or makes it plain."""


class _Block(NamedTuple):
    """An open container: the entries still to write, each as the start of its line and a value."""

    entries: Iterator[tuple[str, Any]]
    before_value: str
    indent: str


def _lines(value: Any) -> Iterator[str]:
    text = quote(value) if type(value) is str else _inline(value)
    if text is not None:
        yield text
        return
    stack: list[_Block] = []
    yield from _open(stack, value, "")
    while stack:
        block = stack[-1]
        for head, item in block.entries:
            text = _inline(item)
            if text is None:
                yield block.indent + head
                yield from _open(stack, item, block.indent + " " * INDENT)
                break
            yield f"{block.indent}{head}{block.before_value}{text}"
        else:
            stack.pop()


def _open(stack: list[_Block], value: Any, indent: str) -> Iterator[str]:
    """Yields the lines of a table; any other container goes on the stack instead."""
    if len(stack) >= MAX_DEPTH:
        raise _Refused
    names = _columns(value) if type(value) is list else None
    if names is not None:
        yield from _table(value, names, indent)
    elif type(value) is list:
        stack.append(_Block((("-", item) for item in value), " ", indent))
    else:
        stack.append(_Block(_fields(value), ": ", indent))


def _fields(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        if type(key) is not str:
            raise _Refused
        yield key_text(key), item


# -- what fits on a line ---------------------------------------------------------------------


def _inline(value: Any) -> str | None:
    """A scalar, an empty container or a list of scalars; None for a value that needs a block."""
    kind = type(value)
    if kind in _SCALARS:
        return _scalar(value, SAFE_LINE)
    if kind is dict:
        return None if value else "{}"
    if kind is not list:
        raise _Refused
    if not all(type(item) in _SCALARS for item in value):
        return None
    return f"[{', '.join([_scalar(item, SAFE_ITEM) for item in value])}]"


def _scalar(value: Any, safe: re.Pattern[str]) -> str:
    if type(value) is str:
        return value if safe.match(value) else quote(value)
    if value is None or type(value) is bool:
        return "null" if value is None else "true" if value else "false"
    if type(value) is int:
        return int_text(value)
    if not is_finite(value):
        raise _Refused
    return str(value)


# -- tables ----------------------------------------------------------------------------------


def _columns(rows: list[Any]) -> list[str] | None:
    """The keys of a table; None unless all rows have the same keys in order, and only scalars."""
    if type(rows[0]) is not dict or not rows[0]:
        return None
    names = list(rows[0])
    for row in rows:
        if type(row) is not dict or list(row) != names:
            return None
        if not all(type(item) in _SCALARS for item in row.values()):
            return None
    return names


def _table(rows: list[dict[str, Any]], names: list[str], indent: str) -> Iterator[str]:
    if not all(type(name) is str for name in names):
        raise _Refused
    yield f"{indent}| {' | '.join(map(key_text, names))} |"
    for row in rows:
        cells = [_scalar(item, SAFE_CELL) for item in row.values()]
        yield f"{indent}| {' | '.join(cells)} |"
