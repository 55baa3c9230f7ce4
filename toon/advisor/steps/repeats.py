"""Steps that write repeated values once: constant columns beside their rows, others in a legend.

``[{"currency":"EUR","n":1},{"currency":"EUR","n":2}]`` becomes
``{"constants":{"currency":"EUR"},"rows":[{"n":1},{"n":2}]}``. If the payload already has the key
``constants``, or that key with underscores after it, the new key has one underscore more than the
longest: the longest such key marks the hoisted lists.

A legend stands first: ``{"legend":{"@1":"…"},"data":…}``. A mark that equals a text of the payload
is not used, so every mark in ``data`` stands for its value. Texts, arrays and objects are replaced;
the legend holds them whole, without marks inside.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from toon import tokenizers
from toon.advisor.steps.base import Applied, Step, StepOptions, rebuild, replace_texts
from toon.costs.document import Document
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import Tokenizer
from toon.values.walks import keys_of, objects
from toon.wording import listed, plural

_KEY: Final = re.compile("constants_*")
#: The least length of a value to replace by a mark, in characters of compact JSON.
_SHORTEST: Final = 10

_compact: Final = JSON_COMPACT.dumps


class HoistConstants(Step):
    """A step that takes fields with the same value in all objects of a list out of the objects, and
    writes them once beside the list.

    A list is left unchanged if its constants take no more tokens than the syntax around them.
    """

    name = "hoist-constants"
    label = "Constant columns written once"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        taken = _longest_key(document.value)
        key = f"{taken}_" if taken else "constants"
        tokens = tokenizers.get(options.tokenizer).count
        around = tokens(_compact({key: {}, "rows": []}))
        hoisted: list[dict[str, Any]] = []

        def hoist(rows: Any) -> Any:
            if not isinstance(rows, list) or len(rows) < 2:
                return rows
            if not all(isinstance(row, dict) and key not in row for row in rows):
                return rows  # an object with the key is a hoisted list
            first, *others = rows
            constants = {
                name: item
                for name, item in first.items()
                if all(name in row and _is_same(item, row[name]) for row in others)
            }
            if not constants or len(others) * tokens(_compact(constants)) <= around:
                return rows
            hoisted.append(constants)
            rest = [{name: row[name] for name in row if name not in constants} for row in rows]
            return {key: constants, "rows": rest}

        result = rebuild(document.value, hoist)
        if not hoisted:
            raise NotApplicable("no list has a constant column that is worth moving")
        names = dict.fromkeys(name for constants in hoisted for name in constants)
        legend = [item[key] for item in objects(result) if key in item]
        inside = {id(part) for shape in legend for part in objects(shape) if part is not shape}
        return Applied(
            result,
            f"in {plural(len(hoisted), 'list')}, written once: {listed(names)}",
            legend=[shape for shape in legend if id(shape) not in inside],
            explanation=f'An object with "{key}" and "rows" stands for the list of its rows; each '
            f'row also has the fields in "{key}".',
        )

    def undo(self, applied: Applied) -> Any:
        key = _longest_key(applied.value)

        def lower(item: Any) -> Any:
            is_hoisted = isinstance(item, dict) and key in item
            return [item[key] | row for row in item["rows"]] if is_hoisted else item

        return rebuild(applied.value, lower)


def _longest_key(value: Any) -> str:
    """Return the longest key ``constants`` (underscores may follow) in a JSON value, or ""."""
    return max(filter(_KEY.fullmatch, keys_of(value)), key=len, default="")


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON; Python's ``==`` takes 1 for true inside them."""
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, dict | list) or _compact(one) == _compact(other)


class Legend(Step):
    """A step that writes repeated values once, in a legend, and puts short marks such as ``@1`` in
    their places, if that saves tokens in all.
    """

    name = "legend"
    label = "Repeated long values in a legend"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        census = _Census()
        census.add(document.value)
        free = (mark for number in count(1) if (str, mark := f"@{number}") not in census.nodes)
        marks, replaced = census.marks(free, tokenizers.get(options.tokenizer))
        if not marks:
            raise NotApplicable("no long value repeats often enough")
        legend = {mark: census.values[node] for node, mark in marks.items()}
        return Applied(
            {"legend": legend, "data": census.replace(document.value, marks)},
            f"{plural(len(legend), 'value')} in the legend for {replaced:,} in the data",
            legend=legend,
            explanation='The payload is in "data". A text such as "@1" there stands for the value '
            'that "legend" gives for it.',
        )

    def undo(self, applied: Applied) -> Any:
        return replace_texts(applied.value["data"], applied.value["legend"])


@dataclass(slots=True)
class _Census:
    """The distinct values in a payload, numbered, and how often each occurs.

    ``nodes`` maps the type and content of a value to its number; the content of a container is its
    keys and the numbers of its parts. ``by_object`` maps the ``id`` of a container to its number;
    it is valid while the payload exists unchanged.
    """

    nodes: dict[tuple[Any, ...], int] = field(default_factory=dict)
    by_object: dict[int, int] = field(default_factory=dict)
    values: list[Any] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)

    def add(self, value: Any) -> int:
        """Count a JSON value and all values in it; return the number that stands for it."""
        parts: list[int] = []
        content: tuple[Any, ...] = (type(value), value)
        if isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                parts.append(self.add(item))
            content = (tuple(value) if isinstance(value, dict) else None, *parts)
        node = self.nodes.setdefault(content, len(self.values))
        if node == len(self.values):
            self.values.append(value)
            self.counts.append(0)
            self.parts.append(parts)
        self.counts[node] += 1
        if parts:
            self.by_object[id(value)] = node
        return node

    def marks(self, free: Iterator[str], tokenizer: Tokenizer) -> tuple[dict[int, str], int]:
        """Choose the values that a legend makes shorter; return a dict from their numbers to marks,
        taken from ``free``, and how many occurrences they replace.

        Longest first: a value inside a replaced one needs no mark of its own, so the parts of a
        replaced value are taken off the counts.
        """
        repeated = [
            (_compact(self.values[node]), node)
            for node, times in enumerate(self.counts)
            if times > 1 and (self.parts[node] or isinstance(self.values[node], str))
        ]
        marks: dict[int, str] = {}
        replaced = 0
        mark = next(free)
        for text, node in sorted(repeated, key=lambda pair: -len(pair[0])):
            times = self.counts[node]
            if len(text) < _SHORTEST or times < 2:
                continue
            whole, short = tokenizer.count(text), tokenizer.count(f'"{mark}"')
            entry = whole + short + 2  # a colon and a comma
            if times * whole > times * short + entry:
                marks[node] = mark
                replaced += times
                mark = next(free)
                below = list(self.parts[node])
                while below:
                    part = below.pop()
                    self.counts[part] -= times
                    below += self.parts[part]
        return marks, replaced

    def replace(self, value: Any, marks: dict[int, str]) -> Any:
        """Copy a payload with marks in place of the values whose numbers have one in ``marks``."""
        if isinstance(value, str):
            return marks.get(self.nodes[str, value], value)
        if not isinstance(value, dict | list) or not value:
            return value
        if mark := marks.get(self.by_object[id(value)]):
            return mark
        if isinstance(value, dict):
            members = {}
            for key, item in value.items():
                members[key] = self.replace(item, marks)
            return members
        items = []
        for item in value:
            items.append(self.replace(item, marks))
        return items
