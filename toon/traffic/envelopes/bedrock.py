"""Invocation logs of Amazon Bedrock: the results of tools in the bodies of requests.

A record is a ``ModelInvocationLog``, or a line of CloudWatch around one. Its body has the messages
of Converse or, for InvokeModel, those of the model's maker. A conversation is sent again with each
request and is counted again. The schema of these logs could not be looked up, so nothing beside
``schemaType`` is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toon.errors import TextError
from toon.traffic.envelopes.chat import answers, find_messages
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_model, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import inside

_MARK: Final = "ModelInvocationLog"
_AROUND: Final = ("message", "@message")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the request of an invocation.

    Raises:
        TextError: It is no invocation, its request lies elsewhere, or it is not JSON.
    """
    log = _find_log(read_record(record.text))
    if log is None:
        raise TextError("no invocation of a model")
    if log.get("input", "inputBodyJson") is None and log.get("input", "inputBodyS3Path"):
        raise TextError("its request lies in a file of its own, at inputBodyS3Path")
    body = log.get("input", "inputBodyJson")
    if body is None or not isinstance(body.value, dict):
        return
    model = (find_model(log.value) or "").rpartition("/")[2] or None  # an ARN names the account
    time = find_time(log.value)
    origin.note(log, time, model)
    yield from answers(find_messages(body), record.number, origin, time, model)


def _find_log(node: Node) -> Node | None:
    if not isinstance(node.value, dict):
        return None
    for each in (node, *inside(node, _AROUND, _MARK)):
        if each.value.get("schemaType") == _MARK:
            return each
    return None


KIND: Final = Envelope(
    name="bedrock",
    label="Amazon Bedrock invocation log",
    records="what tools answered in requests, by tool",
    nothing="no tool result in it",
    kept="the bucket or log group of Bedrock's model invocation logging",
    recognises=lambda value: _find_log(Node(value, "")) is not None,
    read=read,
)
