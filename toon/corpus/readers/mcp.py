"""MCP transcripts: JSON-RPC messages, in which results answer ``tools/call`` by their ids.

A record is a message, a batch of them, a log line around one (``{"time": ..., "message": ...}``),
or an object that holds a list of any of these. The payload is the text content that is JSON; where
there is none, ``structuredContent``. Other messages are no tool results and are passed over.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.json_stream import Record
from toon.corpus.readers.records import Source, clean, exact_slice, load, time_of, unwrap
from toon.errors import TextError

#: Calls that wait for their result; beyond that the oldest is forgotten.
MAX_WAITING: Final = 100_000

#: The group of a result whose call is not in the file.
UNKNOWN_TOOL: Final = "(unknown tool)"

_WRAPPERS: Final = ("message", "msg", "data", "payload", "body", "frame", "request", "response")

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Message:
    """A JSON-RPC message, and where in which text it stands."""

    value: dict[str, Any]
    text: str
    steps: Steps
    time: float | None


def is_transcript(value: Any) -> bool:
    """Whether a record holds JSON-RPC messages of tools or of a session's start."""
    return any(True for _ in _messages(value, "", (), None))


def _messages(value: Any, text: str, steps: Steps, time: float | None) -> Iterator[_Message]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield from _wrapped(item, text, (*steps, index), time)
    elif isinstance(value, dict):
        found = False
        for message in _wrapped(value, text, steps, time):
            found = True
            yield message
        if not found:
            time = time_of(value)
            for key, part in value.items():
                if isinstance(part, list):
                    yield from _messages(part, text, (*steps, key), time)


def _wrapped(
    value: dict[str, Any], text: str, steps: Steps, time: float | None
) -> Iterator[_Message]:
    when = time_of(value)
    time = time if when is None else when
    if value.get("jsonrpc") == "2.0":
        yield _Message(value, text, steps, time)
        return
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, str) and '"jsonrpc"' in inner:
            try:
                inner_text, inner = unwrap(inner)
            except TextError:
                continue
            inner_steps: Steps = ()
        else:
            inner_text, inner_steps = text, (*steps, key)
        if isinstance(inner, dict) and inner.get("jsonrpc") == "2.0":
            yield _Message(inner, inner_text, inner_steps, time)


@dataclass(slots=True)
class McpRecords:
    """Messages in their order; remembers which call awaits which result."""

    source: Source
    _calls: OrderedDict[str, str] = field(default_factory=OrderedDict)

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        for message in _messages(load(record.text), record.text, (), None):
            value = message.value
            if value.get("method") == "tools/call":
                self._call(value)
            elif "method" not in value and "id" in value:
                yield from self._answer(record.number, message)

    def _call(self, value: dict[str, Any]) -> None:
        params = value.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        if isinstance(name, str):
            self._calls[repr(value.get("id"))] = clean(name)
            while len(self._calls) > MAX_WAITING:
                self._calls.popitem(last=False)

    def _answer(self, number: int, message: _Message) -> Iterator[Payload | BadRecord]:
        result = message.value.get("result")
        is_tools = isinstance(result, dict) and (
            isinstance(result.get("content"), list) or "structuredContent" in result
        )
        name = repr(message.value.get("id"))
        if "error" in message.value and name in self._calls:
            yield self.source.bad(number, f"{self._calls.pop(name)}: the call failed")
        elif is_tools and isinstance(result, dict):
            tool = self._calls.pop(name, UNKNOWN_TOOL)
            found = False
            for text in _payload_texts(result, message):
                found = True
                yield Payload(self.source.name, number, tool, text, message.time)
            if not found:
                yield self.source.bad(number, f"{tool}: no JSON object or array in the result")


def _payload_texts(result: dict[str, Any], message: _Message) -> Iterator[str]:
    found = False
    for text in texts(result.get("content")):
        try:
            payload, _ = unwrap(text)
        except TextError:
            continue
        found = True
        yield payload
    if not found and isinstance(result.get("structuredContent"), dict | list):
        yield exact_slice(message.text, (*message.steps, "result", "structuredContent"))


def texts(content: Any) -> Iterator[str]:
    """The texts of a message's content: a string, or parts of which some are text."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            inner = part.get("resource", part) if isinstance(part, dict) else None
            if isinstance(inner, dict) and isinstance(inner.get("text"), str):
                yield inner["text"]
