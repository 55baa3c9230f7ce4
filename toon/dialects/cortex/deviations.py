"""Where the library departs from the specification, and what a given value loses by it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final, NamedTuple

from toon.codec.text import BARE_KEY
from toon.dialects.cortex.encoder import table_columns
from toon.dialects.cortex.text import as_read


class Deviation(NamedTuple):
    """One rule: what the library does, and what the specification says."""

    number: int
    library: str
    specification: str


#: temporal-cortex-toon 0.3.1 beside TOON 3.0, of 24 November 2025; measured.
DEVIATIONS: Final = (
    Deviation(
        1,
        "strings with a colon are quoted in fields and at the root, not in cells or inline arrays",
        "a string with a colon is quoted everywhere",
    ),
    Deviation(
        2,
        "strings with a comma are not quoted in fields: greeting: hello, world",
        "a string with the document's delimiter is quoted",
    ),
    Deviation(3, "a root array of uniform objects is a list", "it is a table: [N]{a,b}:"),
    Deviation(
        4,
        "in a list item, the body of an array is not indented below its field; of a table there, "
        "its decoder reads one row, and no field after it",
        "the body is one level deeper than the field",
    ),
    Deviation(
        5,
        "an empty object in a list is a hyphen and a space, which its decoder reads as nothing",
        "it is a hyphen alone",
    ),
    Deviation(
        6,
        "an empty array at the root or in a list is [0]: with a space at the end",
        "it is [0]: without a space",
    ),
    Deviation(
        7,
        "the names of columns are never quoted: a comma or a brace in one breaks the table",
        "they are quoted as keys are",
    ),
    Deviation(
        8,
        "strings such as +1 stay unquoted, and its decoder reads them as numbers",
        "the same in 3.0; quoted from 4.0 on",
    ),
    Deviation(
        9,
        "one delimiter, no strict mode: counts are never checked, short rows are filled with "
        "null and long ones cut, unknown escapes kept",
        "each of these is an error in strict mode",
    ),
    Deviation(
        10,
        "numbers are written out without an exponent, and read through 64 bits: large integers "
        "change, and of fractions with 16 digits or more the last one can",
        "every digit of a number is kept where the reader's numbers allow it",
    ),
    Deviation(
        11,
        "its decoder reads a header at the start of a list item, or alone in the text, as a string "
        "if its key is quoted or a column has a blank in its name",
        "a header is read as one wherever it stands",
    ),
)

_LARGEST_READ: Final = 2**63 - 1
_PLUS_NUMBER: Final = re.compile(r"\+(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_BREAKS_TABLE: Final = re.compile(r"[,}\n]")

#: Kind of loss -> the phrase for one and for several.
_PHRASES: Final = {
    "table": (
        "{} table in a list item: its decoder drops the rows and fields after the first row",
        "{} tables in list items: its decoder drops the rows and fields after the first row",
    ),
    "empty": (
        "{} empty object in a list: its decoder drops the items from there on",
        "{} empty objects in lists: its decoder drops the items from there on",
    ),
    "column": (
        "{} column with a comma, brace or line break in its name: the table breaks",
        "{} columns with a comma, brace or line break in their names: the tables break",
    ),
    "string": (
        "{} array at the start of an item or of the text: its decoder reads a string",
        "{} arrays at the start of items: its decoder reads strings",
    ),
    "plus": (
        "{} text such as +1: its decoder reads a number",
        "{} texts such as +1: its decoder reads numbers",
    ),
    "number": (
        "{} number changed by 64-bit arithmetic",
        "{} numbers changed by 64-bit arithmetic",
    ),
    "order": (
        "{} row with its keys in another order than the first",
        "{} rows with their keys in another order than the first",
    ),
}


def losses(value: Any) -> list[str]:
    """What a value loses if the library writes it and its own decoder reads it; [] for nothing.

    ``value`` must be one that :func:`toon.dialects.cortex.encode` can write.
    """
    counts = Counter(_losses(value))
    if isinstance(value, dict) and len(value) == 1:  # the text is a single line, if not nested
        (item,) = value.values()
        nested = isinstance(item, list) and any(isinstance(part, dict | list) for part in item)
        counts["string"] += not nested and _reads_as_string(value)
    return [
        (one if counts[kind] == 1 else several).format(f"{counts[kind]:,}")
        for kind, (one, several) in _PHRASES.items()
        if counts[kind]
    ]


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
