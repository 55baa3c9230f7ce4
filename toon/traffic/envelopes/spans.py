"""Spans of OpenTelemetry, in whose attributes several tools keep messages and results of tools.

The schema is that of the semantic conventions for generative AI (``gen_ai.tool.call.result``,
``gen_ai.input.messages`` and its JSON schema, before 1.37 events such as ``gen_ai.tool.message``)
and of opentelemetry-proto, of which OTLP's JSON is the mapping. A span is also found in the shapes
of the console exporter, of Jaeger, of MLflow, and as a row whose columns are ``attributes.KEY``.
Its attributes are a list of ``{key, value}`` or an object, flat (``a.b.c``) or nested. Known are
also those of OpenLLMetry (``gen_ai.prompt.N.role``, ``traceloop.entity.output``) and of the Vercel
AI SDK (``ai.prompt.messages``, ``ai.toolCall.result``).
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.fields import Fields, Places, items_of, nested, plain
from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.keys import MOST_KEYS
from toon.traffic.kinds import Cut, Entry, Origin
from toon.traffic.language import is_message
from toon.traffic.locate import Node, find_model, name_group, read_record
from toon.traffic.payload import Record
from toon.traffic.streams import Chunks, Damaged
from toon.traffic.times import find_time
from toon.traffic.tools import UNKNOWN_TOOL, Calls, is_content
from toon.traffic.traces import Place
from toon.traffic.walker import Result, results

#: The keys of arrays that lead from an export of OTLP to its spans and log records.
OTLP: Final = (
    ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "batches"),
    ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "scopeLogs", "scope_logs"),
    ("spans", "logRecords", "log_records"),
)
_EXPORT: Final = re.compile(rf'\s*\{{\s*"(?:{"|".join(OTLP[0])})"\s*:\s*\[')
_HOLDERS: Final = (*OTLP[0], *OTLP[1], *OTLP[2], "data", "traces", "trace")

_TRACES: Final = ("traceId", "trace_id", "traceID", "TraceId", "context.trace_id")
_SPANS: Final = ("spanId", "span_id", "spanID", "SpanId", "context.span_id")
_ATTRIBUTES: Final = ("attributes", "tags", "SpanAttributes")
#: Attributes that no other log has.
_MARKS: Final = re.compile(
    "(?:gen_ai|openinference|traceloop|mlflow|llm[.](?:in|out)put_messages|ai[.](?:toolCall|prompt)"
    "|langfuse[.]observation)(?:[.]|$)"
)

#: Attributes with a tool's answer; with a span's kind; and with an answer if the kind is a tool.
_ANSWERS: Final = (
    "gen_ai.tool.call.result", "tool_response", "ai.toolCall.result",
    "gcp.vertex.agent.tool_response",
)  # fmt: skip
_KINDS: Final = (
    "openinference.span.kind", "traceloop.span.kind", "mlflow.spanType", "gen_ai.operation.name",
    "langfuse.observation.type", "span_kind",
)  # fmt: skip
_TOOL_OUTPUTS: Final = (
    "output.value", "traceloop.entity.output", "mlflow.spanOutputs", "langfuse.observation.output",
)  # fmt: skip
_TOOLS: Final = frozenset(["tool", "execute_tool"])
_OPENINFERENCE: Final = frozenset([
    "llm", "embedding", "chain", "retriever", "reranker", "tool", "agent", "guardrail", "evaluator",
    "prompt",
])  # fmt: skip
_AGENTS: Final = frozenset(["agent", "chain", "workflow", "invoke_agent", "invoke_workflow"])
_MODELS: Final = frozenset(["llm", "chat_model", "chat", "generation"])

#: Attributes with a list of messages, of which the first found counts, and beginnings of attributes
#: that end in a message's number and key.
_MESSAGES: Final = (
    "gen_ai.input.messages", "ai.prompt.messages", "mlflow.chat.messages",
    "gcp.vertex.agent.llm_request",
)  # fmt: skip
_NUMBERED: Final = ("llm.input_messages", "gen_ai.prompt")
_EVENTS: Final = ("events", "gen_ai.prompt")
_ALL_MESSAGES: Final = ("pydantic_ai.all_messages", "all_messages_events")
_MODEL_INPUTS: Final = ("mlflow.spanInputs", "input.value", "langfuse.observation.input")
_CALLS: Final = ("gen_ai.output.messages",)
_NUMBERED_CALLS: Final = ("llm.output_messages", "gen_ai.completion")

_NAMES: Final = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name", "ai.toolCall.name")
_CALL_IDS: Final = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id")
_SPAN_NAMES: Final = ("name", "span_name", "operationName", "SpanName")
_MODEL_NAMES: Final = (
    "gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id",
)  # fmt: skip
#: Attributes of spans that concern models or tools, and keys beside the attributes that may do so.
_FAMILIES: Final = re.compile(
    "gen_ai|gcp[.]vertex[.]agent|ai[.]|llm|openinference|traceloop|mlflow|langfuse|tool|output|input"
    "|pydantic_ai|all_messages|events|event[.]name|span_kind"
)
_TOLD: Final = frozenset(["events", "logs", "body"])
_CONVERSATIONS: Final = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_USAGE: Final = ("gen_ai.usage.", "llm.token_count.")
_COUNT: Final = re.compile("[0-9]{1,15}")
_EXECUTE: Final = "execute_tool "


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield payloads and bad records from a record's spans; raise TextError if it has no span."""
    node = read_record(record.text)
    spans = list(find_spans(node))
    if not spans and all(node.get(key) is None for key in OTLP[0]):
        raise TextError("no span in it")
    for span in spans:
        yield from _read_span(span, Entry(origin, record.number))


