"""Leaving out what says little: nulls, and empty texts, arrays and objects.

Only keys go. An item of an array stays, for the place of those after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toon.advisor.steps.base import Applied, Lossy, Options, plural
from toon.formats.base import NotApplicable


@dataclass(frozen=True, slots=True)
class DropNulls(Lossy):
    """Drops every key whose value is null."""

    name: str = "drop-nulls"
    label: str = "Drop nulls"

    def apply(self, value: Any, options: Options) -> Applied:
        dropped = [0]
        result = _without(value, _is_null, dropped)
        if not dropped[0]:
            raise NotApplicable("no key holds null")
        note = f"{plural(dropped[0], 'key')} with null dropped"
        return Applied(result, note, "whether a key was null or absent")


@dataclass(frozen=True, slots=True)
class DropEmpty(Lossy):
    """Drops every key whose value is empty, or has become so."""

    name: str = "drop-empty"
    label: str = "Drop empty texts, arrays and objects"

    def apply(self, value: Any, options: Options) -> Applied:
        dropped = [0]
        result = _without(value, _is_empty, dropped)
        if not dropped[0]:
            raise NotApplicable("no key holds an empty text, array or object")
        note = f"{plural(dropped[0], 'key')} with nothing in it dropped"
        return Applied(result, note, "whether a text, array or object was empty or absent")


def _is_null(value: Any) -> bool:
    return value is None


def _is_empty(value: Any) -> bool:
    return isinstance(value, str | list | dict) and not value


def _without(value: Any, goes: Callable[[Any], bool], dropped: list[int]) -> Any:
    """A copy without the keys whose values go, from the inside out; counts them."""
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            left = _without(item, goes, dropped)
            if goes(left):
                dropped[0] += 1
            else:
                members[key] = left
        return members
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(_without(item, goes, dropped))
        return items
    return value
