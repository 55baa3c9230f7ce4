"""JSON as it is usually sent: indented, with Python's default separators, and compact.

- ``json-pretty``: two spaces a level, as ``JSON.stringify(value, null, 2)`` writes it.
- ``json-python``: ``json.dumps(value, ensure_ascii=False)``: a space after ``,`` and ``:``.
- ``json-compact``: no whitespace at all, as ``JSON.stringify(value)`` writes it.

Non-ASCII characters are kept in all three: escaping them would inflate the baseline. All are
lossless: a Decimal and an integer of any size are written with all of their digits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import orjson

from toon.codec.text import int_text
from toon.formats.base import Format
from toon.formats.stock import number_changes
from toon.layout.json import json_layout
from toon.layout.spans import Layout
from toon.text import Parsed
from toon.values.json_text import parse_json


@dataclass(frozen=True, slots=True)
class JsonFormat(Format):
    """JSON with given separators, and an indent or none."""

    name: str
    label: str
    separators: tuple[str, str]
    indent: int | None
    fast: Callable[[Any], str]
    lossless: bool = True
    public: bool = True
    media_type: str = "application/json"
    explanation: str = "The data is JSON."
    stock_reader: str = "Python's json"

    def dumps(self, value: Any) -> str:
        try:
            return self.fast(value)
        except (TypeError, ValueError):  # a Decimal, an integer past 64 bits, or deep nesting
            return "".join(self._write(value, "\n"))

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return parse_json(text)

    def layout(self, text: str) -> Layout:
        return json_layout(text)

    def stock_changes(self, value: Any, text: str) -> str | None:
        return number_changes(self.stock_reader, value, self._scalar)

    def _write(self, value: Any, line: str) -> Iterator[str]:
        """The pieces of the text; ``line`` is a line break and the indentation after it."""
        if not isinstance(value, dict | list) or not value:
            yield self._scalar(value)
            return
        comma, colon = self.separators
        below = "" if self.indent is None else line + " " * self.indent
        is_object = isinstance(value, dict)
        lead = ("{" if is_object else "[") + below
        for key in value:
            yield lead
            if is_object:
                yield json.dumps(key, ensure_ascii=False) + colon
            yield from self._write(value[key] if is_object else key, below)
            lead = comma + below
        yield ("" if self.indent is None else line) + ("}" if is_object else "]")

    def _scalar(self, value: Any) -> str:
        if isinstance(value, Decimal):
            return str(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return int_text(value)
        return self.fast(value)


JSON_PRETTY: Final = JsonFormat(
    "json-pretty",
    "indented JSON",
    (",", ": "),
    2,
    lambda value: orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(),
)
JSON_PYTHON: Final = JsonFormat(
    "json-python",
    "Python-default JSON",
    (", ", ": "),
    None,
    lambda value: json.dumps(value, ensure_ascii=False, allow_nan=False),
)
JSON_COMPACT: Final = JsonFormat(
    "json-compact", "compact JSON", (",", ":"), None, lambda value: orjson.dumps(value).decode()
)
