"""Spans of OpenTelemetry, in whose attributes several tools keep messages and results of tools.

A span is found in the shapes of OTLP's JSON, of the console exporter, of Jaeger, of MLflow, and as
a row whose columns are ``attributes.KEY``. Its attributes are a list of ``{key, value}`` or an
object, flat (``a.b.c``) or nested. :mod:`toon.traffic.traces` says which spans of a trace count.

Besides the attributes that each reader's docstring names, those are known of OpenLLMetry
(``gen_ai.prompt.N.role``, ``traceloop.entity.output``) and of the Vercel AI SDK
(``ai.prompt.messages``, ``ai.toolCall.result``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from toon.errors import TextError
from toon.traffic.envelopes.fields import Fields, Places, items_of, nested, plain
from toon.traffic.json_stream import RawRecord
from toon.traffic.keys import MOST_KEYS
from toon.traffic.kinds import Origin
from toon.traffic.language import is_message
from toon.traffic.locate import Node, find_model, name_group, read_record
from toon.traffic.payload import Record
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
_HOLDERS: Final = (*OTLP[0], *OTLP[1], *OTLP[2], "data", "traces", "trace")

_TRACES: Final = ("traceId", "trace_id", "traceID", "TraceId", "context.trace_id")
_SPANS: Final = ("spanId", "span_id", "spanID", "SpanId", "context.span_id")
_ATTRIBUTES: Final = ("attributes", "tags", "SpanAttributes")
#: Attributes that no other log has.
_MARKS: Final = re.compile(
    "(?:gen_ai|openinference|traceloop|mlflow|llm[.](?:in|out)put_messages|ai[.](?:toolCall|prompt)"
    "|langfuse[.]observation)(?:[.]|$)"
)

#: Attributes with what a tool answered, and those that do it in spans of one kind.
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

#: Attributes with a list of messages. The first found counts.
_MESSAGES: Final = (
    "gen_ai.input.messages",
    "ai.prompt.messages",
    "mlflow.chat.messages",
    "gcp.vertex.agent.llm_request",
)
#: The same with keys that end in a message's number and key.
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
#: Attributes of which a span has some that says anything of models or tools, and the keys of
#: others that do it outside of attributes.
_FAMILIES: Final = re.compile(
    "gen_ai|gcp[.]vertex[.]agent|ai[.]|llm|openinference|traceloop|mlflow|langfuse|tool|output|input|pydantic_ai"
    "|all_messages|events|event[.]name|span_kind"
)
_TOLD: Final = frozenset(["events", "logs", "body"])
_CONVERSATIONS: Final = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_USAGE: Final = ("gen_ai.usage.", "llm.token_count.")
_EXECUTE: Final = "execute_tool "


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the spans of a record.

    Raises:
        TextError: It holds no span, or is not JSON.
    """
    node = read_record(record.text)
    spans = list(find_spans(node))
    if not spans and all(node.get(key) is None for key in OTLP[0]):
        raise TextError("no span in it")
    for span in spans:
        yield from _read_span(span, record.number, origin)


def find_spans(node: Node) -> Iterator[Node]:
    """A span itself, or those in lists of spans."""
    return nested(node, is_span, _HOLDERS)


