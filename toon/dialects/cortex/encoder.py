"""Writes values byte for byte as the library does, including its faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from toon.codec.normalise import normalise, step
from toon.dialects.cortex.text import (
    SAFE_CELL,
    SAFE_FIELD,
    key_text,
    number_text,
    quote,
)
from toon.errors import EncodeError

#: The library refuses JSON that is nested deeper.
MAX_DEPTH: Final = 127


def encode(value: Any) -> str:
    """Writes a JSON value as ``temporal-cortex-toon`` 0.3.1 does.

    Returns:
        The text, without a line break at its end.

    Raises:
        EncodeError: the library refuses the value, or it is not JSON: it is nested deeper than 127
            levels, or holds a number beyond 64-bit floats or a lone surrogate.
    """
    value = normalise(value)
    _refuse(value, "$", 0)
    if isinstance(value, dict):
        return "\n".join(_fields(value, "", ""))
    if isinstance(value, list):
        return "\n".join(_array("", value, "  "))
    return _scalar(value, SAFE_FIELD)


def _refuse(value: Any, path: str, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth == MAX_DEPTH:
            raise EncodeError(f"nested deeper than {MAX_DEPTH} levels", f"{path[:40]}…")
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            below = step(path, key) if isinstance(key, str) else f"{path}[{key}]"
            _refuse(item, below, depth + 1)
    elif isinstance(value, int | float | Decimal):
        try:
            number_text(value)
        except OverflowError as error:
            raise EncodeError(str(error), path) from None


def _scalar(value: Any, safe: re.Pattern[str]) -> str:
    if isinstance(value, str):
        return value if safe.match(value) else quote(value)
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    return number_text(value)


def _fields(value: dict[str, Any], lead: str, indent: str, is_item: bool = False) -> Iterator[str]:
    """The lines of an object; ``lead`` starts the first line, ``indent`` the others.

    In a list item, the body of an array is at the level of its field; elsewhere one level deeper.
    """
    deeper = indent + "  "
    for key, item in value.items():
        name = lead + key_text(key)
        if isinstance(item, dict):
            yield f"{name}:"
            yield from _fields(item, deeper, deeper)
        elif isinstance(item, list):
            yield from _field_array(name, item, indent if is_item else deeper)
        else:
            yield f"{name}: {_scalar(item, SAFE_FIELD)}"
        lead = indent


def _field_array(name: str, value: list[Any], body: str) -> Iterator[str]:
    """The lines of an array with a key: one line, a table or a list; ``body`` indents the rest."""
    names = table_columns(value)
    if names is not None:
        yield f"{name}[{len(value)}]{{{','.join(names)}}}:"
        for row in value:
            yield body + ",".join(_scalar(row[column], SAFE_CELL) for column in names)
    elif value:
        yield from _array(name, value, body)
    else:
        yield f"{name}[0]:"


def _array(name: str, value: list[Any], body: str) -> Iterator[str]:
    """The lines of an array other than a table: scalars on one line, or a hyphen per item."""
    if not any(isinstance(item, dict | list) for item in value):
        yield f"{name}[{len(value)}]: {','.join(_scalar(item, SAFE_CELL) for item in value)}"
        return
    yield f"{name}[{len(value)}]:"
    for item in value:
        lead, below = f"{body}- ", f"{body}  "
        if isinstance(item, list):
            yield from _array(lead, item, below)
        elif isinstance(item, dict) and item:
            yield from _fields(item, lead, below, is_item=True)
        else:
            yield lead + ("" if isinstance(item, dict) else _scalar(item, SAFE_FIELD))


def table_columns(value: list[Any]) -> list[str] | None:
    """The keys of a table of scalars; None unless all rows have the same keys, in any order."""
    if not value or not all(isinstance(row, dict) and row for row in value):
        return None
    first = value[0].keys()
    for row in value:
        if row.keys() != first or any(isinstance(item, dict | list) for item in row.values()):
            return None
    return list(first)
