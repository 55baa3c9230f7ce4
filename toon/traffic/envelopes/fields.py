"""Access to the attributes of spans by dotted keys, and to the typed values of OTLP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import orjson

from toon.errors import TextError
from toon.traffic.locate import Node

#: The keys of OTLP's values. Whole numbers are texts.
_VALUES: Final = frozenset(["stringValue", "intValue", "doubleValue", "boolValue", "bytesValue"])
_NESTED: Final = frozenset(["arrayValue", "kvlistValue"])
_DEEPEST: Final = 50

#: For each key the node around its value, and the steps to the value from there.
Places: TypeAlias = dict[str, tuple[Node, tuple[str | int, ...]]]


def nested(
    node: Node, is_wanted: Callable[[Any], bool], keys: Sequence[str], depth: int = 0
) -> Iterator[Node]:
    """Yield the objects in a JSON value that ``is_wanted`` accepts, with their texts.

    The value itself, items of lists, and values under ``keys`` are searched, at any depth.
    """
    if isinstance(node.value, list):
        for item in node.members():
            if isinstance(item.value, dict):
                yield from nested(item, is_wanted, keys, depth)
    elif isinstance(node.value, dict):
        if is_wanted(node.value):
            yield node
        for key in keys if depth < _DEEPEST else ():
            held = node.get(key) if key in node.value else None
            try:
                held = held.opened() if held else None
            except TextError:
                continue
            if held is not None:
                yield from nested(held, is_wanted, keys, depth + 1)


class Fields:
    """A view of a span's attributes: a dotted key finds nested objects and flat keys alike."""

    def __init__(self, places: Places) -> None:
        self.places = places

    @classmethod
    def of(cls, node: Node | None) -> Fields:
        """Return a view of a JSON object or of a list of ``{key, value}``; else an empty one."""
        try:
            node = node.opened() if node else None
        except TextError:
            node = None
        if node is None or not isinstance(node.value, dict | list):
            return cls({})
        if isinstance(node.value, dict):
            return cls({key: (node, (key,)) for key in node.value})
        places: Places = {}
        for index, item in enumerate(node.value):
            if isinstance(item, dict) and isinstance(item.get("key"), str) and "value" in item:
                places[item["key"]] = (node, (index, "value"))
        return cls(places)

    def get(self, key: str) -> Node | None:
        """Return the value under a dotted key of a span's attributes; None if absent or null."""
        if key in self.places:
            node, steps = self.places[key]
            for step in steps:
                node = node.at(step)
            node = plain(node) if len(steps) > 1 else node
            return None if node.value is None else node
        at = key.find(".")
        while at > 0:
            if key[:at] in self.places:
                found = Fields.of(self.get(key[:at])).get(key[at + 1 :])
                if found is not None:
                    return found
            at = key.find(".", at + 1)
        return None

    def first(self, *keys: str) -> Node | None:
        """Return a span's first value that is not null under one of some dotted keys, or None."""
        return next((found for key in keys if (found := self.get(key)) is not None), None)

    def text(self, *keys: str) -> str:
        """Return the first string under one of some dotted keys of a span's attributes, or ""."""
        for key in keys:
            found = self.get(key)
            if found is not None and isinstance(found.value, str) and found.value:
                return found.value
        return ""

    def listed(self, key: str) -> list[Fields]:
        """Return a view of each object in the list under a key of a span's attributes.

        The list may also be written out as keys such as ``KEY.0.name``.
        """
        found = self.get(key)
        if found is not None:
            return [Fields.of(item) for item in items_of(found)]
        inner: dict[int, Places] = {}
        start = f"{key}."
        for name in self.places:
            if name.startswith(start):
                number, _, rest = name[len(start) :].partition(".")
                node = self.get(name) if rest and number.isdecimal() and len(number) < 7 else None
                if node is not None:
                    place = (*node.place[:-1], key, int(number), rest)
                    inner.setdefault(int(number), {})[rest] = replace(node, place=place), ()
        return [Fields(inner[number]) for number in sorted(inner)]


def items_of(node: Node) -> Iterator[Node]:
    """Yield the objects in a JSON array, or in a string that holds one."""
    try:
        node = node.opened()
    except TextError:
        return
    if isinstance(node.value, list):
        yield from (item for item in node.members() if isinstance(item.value, dict))


def plain(node: Node) -> Node:
    """Return the plain JSON of a typed value of OTLP, such as ``{"stringValue": "a"}``.

    Other values are returned as they are.
    """
    if isinstance(node.value, dict) and len(node.value) == 1:
        (key,) = node.value
        if key in _VALUES:
            return node.at(key)
        if key in _NESTED:
            try:
                value = _unfold(node.value)
                text = orjson.dumps(value).decode()
            except (RecursionError, TypeError):  # nested too deeply, or no Unicode
                return node
            return Node(value, text, (), (*node.place, key))
    return node


def _unfold(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((key, inner),) = value.items()
    if key == "intValue" and isinstance(inner, str) and re.fullmatch("-?[0-9]{1,18}", inner):
        return int(inner)
    if key in _VALUES:
        return inner
    values = inner.get("values") if isinstance(inner, dict) else None
    if key not in _NESTED or not isinstance(values, list):
        return value
    if key == "arrayValue":
        return [_unfold(each) for each in values]
    pairs = (each for each in values if isinstance(each, dict))
    return {str(each.get("key")): _unfold(each.get("value")) for each in pairs}
