"""MCP transcripts: JSON-RPC messages, in which a result answers a ``tools/call`` with its id.

A record is a message, a batch of messages, a log line around a message (``{"time": ..., "message":
...}``), or an object with a list of any of these. The payloads are the text contents that are JSON;
if there are none, ``structuredContent``. All other messages are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import TranscriptKind
from toon.traffic.payload import Record
from toon.traffic.records import Origin, find_time, parse, slice_exactly, unwrap
from toon.traffic.tools import UNKNOWN_TOOL, Calls, find_payloads, make_payloads

_WRAPPERS: Final = ("message", "msg", "data", "payload", "body", "frame", "request", "response")

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Message:
    """A JSON-RPC message, and its place: the JSON text it lies in and the steps to it."""

    value: dict[str, Any]
    text: str
    steps: Steps
    time: float | None


def _messages(value: Any, text: str, steps: Steps, time: float | None) -> Iterator[_Message]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield from _wrapped(item, text, (*steps, index), time)
    elif isinstance(value, dict):
        messages = list(_wrapped(value, text, steps, time))
        yield from messages
        if not messages:
            time = find_time(value)
            for key, part in value.items():
                if isinstance(part, list):
                    yield from _messages(part, text, (*steps, key), time)


def _wrapped(
    value: dict[str, Any], text: str, steps: Steps, time: float | None
) -> Iterator[_Message]:
    when = find_time(value)
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
    """Messages in order; remembers which tool each call went to."""

    origin: Origin
    _calls: Calls = field(default_factory=Calls)

    def payloads(self, record: RawRecord) -> Iterator[Record]:
        for message in _messages(parse(record.text), record.text, (), None):
            value = message.value
            if value.get("method") == "tools/call":
                self._call(value)
            elif "method" not in value and "id" in value:
                yield from self._answer(record.number, message)

    def _call(self, value: dict[str, Any]) -> None:
        params = value.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        if isinstance(name, str):
            self._calls.remember(_key(value), name)

    def _answer(self, number: int, message: _Message) -> Iterator[Record]:
        result = message.value.get("result")
        call = _key(message.value)
        if "error" in message.value and call in self._calls:
            yield self.origin.bad(number, f"{self._calls.pop(call)}: the call failed")
        elif isinstance(result, dict) and (
            isinstance(result.get("content"), list) or "structuredContent" in result
        ):
            tool = self._calls.pop(call, UNKNOWN_TOOL)
            texts = find_payloads(result.get("content"))
            if not texts and isinstance(result.get("structuredContent"), dict | list):
                steps = (*message.steps, "result", "structuredContent")
                texts = [slice_exactly(message.text, steps)]
            yield from make_payloads(self.origin, number, tool, texts, message.time)


def _key(message: dict[str, Any]) -> str:
    """The id of a message, to find its call by."""
    id = message.get("id")
    return repr(id) if isinstance(id, str | int | float) else ""


KIND: Final = TranscriptKind(
    name="mcp",
    label="MCP transcript",
    records="results of tools/call, by tool",
    nothing="no result of tools/call in it",
    recognises=lambda value: any(_messages(value, "", (), None)),
    reader=lambda origin: McpRecords(origin).payloads,
)
