"""Logs of chat completions: the results of tools, by the name of the tool.

The messages are OpenAI's (``tool`` messages matched by ``tool_call_id``, and the Responses API's
``function_call_output``) or Anthropic's (``tool_result`` blocks matched by ``tool_use_id``). A
record is one message, or a request with a list of messages. A request repeats the messages before
it; they are counted again, because they were sent and paid for again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_time, name_group, parse
from toon.traffic.payload import Record
from toon.traffic.tools import UNKNOWN_TOOL, Calls, find_payloads, inside

_LISTS: Final = ("messages", "input")
_REQUESTS: Final = ("request", "body", "payload", "data", "kwargs", "params", "inputs")
_ROLES: Final = frozenset(["system", "developer", "user", "assistant", "tool", "function", "model"])
_CALL_PARTS: Final = frozenset(["function_call", "function_call_output"])


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the messages of a record.

    Raises:
        TextError: It is a request without a tool result, or not JSON.
    """
    value = parse(record.text)
    time = find_time(value)
    empty = not _is_message(value)
    for message in _messages(value):
        _remember(message, origin.calls)
        for tool, content in _results(message, origin.calls):
            empty = False
            yield from origin.answer(record.number, tool, find_payloads(content), time)
    if empty:
        raise TextError("no tool result in it")


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    """A chat message itself, or those in a request with a list of messages."""
    if not isinstance(value, dict):
        return
    if _is_message(value):
        yield value
        return
    listed = _listed(value)
    if listed is not None:
        yield from filter(_is_message, listed)
        return
    for node in inside(Node(value, ""), _REQUESTS, '"messages"'):
        if _listed(node.value) is not None:
            yield from _messages(node.value)
            return


def _listed(value: dict[str, Any]) -> list[Any] | None:
    """The list of messages of a request."""
    return next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    role, kind = value.get("role"), value.get("type")
    if isinstance(kind, str) and kind in _CALL_PARTS:
        return "call_id" in value
    has_content = "content" in value or "tool_calls" in value
    return isinstance(role, str) and role in _ROLES and has_content


def _remember(message: dict[str, Any], calls: Calls) -> None:
    """Remembers the names of the tools that a message calls."""
    for call in (message, *_parts(message.get("tool_calls")), *_parts(message.get("content"))):
        inner = call.get("function")
        name = inner.get("name") if isinstance(inner, dict) else call.get("name")
        if not isinstance(name, str):
            continue
        for key in ("id", "call_id"):
            if isinstance(call.get(key), str):
                calls.remember(call[key], name)


def _results(message: dict[str, Any], calls: Calls) -> Iterator[tuple[str, Any]]:
    """The tool results of a message: the tool's name and the content."""
    role = message.get("role")
    if message.get("type") == "function_call_output":
        yield _tool(message, "call_id", calls), message.get("output")
    elif role in ("tool", "function"):
        yield _tool(message, "tool_call_id", calls), message.get("content")
    for part in _parts(message.get("content")):
        if part.get("type") == "tool_result":
            yield _tool(part, "tool_use_id", calls), part.get("content")


def _tool(result: dict[str, Any], key: str, calls: Calls) -> str:
    call = result.get(key)
    known = calls.get(call) if isinstance(call, str) else None
    named = result.get("name")
    return known or (name_group(named) if isinstance(named, str) and named else UNKNOWN_TOOL)


def _parts(content: Any) -> list[dict[str, Any]]:
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


KIND: Final = Envelope(
    name="chat",
    label="chat-completion log",
    records="what tools answered, by tool",
    nothing="no tool result in it",
    recognises=lambda value: any(_messages(value)),
    read=read,
)
