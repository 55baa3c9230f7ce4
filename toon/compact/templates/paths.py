"""Paths into a record, made of keys of objects and places in lists."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from toon.compact.templates.scanner import Scanner
from toon.values.paths import pattern_text

#: Steps: a key, a place in a list (negative from its end), or None for every place.
Path: TypeAlias = tuple[str | int | None, ...]

_KEY: Final = re.compile(r'[^.\[\]{}|<>\\"\s]++')
_INDEX: Final = re.compile(r"\[(-?[0-9]{1,6})\]")
_HINT: Final = 'a path looks like customer.email, items[].name, items[0].name or ["a key"].name'


def read_path(scanner: Scanner) -> Path:
    """Reads the path that starts here.

    Raises:
        TemplateError: there is no path.
    """
    path: list[str | int | None] = []
    key = scanner.match(_KEY)
    if key is None and scanner.next != "[":
        raise scanner.error(f"expected a field, found {scanner.next_text()}", _HINT)
    if key is not None and key[0] != "$":
        path.append(key[0])
    while scanner.next and scanner.next in ".[":
        path.append(_step(scanner))
    return tuple(path)


def _step(scanner: Scanner) -> str | int | None:
    if scanner.take("."):
        key = scanner.match(_KEY)
        if key is None:
            raise scanner.error(f"expected a key, found {scanner.next_text()}", _HINT)
        return key[0]
    if scanner.take("[]"):
        return None
    if index := scanner.match(_INDEX):
        return int(index[1])
    scanner.take("[")
    if scanner.next != '"':
        raise scanner.error(
            f"expected ], a number or a quoted key, found {scanner.next_text()}", _HINT
        )
    key_text = scanner.string()
    if not scanner.take("]"):
        raise scanner.error(f"expected ], found {scanner.next_text()}", _HINT)
    return key_text


def pattern_of(path: Path) -> str:
    """The path as a pattern of field paths, which has ``[]`` for any place in a list."""
    return pattern_text(tuple(step if isinstance(step, str) else None for step in path))


def values_at(record: Any, path: Path) -> list[Any]:
    """All values at ``path``, including nulls; [] if the path leads nowhere."""
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
    """The value at ``path``, or None; if the path has ``[]``, a list of the values but nulls."""
    values = values_at(record, path)
    if None in path:
        return [value for value in values if value is not None] or None
    return values[0] if values else None
