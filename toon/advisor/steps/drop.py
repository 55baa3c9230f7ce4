"""Dropping keys that say little: those with null, or with an empty text, array or object.

The items of arrays stay, even null ones: without them the later items would change places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toon.advisor.steps.base import Applied, Lossy, StepOptions, rebuild
from toon.formats.base import NotApplicable
from toon.wording import plural


@dataclass(frozen=True, slots=True)
class DropNulls(Lossy):
    """Drops every key whose value is null."""

    name: str = "drop-nulls"
    label: str = "Drop nulls"
    unanswerable: str = "whether a field was null or absent"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        result, dropped = _without(value, lambda item: item is None)
        if not dropped:
            raise NotApplicable("no key holds null")
        note = f"{plural(dropped, 'key')} with null dropped"
        return Applied(result, note, "whether a key was null or absent")


@dataclass(frozen=True, slots=True)
class DropEmpty(Lossy):
    """Drops every key whose value is empty, also if other drops have emptied it."""

    name: str = "drop-empty"
    label: str = "Drop empty texts, arrays and objects"
    unanswerable: str = "whether a text, array or object was empty or absent"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        result, dropped = _without(
            value, lambda item: isinstance(item, str | list | dict) and not item
        )
        if not dropped:
            raise NotApplicable("no key holds an empty text, array or object")
        note = f"{plural(dropped, 'key')} with an empty value dropped"
        return Applied(result, note, "whether a text, array or object was empty or absent")


def _without(value: Any, drops: Callable[[Any], bool]) -> tuple[Any, int]:
    """A copy without the keys whose values ``drops`` selects, and how many keys that were."""
    dropped = 0

    def change(item: Any) -> Any:
        nonlocal dropped
        if not isinstance(item, dict):
            return item
        members = {key: member for key, member in item.items() if not drops(member)}
        dropped += len(item) - len(members)
        return members

    return rebuild(value, change), dropped
