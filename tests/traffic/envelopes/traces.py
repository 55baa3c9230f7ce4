"""Small traces in the shapes that tools write; each holds the same answer of ``find``."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

#: What the tool answered; its digits and blanks must stay.
ANSWER = '{"a": 1.50,  "b": "é"}'
TIME = 1_760_000_000.0
MODEL = "gpt-5"
_CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}

#: The messages of OpenAI's chat: before the call, and with its answer.
ASKED: list[dict[str, Any]] = [{"role": "user", "content": "who?"}]
ANSWERED: list[dict[str, Any]] = [
    *ASKED,
    {"role": "assistant", "content": None, "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": ANSWER},
]
#: The same in the JSON schema of the conventions for GenAI.
PARTS = [
    {"role": "user", "parts": [{"type": "text", "content": "who?"}]},
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "find"}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": ANSWER}]},
]


def span(name: str, attributes: dict[str, Any], trace: str = "t1", **more: Any) -> dict[str, Any]:
    """A span of OTLP."""
    listed = [
        {"key": key, "value": value if isinstance(value, dict) else {"stringValue": value}}
        for key, value in attributes.items()
    ]
    ids = {"traceId": trace, "spanId": f"{name}-{trace}", "name": name}
    return {**ids, "startTimeUnixNano": "1760000000000000000", "attributes": listed, **more}


def chat(attributes: dict[str, Any], trace: str = "t1", **more: Any) -> dict[str, Any]:
    about = {"gen_ai.operation.name": "chat", "gen_ai.request.model": MODEL}
    return span("chat gpt-5", {**about, **attributes}, trace, **more)


def tool(trace: str = "t1", answer: Any = ANSWER) -> dict[str, Any]:
    about = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}
    return span("execute_tool find", {**about, "gen_ai.tool.call.result": answer}, trace)


def sent(messages: Any = PARTS) -> dict[str, Any]:
    """The attribute of a model's span with messages."""
    return {"gen_ai.input.messages": json.dumps(messages)}


def otlp(*spans: Any) -> dict[str, Any]:
    scopes = ([{"scope": {}, "spans": [item]}] for item in spans)
    listed = [{"resource": {"attributes": []}, "scopeSpans": scope} for scope in scopes]
    return {"resourceSpans": listed}


def console(item: dict[str, Any]) -> str:
    """A span as OpenTelemetry's console exporter for Python prints it."""
    flat = {pair["key"]: pair["value"]["stringValue"] for pair in item["attributes"]}
    printed = {
        "name": item["name"], "kind": "SpanKind.INTERNAL", "parent_id": None, "attributes": flat,
        "context": {"trace_id": "0x01", "span_id": "0x02", "trace_state": "[]"}, "events": [],
        "start_time": "2025-10-09T08:53:20.000000Z",
        "resource": {"attributes": {"service.name": "x"}},
    }  # fmt: skip
    return json.dumps(printed, indent=4) + "\n"


def openinference(kind: str, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A span as Phoenix gives it."""
    return {
        "name": "find", "context": {"trace_id": "t1", "span_id": "s1"}, "span_kind": kind,
        "start_time": "2025-10-09T08:53:20+00:00", "attributes": attributes, **more,
    }  # fmt: skip


def observation(kind: str, **more: Any) -> dict[str, Any]:
    """An observation of Langfuse."""
    return {
        "id": "o1", "traceId": "t1", "type": kind, "name": "find", "level": "DEFAULT",
        "startTime": "2025-10-09T08:53:20.000Z", "model": MODEL if kind == "GENERATION" else None,
        "input": None, "output": None, **more,
    }  # fmt: skip


def run(kind: str, inputs: Any, outputs: Any, **more: Any) -> dict[str, Any]:
    """A run of LangSmith."""
    return {
        "id": "r1", "trace_id": "t1", "run_type": kind, "name": "find",
        "start_time": "2025-10-09T08:53:20.000000", "inputs": inputs, "outputs": outputs,
        "extra": {"metadata": {"ls_model_name": MODEL}}, **more,
    }  # fmt: skip


#: LangChain's messages as its serialisation writes them.
LANGCHAIN = [
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
     "kwargs": {"content": "", "tool_calls": [{"name": "find", "args": {}, "id": "c1"}]}},
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"],
     "kwargs": {"type": "tool", "content": ANSWER, "tool_call_id": "c1"}},
]  # fmt: skip


def mlflow(*spans: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A trace of MLflow; its attributes are JSON texts."""
    about = {"name": "find", "trace_id": "dHI=", "span_id": "c3A=",
             "start_time_unix_nano": 1_760_000_000_000_000_000}  # fmt: skip
    written = [
        {key: json.dumps(value) for key, value in {"mlflow.spanType": kind, **held}.items()}
        for kind, held in spans
    ]
    return {
        "info": {"trace_id": "tr-1", "request_time": "2025-10-09T08:53:20Z", "state": "OK"},
        "data": {"spans": [{**about, "attributes": fields} for fields in written]},
    }


def agents_span(**data: Any) -> dict[str, Any]:
    """A span of OpenAI's Agents SDK."""
    return {
        "object": "trace.span", "id": "span_1", "trace_id": "trace_1", "parent_id": None,
        "started_at": "2025-10-09T08:53:20.000000+00:00", "span_data": data, "error": None,
    }  # fmt: skip


#: A history of Pydantic AI.
HISTORY: list[dict[str, Any]] = [
    {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "who?"}]},
    {"kind": "response", "model_name": MODEL, "timestamp": "2025-10-09T08:53:19Z", "parts": [
        {"part_kind": "tool-call", "tool_name": "find", "tool_call_id": "c1"}]},
    {"kind": "request", "parts": [
        {"part_kind": "tool-return", "tool_name": "find", "tool_call_id": "c1", "content": ANSWER,
         "timestamp": "2025-10-09T08:53:20Z"}]},
]  # fmt: skip


def every_shape() -> list[str]:
    """A small file of each shape, as JSON in ASCII."""
    records: list[list[Any]] = [
        [otlp(tool(), chat(sent()))],
        [otlp(tool()), otlp(chat(sent()))],
        [openinference("TOOL", {"output.value": ANSWER})],
        [observation("TOOL", output=ANSWER), observation("GENERATION", input=ANSWERED)],
        [run("tool", {}, {"output": ANSWER}), run("llm", {"messages": [LANGCHAIN]}, {})],
        [mlflow(("TOOL", {"mlflow.spanOutputs": ANSWER}))],
        [agents_span(type="function", name="find", output=ANSWER)],
        [{"messages": HISTORY}],
    ]
    texts = ["".join(f"{json.dumps(record)}\n" for record in file) for file in records]
    return [*texts, console(tool()), json.dumps(HISTORY)]


def parquet() -> bytes:
    target = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([observation("TOOL", output=ANSWER)]), target)
    return target.getvalue()
