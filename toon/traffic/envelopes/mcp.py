"""MCP transcripts: JSON-RPC messages, in which a result answers a ``tools/call`` with its id.

A record is a message, a batch of messages, a log line around a message (``{"time": ..., "message":
...}``), or an object with a list of any of these. The payloads are the text contents that are JSON;
if there are none, ``structuredContent``. All other messages are skipped.

The Inspector's history pairs each request with its result, both as text and without the envelope of
JSON-RPC; no schema of it was found.
"""

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.exchange import is_about_tools, is_message, is_result, key_of, read_result
from toon.traffic.json_stream import RawRecord
from toon.traffic.keys import at
from toon.traffic.kinds import Entry, Envelope, Origin
from toon.traffic.locate import Node, find_conversation, name_group, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL, inside

_WRAPPERS: Final = ("message", "msg", "data", "payload", "body", "frame", "request", "response")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield payloads and bad records from tools' results in the MCP messages of a log's record."""
    whole = read_record(record.text)
    origin.calls.session = find_conversation(whole.value) or ""
    for node, time in _messages(whole, None):
        entry, message = Entry(origin, record.number, time), node.value
        if not is_message(message):
            yield from _read_pair(node, entry)
        elif message.get("method") == "tools/call":
            if isinstance(name := at(message, "params.name"), str):
                origin.calls.remember(key_of(message), name)
        elif "method" not in message and "id" in message:
            yield from _read_answer(node, entry)


def _messages(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    """Yield (message, time or None) for each MCP message, or request with result, in JSON."""
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
                    yield from _messages(node.child(key), time)


def _wrapped(node: Node, time: float | None) -> Iterator[tuple[Node, float | None]]:
    """Yield the MCP messages that a JSON object is or wraps, each with its time or None."""
    when = find_time(node.value)
    time = time if when is None else when
    if is_message(node.value) or _is_pair(node):
        yield node, time
        return
    inner = inside(node, _WRAPPERS, '"jsonrpc"')
    yield from ((each, time) for each in inner if is_message(each.value))


def _is_pair(node: Node) -> bool:
    """Return whether an object holds an MCP request and its result without JSON-RPC's envelope."""
    if "response" not in node.value or not isinstance(node.value.get("request"), str | dict):
        return False
    method, mark = node.get("request", "method"), node.get("request", "jsonrpc")
    named = method.value if method and not mark else None
    return isinstance(named, str) and is_about_tools(named)


def _read_pair(pair: Node, entry: Entry) -> Iterator[Record]:
    method, named = pair.get("request", "method"), pair.get("request", "params", "name")
    tool = name_group(named.value) if named and isinstance(named.value, str) else UNKNOWN_TOOL
    result = pair.get("response", "result") or pair.get("response")
    try:
        result = result.opened() if result else None
    except TextError:
        return  # still without an answer
    if method and method.value == "tools/call" and result and is_result(result.value):
        yield from read_result(result, tool, entry)


def _read_answer(node: Node, entry: Entry) -> Iterator[Record]:
    """Yield the payloads of an MCP response; a response to ``tools/list`` only defines tools."""
    result, origin = node.get("result"), entry.origin
    call = origin.calls.key(key_of(node.value))
    if "error" in node.value and call in origin.calls:
        yield entry.bad(f"{origin.calls.pop(call)}: the call failed")
    elif not result or not isinstance(result.value, dict):
        return
    elif isinstance(result.value.get("tools"), list):
        origin.account.definitions.add(
            result.at("tools"), origin.name, entry.time, listed_by=origin.group
        )
    elif is_result(result.value):
        yield from read_result(result, origin.calls.pop(call, UNKNOWN_TOOL), entry)


def recognises(value: Any) -> bool:
    return any(_messages(Node(value, ""), None))


KIND: Final = Envelope(
    "mcp", "MCP transcript", "results of tools/call, by tool",
    "the transcript of a client, a proxy or the Inspector, one JSON-RPC message a line",
    "no result of tools/call in it", recognises=recognises, read=read,
)  # fmt: skip
