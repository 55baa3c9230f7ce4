"""Writes values byte for byte as the library does, including its faults."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from toon.codec.normalise import normalise, step
from toon.codec.text import BARE_KEY
from toon.dialects.cortex.grammar import (
    MAX_DEPTH,
    SAFE_CELL,
    SAFE_FIELD,
    SPECIAL,
    as_read,
    key_text,
    number_text,
)
from toon.dialects.writing import LITERALS, LossPhrases, loss_phrases, quote
from toon.errors import EncodeError

_LARGEST_READ: Final = 2**63 - 1
_PLUS_NUMBER: Final = re.compile(r"\+(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_BREAKS_TABLE: Final = re.compile(r"[,}\n]")

_DROPPED: Final = ": its decoder drops the "
_PHRASES: Final[LossPhrases] = {
    "table": (
        "table in a list item",
        "tables in list items",
        f"{_DROPPED}rows and fields after the first row",
    ),
    "empty": ("empty object in a list", "empty objects in lists", f"{_DROPPED}items from there on"),
    "column": (
        "column with a comma, brace or line break in its name: the table breaks",
        "columns with a comma, brace or line break in their names: the tables break",
        "",
    ),
    "string": (
        "array at the start of an item or of the text: its decoder reads a string",
        "arrays at the start of items: its decoder reads strings",
        "",
    ),
    "plus": (
        "text such as +1: its decoder reads a number",
        "texts such as +1: its decoder reads numbers",
        "",
    ),
    "number": ("number", "numbers", " changed by 64-bit arithmetic"),
    "order": (
        "row with its keys",
        "rows with their keys",
        " in another order than the first",
    ),
}


def encode(value: Any) -> str:
    """Writes a JSON value as ``temporal-cortex-toon`` 0.3.1 does.

    Returns:
        The text, without a line break at its end.

    Raises:
        EncodeError: The library refuses the value, or it is not JSON: it is nested deeper than 127
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
        return value if safe.match(value) else quote(value, SPECIAL)
    if value is None or isinstance(value, bool):
        return LITERALS[value]
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


# -- losses -----------------------------------------------------------------------------------


def losses(value: Any) -> list[str]:
    """What a value loses if the library writes it and its own decoder reads it; [] for nothing.

    ``value`` must be one that :func:`toon.dialects.cortex.encode` can write.
    """
    counts = Counter(_losses(value))
    if isinstance(value, dict) and len(value) == 1:  # the text is a single line, if not nested
        (item,) = value.values()
        nested = isinstance(item, list) and any(isinstance(part, dict | list) for part in item)
        counts["string"] += not nested and _reads_as_string(value)
    return loss_phrases(counts, _PHRASES)


def _losses(value: Any, in_item: bool = False) -> Iterator[str]:
    """The kind of each loss; ``in_item`` says that ``value`` is an item of a list."""
    if isinstance(value, dict):
        entries = list(value.items())
        for place, (_, item) in enumerate(entries):
            if isinstance(item, list):
                is_last = place == len(entries) - 1
                yield from _field_losses(item, in_item and not (is_last and len(item) == 1))
            else:
                yield from _losses(item)
    elif isinstance(value, list):
        for item in value:
            if item == {}:
                yield "empty"
            if isinstance(item, dict) and _reads_as_string(item):
                yield "string"
            yield from _losses(item, in_item=True)
    elif isinstance(value, str):
        if _PLUS_NUMBER.match(value):
            yield "plus"
    elif value is not None and not isinstance(value, bool) and _is_changed(value):
        yield "number"


def _field_losses(value: list[Any], is_cut: bool) -> Iterator[str]:
    """The losses in an array under a key; ``is_cut`` says that a table loses what follows it."""
    columns = table_columns(value)
    if columns is None:
        yield from _losses(value)
        return
    if is_cut:
        yield "table"
    yield from ("column" for name in columns if _BREAKS_TABLE.search(name))
    for row in value:
        if list(row) != columns:
            yield "order"
        yield from _losses(row)


def _reads_as_string(value: dict[str, Any]) -> bool:
    """Whether the first field is an array with a quoted key, or with a blank in a column."""
    key = next(iter(value), "")
    item = value.get(key)
    if not isinstance(item, list):
        return False
    return not BARE_KEY.match(key) or any(" " in name for name in table_columns(item) or ())


def _is_changed(value: int | float | Decimal) -> bool:
    """Whether writing or reading changes a number; the decoder has 63 bits for an integer."""
    read = as_read(value)
    if isinstance(read, int) and read > _LARGEST_READ:
        read = float(read)
    written = repr(value) if isinstance(value, float) else value
    return Decimal(repr(read) if isinstance(read, float) else read) != Decimal(written)


def table_names(value: Any) -> Iterator[str]:
    """The column names of all tables that the library writes for ``value``."""
    if isinstance(value, dict):
        for item in value.values():
            columns = table_columns(item) if isinstance(item, list) else None
            yield from table_names(item) if columns is None else columns
    elif isinstance(value, list):
        for item in value:
            yield from table_names(item)
