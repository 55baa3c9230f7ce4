"""MCP transcripts: JSON-RPC messages, in which a result answers a ``tools/call`` with its id.

A record is a message, a batch of messages, a log line around a message (``{"time": ..., "message":
...}``), or an object with a list of any of these. The payloads are the text contents that are JSON;
if there are none, ``structuredContent``. All other messages are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_time, read_record
from toon.traffic.payload import Record
from toon.traffic.tools import UNKNOWN_TOOL, find_payloads, inside

_WRAPPERS: Final = ("message", "msg", "data", "payload", "body", "frame", "request", "response")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the messages of a record."""
    for node, time in _messages(read_record(record.text), None):
        message = node.value
        if message.get("method") == "tools/call":
            params = message.get("params")
            name = params.get("name") if isinstance(params, dict) else None
            if isinstance(name, str):
                origin.calls.remember(_key(message), name)
        elif "method" not in message and "id" in message:
            yield from _answer(node, record.number, time, origin)


def _messages(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    """The messages in a value, each with its time, or that of what it lies in."""
    if isinstance(node.value, list):
        for index, item in enumerate(node.value):
            if isinstance(item, dict):
                yield from _wrapped(node.at(index), time)
    elif isinstance(node.value, dict):
        messages = list(_wrapped(node, time))
        yield from messages
        if not messages:
            time = find_time(node.value)
            for key, part in node.value.items():
                if isinstance(part, list):
                    yield from _messages(node.at(key), time)


def _wrapped(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    when = find_time(node.value)
    time = time if when is None else when
    inner = [node] if _is_message(node.value) else inside(node, _WRAPPERS, '"jsonrpc"')
    yield from ((each, time) for each in inner if _is_message(each.value))


def _is_message(value: dict[str, Any]) -> bool:
    return value.get("jsonrpc") == "2.0"


def _answer(node: Node, number: int, time: float | None, origin: Origin) -> Iterator[Record]:
    result, calls, call = node.value.get("result"), origin.calls, _key(node.value)
    if "error" in node.value and call in calls:
        yield origin.bad(number, f"{calls.pop(call)}: the call failed")
    elif isinstance(result, dict) and isinstance(result.get("tools"), list):
        tools = node.at("result").at("tools")
        origin.account.definitions.add(tools, origin.name, time, listed_by=origin.group)
    elif isinstance(result, dict) and (
        isinstance(result.get("content"), list) or "structuredContent" in result
    ):
        tool = calls.pop(call, UNKNOWN_TOOL)
        content, whole = node.get("result", "content"), node.get("result", "structuredContent")
        found = list(find_payloads(content)) if content else []
        if whole and not any(isinstance(each.value, dict | list) for each in found):
            found = list(find_payloads(whole))
        for each in found:
            yield from origin.answer(number, tool, each, time)


def _key(message: dict[str, Any]) -> str:
    """The id of a message, to find its call by."""
    id = message.get("id")
    return repr(id) if isinstance(id, str | int | float) else ""


KIND: Final = Envelope(
    name="mcp",
    label="MCP transcript",
    records="results of tools/call, by tool",
    nothing="no result of tools/call in it",
    kept="the transcript of a client, a proxy or the Inspector, one JSON-RPC message a line",
    recognises=lambda value: any(_messages(Node(value, ""), None)),
    read=read,
)
