"""JSON by columns: JSON in which the objects of an array share one list of keys. Lossless.

At every level, an array of two or more objects with the same keys in the same order is
``{"columns":[...],"rows":[[...],...]}``, much like ``orient="split"`` of pandas. Any JSON library
reads it, and any object of just these two keys is such an array. A value that already holds
such an object is refused, since it would be read as a table. All else stands as in compact JSON.
"""

import re
from itertools import islice
from typing import Any, Final

from toon.errors import FormatError
from toon.formats.base import Format, NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.layout.json import json_layout
from toon.layout.spans import NAMES, VALUES, Layout
from toon.text import QUOTED, Parsed, Source
from toon.values.json_text import TOKEN, fail_deep, parse_json
from toon.values.walks import HOLDERS, objects
from toon.wording import excerpt, plural

COLUMNS: Final = "columns"
ROWS: Final = "rows"

_KEYS: Final = {COLUMNS, ROWS}

# No string holds a bare quote, so this finds the start of every table and nothing else.
_TABLE: Final = re.compile(
    rf'\{{\s*"{COLUMNS}"\s*:\s*\[((?:\s*{QUOTED}\s*,?)*+)\]\s*,\s*"{ROWS}"\s*:'.encode(), re.S
)


class JsonColumnsFormat(Format):
    """JSON by columns as a format: an array of objects with the same keys is written as one object,
    with the keys in ``columns`` and a list of values per object in ``rows``.
    """

    name = "json-columns"
    label = "JSON by columns"
    lossless = True
    public = True
    dialect = True
    about = "JSON in which an array of objects is its columns, named once, and its rows."
    media_type = "application/json"
    explanation = (
        f"{JSON_COMPACT.explanation} An object of `columns` and `rows` is an array of objects: "
        "each row holds one object's values in order."
    )
    stock_reader = JSON_COMPACT.stock_reader

    def uses(self, text: str) -> frozenset[str]:
        return frozenset({"tables"} if _TABLE.search(text.encode()) else ())

    def explain(self, uses: frozenset[str]) -> str:
        return self.explanation if uses else JSON_COMPACT.explanation

    def dumps(self, value: Any) -> str:
        return JSON_COMPACT.dumps(_to_columns(value))

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        parsed = parse_json(text)
        for number, item in enumerate(objects(parsed.value)):
            if item.keys() == _KEYS and (problem := _find_fault(item[COLUMNS], item[ROWS])):
                braces = (match.start() for match in TOKEN.finditer(text) if match[0] == "{")
                raise Source(text).error(FormatError, problem, next(islice(braces, number, None)))
        try:
            return Parsed(_to_rows(parsed.value), parsed.notices)
        except RecursionError:  # Python from 3.12 on reads deeper texts than its own calls go
            fail_deep(text)

    def skim(self, text: str) -> Any:
        return _to_rows(JSON_COMPACT.skim(text))

    def layout(self, text: str) -> Layout:
        """Return an array with the kind of each byte of a text of JSON by columns: keys, and the
        strings in ``columns``, are names.
        """
        layout = json_layout(text)
        for match in _TABLE.finditer(text.encode()):
            names = layout[slice(*match.span(1))]
            names[names == VALUES] = NAMES
        return layout

    def stock_changes(self, value: Any, text: str) -> str | None:
        return JSON_COMPACT.stock_changes(value, text)


# -- writing ---------------------------------------------------------------------------------


def _to_columns(value: Any) -> Any:
    """Copy a JSON value with every array of objects of the same keys as one object, which has the
    keys in ``columns`` and the values in ``rows``.

    Raises:
        NotApplicable: The value already holds an object with just these two keys.
    """
    if isinstance(value, dict):
        if value.keys() == _KEYS:
            raise NotApplicable(
                f"it holds an object of {excerpt(COLUMNS)} and {excerpt(ROWS)} already, "
                "which would be read as a table"
            )
        return {
            key: _to_columns(item) if isinstance(item, HOLDERS) else item
            for key, item in value.items()
        }
    if not isinstance(value, list):
        return value
    names = list(value[0]) if value and isinstance(value[0], dict) else []
    if (
        len(value) < 2
        or not names
        or not all(isinstance(item, dict) and list(item) == names for item in value)
    ):
        return [_to_columns(item) if isinstance(item, HOLDERS) else item for item in value]
    if set(names) == _KEYS:
        _to_columns(value[0])  # refuses it
    rows = [
        [_to_columns(cell) if isinstance(cell, HOLDERS) else cell for cell in row.values()]
        for row in value
    ]
    return {COLUMNS: names, ROWS: rows}


# -- reading ---------------------------------------------------------------------------------


def _to_rows(value: Any) -> Any:
    """Copy a JSON value with an array of objects for each object of ``columns`` and ``rows``."""
    if isinstance(value, list):
        return [_to_rows(item) if isinstance(item, HOLDERS) else item for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == _KEYS:
        names = value[COLUMNS]
        return [dict(zip(names, _to_rows(row), strict=True)) for row in value[ROWS]]
    return {
        key: _to_rows(item) if isinstance(item, HOLDERS) else item for key, item in value.items()
    }


def _find_fault(names: Any, rows: Any) -> str | None:
    """Say why ``columns`` and ``rows`` are no table of JSON by columns; None if they are one."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return f"{excerpt(COLUMNS)} is not an array of names"
    if len(set(names)) != len(names):
        return f"{excerpt(COLUMNS)} has a name twice"
    if not isinstance(rows, list):
        return f"{excerpt(ROWS)} is not an array of arrays"
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list):
            return f"row {number} is not an array"
        if len(row) != len(names):
            return f"row {number} has {plural(len(row), 'value')}, the columns are {len(names)}"
    return None


JSON_COLUMNS: Final = JsonColumnsFormat()
FORMATS: Final = (JSON_COLUMNS,)
