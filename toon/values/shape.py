"""How much of a JSON value forms tables, and how often its keys repeat."""

from itertools import chain
from typing import Any

from toon.values.walks import HOLDERS
from toon.wording import percent, plural


def shape_words(value: Any) -> str:
    """Say how much of a JSON value is in tables, how many keys are repeats, and how deep it is.

    A table is an array or an object that TOON writes as one. A key counts every time it occurs.
    """
    scalars = in_tables = deepest = 0
    keys: list[str] = []
    stack: list[tuple[Any, int, bool]] = [([value], 0, False)]
    while stack:
        container, depth, in_table = stack.pop()
        deepest = max(deepest, depth)
        members = container
        if isinstance(container, dict):
            keys += container
            members = list(container.values())
        nested = [member for member in members if isinstance(member, HOLDERS)]
        if depth and len(nested) == len(members):
            in_table = in_table or is_table(members, at_least=1 if members is container else 2)
        scalars += len(members) - len(nested)
        in_tables += (len(members) - len(nested)) * in_table
        stack += [(member, depth + 1, in_table) for member in nested]
    repeated = 1 - len(set(keys)) / len(keys) if keys else 0.0
    return (
        f"{percent(in_tables / scalars if scalars else 0.0)} of the values are in tables, "
        f"{percent(repeated)} of the keys are repeats, {plural(deepest, 'level')} deep"
    )


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
    if not any(issubclass(kind, HOLDERS) for kind in kinds):
        return True
    columns = ([row[name] for row in rows] for name in first)
    return all(
        is_table(column) or not any(isinstance(value, HOLDERS) for value in column)
        for column in columns
    )
