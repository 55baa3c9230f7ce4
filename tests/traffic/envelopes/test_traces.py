"""Traces: a tool's answer is read exactly, once for each time that a model was sent it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.traffic.envelopes import traces as t
from tests.traffic.reading import kind, lines, read_all, short
from toon.traffic.payload import Payload


def sole(data: str | bytes) -> tuple[Any, ...]:
    """All of the only payload in ``data`` but its source."""
    (item,) = read_all(data)
    assert isinstance(item, Payload), item
    return item.record, item.group, item.text, item.time, item.model, item.path


def answers(data: str | bytes) -> list[tuple[int, str]]:
    """The records with an answer of ``find``, and its text."""
    return [(item[0], item[2]) for item in short(data) if item[1] == "find"]


def test_a_models_span_counts_and_the_tools_own_span_beside_it_does_not() -> None:
    spans = [t.chat(t.sent(t.PARTS[:1])), t.tool(), t.chat(t.sent())]
    place = "attributes[].value.stringValue[].parts[].response"

    whole = f"resourceSpans[].scopeSpans[].spans[].{place}"
    first = (3, "find", t.ANSWER, t.TIME, t.MODEL, whole)
    assert sole(lines(*map(t.otlp, spans))) == first
    assert sole(json.dumps(t.otlp(*spans)))[0::5] == (3, place)
    assert sole(json.dumps(t.otlp(*spans), indent=2))[0::5] == (3, place)
    assert kind(json.dumps(t.otlp(*spans))).startswith("OpenTelemetry trace")


def test_an_answer_counts_each_time_it_was_sent() -> None:
    spans = [t.chat(t.sent()), t.tool(), t.chat(t.sent()), t.chat(t.sent())]

    for data in (json.dumps(t.otlp(*spans)), lines(*spans)):
        assert answers(data) == [(n, t.ANSWER) for n in (1, 3, 4)]


def test_the_span_of_a_tool_counts_where_no_model_shows_answers() -> None:
    spans = [t.chat({}), t.tool(), t.chat(t.sent(t.PARTS[:2])), t.chat(t.sent(), "t2"), t.tool()]

    assert answers(json.dumps(t.otlp(*spans))) == [(4, t.ANSWER), (2, t.ANSWER), (5, t.ANSWER)]
    inside = "attributes[].value.stringValue"
    assert sole(lines(t.tool())) == (1, "find", t.ANSWER, t.TIME, None, inside)


def test_the_span_of_an_agent_counts_where_there_is_no_other() -> None:
    agent = t.span("run", {"gen_ai.operation.name": "invoke_agent", **t.sent()})

    assert answers(lines(agent)) == [(1, t.ANSWER)]
    assert answers(lines(agent, t.tool())) == [(2, t.ANSWER)]
    assert answers(lines(t.tool(), agent)) == [(1, t.ANSWER)]
    assert answers(lines(agent, t.chat(t.sent()), t.tool())) == [(2, t.ANSWER)]


def test_plain_text_of_a_tool_is_skipped_with_its_text() -> None:
    (item,) = read_all(lines(t.tool(answer="12 files changed")))

    assert not isinstance(item, Payload)
    assert (item.reason, item.text) == ("skipped: not JSON: find", "12 files changed")


@pytest.mark.parametrize(
    "answer",
    [
        {"kvlistValue": {"values": [{"key": "a", "value": {"intValue": "7"}}]}},
        '{"content":[{"type":"text","text":"{\\"a\\":7}"}],"isError":false}',
        '[{"type":"text","text":"{\\"a\\":7}"}]',
        '"{\\"a\\":7}"',
    ],
)
def test_what_was_sent_is_taken_out_of_what_holds_it(answer: Any) -> None:
    assert answers(lines(t.tool(answer=answer))) == [(1, '{"a":7}')]


def numbered(start: str, *messages: dict[str, str]) -> dict[str, str]:
    """Attributes such as ``gen_ai.prompt.0.role``; the last message has the number 10."""
    places = (*range(len(messages) - 1), 10)
    named = zip(places, messages, strict=True)
    return {f"{start}.{n}.{key}": value for n, fields in named for key, value in fields.items()}


CALLED = {"role": "assistant", "tool_calls.0.id": "c1", "tool_calls.0.name": "find"}
OLD_PROMPT = numbered(
    "gen_ai.prompt", {"role": "user", "content": "who?"}, CALLED,
    {"role": "tool", "tool_call_id": "c1", "content": t.ANSWER},
)  # fmt: skip
CLAUDE_PROMPT = numbered("gen_ai.prompt", CALLED, {"role": "user", "content": json.dumps(
    [{"type": "tool_result", "tool_use_id": "c1", "content": t.ANSWER}])})  # fmt: skip
EVENT = {"event.name": "gen_ai.tool.message", "role": "tool", "id": "c1", "name": "find"}
INFERRED = {
    "openinference.span.kind": "LLM", "llm.model_name": t.MODEL,
    **numbered(
        "llm.input_messages",
        {"message.role": "assistant", "message.tool_calls.0.tool_call.id": "c1",
         "message.tool_calls.0.tool_call.function.name": "find"},
        {"message.role": "tool", "message.tool_call_id": "c1", "message.content": t.ANSWER},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "attributes",
    [
        t.sent(),
        t.sent([{**t.PARTS[1]}, {"role": "tool", "parts": [
            {"type": "tool_call_response", "id": "c1", "result": t.ANSWER}]}]),
        OLD_PROMPT,
        CLAUDE_PROMPT,
        INFERRED,
        {"gen_ai.prompt": json.dumps(t.ANSWERED)},
        {"events": json.dumps([{**EVENT, "content": t.ANSWER}])},
        {"ai.prompt.messages": json.dumps([{"role": "tool", "content": [
            {"type": "tool-result", "toolCallId": "c1", "toolName": "find",
             "output": {"type": "json", "value": t.ANSWER}}]}])},
    ],
    ids=["messages", "result", "openllmetry", "anthropic", "openinference", "prompt", "pydantic",
         "vercel"],
)  # fmt: skip
def test_messages_of_every_maker_and_version(attributes: dict[str, Any]) -> None:
    spans = [t.tool(), t.chat(attributes)]
    flat = {"trace_id": "t", "span_id": "s", "start_timestamp": "2025-10-09T08:53:20Z"}
    row = {**flat, "attributes": {"gen_ai.request.model": t.MODEL, **attributes}}

    assert sole(lines(*spans))[:5] == (2, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole(lines(row))[:5] == (1, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole("".join(map(t.console, spans)))[:5] == (2, "find", t.ANSWER, t.TIME, t.MODEL)


@pytest.mark.parametrize(
    "event",
    [
        {"name": "gen_ai.tool.message", "attributes": [
            {"key": "content", "value": {"stringValue": t.ANSWER}},
            {"key": "name", "value": {"stringValue": "find"}}]},
        {"name": "gen_ai.client.inference.operation.details", "attributes": t.sent()},
        {"name": "gen_ai.content.prompt",
         "attributes": {"gen_ai.prompt": json.dumps(t.ANSWERED)}},
    ],
)  # fmt: skip
def test_messages_in_events_of_a_span(event: dict[str, Any]) -> None:
    assert answers(lines(t.tool(), t.chat({}, events=[event]))) == [(2, t.ANSWER)]


def test_messages_in_log_records() -> None:
    body = [{"key": key, "value": {"stringValue": EVENT[key]}} for key in ("id", "name")]
    body.append({"key": "content", "value": {"stringValue": t.ANSWER}})
    record = {
        "timeUnixNano": "1760000000000000000", "eventName": "gen_ai.tool.message",
        "traceId": "t1", "spanId": "s1", "attributes": [],
        "body": {"kvlistValue": {"values": body}},
    }  # fmt: skip
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}

    for data in (json.dumps(logs), lines(logs, logs)):
        assert {item[1:] for item in answers(data)} == {(t.ANSWER,)}


def test_spans_of_jaeger_and_old_names_of_otlp() -> None:
    tags = [{"key": "gen_ai.tool.call.result", "type": "string", "value": t.ANSWER}]
    jaeger = {"data": [{"traceID": "t", "spans": [
        {"traceID": "t", "spanID": "s", "operationName": "find", "tags": tags}]}]}  # fmt: skip
    old = json.dumps(t.otlp(t.tool())).replace("scopeSpans", "instrumentationLibrarySpans")

    assert answers(json.dumps(jaeger)) == [(1, t.ANSWER)]
    assert answers(old) == [(1, t.ANSWER)]


@pytest.mark.parametrize(
    "value",
    [
        {"name": "find", "attributes": {"gen_ai.tool.call.result": t.ANSWER}},
        {"gen_ai.tool.name": "find", "gen_ai.tool.call.result": t.ANSWER},
        {"name": "find", "attributes": {"gen_ai": {"tool": {"call": {"result": t.ANSWER}}}}},
        {"TraceId": "t", "SpanId": "s", "SpanName": "find", "Timestamp": "2025-10-09",
         "SpanAttributes": {"gen_ai.tool.call.result": t.ANSWER}},
        {"trace_id": "t", "spans": [{"name": "find", "attributes": {
            "langfuse.observation.type": "tool", "langfuse.observation.output": t.ANSWER}}]},
        {"name": "x", "attributes": {"traceloop.span.kind": "tool",
         "traceloop.entity.name": "find", "traceloop.entity.output": t.ANSWER}},
    ],
)  # fmt: skip
def test_spans_without_ids_and_with_other_names_of_keys(value: dict[str, Any]) -> None:
    assert answers(lines(value)) == [(1, t.ANSWER)]


def test_spans_of_large_documents_are_read_around_damage() -> None:
    text = json.dumps(t.otlp(*(t.tool(f"t{n}") for n in range(4))))
    damaged = text.replace('"traceId": "t1"', '"traceId" "t1"')
    items = short(damaged)

    assert answers(damaged) == [(n, t.ANSWER) for n in (1, 3, 4)]
    assert [item[0] for item in items if len(item) == 2] == [2]
    outside = short(text.replace('"scope": {}', '"scope" {}', 2))
    assert outside == [(1, "damaged JSON outside of the spans: the rest is not read")]
    cut_off = short(text[: text.index("t3")])
    assert [item[0] for item in cut_off] == [4, 1, 2, 3]
    assert answers(text[: text.index("t3")]) == [(n, t.ANSWER) for n in (1, 2, 3)]


NESTED = {"llm": {"model_name": t.MODEL, "input_messages": [
    {"message": {"role": "assistant", "tool_calls": [
        {"tool_call": {"id": "c1", "function": {"name": "find"}}}]}},
    {"message": {"role": "tool", "tool_call_id": "c1", "content": t.ANSWER}}]}}  # fmt: skip
LEVELS = {"llm.model_name": t.MODEL, "llm.input_messages": [
    {"message.role": "tool", "message.name": "find", "message.contents": [
        {"message_content.type": "text", "message_content.text": t.ANSWER}]}]}  # fmt: skip


@pytest.mark.parametrize("attributes", [INFERRED, NESTED, LEVELS])
def test_openinference_with_flat_and_nested_keys(attributes: dict[str, Any]) -> None:
    tool = t.openinference("TOOL", {"output": {"value": t.ANSWER}, "tool.name": "find"})
    model = t.openinference("LLM", attributes)
    columns = {f"attributes.{key}": value for key, value in attributes.items()}
    row = {"context.trace_id": "t", "context.span_id": "s", "span_kind": "LLM",
           "start_time": "2025-10-09T08:53:20Z", **columns}  # fmt: skip

    assert kind(lines(tool)).startswith("OpenInference trace")
    assert sole(lines(tool, model))[:5] == (2, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole(lines(row))[:5] == (1, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole(lines(tool))[:5] == (1, "find", t.ANSWER, t.TIME, None)
    assert answers(json.dumps({"data": [tool, model], "next_cursor": None})) == [(1, t.ANSWER)]


@pytest.mark.parametrize(
    "sent",
    [t.ANSWERED, {"messages": t.ANSWERED}, json.dumps(t.ANSWERED),
     json.dumps({"messages": t.ANSWERED})],
)  # fmt: skip
def test_langfuse(sent: Any) -> None:
    first = t.observation("GENERATION", input=t.ASKED)
    tool = t.observation("TOOL", output=t.ANSWER, model=None)
    model = t.observation("GENERATION", input=sent)
    root = t.observation("SPAN", input={"messages": t.ANSWERED}, output="done")
    newest_first = [root, model, tool, first]

    assert kind(lines(root)).startswith("Langfuse observations")
    assert sole(lines(first, tool, model, root))[:5] == (3, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole(json.dumps(newest_first))[:5] == (2, "find", t.ANSWER, t.TIME, t.MODEL)
    assert answers(lines(root, tool)) == [(2, t.ANSWER)]
    assert answers(json.dumps({"id": "t1", "observations": newest_first})) == [(1, t.ANSWER)]
    snake = {"trace_id": "t1", "type": "TOOL", "name": "find", "start_time": "2025-10-09 08:53:20",
             "level": "DEFAULT", "output": t.ANSWER}  # fmt: skip
    assert sole(lines(snake))[:5] == (1, "find", t.ANSWER, t.TIME, None)


@pytest.mark.parametrize("messages", [t.ANSWERED, [t.ANSWERED], t.LANGCHAIN, [t.LANGCHAIN]])
@pytest.mark.parametrize("is_text", [False, True])
def test_langsmith(messages: Any, is_text: bool) -> None:
    def held(value: Any) -> Any:
        return json.dumps(value) if is_text else value

    message = {"type": "tool", "content": t.ANSWER, "tool_call_id": "c1", "name": "find"}
    tool = t.run("tool", held({"input": "{}"}), held({"output": message}))
    model = t.run("llm", held({"messages": messages}), held({"generations": []}))
    chain = t.run("chain", held({"messages": t.ANSWERED}), held({}))

    assert kind(lines(chain)).startswith("LangSmith runs")
    assert sole(lines(chain, tool, model))[:5] == (3, "find", t.ANSWER, t.TIME, t.MODEL)
    assert answers(lines(chain, tool)) == [(2, t.ANSWER)]
    assert answers(lines({**chain, "child_runs": [tool, model]})) == [(1, t.ANSWER)]
    plain = t.run("tool", held({}), held({"output": t.ANSWER}))
    assert answers(lines(plain)) == [(1, t.ANSWER)]


def test_mlflow() -> None:
    tool = ("TOOL", {"mlflow.spanInputs": {"q": "x"}, "mlflow.spanOutputs": t.ANSWER})
    model = ("CHAT_MODEL", {"mlflow.spanInputs": {"messages": t.ANSWERED}})
    agent = ("AGENT", {"mlflow.spanInputs": {"messages": t.ANSWERED}})

    assert kind(lines(t.mlflow(tool))).startswith("MLflow trace")
    assert sole(json.dumps(t.mlflow(agent, tool), indent=1))[:4] == (1, "find", t.ANSWER, t.TIME)
    assert answers(lines(t.mlflow(agent, tool, model))) == [(1, t.ANSWER)]
    chat = ("CHAT_MODEL", {"mlflow.chat.messages": t.ANSWERED})
    assert answers(lines(t.mlflow(tool, chat, chat))) == [(1, t.ANSWER), (1, t.ANSWER)]


def test_openai_agents() -> None:
    function = t.agents_span(type="function", name="find", input="{}", output=t.ANSWER)
    model = t.agents_span(type="generation", model=t.MODEL, input=t.ANSWERED, output=[])
    responses = [{"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{}"},
                 {"type": "function_call_output", "call_id": "c1", "output": t.ANSWER}]  # fmt: skip
    response = t.agents_span(type="response", input=responses)
    trace = {"object": "trace", "id": "trace_1", "workflow_name": "w"}

    assert kind(lines(trace, function)).startswith("trace of OpenAI's Agents SDK")
    assert sole(lines(trace, function, model))[:5] == (3, "find", t.ANSWER, t.TIME, t.MODEL)
    assert answers(json.dumps({"data": [trace, function]})) == [(1, t.ANSWER)]
    assert answers(lines(function, response)) == [(2, t.ANSWER)]


def test_pydantic_ai() -> None:
    assert kind(json.dumps(t.HISTORY)).startswith("Pydantic AI message history")
    assert sole(json.dumps(t.HISTORY))[:4] == (3, "find", t.ANSWER, t.TIME)
    first = (1, "find", t.ANSWER, t.TIME, t.MODEL)
    assert sole(lines({"messages": t.HISTORY}, {"messages": []}))[:5] == first
    values = json.loads(json.dumps(t.HISTORY))
    values[2]["parts"][0]["content"] = {"a": 1.50}
    assert sole(json.dumps([values]))[2] == '{"a": 1.5}'
    attributes = {"pydantic_ai.all_messages": json.dumps(t.PARTS), "tool_response": t.ANSWER}
    assert answers(lines(t.span("find", attributes))) == [(1, t.ANSWER)]


ODD: list[Any] = [None, 7, "x", "[", [], {}, [[]], [None, {"": None}], {"a": []}, '{"a": [{}]}']


def changed(value: Any, odd: Any) -> Iterator[Any]:
    """The value with ``odd`` in the place of each value in it, one at a time."""
    yield odd
    members = value.items() if isinstance(value, dict) else ()
    for key, member in enumerate(value) if isinstance(value, list) else members:
        for other in changed(member, odd):
            copy = value.copy()
            copy[key] = other
            yield copy


@pytest.mark.parametrize("text", [shape for shape in t.every_shape() if "\n " not in shape])
def test_any_value_in_any_place_gives_payloads_or_bad_records(text: str) -> None:
    records = [json.loads(line) for line in text.splitlines()]
    for odd in ODD:
        for record in records:
            values = changed(record, odd)
            assert read_all(lines(*records, *values))


@pytest.mark.parametrize(("limit", "most"), [("MAX_HELD", 2 * len(t.ANSWER)), ("MAX_RESULTS", 2)])
def test_results_that_wait_are_bounded(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(f"toon.traffic.traces.{limit}", most)
    spans = [t.tool(f"t{n}") for n in range(4)]

    held_back = answers(lines(*spans, t.chat(t.sent(), "t3")))
    assert held_back == [(1, t.ANSWER), (2, t.ANSWER), (5, t.ANSWER), (3, t.ANSWER)]
