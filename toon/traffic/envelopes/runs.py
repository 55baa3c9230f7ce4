"""A reader for logs of tracers whose spans keep input and output under keys of their own.

Their schemas are those of the documentation of LangSmith (format of runs, bulk export), Langfuse
(export to blob storage, public API) and OpenAI's Agents SDK, in part from memory.
:mod:`toon.traffic.traces` says which spans of a trace count.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.fields import Fields, nested
from toon.traffic.envelopes.spans import answers, results_in
from toon.traffic.json_stream import RawRecord
from toon.traffic.keys import chosen, told
from toon.traffic.kinds import Entry, Origin
from toon.traffic.locate import Node, find_model, name_group, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL
from toon.traffic.traces import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The keys under which a tracer's log of runs (spans) has its fields; dots lead into objects.

    Of several keys the first found counts. ``run`` holds the patterns of a run, ``about`` those of
    other objects in a file of runs, and ``lists`` the keys of lists of runs. ``tools``, ``models``
    and ``agents`` hold the values of a run's kind. An agent's run repeats other runs: it counts
    only in a trace without others.
    """

    run: tuple[str, ...]
    lists: tuple[str, ...]
    kind: tuple[str, ...]
    trace: tuple[str, ...]
    name: tuple[str, ...]
    model: tuple[str, ...]
    input: tuple[str, ...]
    output: tuple[str, ...]
    tools: frozenset[str]
    models: frozenset[str]
    agents: frozenset[str] = frozenset()
    conversation: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    def recognises(self, value: Any) -> bool:
        return any(nested(Node(value, ""), told(*self.run), self.lists))

    def read(self, record: RawRecord, origin: Origin) -> Iterator[Record]:
        """Yield payloads and bad records from a tracer's record; raise TextError without a run."""
        node = read_record(record.text)
        found = list(nested(node, told(*self.run), self.lists))
        whole = list(nested(node, told(*self.about), self.lists))
        if not found and not whole:
            raise TextError("no span in it")
        for each in whole:  # the group of a trace links those of a conversation, as a session does
            named = (each.value[key] for key in chosen(each.value, ("groupid", "sessionid")))
            origin.traces.belong(each.value.get("id"), next(named, None))
        for run in found:
            yield from self._read_run(run, Entry(origin, record.number))

    def _read_run(self, run: Node, entry: Entry) -> Iterator[Record]:
        """Yield the payloads of a tool's run, or of tools' answers in a model's input."""
        fields, calls, traces = Fields.of(run), entry.origin.calls, entry.origin.traces
        kind, trace = fields.text(*self.kind).lower(), fields.text(*self.trace)
        model = find_model({"model": fields.text(*self.model)})
        entry = entry._replace(time=find_time(run.value), model=model)
        said, sent = fields.first(*self.output), fields.first(*self.input)
        if kind in self.models:
            entry.note(run, fields.text(*self.conversation) or traces.conversation(trace))
            if said is not None:
                list(results_in(said, calls))  # for the names of what it calls
        if kind in self.tools and said is not None:
            name = fields.text(*self.name)
            found = answers(said, name_group(name) if name else UNKNOWN_TOOL)
            yield from traces.add(trace, Place.TOOL, entry.answers(found))
        elif kind in self.models | self.agents and sent is not None:
            place = Place.MODEL if kind in self.models else Place.AGENT
            yield from traces.add(trace, place, entry.answers(results_in(sent, calls)))


LANGFUSE: Final = Layout(
    run=(
        "type=span|generation|event|tool|agent|chain|retriever|embedding|evaluator|guardrail"
        " traceid|parentobservationid input|output"
        " starttime|level|usagedetails|costdetails|promptname|providedmodelname",
    ),
    lists=("observations", "data"),
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
    about=("observations", "id sessionid"),
)
LANGSMITH: Final = Layout(
    run=(
        "runtype=tool|chain|llm|retriever|embedding|prompt|parser inputs|outputs"
        " traceid|dottedorder|sessionid|starttime|parentrunid",
    ),
    lists=("child_runs", "runs"),
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
OPENAI_AGENTS: Final = Layout(
    run=("spandata.type object=trace.span|tracespan", "spandata.type traceid"),
    lists=("data", "spans"),
    kind=("span_data.type",),
    trace=("trace_id",),
    name=("span_data.name",),
    model=("span_data.model", "span_data.response.model"),
    input=("span_data.input",),
    output=("span_data.output", "span_data.response.output"),
    tools=frozenset(["function"]),
    models=frozenset(["generation", "response"]),
    about=("object=trace",),
)
