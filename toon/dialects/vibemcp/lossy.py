"""VibeMCP's output as its tools send it: written for a model to read, not to be read back.

A cell: null and absent values are ``null``; numbers are as in JavaScript; arrays of strings and
numbers are joined with ``|``, and an empty one is an empty cell; an object with a ``dateTime`` or a
``date`` is that text; anything else is compact JSON. Texts are cut at 500 characters, and quoted if
they hold a tab, a line break or a quote, or start or end with a space. In a detail, arrays and
objects are plain JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from toon.codec.normalise import normalise, step
from toon.codec.text import write_scalar
from toon.dialects.vibemcp.grammar import (
    DETAIL_LABEL,
    LIST_LABEL,
    LOSSY,
    Unfit,
    classify,
    is_label,
    read_raw,
)
from toon.dialects.writing import LossPhrases, phrase_losses, quote
from toon.values.json_text import parse_json
from toon.values.json_writing import COMPACT

#: Characters of a text that are kept.
_LIMIT: Final = 500

_QUOTED: Final = re.compile(r'[\t\n\r"]|\A | \Z')
_SPECIAL: Final = re.compile(r'[\\"\n\r]')
_JOINED: Final = frozenset({str, int, float, Decimal})

# No tool's list has more cells than this per row and value. Without a limit, a table of rows with
# no key in common would grow with the square of their number.
_MAX_SPARSE: Final = 32
_LINE_BREAK: Final = re.compile(r"[\n\r]")

_PHRASES: Final[LossPhrases] = {
    "cut": ("text", "texts", f" cut at {_LIMIT} characters"),
    "date": ("object", "objects", " flattened to a date"),
    "inline": ("nested value", "nested values", " as inline JSON"),
    "joined": ("array", "arrays", " joined with |"),
    "column": ("column", "columns", " dropped: keys that the first item lacks"),
    "absent": ("absent value", "absent values", " written as null"),
    "type": ("text", "texts", " that will be read as a number, true, false or null"),
    "json": ("text", "texts", " that will be read as JSON"),
    "key": ("key", "keys", " lost: equal to the label of unnamed data"),
}


def write_lossy(value: Any) -> tuple[str, list[str]]:
    """Write a JSON value; return its text and a phrase for each kind of loss."""
    writer = _Writer()
    return writer.document(normalise(value)), phrase_losses(writer.lost, _PHRASES)


class _Writer:
    """A writer of one document that counts what is lost."""

    def __init__(self) -> None:
        self.lost: Counter[str] = Counter()

    def document(self, value: Any) -> str:
        path, label = "$", None
        if isinstance(value, dict) and len(value) == 1:
            ((key, inner),) = value.items()
            if isinstance(inner, list | dict) and is_label(key):
                path, label, value = step(path, key), key, inner
                self.lost["key"] += key == (DETAIL_LABEL, LIST_LABEL)[isinstance(value, list)]
        if isinstance(value, list):
            return "\n".join(self.items(value, label or LIST_LABEL, path))
        if isinstance(value, dict):
            return "\n".join(self.detail(value, label or DETAIL_LABEL, path))
        return self.root_scalar(value)

    # -- forms -----------------------------------------------------------------------------

    def items(self, items: list[Any], label: str, path: str) -> Iterator[str]:
        if not items or isinstance(items[0], dict):
            yield from self.table(items, label, path)
            return
        yield f"{label}[{len(items)}]"
        for index, item in enumerate(items):
            yield self.line(item, f"{path}[{index}]")

    def table(self, rows: list[Any], label: str, path: str) -> Iterator[str]:
        for index, row in enumerate(rows):
            if not isinstance(row, dict):
                raise Unfit("not an object, and the first item is one", f"{path}[{index}]")
        columns = list(rows[0]) if rows else []
        for column in columns:
            if not column or "," in column or _LINE_BREAK.search(column):
                raise Unfit(f"{column!r} cannot be a column: it would break the header", path)
        self.lost["column"] += len({key for row in rows for key in row}.difference(columns))
        if len(columns) * len(rows) > _MAX_SPARSE * (len(rows) + sum(map(len, rows))):
            raise Unfit("almost all cells of the table would be empty", path)
        yield f"{label}[{len(rows)}]{{{','.join(columns)}}}"
        for row in rows:
            self.lost["absent"] += sum(column not in row for column in columns)
            yield "\t".join([self.cell(row.get(column)) for column in columns])

    def detail(self, value: dict[str, Any], label: str, path: str) -> Iterator[str]:
        yield f"{label}:"
        for key, item in value.items():
            if ": " in key or _LINE_BREAK.search(key):
                message = "the key would break its line, and keys have no quotes"
                raise Unfit(message, step(path, key))
            nested = isinstance(item, dict | list)
            written = COMPACT.dumps(item) if nested else self.cell(item)
            self.lost["json"] += not nested and written[:1] in ("{", "[") and _is_json(written)
            yield f"  {key}: {written}"

    def line(self, item: Any, path: str) -> str:
        """Write an item of a list of scalars, never cut and never quoted."""
        if isinstance(item, dict | list):
            kind = "an object" if isinstance(item, dict) else "an array"
            raise Unfit(f"{kind}, in a list whose first item is not an object", path)
        if not isinstance(item, str):
            return write_scalar(item)
        if _LINE_BREAK.search(item):
            raise Unfit("a text of several lines, but each line is an item", path)
        self.lost["type"] += not isinstance(read_raw(item) if item else item, str)
        return item

    def root_scalar(self, value: Any) -> str:
        text = self.line(value, "$")
        if not text.strip():
            raise Unfit("a blank text", "$")
        if classify(text, LOSSY)[0] != "scalar" or text.startswith("\ufeff"):
            raise Unfit("a text that would be read as a header", "$")
        return text

    # -- cells -----------------------------------------------------------------------------

    def cell(self, value: Any) -> str:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return self.array(value)
        if isinstance(value, dict):
            flat = _date_of(value)
            self.lost["inline" if flat is None else "date"] += 1
            return self.text(COMPACT.dumps(value) if flat is None else flat)
        return write_scalar(value)

    def array(self, items: list[Any]) -> str:
        if not items:
            return ""
        if not all(type(item) in _JOINED for item in items):
            self.lost["inline"] += 1
            return self.text(COMPACT.dumps(items))
        self.lost["joined"] += 1
        texts = (item if isinstance(item, str) else write_scalar(item) for item in items)
        return self.text("|".join(texts))

    def text(self, text: str) -> str:
        if len(text) > _LIMIT:
            self.lost["cut"] += 1
            text = f"{text[:_LIMIT]}..."
        if not text:
            return '""'
        if _QUOTED.search(text):
            return quote(text, _SPECIAL)
        self.lost["type"] += not isinstance(read_raw(text), str)
        return text


def _date_of(value: dict[str, Any]) -> str | None:
    """Return the date or time of a calendar's object; None for any other object."""
    for key in ("dateTime", "date"):
        text = value.get(key)
        if isinstance(text, str) and not (key == "date" and "isRecurring" in value):
            return text
    return None


def _is_json(text: str) -> bool:
    try:
        parse_json(text)
    except ValueError:
        return False
    return True
