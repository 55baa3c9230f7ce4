"""Message histories of Pydantic AI: what its tools returned.

The schema is that of ``ModelMessagesTypeAdapter`` in Pydantic AI's documentation, in part from
memory: a message of the ``kind`` ``request`` or ``response`` with ``parts``, each with its
``part_kind``. A history says every message once, so each result counts once. Traces of Pydantic AI
are read as those of OpenTelemetry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.runs import find_runs
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_model, read_record
from toon.traffic.messages import results
from toon.traffic.payload import Record
from toon.traffic.times import find_time

_LISTS: Final = ("messages", "all_messages", "new_messages", "message_history")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools returned in the messages of a record.

    Raises:
        TextError: It holds no message, or is not JSON.
    """
    node = read_record(record.text)
    found = list(find_runs(node, _is_message, _LISTS))
    if not found and all(node.get(key) is None for key in _LISTS):
        raise TextError("no message in it")
    model = None
    for message in found:
        model = find_model(message.value) or model
        for part in message.items("parts"):
            time = find_time(part.value) or find_time(message.value)
            for result in results(part, origin.calls):
                yield from origin.answer(record.number, result.tool, result.content, time, model)


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("kind") not in ("request", "response"):
        return False
    parts = value.get("parts")
    return isinstance(parts, list) and all(
        isinstance(part, dict) and isinstance(part.get("part_kind"), str) for part in parts
    )


KIND: Final = Envelope(
    name="pydantic-ai",
    label="Pydantic AI message history",
    records="what tools returned, by tool",
    nothing="no tool's return in it",
    kept="what all_messages_json gives, or your program keeps of it",
    recognises=lambda value: any(find_runs(Node(value, ""), _is_message, _LISTS)),
    read=read,
)
