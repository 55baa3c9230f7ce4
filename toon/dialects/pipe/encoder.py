"""Values to pipe tables, a line at a time; a stack of its own, so depth costs no Python stack."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final, NamedTuple, NoReturn

from toon.codec.normalise import step
from toon.codec.text import MAX_DEPTH, int_text
from toon.dialects.pipe.text import (
    INDENT,
    SAFE_CELL,
    SAFE_ITEM,
    SAFE_LINE,
    key_text,
    quote,
)
from toon.errors import EncodeError
from toon.text import surrogate_in

#: A sparse table has at most this many cells for each one that holds a value.
MOST_CELLS: Final = 8

_SCALARS: Final = frozenset({str, int, float, bool, type(None), Decimal})


def encode(value: Any, *, sparse: bool = False) -> str:
    """``value`` as text, without a trailing newline.

    Args:
        value: plain JSON: dict with string keys, list, str, int of any size, float, Decimal,
            bool, None, nested at most 256 levels deep.
        sparse: rows whose keys differ make a table too, with an empty cell where a row has no
            such key. The columns come in the order they are first seen in, and that is the order
            of keys that is read back. Tables of more than 8 cells for each value stay lists.

    Raises:
        EncodeError: a value or key has no place in JSON or in UTF-8, or nesting is too deep;
            its ``path`` says where.
    """
    try:
        text = "\n".join(_lines(value, _columns_sparse if sparse else _columns))
    except _Refused:
        _explain(value)
    if surrogate_in(text) is not None:
        _explain(value)
    return text


class _Refused(Exception):
    """A value that has no text; :func:`_explain` finds out which."""


class _Block(NamedTuple):
    """The lines still to be written at one depth: what each starts with, and its value."""

    entries: Iterator[tuple[str, Any]]
    before_value: str
    indent: str


_Columns = Callable[[list[Any]], list[str] | None]


def _lines(value: Any, columns: _Columns) -> Iterator[str]:
    text = quote(value) if type(value) is str else _inline(value)
    if text is not None:
        yield text
        return
    stack: list[_Block] = []

    def opened(value: Any, indent: str) -> Iterator[str]:
        """The lines of a table, or none and the block is on the stack."""
        if len(stack) >= MAX_DEPTH:
            raise _Refused
        names = columns(value) if type(value) is list else None
        if names is not None:
            yield from _table(value, names, indent)
        elif type(value) is list:
            stack.append(_Block((("-", item) for item in value), " ", indent))
        else:
            stack.append(_Block(_fields(value), ": ", indent))

    yield from opened(value, "")
    while stack:
        block = stack[-1]
        for head, item in block.entries:
            text = _inline(item)
            if text is None:
                yield block.indent + head
                yield from opened(item, block.indent + " " * INDENT)
                break
            yield f"{block.indent}{head}{block.before_value}{text}"
        else:
            stack.pop()


def _fields(value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        if type(key) is not str:
            raise _Refused
        yield key_text(key), item


# -- what fits on a line ---------------------------------------------------------------------


def _inline(value: Any) -> str | None:
    """A scalar, an empty container or a list of scalars; None for what needs a block."""
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
    if not (value.is_finite() if type(value) is Decimal else math.isfinite(value)):
        raise _Refused
    return str(value)


# -- tables ----------------------------------------------------------------------------------


def _columns(rows: list[Any]) -> list[str] | None:
    """The keys of rows that all have the same in the same order, and scalars alone; or None."""
    if type(rows[0]) is not dict or not rows[0]:
        return None
    names = list(rows[0])
    for row in rows:
        if type(row) is not dict or list(row) != names or not _is_flat(row):
            return None
    return names


def _columns_sparse(rows: list[Any]) -> list[str] | None:
    """All keys of rows that hold scalars alone, in the order they are first seen in; or None."""
    names: dict[str, None] = {}
    filled = 0
    for row in rows:
        if type(row) is not dict or not row or not _is_flat(row):
            return None
        names.update(dict.fromkeys(row))
        filled += len(row)
    return list(names) if len(names) * len(rows) <= MOST_CELLS * filled else None


def _is_flat(row: dict[str, Any]) -> bool:
    return all(type(item) in _SCALARS for item in row.values())


def _table(rows: list[dict[str, Any]], names: list[str], indent: str) -> Iterator[str]:
    if not all(type(name) is str for name in names):
        raise _Refused
    yield f"{indent}| {' | '.join(map(key_text, names))} |"
    for row in rows:
        cells = [_scalar(row[name], SAFE_CELL) if name in row else "" for name in names]
        yield f"{indent}| {' | '.join(cells)} |"


# -- errors ----------------------------------------------------------------------------------


def _explain(value: Any) -> NoReturn:
    """Raises what is wrong with a value that has no text, with its path."""
    walk: list[tuple[str, Iterator[tuple[str, Any]]]] = [("$", iter((("$", value),)))]
    while walk:
        for path, item in walk[-1][1]:
            problem = _problem(item)
            if problem:
                raise EncodeError(problem, path)
            if isinstance(item, dict | list):
                if len(walk) > MAX_DEPTH:
                    message = f"nested deeper than {MAX_DEPTH} levels"
                    raise EncodeError(message, f"{path[:40]}…{path[-30:]}")
                walk.append((path, _children(path, item)))
                break
        else:
            walk.pop()
    raise AssertionError("a value was refused that nothing is wrong with")


def _children(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        return ((f"{path}[{index}]", item) for index, item in enumerate(value))
    return ((step(path, key), item) for key, item in value.items())


def _problem(value: Any) -> str | None:
    kind = type(value)
    if kind is dict:
        for key in value:
            if type(key) is not str:
                return f"key {key!r} is not a string"
            if surrogate_in(key) is not None:
                return f"lone surrogate in key {key!r}: UTF-8 cannot carry it"
    elif kind is str:
        if surrogate_in(value) is not None:
            return f"lone surrogate in {value!r}: UTF-8 cannot carry it"
    elif kind in (float, Decimal):
        if not (value.is_finite() if kind is Decimal else math.isfinite(value)):
            return f"{value} has no JSON form"
    elif kind is not list and kind not in _SCALARS:
        return f"{kind.__name__} is not a JSON value"
    return None
