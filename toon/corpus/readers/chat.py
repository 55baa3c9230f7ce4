"""Logs of chat completions: what tools answered, by the name of the tool.

Read are the messages of OpenAI (``tool`` messages matched by ``tool_call_id``; of the Responses
API ``function_call_output``) and of Anthropic (``tool_result`` blocks matched by ``tool_use_id``).
A record is one message, or a request that holds a list of them. A request repeats what was said
before, and what is repeated is counted again: it was sent, and paid for, again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.json_stream import Record
from toon.corpus.readers.mcp import MAX_WAITING, UNKNOWN_TOOL, texts
from toon.corpus.readers.records import Source, clean, load, time_of, unwrap
from toon.errors import TextError

_LISTS: Final = ("messages", "input")
_REQUESTS: Final = ("request", "body", "payload", "data", "kwargs", "params", "inputs")
_ROLES: Final = frozenset(["system", "developer", "user", "assistant", "tool", "function", "model"])
_CALL_PARTS: Final = frozenset(["function_call", "function_call_output"])


def is_chat(value: Any) -> bool:
    """Whether a record is a chat message or a request with a list of them."""
    return next(_messages(value), None) is not None


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(value, dict):
        return
    if _is_message(value):
        yield value
        return
    found = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    if found is not None:
        yield from (item for item in found if _is_message(item))
        return
    for key in _REQUESTS:
        inner = value.get(key)
        if isinstance(inner, str) and '"messages"' in inner:
            try:
                inner = unwrap(inner)[1]
            except TextError:
                continue
        if isinstance(inner, dict) and any(isinstance(inner.get(name), list) for name in _LISTS):
            yield from _messages(inner)
            return


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    role, kind = value.get("role"), value.get("type")
    if isinstance(kind, str) and kind in _CALL_PARTS:
        return "call_id" in value
    has_content = "content" in value or "tool_calls" in value
    return isinstance(role, str) and role in _ROLES and has_content


@dataclass(slots=True)
class ChatRecords:
    """Chat records in their order; remembers the names of the tools that were called."""

    source: Source
    _tools: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        value = load(record.text)
        time = time_of(value)
        found = False
        for message in _messages(value):
            self._remember(message)
            for tool, content in self._results(message):
                found = True
                yield from self._payloads(record.number, tool, content, time)
        if not found and not _is_message(value):
            yield self.source.bad(record.number, "no tool result in it")

    def _payloads(
        self, number: int, tool: str, content: Any, time: float | None
    ) -> Iterator[Payload | BadRecord]:
        empty = True
        for text in texts(content):
            try:
                payload, _ = unwrap(text)
            except TextError:
                continue
            empty = False
            yield Payload(self.source.name, number, tool, payload, time)
        if empty:
            yield self.source.bad(number, f"{tool}: no JSON object or array in the result")

    def _remember(self, message: dict[str, Any]) -> None:
        for call in (message, *_parts(message.get("tool_calls")), *_parts(message.get("content"))):
            inner = call.get("function")
            name = inner.get("name") if isinstance(inner, dict) else call.get("name")
            if not isinstance(name, str):
                continue
            for key in ("id", "call_id"):
                if isinstance(call.get(key), str):
                    self._tools[call[key]] = clean(name)
        while len(self._tools) > MAX_WAITING:
            self._tools.popitem(last=False)

    def _results(self, message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The tool results of a message: name of the tool and content."""
        role = message.get("role")
        if message.get("type") == "function_call_output":
            yield self._tool(message, "call_id"), message.get("output")
        elif role in ("tool", "function"):
            yield self._tool(message, "tool_call_id"), message.get("content")
        for part in _parts(message.get("content")):
            if part.get("type") == "tool_result":
                yield self._tool(part, "tool_use_id"), part.get("content")

    def _tool(self, result: dict[str, Any], key: str) -> str:
        known = self._tools.get(str(result.get(key)))
        named = result.get("name")
        return known or (clean(named) if isinstance(named, str) and named else UNKNOWN_TOOL)


def _parts(content: Any) -> list[dict[str, Any]]:
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
