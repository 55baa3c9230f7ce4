"""Copies of a value with only the chosen fields, or without one field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from toon.values.paths import Path, parse_pattern
from toon.values.walks import check_depth, map_values


def project(value: Any, patterns: Iterable[str]) -> Any:
    """Copy a JSON value with only the fields that patterns name, and all below them.

    Objects and arrays on the way to a chosen field stay, even if they become empty.

    Raises:
        TextError: A malformed pattern.
        ValueError: A pattern that names no field of the value, or nesting too deep.
    """
    check_depth(value)
    tree = _Node()
    for pattern in patterns:
        node = tree
        for key in parse_pattern(pattern):
            node = node.below.setdefault(key, _Node())
        node.pattern = pattern
    result = _copy_part(value, tree)
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.pattern is not None and not node.matched:
            raise ValueError(f"no field {node.pattern!r} here")
        stack += reversed(node.below.values())
    return result


@dataclass(slots=True)
class _Node:
    """A tree of the patterns of fields to keep, one key per level; None is any item of an array.

    ``pattern`` is the pattern that ends here, and ``matched`` is true once a field has matched it.
    """

    below: dict[str | None, _Node] = field(default_factory=dict)
    pattern: str | None = None
    matched: bool = False


def _copy_part(value: Any, node: _Node) -> Any:
    """Copy the part of a JSON value that a tree of patterns keeps; ``_NOTHING`` if that is none.

    It marks the patterns that match.
    """
    copy: Any = _NOTHING
    if isinstance(value, dict):
        copy = {}
        for key, item in value.items():
            below = node.below.get(key)
            if below and (part := _copy_part(item, below)) is not _NOTHING:
                copy[key] = part
    elif isinstance(value, list):
        copy = []
        below = node.below.get(None)
        for item in value if below else ():
            if below and (part := _copy_part(item, below)) is not _NOTHING:
                copy.append(part)
    if node.pattern is None:
        return copy
    node.matched = True
    return map_values(value, lambda item: item)


_NOTHING: Final = object()


def remove(value: Any, path: Path) -> Any:
    """Copy a JSON value without the field at a path; None at its end is every item of an array."""
    key, *below = path
    if isinstance(value, dict) and key in value:
        members = {}
        for name, item in value.items():
            if name != key:
                members[name] = item
            elif below:
                members[name] = remove(item, tuple(below))
        return members
    if isinstance(value, list) and key is None:
        items: list[Any] = []
        for item in value if below else ():
            items.append(remove(item, tuple(below)))
        return items
    return value
