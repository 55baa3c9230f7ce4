"""Traces of OpenAI's Agents SDK: the results of tools that its models were sent.

The schema is that of the SDK's documentation, in part from memory: a trace and its spans are
exported as objects, also in the ``data`` of one request, and a ``trace.span`` has its
``span_data``. A span of the type ``function`` holds a tool's ``output``; of the type ``generation``
or ``response`` the ``input`` of a model, where it was recorded. :mod:`toon.traffic.traces` has the
rule. The ``group_id`` of a trace links those of a conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.runs import Layout, find_runs, read_run
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, read_record
from toon.traffic.payload import Record

_LISTS: Final = ("data", "spans")
_LAYOUT: Final = Layout(
    kind=("span_data.type",),
    trace=("trace_id",),
    name=("span_data.name",),
    model=("span_data.model", "span_data.response.model"),
    input=("span_data.input",),
    output=("span_data.output", "span_data.response.output"),
    tools=frozenset(["function"]),
    models=frozenset(["generation", "response"]),
)


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the spans of a record.

    Raises:
        TextError: It holds neither a span nor a trace, or is not JSON.
    """
    node = read_record(record.text)
    found = list(find_runs(node, _is_span_or_trace, _LISTS))
    if not found:
        raise TextError("no span in it")
    for run in found:
        origin.traces.belong(run.value.get("id"), run.value.get("group_id"))
        yield from read_run(run, _LAYOUT, record.number, origin)


def _is_span(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("span_data"), dict):
        return False
    return value.get("object") == "trace.span" or isinstance(value.get("trace_id"), str)


def _is_span_or_trace(value: Any) -> bool:
    return _is_span(value) or (isinstance(value, dict) and value.get("object") == "trace")


KIND: Final = Envelope(
    name="openai-agents",
    label="trace of OpenAI's Agents SDK",
    records="results of tools in its spans, by tool",
    nothing="no result of a tool in its spans",
    kept="what a trace processor of your program writes",
    recognises=lambda value: any(find_runs(Node(value, ""), _is_span, _LISTS)),
    read=read,
)
