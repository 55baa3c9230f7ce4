"""Sessions of Codex: the results of tools, by the name of the tool.

A record is ``{timestamp, type, payload}``; results are ``response_item``s. What events
(``event_msg``) and summaries (``compacted``) repeat is not read. The model is that of the last
``turn_context``. Sessions of 2025's first versions hold the items without a wrapper. The wrapper
and the kinds of records are as notes of kvsankar/agent-history say; that of the first versions
could not be looked up.

The usage of a call is the ``last_token_usage`` of an event ``token_count``, as ``TokenUsageInfo``
of openai/codex, ``codex-rs/protocol/src/protocol.rs``, has it. Codex tells an event again where
nothing was called since, and a fork or a sub-agent begins with a copy of its parent's
(ccusage/ccusage, issues 897 and 1288): in one conversation, to which forks belong, events with the
same ``total_token_usage`` are one call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.chat import answers
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_model, name_conversation, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL
from toon.traffic.usage import read_usage

_TYPES: Final = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")
_ITEM: Final = "response_item"
#: The id of a session's conversation: that of the session it came from, or its own.
_CONVERSATIONS: Final = ("forked_from_id", "parent_thread_id", "id")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What a tool answered in a record.

    Raises:
        TextError: It is no record of a session, or is not JSON.
    """
    node = read_record(record.text)
    if _is_line(node.value):
        kind, item = node.value["type"], node.at("payload")
    elif isinstance(node.value, dict) and (_is_old_start(node.value) or "type" in node.value):
        kind, item = _ITEM, node
    else:
        raise TextError("no record of a session")
    if kind == "session_meta":
        named = (name_conversation(item.value.get(key)) for key in _CONVERSATIONS)
        origin.calls.conversation = next(filter(None, named), None)
    elif kind == "turn_context":
        origin.calls.model = find_model(item.value) or origin.calls.model
    elif kind == "event_msg" and item.value.get("type") == "token_count":
        _note(item, origin, find_time(node.value))
    elif kind == _ITEM:
        yield from _answers(item, record.number, origin, find_time(node.value))


def _note(event: Node, origin: Origin, time: float | None) -> None:
    used, total = event.get("info", "last_token_usage"), event.get("info", "total_token_usage")
    if used is None or total is None or not isinstance(total.value, dict):
        return
    id = f"{origin.calls.conversation or origin.name} {read_usage(total.value)}"
    call = Node({"id": id, "usage": used.value}, "")
    origin.note(call, time, origin.calls.model, origin.calls.conversation)


def _answers(item: Node, number: int, origin: Origin, time: float | None) -> Iterator[Record]:
    output = item.get("output", "content")  # of early versions: with its success
    if output is not None and isinstance(item.value["output"], dict):
        call = item.value.get("call_id")
        tool = origin.calls.get(call) if isinstance(call, str) else None
        yield from origin.answer(number, tool or UNKNOWN_TOOL, output, time, origin.calls.model)
    elif isinstance(item.value, dict):
        yield from answers([item], number, origin, time, origin.calls.model)


def _is_line(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("type") in _TYPES
        and isinstance(value.get("payload"), dict)
    )


def _is_old_start(value: dict[str, Any]) -> bool:
    """Whether a record is of a session's start or state, in early versions."""
    return value.get("record_type") == "state" or value.keys() >= {
        "id", "timestamp", "instructions"
    }  # fmt: skip


KIND: Final = Envelope(
    name="codex",
    label="Codex session",
    records="what tools answered, by tool",
    nothing="no tool result in it",
    kept="~/.codex/sessions, a folder for each day",
    recognises=lambda value: (
        (_is_line(value) and "timestamp" in value)
        or (isinstance(value, dict) and value.get("record_type") == "state")
    ),
    read=read,
)
