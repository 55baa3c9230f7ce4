"""Runs of LangSmith: the results of tools that its models were sent.

The schema is LangSmith's documentation of the format of runs, which its bulk export writes as
Parquet. A run of ``llm`` holds LangChain's messages in ``inputs.messages``, one list for each
prompt, a run of ``tool`` its answer in ``outputs.output``, also as a message; in tables ``inputs``
and ``outputs`` are texts. Runs may hold ``child_runs``. A chain repeats what its runs hold: it
counts only in a trace without others. :mod:`toon.traffic.traces` has the rule. A thread is a
conversation: its documentation names three keys in the metadata. ``session_id`` beside the run is
that of its project.
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

_KINDS: Final = frozenset(["tool", "chain", "llm", "retriever", "embedding", "prompt", "parser"])
_MARKS: Final = ("trace_id", "dotted_order", "session_id", "start_time", "parent_run_id")
_LISTS: Final = ("child_runs", "runs")
_LAYOUT: Final = Layout(
    kind=("run_type",),
    trace=("trace_id",),
    name=("name",),
    model=(
        "extra.metadata.ls_model_name", "extra.invocation_params.model",
        "extra.invocation_params.model_name",
    ),
    input=("inputs.messages", "inputs"),
    output=("outputs.output", "outputs"),
    tools=frozenset(["tool"]),
    models=frozenset(["llm"]),
    agents=frozenset(["chain"]),
    conversation=(
        "extra.metadata.thread_id", "extra.metadata.session_id", "extra.metadata.conversation_id",
    ),
)  # fmt: skip


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the runs of a record.

    Raises:
        TextError: It holds no run, or is not JSON.
    """
    found = list(find_runs(read_record(record.text), _is_run, _LISTS))
    if not found:
        raise TextError("no run in it")
    for run in found:
        yield from read_run(run, _LAYOUT, record.number, origin)


def _is_run(value: Any) -> bool:
    kind = value.get("run_type") if isinstance(value, dict) else None
    return (
        isinstance(kind, str)
        and kind in _KINDS
        and ("inputs" in value or "outputs" in value)
        and any(key in value for key in _MARKS)
    )


KIND: Final = Envelope(
    name="langsmith",
    label="LangSmith runs",
    records="results of tools, by tool",
    nothing="no result of a tool in its runs",
    kept="LangSmith's bulk export, or the runs that its client lists",
    recognises=lambda value: any(find_runs(Node(value, ""), _is_run, _LISTS)),
    read=read,
)