def find_spans(node: Node) -> Iterator[Node]:
    """Yield the spans of OpenTelemetry in a JSON value: itself, or those in lists of spans."""
    return nested(node, _is_span, _HOLDERS)


def _is_span(value: Any) -> bool:
    """Return whether a JSON value is a span of OpenTelemetry or a log record of one.

    It has attributes, and ids of a trace and a span, or attributes that nothing else has.
    """
    if not isinstance(value, dict) or len(value) > MOST_KEYS:
        return False
    node = Node(value, "")
    found = attributes(node).places
    if any(map(_MARKS.match, found)):
        return True
    known = Fields.of(node)
    has_some = bool(found) or any(isinstance(value.get(key), dict | list) for key in _ATTRIBUTES)
    return has_some and known.text(*_TRACES) != "" and known.text(*_SPANS) != ""


def is_trace(value: Any) -> bool:
    """Return whether a JSON value is a span, a list of spans, or an export of OTLP."""
    if isinstance(value, dict) and any(isinstance(value.get(key), list) for key in OTLP[0]):
        return True
    return next(find_spans(Node(value, "")), None) is not None


def is_mlflow(value: Any) -> bool:
    """Return whether a JSON value has spans of MLflow, whose attributes begin with its name."""
    found = (key for span in find_spans(Node(value, "")) for key in attributes(span).places)
    return any(key.startswith("mlflow.") for key in found)


def is_openinference(value: Any) -> bool:
    """Return whether a JSON value has OpenTelemetry spans with a span kind of OpenInference."""
    found = map(attributes, find_spans(Node(value, "")))
    kinds = (each.text("openinference.span.kind", "span_kind").lower() for each in found)
    return not _OPENINFERENCE.isdisjoint(kinds)


def attributes(span: Node) -> Fields:
    """Return a view of a span's attributes; a table's row has them as ``attributes.KEY``."""
    start = "attributes."
    places: Places = {
        key.removeprefix(start): (span, (key,))
        for key in span.value
        if key.startswith(start) or key == "span_kind" or _MARKS.match(key)
    }
    for key in _ATTRIBUTES:
        if key in span.value:
            places |= Fields.of(span.at(key)).places
    return Fields(places)


def _read_span(span: Node, entry: Entry) -> Iterator[Record]:
    """Yield a span's payloads; those that depend on other spans wait for the end of the trace."""
    fields = attributes(span)
    if not any(map(_FAMILIES.match, fields.places)) and not _TOLD & span.value.keys():
        return
    top, calls, traces = Fields.of(span), entry.origin.calls, entry.origin.traces
    trace = top.text(*_TRACES)
    model = find_model({"model": fields.text(*_MODEL_NAMES)})
    entry = entry._replace(time=find_time(span.value), model=model)
    kinds = (fields.text(key).strip('"').lower() for key in _KINDS)
    kind = next(filter(None, kinds), "")
    if kind not in _AGENTS:  # their usage is the sum of what they called
        used = {key: fields.get(key) for key in fields.places if key.startswith(_USAGE)}
        texts = {key: str(node.value) for key, node in used.items() if node}  # OTLP's numbers
        counts = {key: int(text) for key, text in texts.items() if _COUNT.fullmatch(text)}
        entry.note(Node(counts, ""), fields.text(*_CONVERSATIONS))
    place = Place.AGENT if kind in _AGENTS else Place.MODEL
    yield from traces.add(trace, place, entry.answers(_sent(span, fields, kind, calls)))
    if everything := fields.first(*_ALL_MESSAGES):
        yield from traces.add(trace, Place.AGENT, entry.answers(results_in(everything, calls)))
    answer = fields.first(*_ANSWERS)
    if answer is None and kind in _TOOLS:
        answer = fields.first(*_TOOL_OUTPUTS)
    if answer is not None:
        tool = fields.text(*_NAMES) or top.text(*_SPAN_NAMES).removeprefix(_EXECUTE)
        if tool and (call := fields.text(*_CALL_IDS)):
            calls.remember(call, tool)
        found = answers(answer, name_group(tool) if tool else UNKNOWN_TOOL)
        yield from traces.add(trace, Place.TOOL, entry.answers(found))


