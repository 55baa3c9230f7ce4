"""Long values that come again, replaced by marks that a legend explains.

``{"legend":{"@1":"…"},"data":…}``: the legend is sent, and stands first. A mark that equals a text
of the payload is passed over, so every mark in ``data`` is one. Values are texts, and arrays and
objects as they are written; those in the legend are whole, without marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from toon.advisor.steps.base import Applied, Kind, Options, plural
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.tokenizers import Tokenizer
from toon.values.paths import mapped, scalars

#: Characters of compact JSON from which a value is worth a look.
SHORTEST: Final = 10


@dataclass(frozen=True, slots=True)
class Legend:
    """Replaces a value by a mark wherever that takes fewer tokens, the legend's line included."""

    name: str = "legend"
    label: str = "Repeated long values in a legend"
    kind: Kind = "reversible"

    def apply(self, value: Any, options: Options) -> Applied:
        census = _Census()
        census.add(value)
        texts = {item for _, item in scalars(value) if isinstance(item, str)}
        free = (mark for number in count(1) if (mark := f"@{number}") not in texts)
        marks, replaced = census.marks(free, options.tokenizer)
        if not marks:
            raise NotApplicable("no long value comes often enough")
        legend = {mark: census.values[node] for node, mark in marks.items()}
        note = f"{plural(len(legend), 'value')} in the legend, in place of {replaced:,} in the data"
        result = {"legend": legend, "data": census.marked(value, marks)}
        return Applied(result, note, legend=legend)

    def undo(self, applied: Applied) -> Any:
        legend = applied.value["legend"]
        return mapped(
            applied.value["data"],
            lambda _, item: legend.get(item, item) if isinstance(item, str) else item,
        )


@dataclass(slots=True)
class _Census:
    """Every different value of a payload as a number, with how often it comes.

    ``nodes`` finds a value's number: by what it is made of, containers by their parts' numbers.
    ``by_object`` finds a container's again; it holds while the payload is not changed.
    """

    nodes: dict[tuple[Any, ...], int] = field(default_factory=dict)
    by_object: dict[int, int] = field(default_factory=dict)
    values: list[Any] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)

    def add(self, value: Any) -> int:
        parts: list[int] = []
        if isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                parts.append(self.add(item))
            names = tuple(value) if isinstance(value, dict) else None
            made_of: tuple[Any, ...] = (names, *parts)
        else:
            made_of = (type(value), value)
        node = self.nodes.setdefault(made_of, len(self.values))
        if node == len(self.values):
            self.values.append(value)
            self.counts.append(0)
            self.parts.append(parts)
        self.counts[node] += 1
        if parts:
            self.by_object[id(value)] = node
        return node

    def marks(self, free: Iterator[str], tokenizer: Tokenizer) -> tuple[dict[int, str], int]:
        """A mark for every value that is worth one, and how many values they replace.

        Long ones first: within a replaced value nothing else is left to replace.
        """
        compact = FORMATS["json-compact"].dumps
        repeated = [
            (compact(self.values[node]), node)
            for node, times in enumerate(self.counts)
            if times > 1 and (self.parts[node] or isinstance(self.values[node], str))
        ]
        marks: dict[int, str] = {}
        replaced = 0
        mark = next(free)
        for text, node in sorted(repeated, key=lambda pair: -len(pair[0])):
            times = self.counts[node]
            if len(text) < SHORTEST or times < 2:
                continue
            whole, short = tokenizer.count(text), tokenizer.count(f'"{mark}"')
            line = whole + short + 2  # a colon and a comma
            if times * whole > times * short + line:
                marks[node] = mark
                replaced += times
                self._take(node, times)
                mark = next(free)
        return marks, replaced

    def _take(self, node: int, times: int) -> None:
        """Counts what stands within replaced values no longer."""
        below = list(self.parts[node])
        while below:
            part = below.pop()
            self.counts[part] -= times
            below += self.parts[part]

    def marked(self, value: Any, marks: dict[int, str]) -> Any:
        """The payload with marks in place of what has one."""
        if isinstance(value, str):
            return marks.get(self.nodes[str, value], value)
        if not isinstance(value, dict | list) or not value:
            return value
        mark = marks.get(self.by_object[id(value)])
        if mark is not None:
            return mark
        if isinstance(value, dict):
            members = {}
            for key, item in value.items():
                members[key] = self.marked(item, marks)
            return members
        items = []
        for item in value:
            items.append(self.marked(item, marks))
        return items
