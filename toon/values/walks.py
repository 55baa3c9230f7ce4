"""Walks over JSON values: scalars with their paths, copies with other scalars, objects, keys."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from toon.codec.text import MAX_DEPTH
from toon.values.paths import Path

#: The types of objects and arrays; a constant, since building a union takes longer than asking it.
HOLDERS: Final = (dict, list)


def check_depth(value: Any) -> None:
    """Refuse a JSON value that is too deep for the formats, so that no later walk needs a check.

    Raises:
        ValueError: The value has more than MAX_DEPTH levels, or contains itself.
    """
    levels = [iter((value,))]
    while levels:
        for item in levels[-1]:
            if isinstance(item, dict | list):
                if len(levels) > MAX_DEPTH:
                    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
                levels.append(iter(item.values() if isinstance(item, dict) else item))
                break
        else:
            levels.pop()


def leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield (path, value) of each scalar and each empty container in a JSON value, in order."""
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, dict) and item:
            stack += [((*path, key), member) for key, member in reversed(item.items())]
        elif isinstance(item, list) and item:
            below = (*path, None)
            stack += [(below, member) for member in reversed(item)]
        else:
            yield path, item


def scalars(value: Any) -> Iterator[tuple[Path, Any]]:
    """Return an iterator over (path, value) of each scalar in a JSON value, in order."""
    return ((path, item) for path, item in leaves(value) if not isinstance(item, dict | list))


def scalar_values(value: Any) -> Iterator[Any]:
    """Yield every scalar in a JSON value, in no certain order; faster than with their paths."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack += item.values()
        elif isinstance(item, list):
            stack += item
        else:
            yield item


def map_leaves(value: Any, change: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    """Copy a JSON value; ``change`` makes each new scalar from a scalar's path and the scalar.

    It uses loops since comprehensions take two frames a level.
    """
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            members[key] = map_leaves(item, change, (*path, key))
        return members
    if isinstance(value, list):
        items, below = [], (*path, None)
        for item in value:
            items.append(map_leaves(item, change, below))
        return items
    return change(path, value)


def map_values(value: Any, change: Callable[[Any], Any]) -> Any:
    """Copy a JSON value; ``change`` makes each new scalar from the old one."""
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            members[key] = map_values(item, change) if isinstance(item, HOLDERS) else change(item)
        return members
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(map_values(item, change) if isinstance(item, HOLDERS) else change(item))
        return items
    return change(value)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON value, in the order in which they start in its text."""
    levels = [iter((value,))]
    while levels:
        for item in levels[-1]:
            if isinstance(item, dict):
                yield item
                levels.append(iter(item.values()))
                break
            if isinstance(item, list):
                levels.append(iter(item))
                break
        else:
            levels.pop()


def keys_of(value: Any) -> set[str]:
    return set().union(*objects(value))


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value in words, as in ``an object`` or ``the number 1.5``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds: dict[type, str] = {str: "a text", dict: "an object", list: "an array"}
    return kinds.get(type(value), f"the number {value}" if type(value) is float else "a number")


def is_number(value: Any) -> bool:
    """Return whether a value is a JSON number; a boolean is not one, unlike in Python."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
