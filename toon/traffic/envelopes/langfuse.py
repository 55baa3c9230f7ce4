"""Observations of Langfuse: the results of tools that its generations were sent.

The schema is that of Langfuse's documentation of its export to blob storage (JSON, JSON Lines,
CSV, Parquet) and of its public API, with keys in either spelling. A ``GENERATION`` holds its
messages in ``input``, a list, a request or either as text; a ``TOOL`` its answer in ``output``.
Of an observation of another kind that holds messages, such as an ``AGENT``, only a trace without
both counts. :mod:`toon.traffic.traces` has the rule. A session is a conversation.
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

_KINDS: Final = frozenset([
    "SPAN", "GENERATION", "EVENT", "TOOL", "AGENT", "CHAIN", "RETRIEVER", "EMBEDDING", "EVALUATOR",
    "GUARDRAIL",
])  # fmt: skip
_MARKS: Final = frozenset([
    "startTime", "start_time", "parentObservationId", "parent_observation_id", "usageDetails",
    "usage_details", "costDetails", "cost_details", "promptName", "prompt_name",
    "providedModelName", "provided_model_name", "level",
])  # fmt: skip
_LISTS: Final = ("observations", "data")
_LAYOUT: Final = Layout(
    kind=("type",),
    trace=("traceId", "trace_id"),
    name=("name",),
    model=("model", "providedModelName", "provided_model_name", "modelId", "model_id"),
    input=("input",),
    output=("output",),
    tools=frozenset(["tool"]),
    models=frozenset(["generation"]),
    agents=frozenset(["agent", "chain", "span"]),
    conversation=("sessionId", "session_id"),
)


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the observations of a record.

    Raises:
        TextError: It holds no observation, or is not JSON.
    """
    node = read_record(record.text)
    found = list(find_runs(node, _is_observation, _LISTS))
    if not found and not (isinstance(node.value, dict) and "observations" in node.value):
        raise TextError("no observation in it")
    if isinstance(node.value, dict):
        origin.traces.belong(node.value.get("id"), node.value.get("sessionId"))
    for run in found:
        yield from read_run(run, _LAYOUT, record.number, origin)


def _is_observation(value: Any) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        return False
    marks = value.keys() & _MARKS | value.keys() & {*_LAYOUT.trace}
    return len(marks) >= 2 and ("input" in value or "output" in value)


KIND: Final = Envelope(
    name="langfuse",
    label="Langfuse observations",
    records="results of tools, by tool",
    nothing="no result of a tool in its observations",
    kept="Langfuse's export to blob storage, or the export of a table of observations",
    recognises=lambda value: any(find_runs(Node(value, ""), _is_observation, _LISTS)),
    read=read,
)
