"""Copies of a value with only the chosen fields, or without one field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.values.paths import Path, parse_pattern
from toon.values.walks import check_depth, replaced


def project(value: Any, patterns: Iterable[str]) -> Any:
    """Copy ``value`` with only the fields that match ``patterns``, and all below them.

    Objects and arrays on the way to a chosen field stay, even if they become empty.

    Raises:
        TextError: A malformed pattern.
        ValueError: A pattern that matches nothing in ``value``, or nesting too deep.
    """
    check_depth(value)
    tree = _Node()
    for pattern in patterns:
        node = tree
        for key in parse_pattern(pattern):
            node = node.below.setdefault(key, _Node())
        node.pattern = pattern
    result = _projected(value, tree)
    for pattern in tree.unmatched():
        raise ValueError(f"no field {pattern!r} here")
    return result


@dataclass(slots=True)
class _Node:
    """A tree of patterns, one key per level; None stands for the items of an array.

    ``pattern`` is the pattern that ends here, and ``matched`` is true once a field has matched it.
    """

    below: dict[str | None, _Node] = field(default_factory=dict)
    pattern: str | None = None
    matched: bool = False

    def unmatched(self) -> Iterator[str]:
        """Yield the patterns that matched no field."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.pattern is not None and not node.matched:
                yield node.pattern
            stack += reversed(node.below.values())


def _projected(value: Any, node: _Node) -> Any:
    """Return the chosen part of a value; ``_NOTHING`` for a scalar that was not chosen."""
    kept: Any = _NOTHING
    if isinstance(value, dict):
        kept = {}
        for key, item in value.items():
            below = node.below.get(key)
            if below and (part := _projected(item, below)) is not _NOTHING:
                kept[key] = part
    elif isinstance(value, list):
        kept = []
        below = node.below.get(None)
        for item in value if below else ():
            if below and (part := _projected(item, below)) is not _NOTHING:
                kept.append(part)
    if node.pattern is None:
        return kept
    node.matched = True
    return replaced(value, lambda item: item)


_NOTHING: Final = object()


def remove(value: Any, path: Path) -> Any:
    """Copy ``value`` without the fields at ``path``, which ends in ``[]`` for all items."""
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
