"""Are two values the same JSON? And if not, what differs (SPEC 4.4 §2, JSON-model equality)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import orjson


@dataclass(slots=True)
class Differences:
    """How many places differ between a value and what came back, by sort; 0 everywhere = same."""

    types: int = 0
    values: int = 0
    missing: int = 0
    added: int = 0
    reordered: int = 0

    @property
    def same(self) -> bool:
        """True if nothing but the order of keys differs: JSON objects have none (RFC 8259 §4)."""
        return not (self.types or self.values or self.missing or self.added)

    def __str__(self) -> str:
        """Names what was lost, as in ``types of 3 values, 1 key missing``."""
        parts = [
            _plural(self.types, "type of {} value", "types of {} values"),
            _plural(self.values, "{} value changed", "{} values changed"),
            _plural(self.missing, "{} key or item missing", "{} keys or items missing"),
            _plural(self.added, "{} key or item added", "{} keys or items added"),
            _plural(self.reordered, "key order of {} object", "key order of {} objects"),
        ]
        return ", ".join(part for part in parts if part) or "nothing"


def _plural(count: int, one: str, many: str) -> str:
    return (one if count == 1 else many).format(f"{count:,}") if count else ""


def differences(original: Any, returned: Any) -> Differences:
    """Compares two plain values; numbers by mathematical value, objects key by key."""
    found = Differences()
    if not _same_bytes(original, returned):
        _compare(original, returned, found)
    return found


def _same_bytes(original: Any, returned: Any) -> bool:
    """True if both surely are the same: the common case, decided in one pass of C."""
    try:
        return orjson.dumps(original) == orjson.dumps(returned)
    except (TypeError, ValueError):  # a Decimal, an integer past 64 bits, very deep nesting
        return False


def _compare(original: Any, returned: Any, found: Differences) -> None:
    kind = _kind(original)
    if kind != _kind(returned):
        _compare_kinds(original, returned, found)
    elif kind == "object":
        _compare_objects(original, returned, found)
    elif kind == "array":
        found.missing += max(0, len(original) - len(returned))
        found.added += max(0, len(returned) - len(original))
        for one, other in zip(original, returned, strict=False):
            _compare(one, other, found)
    elif original != returned and _as_written(original) != _as_written(returned):
        found.values += 1


def _compare_kinds(original: Any, returned: Any, found: Differences) -> None:
    """Values of two kinds; an array that lost or gained one key around it is still compared."""
    if isinstance(original, dict) and isinstance(returned, list) and _is_wrapper(original):
        found.missing += 1
        (rows,) = original.values()
        _compare(rows, returned, found)
    elif isinstance(original, list) and isinstance(returned, dict) and _is_wrapper(returned):
        found.added += 1
        (rows,) = returned.values()
        _compare(original, rows, found)
    else:
        found.types += 1


def _is_wrapper(value: dict[str, Any]) -> bool:
    return len(value) == 1 and all(isinstance(item, list) for item in value.values())


def _compare_objects(original: Any, returned: Any, found: Differences) -> None:
    common = [key for key in original if key in returned]
    found.missing += len(original) - len(common)
    found.added += len(returned) - len(common)
    found.reordered += common != [key for key in returned if key in original]
    for key in common:
        _compare(original[key], returned[key], found)


def _as_written(value: Any) -> Any:
    """A float as the decimal it is written as, to be compared with a Decimal that was read."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "literal" if value is None else "boolean"
    if isinstance(value, int | float | Decimal):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"
