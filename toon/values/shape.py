"""The shape of a value: how much of it forms tables, and how often keys repeat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from toon.wording import percent, plural

_NESTED: Final = (dict, list)


@dataclass(slots=True)
class Shape:
    """Counts over a whole value.

    ``in_tables`` counts the scalars inside arrays or objects that TOON writes as tables. ``keys``
    counts a key every time it occurs in the value, ``distinct_keys`` each key once. ``depth`` is
    the number of nested objects and arrays. ``rows`` is the length of the longest table.
    """

    scalars: int = 0
    in_tables: int = 0
    keys: int = 0
    distinct_keys: int = 0
    depth: int = 0
    rows: int = 0

    @property
    def table_share(self) -> float:
        """The share of scalars inside tables, 0 to 1."""
        return self.in_tables / self.scalars if self.scalars else 0.0

    @property
    def repeated_keys(self) -> float:
        """The share of keys that repeat an earlier one, 0 to 1."""
        return 1 - self.distinct_keys / self.keys if self.keys else 0.0

    @property
    def name(self) -> str:
        """What a payload of this shape is called, in two or three words."""
        if self.depth < 2:
            return "flat"
        if self.table_share >= 0.5:
            return "table" if self.table_share >= 0.9 else "partly a table"
        if self.keys < self.scalars / 4:
            return "bare lists"
        return "uneven records" if self.repeated_keys >= 0.5 else "nested objects"

    def __str__(self) -> str:
        return (
            f"{percent(self.table_share)} of the values are in tables, "
            f"{percent(self.repeated_keys)} of the keys are repeats, "
            f"{plural(self.depth, 'level')} deep"
        )


def shape_of(value: Any) -> Shape:
    shape = Shape()
    names: list[str] = []
    _walk(value, 0, False, shape, names)
    shape.keys, shape.distinct_keys = len(names), len(set(names))
    return shape


def _walk(value: Any, depth: int, in_table: bool, shape: Shape, names: list[str]) -> None:
    if not isinstance(value, _NESTED):
        shape.scalars += 1
        return
    shape.depth = max(shape.depth, depth + 1)
    members = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, dict):
        names += value
    nested = [member for member in members if isinstance(member, _NESTED)]
    scalars = len(members) - len(nested)
    table = in_table or (
        not scalars and is_table(members, at_least=1 if isinstance(value, list) else 2)
    )
    if table and not in_table:
        shape.rows = max(shape.rows, len(members))
    shape.scalars += scalars
    shape.in_tables += scalars * table
    for member in nested:
        _walk(member, depth + 1, table, shape, names)


def is_table(rows: list[Any], at_least: int = 1) -> bool:
    """Return whether TOON writes ``rows``, at least ``at_least``, as a table (SPEC 4.4 §9.3).

    They are uniform: all have the same keys, and each column holds only scalars or only uniform
    objects.
    """
    if len(rows) < at_least or not all(isinstance(row, dict) and row for row in rows):
        return False
    first = rows[0].keys()
    if any(row.keys() != first for row in rows):
        return False
    kinds = set(map(type, chain.from_iterable(map(dict.values, rows))))
    if not any(issubclass(kind, _NESTED) for kind in kinds):
        return True
    columns = ([row[name] for row in rows] for name in first)
    return all(
        is_table(column) or not any(isinstance(value, _NESTED) for value in column)
        for column in columns
    )
