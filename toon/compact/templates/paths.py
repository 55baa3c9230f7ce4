"""Paths into a record, made of keys of objects and places in lists."""

from __future__ import annotations

from typing import Any, TypeAlias

from toon.compact.templates.scanner import Scanner
from toon.values import paths
from toon.values.paths import IN_TEMPLATE, PathError, Step, pattern_text

#: Steps: a key, a place in a list (negative from its end), or None for every place.
Path: TypeAlias = tuple[Step, ...]


def read_path(scanner: Scanner) -> Path:
    """Reads the path that starts here.

    Raises:
        TemplateError: there is no path.
    """
    try:
        path, scanner.at = paths.read_path(scanner.text, IN_TEMPLATE, scanner.at, scanner.end)
    except PathError as error:
        raise scanner.error(error.message, error.hint, error.at) from None
    return path


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
