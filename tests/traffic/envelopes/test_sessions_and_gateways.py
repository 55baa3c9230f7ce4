"""Sessions of agents and logs of gateways: what tools answered, counted by hand."""

import json
from typing import Any

import pyarrow
import pytest

from tests.traffic.reading import kind, lines, read_all, short
from toon.traffic.payload import BadRecord, Payload

NOON = 1_772_452_800.0
WHEN = "2026-03-02T12:00:00Z"
TEXT = '{"a": 1.50}'
CALL = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
CHAT = [
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": TEXT},
]


def zstd(data: bytes) -> bytes:
    target = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(target, "zstd") as stream:
        stream.write(data)
    return bytes(target.getvalue().to_pybytes())


def claude(role: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": content} | ({"model": "m"} if role == "assistant" else {})
    return {"type": role, "sessionId": "s", "timestamp": WHEN, "message": message, **more}


def codex(type: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": WHEN, "type": type, "payload": payload}


def claude_session() -> str:
    use = {"type": "tool_use", "id": "t", "name": "mcp__shop__find", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": TEXT}
    return lines(
        {"type": "summary", "summary": "a", "leafUuid": "u"},
        claude("user", "hello"),
        claude("assistant", [use]),
        {"type": "progress", "sessionId": "s", "data": {"message": claude("user", [result])}},
        claude("user", [result], toolUseResult={"a": 1.5}),
        claude("user", [{**result, "content": [{"type": "text", "text": "12 files"}]}]),
    )


def codex_session() -> str:
    output = {"type": "function_call_output", "call_id": "t", "output": TEXT}
    return lines(
        codex("session_meta", id="s"),
        codex("turn_context", model="m"),
        codex("response_item", type="function_call", call_id="t", name="mcp__shop__find"),
        codex("event_msg", type="mcp_tool_call_end", call_id="t", result=TEXT),
        codex("response_item", **output),
        codex("response_item", **{**output, "output": "12 files"}),
        codex("compacted", message="", replacement_history=[output]),
    )


CONVERSE = [
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "find"}}]},
    {"role": "user", "content": [
        {"toolResult": {"toolUseId": "c", "content": [{"json": json.loads(TEXT)}]}}]},
]  # fmt: skip


def bedrock(body: Any) -> dict[str, Any]:
    arn = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/m"
    log = {"schemaType": "ModelInvocationLog", "timestamp": WHEN, "modelId": arn}
    return {**log, "input": {"inputBodyJson": body, "inputTokenCount": 9}}


SPEND = {
    "request_id": "r", "call_type": "acompletion", "startTime": WHEN, "model": "m",
    "response": {"choices": [{"message": {"role": "assistant", "content": "done"}}]},
}  # fmt: skip
HELICONE = {"request_id": "r", "request_created_at": WHEN, "request_model": "m"}
SENT = {"messages": CHAT}
GATEWAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "converse": ("Amazon Bedrock", bedrock({"messages": CONVERSE})),
    "invoke": ("Amazon Bedrock", bedrock(SENT)),
    "cloudwatch": ("Amazon Bedrock", {"message": json.dumps(bedrock(SENT))}),
    "helicone": ("Helicone", {**HELICONE, "request_body": SENT}),
    "helicone text": ("Helicone", {**HELICONE, "request_body": json.dumps(SENT)}),
    "litellm": ("LiteLLM", {**SPEND, **SENT, "response_cost": 1, "proxy_server_request": SENT}),
    "spend": ("LiteLLM", {
        **SPEND, "spend": 1, "messages": {}, "proxy_server_request": json.dumps(SENT)}),
}  # fmt: skip


@pytest.mark.parametrize("session", [claude_session(), codex_session()], ids=["claude", "codex"])
def test_a_session_gives_each_result_once(session: str) -> None:
    first, skipped = read_all(session)

    assert isinstance(first, Payload)
    assert (first.record, first.group, first.text) == (5, "mcp__shop__find", TEXT)
    assert (first.time, first.model) == (NOON, "m")
    assert isinstance(skipped, BadRecord)
    assert (skipped.record, skipped.text, skipped.is_skipped) == (6, "12 files", True)
    assert " session: " in kind(session)


def test_what_is_no_record_of_a_session_is_bad() -> None:
    assert short(claude_session() + "[]\n")[-1] == (7, "no record of a session")
    assert short(codex_session() + "[]\n")[-1] == (8, "no record of a session")


def test_an_early_session_of_codex_has_no_wrappers() -> None:
    output = {"type": "function_call_output", "call_id": "t", "output": {"content": TEXT}}
    call = {"type": "function_call", "call_id": "t", "name": "shell"}

    assert short(lines({"record_type": "state"}, call, output)) == [(3, "shell", TEXT)]


@pytest.mark.parametrize(("label", "record"), GATEWAYS.values(), ids=GATEWAYS)
def test_a_gateway_gives_each_result_once(label: str, record: dict[str, Any]) -> None:
    [payload] = read_all(lines(record))

    assert kind(lines(record)).startswith(label)
    assert isinstance(payload, Payload)
    assert (payload.group, json.loads(payload.text)) == ("find", {"a": 1.5})
    assert (payload.time, payload.model) == (NOON, "m")


def test_a_request_of_bedrock_that_lies_elsewhere_is_said() -> None:
    away = {**bedrock({}), "input": {"inputBodyS3Path": "s3://b/k"}}

    assert short(lines(away))[0][1].startswith("its request lies in a file of its own")


def test_lines_of_batches_without_messages_are_no_errors() -> None:
    good = {"custom_id": "1", "params": {"messages": CHAT}}
    other = {"custom_id": "2", "result": {"type": "errored", "error": {}}}

    assert short(lines(good, other)) == [(1, "find", TEXT)]


@pytest.mark.parametrize("key", ["request", "message", "data"])
def test_nesting_gives_no_other_error(key: str) -> None:
    text = f'{{"{key}":' * 900 + "[1]" + "}" * 900

    assert len(read_all(f"{lines(*CHAT)}{text}\n")) == 2


def test_zstd_is_unpacked_like_gzip() -> None:
    session = codex_session().encode()
    whole = short(session)

    assert short(zstd(session)) == whole
    assert short(zstd(session) + zstd(b"[]\n"))[:2] == whole
    cut = zstd(session)[:-9]
    assert short(cut)[-1][1] == "the zstd data is cut off"
    assert short(b"\x28\xb5\x2f\xfd" + b"\xff" * 40)[-1][1].startswith("the zstd data is damaged")


@pytest.mark.rest
def test_a_bomb_in_zstd_is_not_read_on() -> None:
    bomb = zstd(b'{"a": 1}\n' + b" " * 70_000_000)

    assert "zip bomb" in short(bomb)[-1][1]
