"""Columns with one value in all rows, written once beside the rows.

``[{"currency":"EUR","n":1},{"currency":"EUR","n":2}]`` becomes
``{"constants":{"currency":"EUR"},"rows":[{"n":1},{"n":2}]}``. The key ``constants`` gets
underscores until no object of the payload has it, so that what holds it was a list, surely.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from toon.advisor.steps.base import Applied, Kind, Options, listed, plural
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.tokenizers import Tokenizer
from toon.values.paths import keys_of


@dataclass(frozen=True, slots=True)
class HoistConstants:
    """Moves constant columns out of their rows; ``kept`` is the key they are under.

    A list is left where its constants take no more tokens than what has to be written around.
    """

    name: str = "hoist-constants"
    label: str = "Constant columns written once"
    kind: Kind = "reversible"

    def apply(self, value: Any, options: Options) -> Applied:
        key = "constants"
        taken = keys_of(value)
        while key in taken:
            key += "_"
        walk = _Walk(key, options.tokenizer)
        result = walk.hoisted(value)
        if not walk.lists:
            raise NotApplicable("no list has a column of one value that is worth moving")
        note = f"{listed(walk.names)} of {plural(walk.lists, 'list')} written once"
        return Applied(result, note, legend=list(_written(result, key)), kept=key)

    def undo(self, applied: Applied) -> Any:
        return _lowered(applied.value, applied.kept)


@dataclass(slots=True)
class _Walk:
    """Counts the lists that it changes, and gathers the ``names`` of their constant columns."""

    key: str
    tokenizer: Tokenizer
    lists: int = 0
    names: dict[str, None] = field(default_factory=dict)

    def hoisted(self, value: Any) -> Any:
        if isinstance(value, dict):
            members = {}
            for key, item in value.items():
                members[key] = self.hoisted(item)
            return members
        if not isinstance(value, list):
            return value
        rows: list[Any] = []
        for item in value:
            rows.append(self.hoisted(item))
        # Not where an item is a list that was just hoisted: it only looks like a row.
        constants = _constants(rows) if all(isinstance(item, dict) for item in value) else {}
        if not constants or not self._pays(constants, len(rows)):
            return rows
        self.lists += 1
        self.names |= dict.fromkeys(constants)
        rest = [{key: item for key, item in row.items() if key not in constants} for row in rows]
        return {self.key: constants, "rows": rest}

    def _pays(self, constants: dict[str, Any], rows: int) -> bool:
        compact, count = FORMATS["json-compact"].dumps, self.tokenizer.count
        around = count(compact({self.key: {}, "rows": []}))
        return (rows - 1) * count(compact(constants)) > around


def _constants(rows: list[Any]) -> dict[str, Any]:
    """The columns that every row has, with the same value in all."""
    if len(rows) < 2:
        return {}
    first, *others = rows
    return {
        key: item
        for key, item in first.items()
        if all(key in row and _same(item, row[key]) for row in others)
    }


def _same(one: Any, other: Any) -> bool:
    """True only if both are the same JSON; of large values that look alike, their text decides."""
    if type(one) is not type(other) or one != other:
        return False
    if not isinstance(one, dict | list):
        return True
    compact = FORMATS["json-compact"].dumps  # Python takes 1 and true for equal, deep inside
    return compact(one) == compact(other)


def _written(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """The constants as they stand in the result; what was hoisted within them is in them."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if key in item:
                yield item[key]
            stack += [member for name, member in reversed(item.items()) if name != key]
        elif isinstance(item, list):
            stack += reversed(item)


def _lowered(value: Any, key: str) -> Any:
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(_lowered(item, key))
        return items
    if not isinstance(value, dict):
        return value
    members = {}
    for name, item in value.items():
        members[name] = _lowered(item, key)
    if key not in members:
        return members
    return [members[key] | row for row in members["rows"]]
