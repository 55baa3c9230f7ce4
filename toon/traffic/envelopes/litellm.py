"""Logs of LiteLLM: the results of tools in requests, by the name of the tool.

A record is a StandardLoggingPayload or a row of SpendLogs, where lists and requests may be JSON as
text. ``messages`` and ``proxy_server_request`` hold the same conversation: the second is read
only without the first. It is sent again with each request and is counted again. LiteLLM's
documentation names these logs; no list of their fields was found, so they are from memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.chat import answers, find_messages
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_model, read_record
from toon.traffic.messages import is_message
from toon.traffic.payload import Record
from toon.traffic.times import find_time

_COSTS: Final = ("response_cost", "spend")
_REQUEST: Final = "proxy_server_request"


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in a request.

    Raises:
        TextError: It is no call of a model, or is not JSON.
    """
    node = read_record(record.text)
    if not isinstance(node.value, dict) or "call_type" not in node.value:
        raise TextError("no call of a model")
    time, model = find_time(node.value), find_model(node.value)
    origin.note(node, time, model)
    yield from answers(_messages(node), record.number, origin, time, model)


def _messages(node: Node) -> list[Node]:
    listed = [item for item in node.items("messages") if is_message(item.value)]
    request = None if listed else node.get(_REQUEST)
    try:
        request = request.opened() if request else None
    except TextError:
        request = None
    return listed or list(find_messages(request or node)) or list(find_messages(node))


def recognises(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "call_type" in value
        and "startTime" in value
        and any(key in value for key in _COSTS)
    )


KIND: Final = Envelope(
    name="litellm",
    label="LiteLLM log",
    records="what tools answered in requests, by tool",
    nothing="no tool result in it",
    kept="the callbacks of the proxy, or its table LiteLLM_SpendLogs",
    recognises=recognises,
    read=read,
)
