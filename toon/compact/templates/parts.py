"""What a pattern is made of, and the text it gives for a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from toon.compact.lines import Context
from toon.compact.templates.formatters import Args, Formatter, text_of
from toon.compact.templates.paths import Path, value_at
from toon.compact.text import one_line


@dataclass(frozen=True, slots=True)
class Value:
    """A path and the formatters that its value goes through, each with its arguments."""

    path: Path
    calls: tuple[tuple[Formatter, Args], ...]

    def of(self, record: Any, context: Context) -> Any:
        value = value_at(record, self.path)
        for formatter, args in self.calls:
            if value is None:
                break
            value = formatter.apply(value, args, context)
        return value


@dataclass(frozen=True, slots=True)
class Field:
    """The first value with a text, else ``otherwise``."""

    values: tuple[Value, ...]
    otherwise: str

    def text(self, record: Any, context: Context) -> str:
        texts = (text_of(value.of(record, context)) for value in self.values)
        return next(filter(None, texts), self.otherwise)


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether any of the values holds (``wanted``), or none does."""

    values: tuple[Value, ...]
    wanted: bool

    def met(self, record: Any, context: Context) -> bool:
        return self.wanted == any(_holds(value.of(record, context)) for value in self.values)


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern that vanishes when something in it does."""

    nodes: Nodes

    def text(self, record: Any, context: Context) -> str:
        """The text, or "" if the part vanishes."""
        texts, shows = [], False
        for node in self.nodes:
            text = written(node, record, context)
            if text is None or (text == "" and isinstance(node, Field)):
                return ""
            shows |= not isinstance(node, str) and (text != "" or isinstance(node, Condition))
            texts.append(text)
        return "".join(texts) if shows else ""


Node: TypeAlias = str | Field | Condition | Part
Nodes: TypeAlias = tuple[Node, ...]


def written(node: Node, record: Any, context: Context) -> str | None:
    """The text of a node; None for a condition that is not met."""
    if isinstance(node, str):
        return node
    if isinstance(node, Condition):
        return "" if node.met(record, context) else None
    return node.text(record, context)


def rendered(nodes: Nodes, record: Any, context: Context) -> str:
    """The line of a pattern: never more than one, whatever ``record`` holds."""
    return one_line("".join(written(node, record, context) or "" for node in nodes))


def fields_in(nodes: Nodes) -> Iterator[Field | Condition]:
    """Every field and condition, in the order they are written."""
    for node in nodes:
        if isinstance(node, Part):
            yield from fields_in(node.nodes)
        elif not isinstance(node, str):
            yield node


def _holds(value: Any) -> bool:
    if isinstance(value, str):
        return one_line(value) != ""
    return isinstance(value, bool | int | float | Decimal | list | dict) and bool(value)
