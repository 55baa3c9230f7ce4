"""The step that replaces repeated long values by marks, which a legend explains.

``{"legend":{"@1":"…"},"data":…}``: the legend is sent first. A mark that equals a text of the
payload is not used, so every mark in ``data`` stands for its value. Texts, arrays and objects are
replaced; the legend holds them whole, without marks inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from toon.advisor.steps.base import Applied, SelfContained, StepOptions, replace_texts
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import Tokenizer
from toon.wording import plural

_EXPLANATION: Final = (
    'The payload is in "data". A text such as "@1" there stands for the value that "legend" gives '
    "for it."
)

#: The least length of a value to replace, in characters of compact JSON.
SHORTEST: Final = 10


class Legend(SelfContained):
    """A step that replaces a value by a mark if that saves tokens, the legend's entry included."""

    name = "legend"
    label = "Repeated long values in a legend"

    def apply(self, value: Any, options: StepOptions) -> Applied:
        census = _Census()
        census.add(value)
        free = (mark for number in count(1) if (str, mark := f"@{number}") not in census.nodes)
        marks, replaced = census.marks(free, options.tokenizer)
        if not marks:
            raise NotApplicable("no long value repeats often enough")
        legend = {mark: census.values[node] for node, mark in marks.items()}
        note = f"{plural(len(legend), 'value')} in the legend for {replaced:,} in the data"
        result = {"legend": legend, "data": census.replace(value, marks)}
        return Applied(result, note, legend=legend, explanation=_EXPLANATION)

    def undo(self, applied: Applied) -> Any:
        return replace_texts(applied.value["data"], applied.value["legend"])


@dataclass(slots=True)
class _Census:
    """The distinct values of a payload, numbered, and how often each occurs.

    ``nodes`` maps the type and content of a value to its number; the content of a container is
    its keys and the numbers of its parts. ``by_object`` maps the ``id`` of a container to its
    number; it is valid while the payload exists unchanged.
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
            content: tuple[Any, ...] = (names, *parts)
        else:
            content = (type(value), value)
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
        """Return marks for the values worth one, and the number of occurrences that they replace.

        Longest first: a value inside a replaced one needs no mark of its own.
        """
        compact = JSON_COMPACT.dumps
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
            entry = whole + short + 2  # a colon and a comma
            if times * whole > times * short + entry:
                marks[node] = mark
                replaced += times
                self._discount(node, times)
                mark = next(free)
        return marks, replaced

    def _discount(self, node: int, times: int) -> None:
        """Subtract the parts of a replaced value from the counts."""
        below = list(self.parts[node])
        while below:
            part = below.pop()
            self.counts[part] -= times
            below += self.parts[part]

    def replace(self, value: Any, marks: dict[int, str]) -> Any:
        """Return a copy of the payload with marks in place of the values that have one."""
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
                members[key] = self.replace(item, marks)
            return members
        items = []
        for item in value:
            items.append(self.replace(item, marks))
        return items
