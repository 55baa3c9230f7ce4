"""Exports of Helicone: the results of tools in the bodies of requests, by the name of the tool.

A record is a request with its answer; in CSV the bodies are JSON as text. A conversation is sent
again with each request and is counted again. Helicone's documentation describes its export, but no
list of its fields was found: those that are read are from memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.chat import answers, find_messages
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import find_model, read_record
from toon.traffic.payload import Record
from toon.traffic.times import parse_time

_MARKS: Final = ("request_created_at", "request_model", "request_path", "response_body")
_BODIES: Final = ("request_body", "request")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in a request.

    Raises:
        TextError: It is no request, or is not JSON.
    """
    node = read_record(record.text)
    if not isinstance(node.value, dict) or "request_id" not in node.value:
        raise TextError("no request of an export")
    time = parse_time(node.value.get("request_created_at"))
    for key in _BODIES:
        body = node.get(key)
        try:
            body = body.opened() if body else None
        except TextError:
            continue
        if body is None or not isinstance(body.value, dict):
            continue
        model = find_model(node.value) or find_model(body.value)
        origin.note(node, time, model)
        yield from answers(find_messages(body), record.number, origin, time, model)
        return


def recognises(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "request_id" in value
        and "request_created_at" in value
        and sum(key in value for key in (*_MARKS, "request_body")) > 1
    )


KIND: Final = Envelope(
    name="helicone",
    label="Helicone export",
    records="what tools answered in requests, by tool",
    nothing="no tool result in it",
    kept="npx @helicone/export --include-body",
    recognises=recognises,
    read=read,
)
