"""The step that writes columns with one value in all rows once, beside the rows.

``[{"currency":"EUR","n":1},{"currency":"EUR","n":2}]`` becomes
``{"constants":{"currency":"EUR"},"rows":[{"n":1},{"n":2}]}``. If the payload already has the key
``constants``, or that key with underscores after it, the new key has one underscore more than the
longest: the longest such key marks the hoisted lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.advisor.steps.base import Applied, SelfContained, StepOptions, rebuild
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import Tokenizer
from toon.values.walks import keys_of
from toon.wording import listed, plural

_KEY: Final = re.compile("constants_*")


class HoistConstants(SelfContained):
    """A step that moves constant columns out of their rows.

    A list is left unchanged if its constants take no more tokens than the syntax around them.
    """

    name = "hoist-constants"
    label = "Constant columns written once"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        taken = _longest_key(value)
        key = f"{taken}_" if taken else "constants"
        hoister = _Hoister(key, options.tokenizer)
        result = rebuild(value, hoister.hoist)
        if not hoister.lists:
            raise NotApplicable("no list has a constant column that is worth moving")
        note = f"in {plural(hoister.lists, 'list')}, written once: {listed(hoister.names)}"
        legend = list(_written_constants(result, key))
        explanation = (
            f'An object with "{key}" and "rows" stands for the list of its rows; each row also has '
            f'the fields in "{key}".'
        )
        return Applied(result, note, legend=legend, explanation=explanation)

    def undo(self, applied: Applied) -> Any:
        key = _longest_key(applied.value)

        def lower(item: Any) -> Any:
            is_hoisted = isinstance(item, dict) and key in item
            return [item[key] | row for row in item["rows"]] if is_hoisted else item

        return rebuild(applied.value, lower)


def _longest_key(value: Any) -> str:
    """Return the longest key of the form ``constants___``; "" if there is none."""
    return max(filter(_KEY.fullmatch, keys_of(value)), key=len, default="")


@dataclass(slots=True)
class _Hoister:
    """The work of hoisting lists: their number, and the ``names`` of their constant columns."""

    key: str
    tokenizer: Tokenizer
    lists: int = 0
    names: dict[str, None] = field(default_factory=dict)

    def hoist(self, rows: Any) -> Any:
        """Move a list's constant columns beside its rows; return any other value unchanged."""
        if not isinstance(rows, list):
            return rows
        if not all(isinstance(row, dict) and self.key not in row for row in rows):
            return rows  # an object with the key is a hoisted list
        constants = _constants(rows)
        if not constants or not self._pays(constants, len(rows)):
            return rows
        self.lists += 1
        self.names |= dict.fromkeys(constants)
        rest = [{key: item for key, item in row.items() if key not in constants} for row in rows]
        return {self.key: constants, "rows": rest}

    def _pays(self, constants: dict[str, Any], rows: int) -> bool:
        compact, count = JSON_COMPACT.dumps, self.tokenizer.count
        around = count(compact({self.key: {}, "rows": []}))
        return (rows - 1) * count(compact(constants)) > around


def _constants(rows: list[Any]) -> dict[str, Any]:
    """Return the columns that every row has, with the same value in all rows."""
    if len(rows) < 2:
        return {}
    first, *others = rows
    return {
        key: item
        for key, item in first.items()
        if all(key in row and _same(item, row[key]) for row in others)
    }


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON."""
    if type(one) is not type(other) or one != other:
        return False
    if not isinstance(one, dict | list):
        return True
    compact = JSON_COMPACT.dumps  # to Python, 1 equals true inside containers
    return compact(one) == compact(other)


def _written_constants(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Yield the constants of hoisted lists in the order written, without lists inside constants."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if key in item:
                yield item[key]
            stack += [member for name, member in reversed(item.items()) if name != key]
        elif isinstance(item, list):
            stack += reversed(item)
