"""The parts of a pattern, and the text that each gives for a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from toon.compact.context import Context
from toon.compact.inline import one_line
from toon.compact.templates.formatters import Args, Formatter, check_size, joined, text_of
from toon.values.paths import Step

#: Steps: a key, a place in a list (negative from its end), or None for every place.
Path: TypeAlias = tuple[Step, ...]


def values_at(record: Any, path: Path) -> list[Any]:
    """Return all values at ``path``, nulls too; [] if the path leads nowhere."""
    values = [record]
    for step in path:
        if step is None:
            values = [item for value in values if isinstance(value, list) for item in value]
        elif isinstance(step, str):
            values = [v[step] for v in values if isinstance(v, dict) and step in v]
        else:
            lists = (value for value in values if isinstance(value, list))
            values = [items[step] for items in lists if -len(items) <= step < len(items)]
    return values


def value_at(record: Any, path: Path) -> Any:
    """Return the value at ``path`` or None; for a path with ``[]``, the list of its values."""
    if len(path) == 1 and isinstance(path[0], str):  # most paths
        return record.get(path[0]) if isinstance(record, dict) else None
    values = values_at(record, path)
    if None in path:
        return [value for value in values if value is not None] or None
    return values[0] if values else None


@dataclass(frozen=True, slots=True)
class Value:
    """A path, and the formatters for its value, each with its arguments."""

    path: Path
    calls: tuple[tuple[Formatter, Args], ...]

    @property
    def named(self) -> list[Path]:
        """The paths of the other fields of the record that its formatters read."""
        return [(str(args[0]),) for formatter, args in self.calls if formatter.names_field]

    def of(self, record: Any, context: Context) -> Any:
        value = value_at(record, self.path)
        for formatter, args in self.calls:
            if value is None:
                break
            value = formatter.apply(value, args, context)
        return value


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a pattern: the first of its values that has a text, or else ``otherwise``."""

    values: tuple[Value, ...]
    otherwise: str

    def text(self, record: Any, context: Context) -> str:
        texts = (text_of(value.of(record, context)) for value in self.values)
        return next(filter(None, texts), self.otherwise)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: one of its values is true (``wanted``), or none is (not ``wanted``)."""

    values: tuple[Value, ...]
    wanted: bool

    def holds(self, record: Any, context: Context) -> bool:
        return self.wanted == any(_is_true(value.of(record, context)) for value in self.values)


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern in ``< >`` that is left out if a field or condition in it fails."""

    nodes: Nodes

    def text(self, record: Any, context: Context) -> str:
        """Write the part; "" if it is left out."""
        texts, size, shows = [], 0, False
        for node in self.nodes:
            text = write_node(node, record, context)
            if text is None or (text == "" and isinstance(node, Field)):
                return ""
            shows |= not isinstance(node, str) and (text != "" or isinstance(node, Condition))
            texts.append(text)
            size += len(text)
            check_size(size)
        return "".join(texts) if shows else ""


Node: TypeAlias = str | Field | Condition | Part
Nodes: TypeAlias = tuple[Node, ...]


def write_node(node: Node, record: Any, context: Context) -> str | None:
    """Write a node; return None for a condition that does not hold."""
    if isinstance(node, str):
        return node
    if isinstance(node, Condition):
        return "" if node.holds(record, context) else None
    return node.text(record, context)


def write_nodes(nodes: Nodes, record: Any, context: Context, most: int) -> str:
    """Write a pattern on a single line, whatever ``record`` holds.

    Raises:
        QueryError: It has more than ``most`` characters, what is left of the limit.
    """
    context.record = record
    texts = (write_node(node, record, context) or "" for node in nodes)
    return one_line(joined(texts, most=most))


def fields_in(nodes: Nodes) -> Iterator[Field | Condition]:
    """Yield all fields and conditions, in the order they are written."""
    for node in nodes:
        if isinstance(node, Part):
            yield from fields_in(node.nodes)
        elif not isinstance(node, str):
            yield node


def values_in(nodes: Nodes) -> Iterator[Value]:
    """Return all values of the fields and conditions, in order."""
    return (value for part in fields_in(nodes) for value in part.values)


def _is_true(value: Any) -> bool:
    if isinstance(value, str):
        return one_line(value) != ""
    return isinstance(value, bool | int | float | Decimal | list | dict) and bool(value)
