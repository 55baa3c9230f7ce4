"""JSON as it is usually sent: indented, with Python's default separators, and compact.

- ``json-pretty``: two spaces a level, as ``JSON.stringify(value, null, 2)`` writes it.
- ``json-python``: ``json.dumps(value, ensure_ascii=False)``: a space after ``,`` and ``:``.
- ``json-compact``: no whitespace at all, as ``JSON.stringify(value)`` writes it.

Numbers stand as ECMAScript writes them (``1``, not ``1.0``), except in ``json-python``, where they
stand as Python writes them. Non-ASCII characters are kept in all three. Longer numbers and escapes
would inflate the baseline. All three are lossless: a Decimal and an integer of any size are written
with all of their digits. NaN and the infinities become null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any, Final

import numpy as np
import orjson

from toon.codec.parts import CLOSED, Opened, Part, Whole
from toon.codec.text import decimal_text, int_text
from toon.formats.base import Format
from toon.formats.stock import number_changes, odd_numbers
from toon.layout.json import json_layout
from toon.layout.quotes import inside_strings, is_quoted
from toon.layout.spans import Layout
from toon.text import Parsed
from toon.values.json_text import parse_json

# The end of a number that orjson may not write as ECMAScript does, and what stands before such an
# end. Strings hold the same characters.
_ODD_END: Final = re.compile(rb"(?:\.0|e(?<=[0-9]e)[+-]?[0-9]+)(?=[,\]}\n]|\Z)")
_ODD_START: Final = re.compile(rb"-?[0-9.]+\Z")
_POINT_ZERO: Final = (b".0,", b".0}", b".0]", b".0\n")  # a number may end so, ``1.0.2`` does not
_LONGEST: Final = 24  # characters of a 64-bit float
_SHORT: Final = 500  # bytes in which looking for ends takes less than asking numpy for any
_IS_DENSE: Final = bytes(byte not in b" \t\n\r" for byte in range(256))


@dataclass(frozen=True, slots=True)
class JsonFormat(Format):
    """JSON with given separators, and an indent or none; ``fast`` writes all but odd numbers."""

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

    def write(self, parts: Iterable[Part]) -> Iterator[str]:
        """The text of :meth:`dumps` of a document that comes in parts, while they come."""
        comma, colon = self.separators
        closing: list[str] = []
        lead = ""
        for part in parts:
            if isinstance(part, Whole):
                yield self.dumps(part.value)
            elif isinstance(part, Opened):
                key = "" if part.key is None else self.dumps(part.key) + colon
                yield f"{lead}{key}{'[' if part.is_array else '{'}"
                closing.append("]" if part.is_array else "}")
                lead = self._line(len(closing))
            elif part is CLOSED:
                bracket, below = closing.pop(), self._line(len(closing))
                yield below + bracket if lead.startswith(comma) else bracket
                lead = comma + below
            elif part:
                yield lead + self._members(part, len(closing))
                lead = comma + self._line(len(closing))

    def _members(self, value: list[Any] | dict[str, Any], level: int) -> str:
        """The text of members as it stands inside ``level`` containers."""
        whole: Any = value
        for _ in range(level - 1):
            whole = [whole]
        around = [len(self._line(depth)) + 1 for depth in range(level + 1)]
        return self.dumps(whole)[sum(around[1:]) : -sum(around[:-1])]

    def _line(self, level: int) -> str:
        """What a line inside ``level`` containers starts with."""
        return "" if self.indent is None else "\n" + " " * self.indent * level

    def loads(self, text: str) -> Any:
        return parse_json(text).value

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return parse_json(text)

    def layout(self, text: str) -> Layout:
        return json_layout(text)

    def stock_changes(self, value: Any, text: str) -> str | None:
        if text.startswith("\ufeff"):
            return f"{self.stock_reader} refuses it: it starts with a byte order mark"
        numbers: list[str] = []  # of the text: a typed one has numbers of any form
        if next(odd_numbers(value), None) is not None:
            json.loads(text, parse_int=numbers.append, parse_float=numbers.append)
        return number_changes(self.stock_reader, numbers)

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
        if isinstance(value, Decimal):  # one without an exponent was an integer of many digits
            return decimal_text(value) if value.as_tuple().exponent else str(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return int_text(value)
        # JSON has no NaN and no infinity: JavaScript writes null for them, and so does TOON.
        return "null" if isinstance(value, float) and not isfinite(value) else self.fast(value)


def _write_ecmascript(value: Any, option: int = 0) -> str:
    """The JSON of ``value`` with numbers as ECMAScript writes them (ECMA-262, Number::toString)."""
    data = orjson.dumps(value, option=option)
    ends = list(_ODD_END.finditer(data)) if _may_be_odd(data) else []
    return (b"".join(_rewritten(data, ends)) if ends else data).decode()


def _may_be_odd(data: bytes) -> bool:
    """Whether a number may have an odd end: several times as fast as looking for the ends."""
    if len(data) < _SHORT or any(end in data for end in _POINT_ZERO) or data.endswith(b".0"):
        return True
    raw = np.frombuffer(data, np.uint8)
    return bool(((raw[1:] == 101) & (raw[:-1] - 48 < 10)).any())  # a digit and e


def _rewritten(data: bytes, ends: Sequence[re.Match[bytes]]) -> Iterator[bytes]:
    """The pieces of a JSON text; the numbers with these ``ends`` are written again."""
    places = np.array([end.start() for end in ends])
    read = 0
    for end, inside in zip(ends, is_quoted(data, places).tolist(), strict=True):
        if inside:
            continue
        stop = end.start()
        if end[0] == b".0" and data[stop - 2 : stop] != b"-0":
            yield data[read:stop]
        else:
            start = _ODD_START.search(data, max(read, stop - _LONGEST), stop)
            assert start is not None
            yield data[read : start.start()]
            yield decimal_text(Decimal(data[start.start() : end.end()].decode())).encode()
        read = end.end()
    yield data[read:]


def minified(text: str) -> str:
    """A JSON text without the whitespace between its tokens; all else stays as typed."""
    data = text.encode()
    dense = np.frombuffer(data.translate(_IS_DENSE), np.bool_)
    return np.frombuffer(data, np.uint8)[dense | inside_strings(data)].tobytes().decode()


JSON_PRETTY: Final = JsonFormat(
    "json-pretty",
    "indented JSON",
    (",", ": "),
    2,
    lambda value: _write_ecmascript(value, orjson.OPT_INDENT_2),
)
JSON_PYTHON: Final = JsonFormat(
    "json-python",
    "Python-default JSON",
    (", ", ": "),
    None,
    lambda value: json.dumps(value, ensure_ascii=False, allow_nan=False),
)
JSON_COMPACT: Final = JsonFormat(
    "json-compact", "minified JSON", (",", ":"), None, _write_ecmascript
)
FORMATS: Final = (JSON_PRETTY, JSON_PYTHON, JSON_COMPACT)
