"""Logs of chat completions: the results of tools, by the name of the tool.

The messages are OpenAI's (``tool`` messages matched by ``tool_call_id``, and the Responses API's
``function_call_output``) or Anthropic's (``tool_result`` blocks matched by ``tool_use_id``). A
record is one message, or a request with a list of messages. A request repeats the messages before
it; they are counted again, because they were sent and paid for again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import TranscriptKind
from toon.traffic.payload import Record
from toon.traffic.records import Origin, find_time, name_group, parse, unwrap
from toon.traffic.tools import UNKNOWN_TOOL, Calls, find_payloads, make_payloads

_LISTS: Final = ("messages", "input")
_REQUESTS: Final = ("request", "body", "payload", "data", "kwargs", "params", "inputs")
_ROLES: Final = frozenset(["system", "developer", "user", "assistant", "tool", "function", "model"])
_CALL_PARTS: Final = frozenset(["function_call", "function_call_output"])


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    """A chat message itself, or those in a request with a list of messages."""
    if not isinstance(value, dict):
        return
    if _is_message(value):
        yield value
        return
    listed = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    if listed is not None:
        yield from (item for item in listed if _is_message(item))
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
    """Chat records in order; remembers the names of the tools that were called."""

    origin: Origin
    _calls: Calls = field(default_factory=Calls)

    def payloads(self, record: RawRecord) -> Iterator[Record]:
        value = parse(record.text)
        time = find_time(value)
        empty = True
        for message in _messages(value):
            self._remember(message)
            for tool, content in self._results(message):
                empty = False
                texts = find_payloads(content)
                yield from make_payloads(self.origin, record.number, tool, texts, time)
        if empty and not _is_message(value):
            yield self.origin.bad(record.number, "no tool result in it")

    def _remember(self, message: dict[str, Any]) -> None:
        for call in (message, *_parts(message.get("tool_calls")), *_parts(message.get("content"))):
            inner = call.get("function")
            name = inner.get("name") if isinstance(inner, dict) else call.get("name")
            if not isinstance(name, str):
                continue
            for key in ("id", "call_id"):
                if isinstance(call.get(key), str):
                    self._calls.remember(call[key], name)

    def _results(self, message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """The tool results of a message: the tool's name and the content."""
        role = message.get("role")
        if message.get("type") == "function_call_output":
            yield self._tool(message, "call_id"), message.get("output")
        elif role in ("tool", "function"):
            yield self._tool(message, "tool_call_id"), message.get("content")
        for part in _parts(message.get("content")):
            if part.get("type") == "tool_result":
                yield self._tool(part, "tool_use_id"), part.get("content")

    def _tool(self, result: dict[str, Any], key: str) -> str:
        call = result.get(key)
        known = self._calls.get(call) if isinstance(call, str) else None
        named = result.get("name")
        return known or (name_group(named) if isinstance(named, str) and named else UNKNOWN_TOOL)


def _parts(content: Any) -> list[dict[str, Any]]:
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


KIND: Final = TranscriptKind(
    name="chat",
    label="chat-completion log",
    records="what tools answered, by tool",
    nothing="no tool result in it",
    recognises=lambda value: any(_messages(value)),
    reader=lambda origin: ChatRecords(origin).payloads,
)
