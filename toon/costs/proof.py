"""Does it come back? The one proof of a round trip, on the value at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from toon.formats.base import Format, OneWay
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.values.equality import differences


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a value came back.

    ``difference`` says in words what differs, also where only the order of keys does; it is None
    where nothing does.
    """

    ok: bool
    difference: str | None = None


def compare_values(value: Any, returned: Any) -> Proof:
    """Whether ``returned`` is ``value``; the order of keys may differ."""
    found = differences(value, returned)
    return Proof(found.same, None if found.same and not found.reordered else str(found))


class Prover:
    """Proves texts of one value, each by reading it back with our own reader."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def prove(self, format: Format, text: str) -> Proof:
        """Whether the value comes back from ``text``, which ``format`` wrote of it."""
        if isinstance(format, JsonFormat) and self._is_surely(text):
            return Proof(True)
        try:
            return compare_values(self.value, format.loads(text))
        except OneWay as reason:
            return Proof(False, str(reason))
        except ValueError as error:
            return Proof(False, f"it cannot be read back: {error}")

    @cached_property
    def _fast(self) -> str | None:
        """The value as compact JSON; None if orjson cannot write it without loss."""
        try:
            return JSON_COMPACT.fast(self.value)
        except (TypeError, ValueError):  # a Decimal, an integer past 64 bits, deep nesting
            return None

    def _is_surely(self, text: str) -> bool:
        """True if orjson reads JSON ``text`` as the value; False where it cannot tell."""
        if self._fast is None:
            return False
        try:
            return JSON_COMPACT.fast(orjson.loads(text)) == self._fast
        except ValueError:
            return False


def prove(format: Format, value: Any, text: str) -> Proof:
    """Whether ``value`` comes back from ``text``, which ``format`` wrote of it."""
    return Prover(value).prove(format, text)
