"""Value to the text VibeMCP's tools send: made to be read by a model, not to be read back.

A cell: null and what is absent are ``null``; numbers as JavaScript prints them; arrays of strings
and numbers are joined with ``|``, an empty one is an empty cell; an object with a ``dateTime`` or
a ``date`` is that text; all else is compact JSON. Texts are cut at ``limit`` characters, and quoted
where they hold the delimiter, a line break or a quote, or start or end with a space. In a detail,
arrays and objects are JSON as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from toon.codec.normalise import normalise, step
from toon.codec.text import DELIMITERS
from toon.dialects.vibemcp.grammar import (
    DETAIL_LABEL,
    LIST_LABEL,
    LOSSY,
    Unfit,
    classify,
    is_label,
    raw_value,
)
from toon.dialects.vibemcp.inline import compact_json, scalar_text
from toon.values.json_text import parse_json

_ESCAPE: Final = re.compile(r'[\\"\n\r]')
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_JOINED: Final = frozenset({str, int, float, Decimal})

# More cells than this for each value and row are no list of any tool's; and a table of rows with
# nothing in common would grow with their square.
_MAX_SPARSE: Final = 32
_LINE_BREAK: Final = re.compile(r"[\n\r]")


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text and what writing it dropped or changed, a phrase with a count for each sort."""

    text: str
    losses: tuple[str, ...]


def encode(
    value: Any,
    *,
    name: str | None = None,
    columns: Sequence[str] | None = None,
    delimiter: str = "\t",
    include_count: bool = True,
    limit: int = 500,
) -> Encoded:
    """Writes ``value`` as the tools of VibeMCP do.

    A list of objects is a table; a list of scalars is one a line; an object is a detail; a scalar
    is its text. Without a ``name``, an object whose one key holds a list or an object and can be
    a label gives its key for a name; else a list is called ``items`` and an object ``item``.

    Args:
        value: Any JSON value.
        name: The label of the list or the object; without blanks, colons, quotes and brackets.
        columns: The columns of a table; by default the keys of its first object.
        delimiter: What stands between the cells of a row; the column names always have commas.
        include_count: Whether a table says how many rows it has. A list of scalars always does.
        limit: The characters after which a text is cut; 0 cuts none.

    Raises:
        Unfit: the value has no form here: a list of objects and others, a name that would break
            its line, a scalar text that would read as something else, a table of hardly anything
            but absent values.
        EncodeError: a value that is not JSON, a lone surrogate, or too deep nesting.
        ValueError: an option that has no meaning.
    """
    if delimiter not in DELIMITERS:
        raise ValueError(f"delimiter must be a tab, a comma or a pipe, not {delimiter!r}")
    if name is not None and not is_label(name):
        raise ValueError(f"{name!r} cannot be a label: no blanks, colons, quotes and brackets")
    if limit < 0:
        raise ValueError(f"limit must be 0 or more, not {limit}")
    writer = _Writer(delimiter, include_count, limit)
    text = writer.document(normalise(value), name, columns)
    return Encoded(text, tuple(writer.losses()))


