"""Everybody's logs: what is known by its words is read to the digit, once, and all else is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.traffic.reading import kind, lines, read_all, short
from toon.traffic.payload import Payload

ROWS = '{"rows": [{"x": 1}, {"x": 2}]}'
QUOTED = ROWS.replace('"', "&quot;")
MORE = '[{"sku": "a"}, {"sku": "b"}]'
PARTS = [{"type": "text", "text": ROWS}]
CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": "", "tool_calls": [CALL]}
SAID = {"role": "user", "content": "list"}
TOOL = {"role": "tool", "tool_call_id": "c1", "content": ROWS}
STATE = {"status": "completed", "input": {}, "output": ROWS, "time": {"start": 1762077600000}}
RESPONSE = {"functionResponse": {"id": "c1", "name": "find", "response": {"output": ROWS}}}
AUTOGEN = {"content": ROWS, "name": "find", "call_id": "c1", "is_error": False}
ORIGIN = {"tool_name": "find", "arguments": {}, "id": "c1"}
HAYSTACK = {"role": "tool", "name": None, "content": [
    {"tool_call_result": {"result": ROWS, "origin": ORIGIN, "error": False}}]}  # fmt: skip
INSPECT = [SAID, ASKED, {**TOOL, "function": "find"}]


def chatgpt(role: str, name: str | None, content: Any) -> dict[str, Any]:
    author = {"role": role, "name": name}
    return {"id": name, "message": {"author": author, "content": content, "recipient": "all"}}


#: For each kind its label, and a file with one answer of ``find``.
KINDS: dict[str, tuple[str, Any]] = {
    "Gemini CLI": ("session of Gemini CLI", {"sessionId": "s", "projectHash": "h",
        "messages": [
            {"type": "user", "content": "list"},
            {"type": "gemini", "content": "", "toolCalls": [{"id": "c1", "name": "find", "args": {},
                "result": [RESPONSE], "resultDisplay": ROWS}]}]}),
    "Qwen Code": ("session of Gemini CLI or Qwen Code", {"type": "tool_result", "sessionId": "s",
        "uuid": "u", "message": {"role": "user", "parts": [RESPONSE]},
        "toolCallResult": {"callId": "c1"}}),
    "Copilot chat": ("session of GitHub Copilot", {"requesterUsername": "u",
        "requests": [{"message": {"text": "list"}, "response": [{"kind": "toolInvocationSerialized",
            "toolCallId": "c1", "toolId": "find", "resultDetails": {"output": [{"value": ROWS}]}}],
            "result": {"metadata": {"toolCallRounds": [{"toolCalls": [{"id": "c1", "name": "find",
                "arguments": "{}"}]}], "toolCallResults": {"c1": {"$mid": 20,
                    "content": [{"$mid": 21, "value": ROWS}]}}}}}]}),
    "opencode": ("session of opencode", {"info": {"id": "s"},
        "messages": [{"info": {"role": "assistant"},
            "parts": [{"type": "tool", "callID": "c1", "tool": "find", "state": STATE}]}]}),
    "opencode, a part": ("session of opencode",
        {"type": "tool", "callID": "c1", "tool": "find", "state": STATE, "messageID": "m"}),
    "ChatGPT": ("ChatGPT export", [{"title": "t", "create_time": 1762077600.5,
        "mapping": {"a": chatgpt("user", None, {"content_type": "text", "parts": ["list"]}),
            "b": chatgpt("tool", "find", {"content_type": "text", "parts": [ROWS]})}}]),
    "claude.ai": ("claude.ai export", [{"uuid": "u", "chat_messages": [{"uuid": "v",
        "sender": "assistant", "content": [
            {"type": "tool_use", "name": "find", "input": {}},
            {"type": "tool_result", "name": "find", "content": PARTS}]}]}]),
    "LangGraph": ("LangGraph state", [{"values": {"messages": [
        {"type": "human", "content": "list"},
        {"type": "ai", "content": "",
            "tool_calls": [{"name": "find", "args": {}, "id": "c1", "type": "tool_call"}]},
        {"type": "tool", "content": ROWS, "tool_call_id": "c1", "name": "find"}]}, "next": [],
        "config": {"configurable": {"thread_id": "t"}}}] * 2),
    "Open WebUI": ("Open WebUI export", [{"id": "w", "chat": {"history": {"messages": {
        "m1": {"role": "assistant",
            "content": '<details type="tool_calls" done="true" id="c1" name="find" arguments=""'
            f' result="{QUOTED}"></details>'}}}, "messages": [SAID]}}]),
    "Open WebUI, folded": ("Open WebUI export", [{"id": "w", "chat": {"messages": [SAID,
        {"role": "assistant",
            "content": '<details type="tool_calls" done="true" id="c1" name="find" arguments="">\n'
            f"<summary>Tool Executed</summary>\n{QUOTED}\n</details>"}]}}]),
    "LibreChat": ("LibreChat export", {"conversationId": "c",
        "messages": [
            {"messageId": "1", "sender": "User", "text": "list"},
            {"messageId": "2", "sender": "GPT", "content": [{"type": "tool_call",
                "tool_call": {"id": "c1", "name": "find", "args": "{}", "output": ROWS}}]}]}),
    "LM Studio": ("LM Studio conversation", {"name": "n", "messages": [{"versions": [{
        "role": "assistant", "steps": [{"content": [
            {"type": "toolCallRequest", "callId": 1, "toolCallRequestId": "c1", "name": "find"},
            {"type": "toolCallResult", "callId": 1, "toolCallRequestId": "c1",
                "content": json.dumps(PARTS)}]}]}]}]}),
    "Continue": ("Continue session", {"sessionId": "s", "title": "t", "workspaceDirectory": "/w",
        "history": [
            {"message": {"role": "assistant", "content": "", "toolCalls": [CALL]},
                "contextItems": [], "toolCallStates": [{"toolCallId": "c1", "toolCall": CALL,
                    "status": "done", "parsedArgs": {},
                    "output": [{"name": "find", "description": "d", "content": ROWS}]}]},
            {"message": {"role": "tool", "toolCallId": "c1", "content": ROWS},
                "contextItems": []}]}),
    "goose": ("goose session", {"role": "user", "created": 1762077600,
        "content": [
            {"type": "toolRequest", "id": "c1", "toolCall": {"value": {"name": "find"}}},
            {"type": "toolResponse", "id": "c1",
                "toolResult": {"status": "success", "value": {"content": PARTS}}}]}),
    "pi": ("session of pi or Droid", [
        {"type": "session", "id": "s", "cwd": "/w"},
        {"type": "message", "message": {"role": "toolResult", "toolCallId": "c1",
            "toolName": "find", "content": PARTS}}]),
    "Amp": ("Amp thread", {"v": 1, "id": "T-1", "messages": [
        {"role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "find", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "toolUseID": "c1",
            "run": {"status": "done", "result": ROWS}}]}]}),
    "AutoGen": ("AutoGen messages", {"type": "TeamState", "agent_states": {"manager": {
        "type": "RoundRobinManagerState", "message_thread": [
            {"source": "a", "type": "ToolCallRequestEvent",
                "content": [{"id": "c1", "name": "find", "arguments": "{}"}]},
            {"source": "a", "type": "ToolCallExecutionEvent", "content": [AUTOGEN]},
            {"source": "a", "type": "ToolCallSummaryMessage", "content": ROWS, "tool_calls": [],
                "results": [AUTOGEN]}]}, "a": {"agent_state": {"type": "AssistantAgentState",
                    "llm_context": {"messages": [{"type": "FunctionExecutionResultMessage",
                        "content": [AUTOGEN]}]}}}}}),
    "Semantic Kernel": ("Semantic Kernel chat history", {"messages": [{"role": "tool",
        "items": [{"content_type": "function_result", "call_id": "c1", "name": "find",
            "result": ROWS}]}]}),
    "Semantic Kernel, .NET": ("Semantic Kernel chat history",
        [{"Role": {"Label": "tool"}, "Items": [
            {"$type": "TextContent", "Text": ROWS},
            {"$type": "FunctionResultContent", "CallId": "c1", "FunctionName": "find",
                "Result": ROWS}]}]),
    "LlamaIndex": ("LlamaIndex messages", {"chat_store": {"class_name": "SimpleChatStore",
        "store": {"user": [{"role": "tool",
            "additional_kwargs": {"name": "find", "tool_call_id": "c1"},
            "blocks": [{"block_type": "text", "text": ROWS}]}]}}}),
    "Haystack": ("Haystack messages", {"messages": [HAYSTACK], "last_message": HAYSTACK}),
    "Haystack 2.9": ("Haystack messages", [{"_role": "tool", "_content": HAYSTACK["content"]}]),
    "smolagents": ("smolagents memory",
        [{"step_number": 1, "tool_calls": [CALL], "observations": ROWS}]),
    "OpenHands": ("OpenHands events", [
        {"id": "a", "source": "agent", "timestamp": "2026-01-01T00:00:00", "tool_name": "find",
            "tool_call_id": "c1", "action": {"kind": "MCPToolAction", "data": {}},
            "kind": "ActionEvent"},
        {"id": "b", "source": "environment", "timestamp": "2026-01-01T00:00:01",
            "tool_name": "find", "tool_call_id": "c1",
            "observation": {"kind": "MCPToolObservation", "content": PARTS, "is_error": False},
            "action_id": "a", "kind": "ObservationEvent"}]),
    "OpenHands 0": ("OpenHands events", [{"id": 2, "source": "agent", "cause": 1,
        "observation": "find", "content": ROWS, "extras": {}}]),
    "SWE-agent": ("SWE-agent trajectory", {"trajectory": [{"action": "find a.json",
        "observation": ROWS, "response": "r", "thought": "t", "state": {}, "query": [SAID]}],
        "history": [SAID, {"role": "tool", "content": PARTS, "message_type": "observation",
            "tool_call_ids": ["c1"]}], "info": {}}),
    "tau-bench": ("tau-bench results",
        [{"task_id": 1, "reward": 1.0, "info": {}, "traj": [SAID, ASKED, TOOL]}]),
    "Inspect": ("Inspect log", {"id": 1, "epoch": 1, "target": "x", "store": {},
        "messages": INSPECT, "events": [
            {"event": "tool", "type": "function", "id": "c1", "function": "find", "arguments": {},
                "result": ROWS, "events": []},
            {"event": "model", "input": INSPECT, "call": {"request": {"messages": INSPECT}}}]}),
    "n8n": ("n8n execution", {"data": {"resultData": {"runData": {"find": [{
        "inputOverride": {"ai_tool": [[{"json": {"query": "x"}}]]},
        "data": {"ai_tool": [[{"json": {"response": ROWS}}]]}}],
        "AI Agent": [{"data": {"main": [[{"json": {"output": "two",
            "intermediateSteps": [{"action": {"tool": "find", "toolCallId": "c1"},
                "observation": ROWS}]}}]]}}]}}}}),
    "n8n, an agent's item": ("chat-completion log", [{"output": "two",
        "intermediateSteps": [{"action": {"tool": "find", "toolCallId": "c1"},
            "observation": ROWS}]}]),
    "Flowise": ("Flowise messages", [{"role": "apiMessage", "chatId": "c", "content": "two",
        "usedTools": [{"tool": "find", "toolInput": {}, "toolOutput": ROWS}]}]),
    "OpenAI Agents JS": ("run of OpenAI's Agents SDK for JavaScript",
        {"originalInput": "x", "modelResponses": [], "generatedItems": [{
            "type": "tool_call_output_item", "output": ROWS, "rawItem": {
                "type": "function_call_result", "callId": "c1", "name": "find",
                "output": {"type": "text", "text": ROWS}}}]}),
    "OpenAI Assistants": ("chat-completion log", {"object": "list",
        "data": [{"step_details": {"tool_calls": [{"id": "c1", "type": "function",
            "function": {"name": "find", "arguments": "{}", "output": ROWS}}]}}]}),
    "Cline": ("chat-completion log", [
        SAID,
        {"role": "assistant", "content": "<find>"},
        {"role": "user", "content": [
            {"type": "text", "text": "[find for 'x'] Result:"},
            {"type": "text", "text": ROWS}]}]),
    "Cloudflare": ("Cloudflare AI Gateway log", {"Gateway": "g", "Provider": "p",
        "RequestBody": json.dumps({"messages": [ASKED, TOOL]}), "ResponseBody": "{}"}),
    "docker's json-file": ("chat-completion log",
        {"log": json.dumps({"messages": [ASKED, TOOL]}), "stream": "stdout"}),
    "Codex, parts as text": ("Codex session",
        [{"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": item} for item in
        ({"type": "function_call", "name": "find", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": json.dumps(PARTS)})]),
    "a part alone, as text": ("chat-completion log",
        {"messages": [ASKED, {**TOOL, "content": json.dumps(PARTS[0])}]}),
    "a wrapper of a text": ("chat-completion log",
        {"messages": [ASKED, {**TOOL, "content": json.dumps({"result": ROWS})}]}),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_gives_what_its_tool_answered_once(name: str) -> None:
    label, log = KINDS[name]
    text = json.dumps(log, indent=1)

    [record] = read_all(text)
    assert isinstance(record, Payload)
    assert (record.group, record.text) == ("find", ROWS)
    assert kind(text).startswith(label)


def test_hermes_writes_answers_between_tags() -> None:
    messages = [
        {"from": "human", "value": "list"},
        {"from": "gpt", "value": "<tool_call>{}</tool_call>"},
        {"from": "tool", "value": f"<tool_response>\n{ROWS}\n</tool_response>\n" * 2},
    ]

    assert [record[2] for record in short(lines({"conversations": messages}))] == [ROWS, ROWS]


ORDINARY = (Path(__file__).parent / "ordinary.jsonl").read_text().splitlines()


@pytest.mark.parametrize("place", range(len(ORDINARY)))
def test_what_an_api_answers_is_a_payload_however_it_calls_things(place: int) -> None:
    text = ORDINARY[place]

    for log in (text, f"{text}\n" * 3):
        records = read_all(log)
        assert {record.text for record in records if isinstance(record, Payload)} == {text}
        assert len(records) == 1 + 2 * (log != text)


def test_what_speaks_of_calls_and_is_not_understood_is_refused() -> None:
    odd = {"run": {"toolResults": {"a": {"weird": ROWS}}, "note": "a long text " * 500}}

    [bad] = read_all(json.dumps(odd))
    assert "wrap" in getattr(bad, "reason", "")
    assert [record[2] for record in short(json.dumps(odd), payload_path="$")] == [json.dumps(odd)]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"rows": [{"x": 1}, {"x', "skipped: cut off by the log: find"),
        (ROWS[:9] + "... (litellm_truncated skipped 9 chars) ..." + ROWS[-4:],
         "skipped: cut off by the log: find"),
        ("[INFO] 3 files", "skipped: not JSON: find"),
    ],
)  # fmt: skip
def test_json_that_breaks_off_is_cut_and_other_text_is_not_json(answer: str, reason: str) -> None:
    assert short(lines({"messages": [ASKED, {**TOOL, "content": answer}]})) == [(1, reason)]


def test_lines_without_a_message_are_passed_over() -> None:
    log = lines({"level": "info", "text": "started"}, {"messages": [ASKED, TOOL]})

    assert short(log) == [(1, "skipped: no message in it"), (2, "find", ROWS)]


def test_a_database_is_named_as_what_it_is() -> None:
    [(_, reason)] = short(b"SQLite format 3\0" + bytes(200))

    assert reason.startswith("a SQLite database")


def test_a_request_of_bruno_gives_its_saved_responses() -> None:
    body = f"'''\n      {ROWS}\n    '''"
    text = (
        "meta {\n  name: One\n}\n\nget {\n  url: https://a.test/u\n}\n\nexample {\n  request: {\n"
        "    url: https://a.test/u/1\n    method: get\n  }\n  response: {\n    status: {\n"
        f"      code: 200\n    }}\n    body: {{\n      content: {body}\n    }}\n  }}\n}}\n"
    )

    assert short(text) == [(9, "GET a.test/u/{id}", ROWS)]


@pytest.mark.parametrize("key", ["tool_use_id", "TOOL_CALL_ID", "tool-call-id", "toolCallId"])
def test_words_are_compared_without_case_and_separators(key: str) -> None:
    message = {"Role": "Tool", key: "c1", "CONTENT": ROWS}

    assert [record[2] for record in short(lines({"Messages": [ASKED, message]}))] == [ROWS]
