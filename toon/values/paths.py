"""Walks over plain values, and the patterns that name their fields.

A pattern is a path with the numbers of array items left out: ``orders[].customer.email`` is that
field of every order. Keys that would be misread are quoted as in JSON: ``["a.b"][].x``. The whole
value is ``$``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final, TypeAlias

from toon.codec.text import MAX_DEPTH
from toon.errors import TextError

#: A pattern taken apart: keys, and None for any item of an array.
Path: TypeAlias = tuple[str | None, ...]

_BARE: Final = re.compile(r'[^.\[\]"\s]++')
_QUOTED: Final = re.compile(r'\[("(?:[^"\\]|\\.)*+")\]', re.S)


def pattern_text(path: Path) -> str:
    """The pattern of a path, such that :func:`parse_pattern` gives the path back."""
    parts: list[str] = []
    for key in path:
        if key is None:
            parts.append("[]")
        elif _BARE.fullmatch(key) and key != "$":
            parts.append(f".{key}" if parts else key)
        else:
            parts.append(f"[{json.dumps(key, ensure_ascii=False)}]")
    return "".join(parts) or "$"


def parse_pattern(text: str) -> Path:
    """The path of a pattern.

    Raises:
        TextError: the text is no pattern; it names the column.
    """
    path: list[str | None] = []
    at = 1 if text == "$" else 0
    while at < len(text) or not text:
        quoted = _QUOTED.match(text, at)
        bare = _BARE.match(text, at + (at > 0 and text[at] == "."))
        if text.startswith("[]", at):
            path.append(None)
            at += 2
        elif quoted and (key := _unquoted(quoted[1])) is not None:
            path.append(key)
            at = quoted.end()
        elif bare and (bare.start() > at or at == 0):
            path.append(bare[0])
            at = bare.end()
        else:
            raise TextError(
                'expected a field name, [] or ["name"]',
                line=1,
                column=at + 1,
                source=text,
                hint="a pattern looks like orders[].customer.email",
            )
    return tuple(path)


def _unquoted(token: str) -> str | None:
    try:
        return str(json.loads(token))
    except json.JSONDecodeError:
        return None


def check_depth(value: Any) -> None:
    """Refuses what the formats refuse too, before any walk meets it.

    Raises:
        ValueError: nested deeper than MAX_DEPTH levels, or a value that contains itself.
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
    """Every value with nothing in it, empty ones too, and its path, in the order written."""
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
    """Every text, number, boolean and null with its path, in the order they are written."""
    return ((path, item) for path, item in leaves(value) if not isinstance(item, dict | list))


def mapped(value: Any, change: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    """A copy in which every text, number, boolean and null is what ``change`` makes of it.

    Loops, not comprehensions, here and in the other walks: those take two frames a level.
    """
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            members[key] = mapped(item, change, (*path, key))
        return members
    if isinstance(value, list):
        items, below = [], (*path, None)
        for item in value:
            items.append(mapped(item, change, below))
        return items
    return change(path, value)


def keys_of(value: Any) -> set[str]:
    """Every key of every object."""
    found: set[str] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            found.update(item)
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return found


def is_number(value: Any) -> bool:
    """True for a JSON number; Python's booleans are integers too, JSON's are not."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
