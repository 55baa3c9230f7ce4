"""JSON from values: as ECMAScript writes it, and as Python does, with ``1.0`` and escapes.

A Decimal and an integer of any size are written with all of their digits. NaN and the infinities
become null.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any, Final

import orjson

from toon.codec.parts import CLOSED, Opened, Part, Whole
from toon.codec.text import write_decimal, write_int

# The end of a number that orjson may not write as ECMAScript does, and what stands before such an
# end. Strings hold the same characters.
_ODD_END: Final = re.compile(rb"(?:\.0|e(?<=[0-9]e)[+-]?[0-9]+)(?=[,\]}\n]|\Z)")
_ODD_START: Final = re.compile(rb"-?[0-9.]+\Z")
_POINT_ZERO: Final = (b".0,", b".0}", b".0]", b".0\n")  # a number may end so, ``1.0.2`` does not
_LONGEST: Final = 24  # characters of a 64-bit float
_SHORT: Final = 500  # bytes in which looking for ends takes less than asking whether there are any
_SAME_DIGIT: Final = bytes.maketrans(b"123456789", b"000000000")


@dataclass(frozen=True, slots=True)
class JsonWriter:
    """A writer of JSON in one layout; the function ``fast`` writes values without odd numbers.

    Attributes:
        separators: What stands between two members, and between a key and its value.
        indent: The blanks of a level; None: everything on one line.
    """

    separators: tuple[str, str]
    indent: int | None
    fast: Callable[[Any], str]

    def dumps(self, value: Any) -> str:
        """Write a JSON value as JSON text, with every digit."""
        try:
            return self.fast(value)
        except (TypeError, ValueError):  # a Decimal, an integer past 64 bits, or deep nesting
            return "".join(self._write(value, "\n"))

    def write(self, parts: Iterable[Part]) -> Iterator[str]:
        """Yield pieces of a document's JSON text from its parts (:mod:`toon.codec.parts`)."""
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
        """Return the JSON text of members, without brackets, as inside ``level`` containers."""
        whole: Any = value
        for _ in range(level - 1):
            whole = [whole]
        around = [len(self._line(depth)) + 1 for depth in range(level + 1)]
        return self.dumps(whole)[sum(around[1:]) : -sum(around[:-1])]

    def _line(self, level: int) -> str:
        """Return the line break and blanks before a line of JSON inside ``level`` containers."""
        return "" if self.indent is None else "\n" + " " * self.indent * level

    def _write(self, value: Any, line: str) -> Iterator[str]:
        """Yield the pieces of a value's JSON text; ``line`` is a line break and its indentation."""
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
                yield self.fast(key) + colon
            yield from self._write(value[key] if is_object else key, below)
            lead = comma + below
        yield ("" if self.indent is None else line) + ("}" if is_object else "]")

    def _scalar(self, value: Any) -> str:
        if isinstance(value, Decimal):  # one without an exponent was an integer of many digits
            return write_decimal(value) if value.as_tuple().exponent else str(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return write_int(value)
        # JSON has no NaN and no infinity: JavaScript writes null for them, and so does TOON.
        return "null" if isinstance(value, float) and not isfinite(value) else self.fast(value)


def _write_ecmascript(value: Any, option: int = 0) -> str:
    """Write a JSON value with numbers as ECMAScript writes them (ECMA-262, Number::toString)."""
    return ecmascript(orjson.dumps(value, option=option)).decode()


def ecmascript(data: bytes) -> bytes:
    """Rewrite the numbers in JSON text of orjson as ECMAScript writes them, such as 1.0 as 1."""
    if (
        len(data) < _SHORT
        or any(end in data for end in _POINT_ZERO)
        or data.endswith(b".0")
        or b"0e" in data.translate(_SAME_DIGIT)
    ):
        return b"".join(_rewrite_numbers(data))
    return data


def _rewrite_numbers(data: bytes) -> Iterator[bytes]:
    """Yield the pieces of a JSON text with each number as ECMAScript writes it."""
    read = seen = quotes = 0
    bare = b""  # the text without escaped quotes, as long as it
    for end in _ODD_END.finditer(data):
        stop = end.start()
        bare = bare or data.replace(rb"\\", b"--").replace(rb"\"", b"--")
        quotes += bare.count(b'"', seen, stop)
        seen = stop
        if quotes % 2:  # inside a string
            continue
        if end[0] == b".0" and data[stop - 2 : stop] != b"-0":
            yield data[read:stop]
        else:
            start = _ODD_START.search(data, max(read, stop - _LONGEST), stop)
            assert start is not None
            yield data[read : start.start()]
            yield write_decimal(Decimal(data[start.start() : end.end()].decode())).encode()
        read = end.end()
    yield data[read:]


PRETTY: Final = JsonWriter(
    (",", ": "), 2, lambda value: _write_ecmascript(value, orjson.OPT_INDENT_2)
)
PYTHON: Final = JsonWriter((", ", ": "), None, json.JSONEncoder(allow_nan=False).encode)
COMPACT: Final = JsonWriter((",", ":"), None, _write_ecmascript)