def is_span(value: Any) -> bool:
    """Whether a value is a span or a log record of one.

    It has attributes, and both ids or attributes that nothing else has.
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
    """Whether a value is a span, a list of spans, or an export of OTLP."""
    if isinstance(value, dict) and any(isinstance(value.get(key), list) for key in OTLP[0]):
        return True
    return next(find_spans(Node(value, "")), None) is not None


def is_mlflow(value: Any) -> bool:
    """Whether a value has spans of MLflow, whose attributes begin with its name."""
    found = find_spans(Node(value, ""))
    return any(any(key.startswith("mlflow.") for key in attributes(s).places) for s in found)


def is_openinference(value: Any) -> bool:
    """Whether a value has spans of a kind of OpenInference."""
    kinds = (
        attributes(span).text("openinference.span.kind", "span_kind")
        for span in find_spans(Node(value, ""))
    )
    return any(kind.lower() in _OPENINFERENCE for kind in kinds)


def attributes(span: Node) -> Fields:
    """The attributes of a span, and of a row those in columns of their own."""
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


def kind_of(fields: Fields) -> str:
    """The kind of a span in lower case, as its tool calls it; "" without one."""
    kinds = (fields.text(key).strip('"').lower() for key in _KINDS)
    return next((kind for kind in kinds if kind), "")


def _read_span(span: Node, number: int, origin: Origin) -> Iterator[Record]:
    fields = attributes(span)
    if not any(map(_FAMILIES.match, fields.places)) and not _TOLD & span.value.keys():
        return
    top = Fields.of(span)
    trace = top.text(*_TRACES)

    model = find_model({"model": fields.text(*_MODEL_NAMES)})

    def records(found: Iterator[Result]) -> Iterator[Record]:
        for result in found:
            time = find_time(span.value)
            yield from origin.answer(number, result.tool, result.content, time, model)

    kind = kind_of(fields)
    if kind not in _AGENTS:  # their usage is the sum of what they called
        conversation = fields.text(*_CONVERSATIONS)
        origin.note(_usage(fields), find_time(span.value), model, conversation)
    place = Place.AGENT if kind in _AGENTS else Place.MODEL
    messages = _sent(span, fields, kind, origin.calls)
    yield from origin.traces.add(trace, place, records(messages))
    everything = fields.first(*_ALL_MESSAGES)
    if everything is not None:
        found = results_in(everything, origin.calls)
        yield from origin.traces.add(trace, Place.AGENT, records(found))
    answer = fields.first(*_ANSWERS)
    if answer is None and kind in _TOOLS:
        answer = fields.first(*_TOOL_OUTPUTS)
    if answer is not None:
        tool = fields.text(*_NAMES) or top.text(*_SPAN_NAMES).removeprefix(_EXECUTE)
        if tool and (call := fields.text(*_CALL_IDS)):
            origin.calls.remember(call, tool)
        found = answers(answer, name_group(tool) if tool else UNKNOWN_TOOL)
        yield from origin.traces.add(trace, Place.TOOL, records(found))


def _usage(fields: Fields) -> Node:
    """The attributes of a span that say how many tokens it took; OTLP holds numbers as texts."""
    found = {key: fields.get(key) for key in fields.places if key.startswith(_USAGE)}
    return Node({k: int(str(node.value)) for k, node in found.items() if _is_count(node)}, "")


def _is_count(node: Node | None) -> TypeGuard[Node]:
    return node is not None and re.fullmatch("[0-9]{1,15}", str(node.value)) is not None


def _sent(span: Node, fields: Fields, kind: str, calls: Calls) -> Iterator[Result]:
    """The results in the messages that a span's model was sent."""
    for key in _CALLS:
        if (found := fields.get(key)) is not None:
            list(results_in(found, calls))
    for key in _NUMBERED_CALLS:
        list(_numbered_results(fields.listed(key), calls))
    keys = (*_MESSAGES, *(_MODEL_INPUTS if kind in _MODELS else ()))
    for key in keys[: len(_MESSAGES)]:
        if (found := fields.get(key)) is not None:
            yield from results_in(found, calls)
            return
    for key in _NUMBERED:
        if messages := fields.listed(key):
            yield from _numbered_results(messages, calls)
            return
    for key in (*keys[len(_MESSAGES) :], *_EVENTS):
        if (found := fields.get(key)) is not None:
            yield from results_in(found, calls)
            return
    yield from _in_events(span, fields, calls)


def _in_events(span: Node, fields: Fields, calls: Calls) -> Iterator[Result]:
    """The results in the events of a span; a log record is one of them itself."""
    for event in (*span.items("events"), *span.items("logs"), span):
        told = fields if event is span else attributes(event)
        name = told.text("event.name") or Fields.of(event).text("name", "eventName", "event_name")
        body = event.get("body")
        inner = Fields.of(plain(body)) if body is not None else told
        if name == "gen_ai.tool.message":
            content = inner.first("content", "gen_ai.event.content")
            content = content or (plain(body) if body is not None else None)
            if content is not None:
                tool = calls.get(inner.text("id") or told.text("id"))
                named = inner.text("name") or told.text("gen_ai.tool.name", "name")
                yield Result(tool or (name_group(named) if named else UNKNOWN_TOOL), content)
        elif event is not span or body is not None:
            list(results_in(body, calls) if body is not None else ())
            for key in (*_MESSAGES, "gen_ai.prompt"):
                if (found := inner.get(key) or told.get(key)) is not None:
                    yield from results_in(found, calls)
                    break


def results_in(node: Node, calls: Calls) -> Iterator[Result]:
    """The results in a message, a list of them (of lists), or a request, also held as text."""
    try:
        yield from results(node.opened(), calls)
    except TextError:
        return


def answers(content: Node, tool: str) -> Iterator[Result]:
    """What a tool answered, out of the message or the result of MCP in which a span holds it."""
    try:
        opened = content.opened()
    except TextError:
        opened = content
    inner = opened.get("output") if isinstance(opened.value, dict) else None
    for node in (opened, inner):
        if node is None or not isinstance(node.value, dict):
            continue
        if is_message(node.value):
            found = list(results(node, Calls()))
            if found:
                yield from (Result(tool, each.content) for each in found)
                return
        if is_content(node.value):
            yield Result(tool, node)
            return
    yield Result(tool, opened if isinstance(opened.value, list) else content)


def _numbered_results(messages: list[Fields], calls: Calls) -> Iterator[Result]:
    for message in messages:
        _remember(message, calls)
        content = message.first("message.content", "content")
        if message.text("message.role", "role") in ("tool", "function"):
            call = message.text("message.tool_call_id", "tool_call_id")
            name = message.text("message.name", "name")
            tool = calls.get(call) or (name_group(name) if name else UNKNOWN_TOOL)
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


def _remember(message: Fields, calls: Calls) -> None:
    for call in message.listed("message.tool_calls") or message.listed("tool_calls"):
        id = call.text("tool_call.id", "id")
        name = call.text("tool_call.function.name", "function.name", "name")
        if id and name:
            calls.remember(id, name)
