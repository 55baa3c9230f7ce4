"""Calls of tools, and the payloads in their results: what logs of agents have in common."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.locate import Node, name_group, unwrap

#: Calls that are remembered until their result comes; beyond that the oldest is forgotten.
MAX_CALLS: Final = 100_000

#: The group of a result whose call is not in the file.
UNKNOWN_TOOL: Final = "(unknown tool)"


class Calls(OrderedDict[str, str]):
    """The names of called tools by the id of the call."""

    def remember(self, id: str, tool: str) -> None:
        self[id] = name_group(tool)
        if len(self) > MAX_CALLS:
            self.popitem(last=False)


def find_payloads(content: Any) -> list[str]:
    """The JSON objects and arrays among the texts of a message's content."""
    payloads = []
    for text in _texts(content):
        try:
            payloads.append(unwrap(text)[0])
        except TextError:
            continue
    return payloads


def _texts(content: Any) -> Iterator[str]:
    """The content if it is a string; else the texts of its parts."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            inner = part.get("resource", part) if isinstance(part, dict) else None
            if isinstance(inner, dict) and isinstance(inner.get("text"), str):
                yield inner["text"]


def inside(node: Node, keys: Sequence[str], mark: str) -> Iterator[Node]:
    """The objects under those keys of an object. A text is opened if it holds the ``mark``."""
    for key in keys:
        inner = node.value.get(key)
        if isinstance(inner, str) and mark not in inner:
            continue
        try:
            found = node.at(key).opened()
        except (LookupError, TextError):
            continue
        if isinstance(found.value, dict):
            yield found
