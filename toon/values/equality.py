"""The differences between two JSON values (SPEC 4.4 §2, JSON-model equality)."""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson

from toon.wording import plural


@dataclass(slots=True)
class Differences:
    """The number of places where a JSON value and a copy of it differ, by kind of difference."""

    types: int = 0
    values: int = 0
    missing: int = 0
    added: int = 0
    reordered: int = 0

    @property
    def same(self) -> bool:
        """Whether two JSON values differ at most in the order of keys (RFC 8259 §4: unordered)."""
        return not (self.types or self.values or self.missing or self.added)

    def __str__(self) -> str:
        """Describe the differences, as in ``types of 3 values, 1 key or item missing``."""
        types = "type" if self.types == 1 else "types"
        counts = [
            (self.types, f"{types} of {plural(self.types, 'value')}"),
            (self.values, f"{plural(self.values, 'value')} changed"),
            (self.missing, f"{plural(self.missing, 'key or item', 'keys or items')} missing"),
            (self.added, f"{plural(self.added, 'key or item', 'keys or items')} added"),
            (self.reordered, f"key order of {plural(self.reordered, 'object')}"),
        ]
        return ", ".join(text for count, text in counts if count) or "nothing"


def differences(original: Any, returned: Any) -> Differences:
    """Count by kind how two JSON values differ; numbers compare by mathematical value."""
    counts = Differences()
    try:  # orjson writes most equal values alike, in one call
        is_same = (data := dump_bytes(original)) is not None and data == orjson.dumps(returned)
    except (TypeError, ValueError):
        is_same = False
    if not is_same:
        _compare(original, returned, counts)
    return counts


def is_same_leaf(one: Any, other: Any) -> bool:
    """Return whether two scalars or empty containers are equal, numbers by mathematical value."""
    return _kind(one) == _kind(other) and _are_equal(one, other)


def _are_equal(one: Any, other: Any) -> bool:
    # Of a float the Decimal is that of its shortest text.
    written = [Decimal(repr(x)) if isinstance(x, float) else x for x in (one, other)]
    return bool(one == other or written[0] == written[1])


def dump_bytes(value: Any) -> bytes | None:
    """Return a JSON value as bytes of JSON by orjson; None if orjson cannot write all of it."""
    try:
        data = orjson.dumps(value)
        if b"null" in data:  # it writes infinity so, which Python's writer can refuse
            json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):  # a Decimal, an integer past 64 bits, very deep nesting
        return None
    return data


def _compare(original: Any, returned: Any, counts: Differences) -> None:
    """Add the differences between a JSON value and its copy to ``counts``.

    An array and an object around one array differ by a key; their items are compared.
    """
    kind, other = _kind(original), _kind(returned)
    if kind == "object" and other == "array" and _is_wrapper(original):
        counts.missing += 1
        _compare(next(iter(original.values())), returned, counts)
    elif kind == "array" and other == "object" and _is_wrapper(returned):
        counts.added += 1
        _compare(original, next(iter(returned.values())), counts)
    elif kind != other:
        counts.types += 1
    elif kind == "object":
        common = [key for key in original if key in returned]
        counts.missing += len(original) - len(common)
        counts.added += len(returned) - len(common)
        counts.reordered += common != [key for key in returned if key in original]
        for key in common:
            _compare(original[key], returned[key], counts)
    elif kind == "array":
        counts.missing += max(0, len(original) - len(returned))
        counts.added += max(0, len(returned) - len(original))
        for one, other in zip(original, returned, strict=False):
            _compare(one, other, counts)
    elif not _are_equal(original, returned):
        counts.values += 1


def _is_wrapper(value: dict[str, Any]) -> bool:
    return len(value) == 1 and all(isinstance(item, list) for item in value.values())


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "literal" if value is None else "boolean"
    if isinstance(value, int | float | Decimal):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"
