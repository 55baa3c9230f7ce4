"""The text as typed, which is sent today."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import orjson

from toon.formats.base import Format
from toon.formats.json import JSON_PRETTY, minified
from toon.values.json_text import parse_json

_write_ascii: Final = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Typed:
    """A text as typed, logged or received, and the ``format`` that reads it."""

    text: str
    format: Format = JSON_PRETTY

    @cached_property
    def stripped(self) -> str:
        """Return JSON without its whitespace."""
        return minified(self.text)

    def read_json(self) -> Any:
        """Return the value of JSON, by the faster reader where the result is surely the same.

        Raises:
            ValueError: The text is not JSON, or has no UTF-8 form.
        """
        try:
            value = orjson.loads(self.text)
            # If a writer gives the same text, the reader lost nothing: no name stands twice,
            # no digit is lost. Minus zero comes back as well, but is 0 for us.
            if "-0.0" not in self.text and (
                orjson.dumps(value) == self.stripped.encode()
                or ("\\u" in self.text and _write_ascii(value) == self.stripped)
            ):
                return value
        except (TypeError, ValueError):  # not JSON, or deep nesting
            pass
        return parse_json(self.text).value
