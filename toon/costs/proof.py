"""Proof of a round trip: whether the value at hand comes back from a text."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from toon.formats.base import Format, OneWay
from toon.values.equality import differences, written
from toon.values.json_writing import ecmascript


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a round trip.

    ``difference`` says in words what differs, also where only the order of keys does; it is None
    where nothing does.
    """

    ok: bool
    difference: str | None = None


def compare_values(value: Any, returned: Any) -> Proof:
    """Return whether ``returned`` is ``value``; the order of keys may differ."""
    found = differences(value, returned)
    return Proof(found.same, None if found.same and not found.reordered else str(found))


class Prover:
    """A prover of texts of one value, which reads each back with our own reader."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def prove(self, format: Format, text: str) -> Proof:
        """Whether the value comes back from ``text``, which ``format`` wrote of it."""
        with suppress(ValueError, TypeError, RecursionError):  # or no text of this format
            if self._is_surely(format.skim(text)):
                return Proof(True)
        try:
            returned = format.loads(text)
        except OneWay as reason:
            return Proof(False, str(reason))
        except ValueError as error:
            return Proof(False, f"it cannot be read back: {error}")
        return Proof(True) if self._is_surely(returned) else compare_values(self.value, returned)

    @cached_property
    def _fast(self) -> bytes | None:
        return written(self.value)

    @cached_property
    def _canonical(self) -> bytes:
        """The value as JSON with numbers as ECMAScript writes them, so 1.0 is 1."""
        return ecmascript(self._fast or b"")

    def _is_surely(self, returned: Any) -> bool:
        """Return whether orjson writes ``returned`` like the value, keys in the same order."""
        if self._fast is None:
            return False
        try:
            data = orjson.dumps(returned)
            # The second test is slower, and seldom needed.
            return data == self._fast or ecmascript(data) == self._canonical
        except (TypeError, ValueError):  # no value of JSON's types, or nested too deep for orjson
            return False


def prove(format: Format, value: Any, text: str) -> Proof:
    """Return whether ``value`` comes back from ``text``, which ``format`` made from it."""
    return Prover(value).prove(format, text)


def lost_of(format: Format, value: Any, text: str) -> list[str]:
    """Return what ``text`` lost of ``value``: as the format declares, and as a round trip shows."""
    declared = format.losses(value)
    proof = prove(format, value, text)
    return declared if proof.ok else [*declared, f"reading it back: {proof.difference}"]