class _Writer:
    """Writes one document and counts what is lost; options are already validated."""

    def __init__(self, delimiter: str, include_count: bool, limit: int) -> None:
        self.include_count = include_count
        self.delimiter = delimiter
        self.limit = limit
        self.quoted = re.compile(rf'[{re.escape(delimiter)}\n\r"]|\A | \Z').search
        self.lost: Counter[str] = Counter()

    def document(self, value: Any, name: str | None, columns: Sequence[str] | None) -> str:
        path = "$"
        if name is None and isinstance(value, dict) and len(value) == 1:
            ((key, inner),) = value.items()
            if isinstance(inner, list | dict) and is_label(key):
                path, name, value = step(path, key), key, inner
                self.lost["key"] += key == (DETAIL_LABEL, LIST_LABEL)[isinstance(value, list)]
        if isinstance(value, list) and (not value or isinstance(value[0], dict)):
            return "\n".join(self.table(value, name or LIST_LABEL, columns, path))
        if columns is not None:
            raise ValueError("columns are for a list of objects")
        if isinstance(value, list):
            lines = [self.line(item, f"{path}[{index}]") for index, item in enumerate(value)]
            return "\n".join([f"{name or LIST_LABEL}[{len(value)}]", *lines])
        if isinstance(value, dict):
            return "\n".join(self.detail(value, name or DETAIL_LABEL, path))
        return self.root_scalar(value)

    # -- forms -----------------------------------------------------------------------------

    def table(
        self, rows: list[Any], label: str, columns: Sequence[str] | None, path: str
    ) -> Iterator[str]:
        for index, row in enumerate(rows):
            if not isinstance(row, dict):
                raise Unfit("not an object, and the first item is one", f"{path}[{index}]")
        dropped = "column"
        if columns is None:
            columns, dropped = list(rows[0]) if rows else [], "key-not-first"
        for column in columns:
            if not column or "," in column or _LINE_BREAK.search(column):
                raise Unfit(f"{column!r} cannot be a column: it would break the header", path)
        if len(set(columns)) != len(columns):
            raise ValueError("a column stands twice")
        self.lost[dropped] += len({key for row in rows for key in row}.difference(columns))
        filled = len(rows) + sum(map(len, rows))
        if len(columns) * len(rows) > _MAX_SPARSE * filled:
            raise Unfit("hardly a cell of the table would be filled", path)
        count = f"[{len(rows)}]" if self.include_count else ""
        yield f"{label}{count}{{{','.join(columns) if rows else ''}}}"
        for row in rows:
            self.lost["absent"] += sum(column not in row for column in columns)
            yield self.delimiter.join([self.cell(row.get(column)) for column in columns])

    def detail(self, value: dict[str, Any], label: str, path: str) -> Iterator[str]:
        yield f"{label}:"
        for key, item in value.items():
            if ": " in key or _LINE_BREAK.search(key):
                raise Unfit(
                    "the key would break its line, and keys have no quotes", step(path, key)
                )
            nested = isinstance(item, dict | list)
            written = compact_json(item) if nested else self.cell(item)
            self.lost["json"] += not nested and written[:1] in ("{", "[") and _is_json(written)
            yield f"  {key}: {written}"

    def line(self, item: Any, path: str) -> str:
        """An item of a list of scalars: never cut, never quoted."""
        if isinstance(item, dict | list):
            kind = "an object" if isinstance(item, dict) else "an array"
            raise Unfit(f"{kind}, in a list whose first item is not an object", path)
        if not isinstance(item, str):
            return scalar_text(item)
        if _LINE_BREAK.search(item):
            raise Unfit("a text of several lines, and a line is an item here", path)
        self.lost["type"] += not isinstance(raw_value(item) if item else item, str)
        return item

    def root_scalar(self, value: Any) -> str:
        text = self.line(value, "$")
        if not text.strip():
            raise Unfit("a text of blanks alone", "$")
        if classify(text, LOSSY)[0] != "scalar" or text.startswith("\ufeff"):
            raise Unfit("a text that would read as a header", "$")
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
            return self.text(compact_json(value) if flat is None else flat)
        return scalar_text(value)

    def array(self, items: list[Any]) -> str:
        if not items:
            return ""
        if not all(type(item) in _JOINED for item in items):
            self.lost["inline"] += 1
            return self.text(compact_json(items))
        self.lost["joined"] += 1
        texts = (item if isinstance(item, str) else scalar_text(item) for item in items)
        return self.text("|".join(texts))

    def text(self, text: str) -> str:
        if 0 < self.limit < len(text):
            self.lost["cut"] += 1
            text = f"{text[: self.limit]}..."
        if not text:
            return '""'
        if self.quoted(text):
            return f'"{_ESCAPE.sub(lambda match: _ESCAPES[match[0]], text)}"'
        self.lost["type"] += not isinstance(raw_value(text), str)
        return text

    # -- losses ----------------------------------------------------------------------------

    def losses(self) -> Iterator[str]:
        phrases = {
            "cut": ("text", "texts", f"cut at {self.limit} characters"),
            "date": ("object", "objects", "flattened to a date"),
            "inline": ("nested value", "nested values", "as inline JSON"),
            "joined": ("array", "arrays", "joined with |"),
            "key-not-first": ("column", "columns", "dropped: keys that the first item has not"),
            "column": ("column", "columns", "dropped: keys that were not asked for"),
            "absent": ("absent value", "absent values", "written as null"),
            "type": ("text", "texts", "that will read as a number, true, false, null"),
            "json": ("text", "texts", "that will read as JSON"),
            "key": ("key", "keys", "lost: the label for what has no name"),
        }
        for sort, (one, many, what) in phrases.items():
            count = self.lost[sort]
            if count:
                yield f"{count:,} {one if count == 1 else many} {what}"


def _date_of(value: dict[str, Any]) -> str | None:
    """The text that stands for an object of a calendar, None for any other object."""
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
