"""Shapes of makers' logs beyond the usual: read by their words, or refused out loud."""

import json
from typing import Any

import pytest

from tests.traffic.reading import kind, read_all
from tests.traffic.test_language import ASKED, KINDS, PARTS, RESPONSE, ROWS, SAID, STATE, TOOL
from toon.traffic.account import Account
from toon.traffic.payload import Payload

VALUE = json.loads(ROWS)
TOKENS = {"input": 10, "output": 5, "reasoning": 0, "cache": {"read": 100, "write": 3}}
CACHED = {"prompt_tokens": 9, "completion_tokens": 2, "cached_tokens": 4}
USED = {"input_tokens": 9, "output_tokens": 2, "input_token_details": {"cache_read": 4}}


def promptfoo(**more: Any) -> dict[str, Any]:
    """A result of promptfoo, as ``EvaluateResult`` of its types has it."""
    return {
        "prompt": {"raw": "list", "label": "l"}, "vars": {}, "testCase": {"vars": {}},
        "promptIdx": 0, "provider": {"id": "openai:gpt-4o", "label": ""}, "success": True, **more,
    }  # fmt: skip


def answered(**more: Any) -> dict[str, Any]:
    usage = {"total": 11, "prompt": 9, "completion": 2, "numRequests": 1}
    return {"output": "two", "tokenUsage": usage, "cached": False, **more}


RAN = {"id": "c1", "name": "find", "input": {"q": "x"}, "output": ROWS, "is_error": False}
SHAPES: dict[str, Any] = {
    "promptfoo": {"evalId": "e", "results": {"version": 3, "results": [
        promptfoo(response=answered(metadata={"toolCalls": [RAN]}))], "stats": {}}, "config": {}},
    "promptfoo, a line": promptfoo(
        prompt={"raw": json.dumps([SAID, ASKED, TOOL])}, response=answered()),
    "Amp, a command": {"v": 1, "id": "T-1", "messages": [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "find"}]},
        {"role": "user", "content": [{"type": "tool_result", "toolUseID": "c1", "run": {
            "status": "done", "result": {"output": ROWS, "exitCode": 0}}}]}]},
    "Codex, a command": [{"timestamp": "2026-01-01T00:00:00Z", "type": "response_item",
                          "payload": payload} for payload in
        ({"type": "function_call", "name": "find", "arguments": "{}", "call_id": "c1"},
         {"type": "function_call_output", "call_id": "c1", "output": json.dumps(
             {"output": ROWS, "metadata": {"exit_code": 0, "duration_seconds": 0.1}})})],
    "codex exec": [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {
            "id": "i", "type": "mcp_tool_call", "server": "shop", "tool": "find", "arguments": {},
            "result": {"content": PARTS, "structured_content": None}, "status": "completed"}}],
    "codex exec, a command": [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {
            "id": "i", "type": "command_execution", "command": "find x", "aggregated_output": ROWS,
            "exit_code": 0, "status": "completed"}}],
    "Semantic Kernel, its roles": {"history": [{"Role": {"Label": "Tool"}, "Items": [
        {"$type": "FunctionResultContent", "CallId": "c1", "PluginName": "shop",
         "FunctionName": "find", "Result": VALUE, "InnerContent": None}]}]},
    "Letta": [{"message_type": "tool_return_message", "tool_return": ROWS, "status": "success",
               "tool_call_id": "c1", "name": "find"}],
    "Cohere": {"message": "x", "tool_results": [
        {"call": {"name": "find", "parameters": {}}, "outputs": VALUE}]},
    "Amazon Q": {"history": [
        {"assistant": {"ToolUse": {"tool_uses": [{"id": "c1", "name": "find", "args": {}}]}}},
        {"user": {"content": {"ToolUseResults": {"tool_use_results": [
            {"tool_use_id": "c1", "content": [{"Json": VALUE}], "status": "Success"}]}}}}]},
    "Dify": {"data": [{"query": "x", "agent_thoughts": [
        {"thought": "", "tool": "find", "tool_input": "{}", "observation": ROWS}]}]},
    "Chainlit": {"thread": {"steps": [
        {"id": "s", "name": "find", "type": "tool", "input": "{}", "output": ROWS}]}},
    "Langflow": {"content_blocks": [{"contents": [
        {"type": "tool_use", "name": "find", "tool_input": {}, "output": VALUE, "error": None}]}]},
    "ATIF": {"schema_version": "ATIF-v1.2", "steps": [{"source": "agent", "tool_calls": [
        {"tool_call_id": "c1", "function_name": "find", "arguments": {}}], "observation": {
            "results": [{"source_call_id": "c1", "content": ROWS}]}, "metrics": CACHED}]},
    "big-AGI": {"messages": [{"role": "assistant", "fragments": [
        {"part": {"pt": "tool_invocation", "id": "c1", "invocation": {
            "type": "function_call", "name": "find", "args": "{}"}}},
        {"part": {"pt": "tool_response", "id": "c1", "response": {
            "type": "function_call", "name": "find", "result": ROWS}}}]}]},
    "Gemini's stream": {"events": [
        {"type": "tool_use", "tool_name": "find", "tool_id": "c1", "parameters": {}},
        {"type": "tool_result", "tool_id": "c1", "status": "success", "output": ROWS}]},
    "AG-UI": {"events": [
        {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "find"},
        {"type": "TOOL_CALL_RESULT", "toolCallId": "c1", "content": ROWS, "role": "tool"}]},
    "AgentDojo": {"messages": [
        {"role": "assistant", "tool_calls": [{"function": "find", "args": {}, "id": "c1"}]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "content": ROWS}]}]},
    "PostHog": {"event": "$ai_generation", "properties": {"$ai_input": [SAID, ASKED, TOOL]}},
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_gives_what_its_tool_answered_once(name: str) -> None:
    [item] = read_all(json.dumps(SHAPES[name], indent=1))

    assert isinstance(item, Payload)
    assert (item.group, json.loads(item.text)) == ("find", VALUE)