def _sent(span: Node, fields: Fields, kind: str, calls: Calls) -> Iterator[Result]:
    """Yield the results of tools in the messages that a model was sent, from its span."""
    for key in _CALLS:
        if found := fields.get(key):
            list(results_in(found, calls))  # for the names of the tools that it calls
    for key in _NUMBERED_CALLS:
        list(_numbered(fields.listed(key), calls))
    if found := fields.first(*_MESSAGES):
        yield from results_in(found, calls)
        return
    for key in _NUMBERED:
        if messages := fields.listed(key):
            yield from _numbered(messages, calls)
            return
    if found := fields.first(*(_MODEL_INPUTS if kind in _MODELS else ()), *_EVENTS):
        yield from results_in(found, calls)
        return
    for event in (*span.items("events"), *span.items("logs"), span):  # or a log record itself
        told = fields if event is span else attributes(event)
        yield from _in_event(event, told, event is span, calls)


def _in_event(event: Node, told: Fields, is_span: bool, calls: Calls) -> Iterator[Result]:
    """Yield the results of tools in an event of a span, or in a log record.

    ``told`` are the attributes of the event. ``is_span`` is set for the span itself, which may be
    a log record.
    """
    name = told.text("event.name") or Fields.of(event).text("name", "eventName", "event_name")
    body = event.get("body")
    inner = told if body is None else Fields.of(plain(body))
    if name == "gen_ai.tool.message":
        content = inner.first("content", "gen_ai.event.content") or (plain(body) if body else None)
        if content is not None:
            tool = calls.get(inner.text("id") or told.text("id"))
            named = inner.text("name") or told.text("gen_ai.tool.name", "name")
            yield Result(tool or (name_group(named) if named else UNKNOWN_TOOL), content)
    elif not is_span or body is not None:
        list(results_in(body, calls) if body is not None else ())
        for key in (*_MESSAGES, "gen_ai.prompt"):
            if found := inner.get(key) or told.get(key):
                yield from results_in(found, calls)
                break


def results_in(node: Node, calls: Calls) -> Iterator[Result]:
    """Yield the results of tools in a message, a list of messages or a request, parsed or as text.

    The names of the tools that are called in it are added to ``calls``.
    """
    try:
        yield from results(node.opened(), calls)
    except TextError:
        return


def answers(content: Node, tool: str) -> Iterator[Result]:
    """Yield a tool's answer from its span's output, without a message or MCP result around it."""
    try:
        opened = content.opened()
    except TextError:
        opened = content
    inner = opened.get("output") if isinstance(opened.value, dict) else None
    for node in (opened, inner):
        if node is None or not isinstance(node.value, dict):
            continue
        if is_message(node.value) and (found := results(node, Calls())):
            yield from (Result(tool, each.content) for each in found)
            return
        if is_content(node.value):
            yield Result(tool, node)
            return
    yield Result(tool, opened if isinstance(opened.value, list) else content)


def _numbered(messages: list[Fields], calls: Calls) -> Iterator[Result]:
    """Yield the results of tools in messages of attributes such as ``gen_ai.prompt.0.role``.

    The names of called tools are added to ``calls``.
    """
    for message in messages:
        for call in message.listed("message.tool_calls") or message.listed("tool_calls"):
            id = call.text("tool_call.id", "id")
            name = call.text("tool_call.function.name", "function.name", "name")
            if id and name:
                calls.remember(id, name)
        content = message.first("message.content", "content")
        if message.text("message.role", "role") in ("tool", "function"):
            named = message.text("message.name", "name")
            tool = calls.get(message.text("message.tool_call_id", "tool_call_id"))
            tool = tool or (name_group(named) if named else UNKNOWN_TOOL)
            parts = message.listed("message.contents") or message.listed("contents")
            texts = (part.first("message_content.text", "text") for part in parts)
            for text in [content] if content is not None else texts:
                if text is not None:
                    yield Result(tool, text)
        elif content is not None and (
            not isinstance(content.value, str) or '"tool_result"' in content.value
        ):
            for part in items_of(content):
                yield from results(part, calls)


def is_export(head: str) -> bool:
    """Return whether a JSON text that starts with ``head`` is an export of OTLP."""
    return _EXPORT.match(head) is not None


def split(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield the text of each span or log record in one or more exports of OTLP, or a Flaw where it
    cannot be read; only one span is in memory at a time, never a whole export.
    """
    stream = JsonStream(chunks)
    number, is_flaw = 0, False
    try:
        while stream.has_more():
            for record in stream.nested(OTLP, number):
                number, is_flaw = record.number, isinstance(record, Flaw)
                yield record
        stream.finish()
    except Damaged:
        raise
    except TextError:
        rest = stream.finish()
        if rest or not is_flaw:
            yield Flaw(number + 1, "damaged JSON outside of the spans: the rest is not read")


SPANS: Final = Cut("otlp", "export of OTLP", "each span is a record", split=split, read=read)
