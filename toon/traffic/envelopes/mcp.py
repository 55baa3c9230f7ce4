"""MCP transcripts: JSON-RPC messages, in which a result answers a ``tools/call`` with its id.

A record is a message, a batch of messages, a log line around a message (``{"time": ..., "message":
...}``), or an object with a list of any of these. The payloads are the text contents that are JSON;
if there are none, ``structuredContent``. All other messages are skipped.

The Inspector's history pairs each request with its result, both as text and without the envelope of
JSON-RPC; no schema of it was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_conversation, name_group, read_record
from toon.traffic.payload import Record
from toon.traffic.rpc import is_about_tools, is_message, is_result, key_of, read_result
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL, inside

_WRAPPERS: Final = ("message", "msg", "data", "payload", "body", "frame", "request", "response")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the messages of a record."""
    whole = read_record(record.text)
    origin.calls.session = find_conversation(whole.value) or ""
    for node, time in _records(whole, None):
        if not is_message(node.value):
            yield from _paired(node, record.number, time, origin)
            continue
        message = node.value
        if message.get("method") == "tools/call":
            params = message.get("params")
            name = params.get("name") if isinstance(params, dict) else None
            if isinstance(name, str):
                origin.calls.remember(key_of(message), name)
        elif "method" not in message and "id" in message:
            yield from _answer(node, record.number, time, origin)


def _records(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    """The messages and pairs in a value, each with its time, or that of what it lies in."""
    if isinstance(node.value, list):
        for item in node.members():
            if isinstance(item.value, dict):
                yield from _wrapped(item, time)
    elif isinstance(node.value, dict):
        found = list(_wrapped(node, time))
        yield from found
        if not found:
            time = find_time(node.value)
            for key, part in node.value.items():
                if isinstance(part, list):
                    yield from _records(node.child(key), time)


def _wrapped(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    when = find_time(node.value)
    time = time if when is None else when
    if is_message(node.value) or _is_pair(node):
        yield node, time
        return
    inner = inside(node, _WRAPPERS, '"jsonrpc"')
    yield from ((each, time) for each in inner if is_message(each.value))


def _is_pair(node: Node) -> bool:
    """Whether a value holds a request of MCP without its envelope, and what answered it."""
    if not isinstance(node.value, dict) or "response" not in node.value:
        return False
    if not isinstance(node.value.get("request"), str | dict):
        return False
    method, mark = node.get("request", "method"), node.get("request", "jsonrpc")
    return bool(
        method and not mark and isinstance(method.value, str) and is_about_tools(method.value)
    )


def _paired(pair: Node, number: int, time: float | None, origin: Origin) -> Iterator[Record]:
    method, named = pair.get("request", "method"), pair.get("request", "params", "name")
    tool = name_group(named.value) if named and isinstance(named.value, str) else UNKNOWN_TOOL
    result = pair.get("response", "result") or pair.get("response")
    try:
        result = result.opened() if result else None
    except TextError:
        return  # still without an answer
    if method and method.value == "tools/call" and result and is_result(result.value):
        yield from read_result(result, tool, number, time, origin)


def _answer(node: Node, number: int, time: float | None, origin: Origin) -> Iterator[Record]:
    result, calls = node.get("result"), origin.calls
    call = calls.key(key_of(node.value))
    if "error" in node.value and call in calls:
        yield origin.bad(number, f"{calls.pop(call)}: the call failed", time)
    elif result and isinstance(result.value, dict) and isinstance(result.value.get("tools"), list):
        tools = result.at("tools")
        origin.account.definitions.add(tools, origin.name, time, listed_by=origin.group)
    elif result and isinstance(result.value, dict) and is_result(result.value):
        yield from read_result(result, calls.pop(call, UNKNOWN_TOOL), number, time, origin)


def recognises(value: Any) -> bool:
    return any(_records(Node(value, ""), None))


KIND: Final = Envelope(
    name="mcp",
    label="MCP transcript",
    records="results of tools/call, by tool",
    nothing="no result of tools/call in it",
    kept="the transcript of a client, a proxy or the Inspector, one JSON-RPC message a line",
    recognises=recognises,
    read=read,
)