def test_an_action_of_a_bedrock_agent_names_no_tool() -> None:
    observed = {"actionGroupInvocationOutput": {"text": ROWS}, "type": "ACTION_GROUP"}
    [record] = read_all(json.dumps({"trace": {"orchestrationTrace": {"observation": observed}}}))

    assert (getattr(record, "text", ""), getattr(record, "group", "")) == (ROWS, "(unknown tool)")


@pytest.mark.parametrize(
    "log",
    [
        promptfoo(response=answered()),
        [{"op_name": "weave:///x/op/find:a", "trace_id": "t", "inputs": {"q": "x"},
          "output": VALUE}],
        {"history": [{"model_output": {"action": []}, "result": [{"extracted_content": ROWS}]}]},
        {"trajectory": {"tool_name_0": "find", "tool_args_0": {}, "observation_0": ROWS}},
        {"event_type": "TOOL_END", "name": "find", "data": {"input": "{}", "output": ROWS}},
        {"meta": {"kind": "tool", "input": {"value": "{}"}, "output": {"value": ROWS}}},
        {"activities": [
            {"type": "message", "from": {"role": "user"}, "text": "x"},
            {"type": "event", "from": {"role": "bot"}, "value": {"observation": VALUE}}]},
    ],
)  # fmt: skip
def test_what_speaks_of_agents_and_is_not_read_is_never_measured_whole(log: Any) -> None:
    records = read_all(json.dumps(log))

    assert records
    assert not any(isinstance(item, Payload) for item in records)


def test_a_command_that_printed_text_gives_none_of_its_wrapper() -> None:
    result = {"type": "tool_result", "toolUseID": "c1", "run": {
        "status": "done", "result": {"output": "3 files", "exitCode": 0}}}  # fmt: skip
    [record] = read_all(json.dumps({"messages": [{"role": "user", "content": [result]}]}))

    assert getattr(record, "reason", "").startswith("skipped: not JSON")


