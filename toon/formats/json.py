"""JSON as it is usually sent: indented, with Python's default separators, and compact.

- ``json-pretty``: two spaces a level, as ``JSON.stringify(value, null, 2)`` writes it.
- ``json-python``: ``json.dumps(value)``: a space after ``,`` and ``:``, escapes in place of all
  characters beyond ASCII, and numbers as Python writes them (``1.0``).
- ``json-compact``: no whitespace at all, as ``JSON.stringify(value)`` writes it.

The other two have numbers as ECMAScript writes them (``1``) and no escapes without need. All three
are lossless: a Decimal and an integer of any size are written with all of their digits. NaN and the
infinities become null.
"""

import json
from typing import Any, Final

import numpy as np
import orjson

from toon.formats.base import Format
from toon.formats.stock import describe_changes, find_odd_numbers
from toon.layout.json import json_layout
from toon.layout.spans import Layout, mask_strings
from toon.text import Parsed
from toon.values.json_text import parse_json
from toon.values.json_writing import COMPACT, PRETTY, PYTHON, JsonWriter
from toon.wording import JSON_NAMES

_IS_DENSE: Final = bytes(byte not in b" \t\n\r" for byte in range(256))


class JsonFormat(Format):
    """JSON as a format, written by one of three writers: indented, Python's default or minified."""

    lossless = True
    public = True
    tested = True
    about = "What every program writes and every model knows."
    media_type = "application/json"
    explanation = "The data is JSON."
    stock_reader = "Python's json"

    def __init__(self, name: str, writer: JsonWriter) -> None:
        self.name, self.label, self.writer = name, JSON_NAMES[name], writer

    def dumps(self, value: Any) -> str:
        return self.writer.dumps(value)

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        return parse_json(text)

    def skim(self, text: str) -> Any:
        return orjson.loads(text)

    def layout(self, text: str) -> Layout:
        return json_layout(text)

    def stock_changes(self, value: Any, text: str) -> str | None:
        if text.startswith("\ufeff"):
            return f"{self.stock_reader} refuses it: it starts with a byte order mark"
        numbers: list[str] = []  # of the text: a typed one has numbers of any form
        if next(find_odd_numbers(value), None) is not None:
            json.loads(text, parse_int=numbers.append, parse_float=numbers.append)
        return describe_changes(self.stock_reader, numbers)


def minify(text: str) -> str:
    """Return a JSON text without the whitespace outside its strings; all else stays as typed."""
    data = text.encode()
    dense = np.frombuffer(data.translate(_IS_DENSE), np.bool_)
    return np.frombuffer(data, np.uint8)[dense | mask_strings(data)].tobytes().decode()


JSON_PRETTY: Final = JsonFormat("json-pretty", PRETTY)
JSON_PYTHON: Final = JsonFormat("json-python", PYTHON)
JSON_COMPACT: Final = JsonFormat("json-compact", COMPACT)
FORMATS: Final = (JSON_PRETTY, JSON_PYTHON, JSON_COMPACT)
