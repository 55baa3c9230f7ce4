"""What makers write in ways of their own: each is read right, counted by hand."""

import json
from typing import Any

import pytest

from tests.traffic.reading import entry, har, lines, read_all, short
from toon.traffic.payload import Payload

ROWS = '[{"sku": "A1", "qty": 3}, {"sku": "A2", "qty": 4}]'
WRAPPED = {"content": [{"type": "text", "text": ROWS}]}
CALL = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
ASKED = {"role": "assistant", "tool_calls": [CALL]}
ANSWERED = {"role": "tool", "tool_call_id": "c", "content": ROWS}
CHAT = [ASKED, ANSWERED]
GEMINI = {"role": "user", "parts": [
    {"functionResponse": {"id": "f", "name": "find", "response": json.loads(ROWS)}}]}  # fmt: skip
VERCEL: dict[str, Any] = {"toolCallId": "c", "toolName": "find"}
INVOKED = {**VERCEL, "state": "result", "result": ROWS}


def of_anthropic(kind: str, content: dict[str, str]) -> list[dict[str, Any]]:
    use = {"type": "server_tool_use", "id": "s", "name": "find", "input": {}}
    result = {"type": kind, "tool_use_id": "s", "content": content}
    return [{"role": "assistant", "content": [use, result]}]


def of_vercel(**answer: Any) -> list[dict[str, Any]]:
    return [{"role": "tool", "content": [{"type": "tool-result", **VERCEL, **answer}]}]


#: Answers of the tool ``find`` as the content of a message.
CONTENTS: dict[str, Any] = {
    "Cohere": [{"type": "document", "document": {"data": ROWS}}],
    "a result of MCP as text": json.dumps(WRAPPED),
    "a result of MCP": WRAPPED,
    "a result of MCP, structured": {
        "content": [{"type": "text", "text": "2 rows"}], "structuredContent": json.loads(ROWS)},
    "an answer like a result of MCP": '{"content": [{"text": "hi"}]}',
}  # fmt: skip
MESSAGES: dict[str, Any] = {
    "Anthropic, bash": of_anthropic(
        "bash_code_execution_tool_result", {"type": "bash_code_execution_result", "stdout": ROWS}),
    "Anthropic, files": of_anthropic(
        "text_editor_code_execution_tool_result",
        {"type": "text_editor_code_execution_view_result", "content": ROWS}),
    "Ollama": [{"role": "tool", "tool_name": "find", "content": ROWS}],
    "Vercel 4": of_vercel(result=ROWS),
    "Vercel 5": of_vercel(output={"type": "text", "value": ROWS}),
    "Vercel, a result of MCP": of_vercel(output={"type": "json", "value": WRAPPED}),
    "Vercel 4, on a page": [
        {"role": "assistant", "content": "", "toolInvocations": [INVOKED],
         "parts": [{"type": "tool-invocation", "toolInvocation": INVOKED}]}],
    "Vercel 5, on a page": [{"role": "assistant", "parts": [
        {"type": "tool-find", "toolCallId": "c", "input": {}, "output": ROWS}]}],
    "Vercel, dynamic": [
        {"role": "assistant", "parts": [{"type": "dynamic-tool", **VERCEL, "output": ROWS}]}],
    **{name: [ASKED, {**ANSWERED, "content": content}] for name, content in CONTENTS.items()},
}  # fmt: skip
RECORDS: dict[str, Any] = {
    "OpenAI Responses, MCP": {"model": "m", "input": "find", "output": [
        {"type": "mcp_call", "id": "m", "name": "find", "output": ROWS}]},
    "OpenAI Responses, custom tool": {"input": [
        {"type": "custom_tool_call", "call_id": "c", "name": "find", "input": "x"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": ROWS}]},
    "Google ADK, an event": {"author": "agent", "invocationId": "i", "content": GEMINI},
    "Google ADK, a session": {"appName": "a", "events": [{"author": "agent", "content": GEMINI}]},
    "Gemini": {"contents": [GEMINI]},
    "Gemini, in a batch": {"key": "k", "request": {"contents": [GEMINI]}},
    "Gemini, behind a proxy": {"full_request": {"contents": [GEMINI]}},
    "the same messages twice": {"request": {"messages": CHAT}, "kwargs": {"messages": CHAT}},
    "a request that its answer repeats": {
        "inputs": {"messages": CHAT},
        "result": {"messages": [*CHAT, {"role": "assistant", "content": "ok"}]}},
    "a list under two names": {"input": CHAT, "messages": CHAT},
    **{name: {"messages": messages} for name, messages in MESSAGES.items()},
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_what_a_tool_answered_is_found_once_with_its_name(name: str) -> None:
    text = CONTENTS[name] if "like" in name else ROWS

    assert short(lines(RECORDS[name])) == [(1, "find", text)]


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ({"model": "m", "input": "hi"}, {"object": "response", "output": []}),
        ({"model": "m", "prompt": "hi"}, {"response": "ho"}),
        ({"contents": [{"parts": [{"text": "hi"}]}]}, {"candidates": []}),
    ],
)
def test_what_a_model_answered_is_not_taken_for_what_it_was_sent(asked: Any, answered: Any) -> None:
    call = entry(text=json.dumps(answered))
    call["request"] = {**call["request"], "postData": {"text": json.dumps(asked)}}

    assert not any(isinstance(record, Payload) for record in read_all(json.dumps(har(call))))


ASKED_FOR: dict[str, Any] = {"q": "shoes", "page": 1}


@pytest.mark.parametrize(
    ("exchange", "expected"),
    [
        ({"body": ASKED_FOR, "response": json.loads(ROWS)}, json.loads(ROWS)),
        ({"body": ASKED_FOR, "response": {"rows": [1]}}, {"rows": [1]}),
        ({"body": [1], "response": {"status": 200, "headers": {}}}, [1]),
        ({"response": {"body": {"text": ROWS, "charset": "UTF-8"}}}, json.loads(ROWS)),
    ],
)
def test_of_two_bodies_that_of_the_response_counts(exchange: dict[str, Any], expected: Any) -> None:
    log = lines(*[{"method": "POST", "path": "/find", "status": 200, **exchange}] * 2)

    assert [json.loads(text) for *_, text in short(log)] == [expected] * 2


def called_by_mcp(name: str) -> dict[str, Any]:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name}}
    return {"message": asked}


def called_in_a_chat(name: str) -> dict[str, Any]:
    call = {"id": "c", "function": {"name": name, "arguments": "{}"}}
    return {"role": "assistant", "tool_calls": [call]}


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (called_by_mcp, {"message": {"jsonrpc": "2.0", "id": 1, "result": WRAPPED}}),
        (called_in_a_chat, ANSWERED),
    ],
)
def test_the_same_id_in_two_sessions_is_two_calls(ask: Any, answer: dict[str, Any]) -> None:
    asked = [{"session_id": name, **ask(name)} for name in ("one", "two")]
    answers = [{"session_id": name, **answer} for name in ("one", "two")]

    assert [group for _, group, _ in short(lines(*asked, *answers))] == ["one", "two"]