def test_tools_that_a_shop_sells_are_no_calls() -> None:
    drills = [{"type": "tool", "name": "Drill", "input": "230 V", "output": "800 W"}] * 2

    assert [getattr(record, "text", "") for record in read_all(json.dumps(drills))] == [
        json.dumps(drill) for drill in drills
    ]


def opencode(number: int) -> dict[str, Any]:
    """A message of opencode, whose last part says again what it took."""
    part = {"type": "tool", "callID": f"c{number}", "tool": "find", "state": STATE}
    info = {"id": f"m{number}", "role": "assistant", "modelID": "sonnet", "tokens": TOKENS}
    return {"info": info, "parts": [part, {"type": "step-finish", "tokens": TOKENS}]}


SPOKE = {"type": "ai", "content": "", "id": "run-1", "usage_metadata": USED,
         "response_metadata": {"model_name": "gpt-4o"}}  # fmt: skip
STATES = [{"values": {"messages": messages}, "next": [], "config": {}}
          for messages in ([{"type": "human", "content": "x"}, SPOKE], [SPOKE])]  # fmt: skip
#: Sessions that are one document: the model, the calls, and their input, cached and output tokens.
BILLS: dict[str, tuple[Any, list[tuple[str, int, int, int, int]]]] = {
    "a sum beside the messages": (
        {"info": {"id": "s", "tokens": TOKENS}, "messages": [opencode(1), opencode(2)]},
        [("sonnet", 2, 226, 200, 10)]),
    "the same message in two states": (STATES, [("gpt-4o", 1, 9, 4, 2)]),
    "Gemini CLI": ({"sessionId": "s", "projectHash": "h",
        "messages": [
        {"id": str(n), "type": "gemini", "content": "", "model": "pro", "toolCalls": [
            {"id": f"c{n}", "name": "find", "args": {}, "result": [RESPONSE]}],
         "tokens": {"input": 900, "output": 40, "cached": 100, "thoughts": 10}}
        for n in range(2)]}, [("pro", 2, 1800, 200, 100)]),
    "AutoGen": ({"type": "TeamState", "agent_states": {"m": {"message_thread": [{"source": "a",
        "type": "TextMessage", "content": "x", "models_usage": CACHED}]}}}, [("", 1, 9, 4, 2)]),
    "n8n": ({"data": {"resultData": {"runData": {"Model": [{"data": {
        "ai_languageModel": [[{"json": {"tokenUsage": {"promptTokens": 9,
            "completionTokens": 2}}}]]}}]}}}}, [("", 1, 9, 0, 2)]),
    "ATIF": (SHAPES["ATIF"], [("", 1, 9, 4, 2)]),
    "promptfoo": (SHAPES["promptfoo"], [("gpt-4o", 1, 9, 0, 2)]),
    "Amp": ({"messages": [{"role": "assistant",
        "content": [{"type": "tool_result", "run": {"status": "done", "result": ROWS}}],
        "usage": {"model": "opus", "inputTokens": 2, "outputTokens": 7,
            "cacheReadInputTokens": 100}}]}, [("opus", 1, 102, 100, 7)]),
}  # fmt: skip


@pytest.mark.parametrize("name", BILLS)
def test_what_a_session_in_one_document_took_is_counted_by_its_messages(name: str) -> None:
    log, bill = BILLS[name]
    account = Account()
    read_all(json.dumps(log), account=account)

    rows = account.usages.facts()
    assert bill == [
        (row["model"], row["calls"], *(row["tokens"][key] for key in ("input", "cached", "output")))
        for row in rows
    ]


def test_the_table_names_promptfoo() -> None:
    assert kind(json.dumps(SHAPES["promptfoo"])).startswith("promptfoo results")
    assert KINDS.keys().isdisjoint(SHAPES)
