"""Shared by MCP transcripts and chat logs: calls of tools, and the payloads in their results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.payload import Payload, Record
from toon.traffic.records import Origin, name_group, unwrap

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


def make_payloads(
    origin: Origin, number: int, tool: str, texts: Sequence[str], time: float | None
) -> Iterator[Record]:
    """The payloads of one tool result; without any, a bad record."""
    for text in texts:
        yield Payload(origin.name, number, tool, text, time)
    if not texts:
        yield origin.bad(number, f"{tool}: no JSON object or array in the result")
