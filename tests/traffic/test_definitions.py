"""Definitions of tools in logs: every maker's shape, counted once with a tally, in bounds."""

import json
from functools import partial
from typing import Any

import pytest

from tests.traffic.reading import lines, read_all, zipped
from tests.work import count_lines
from toon.measuring.definitions import count_definitions
from toon.traffic import definitions as module
from toon.traffic.account import Account
from toon.traffic.definitions import Definitions, find_tools
from toon.traffic.locate import read_record

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
TOLD = {"description": "Finds", "parameters": SCHEMA}
HEAD = {"messages": [{"role": "user", "content": "hi"}]}

#: The list in each maker's request, and the texts of its definitions.
FIND = {"name": "find", **TOLD}
CHAT = {"type": "function", "function": FIND}
RESPONSES = {"type": "function", **FIND}
ANTHROPIC = {"name": "find", "input_schema": SCHEMA}
SPEC = {"toolSpec": {"name": "find", "inputSchema": {"json": SCHEMA}}}
SHAPES: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "OpenAI chat": ({"tools": [CHAT]}, [CHAT]),
    "OpenAI, functions": ({"functions": [FIND]}, [FIND]),
    "OpenAI Responses": ({"tools": [RESPONSES]}, [RESPONSES]),
    "Anthropic": ({"tools": [ANTHROPIC]}, [ANTHROPIC]),
    "Gemini": ({"tools": [{"functionDeclarations": [FIND]}, {"googleSearch": {}}]}, [FIND]),
    "Bedrock": ({"toolConfig": {"tools": [SPEC]}}, [SPEC]),
    "in a body": ({"request": {"body": {"tools": [FIND]}}}, [FIND]),
    "in a body as text": ({"proxy_server_request": json.dumps({"tools": [FIND]})}, [FIND]),
}


def noted(*records: Any, name: str = "log.jsonl") -> Definitions:
    account = Account()
    read_all(lines(*records), name, account=account)
    return account.definitions


def test_conversations_are_counted_where_every_request_names_one() -> None:
    request = {**HEAD, **SHAPES["OpenAI chat"][0]}
    named = [{**request, "session_id": id} for id in "aba"]

    assert noted(*named).conversations == {"a", "b"}
    assert noted(*named, request, *named).conversations is None
    assert noted(*named, HEAD).conversations == {"a", "b"}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_definitions_of_every_maker_are_found(shape: str) -> None:
    given, texts = SHAPES[shape]
    result = noted(HEAD | given, HEAD | given)

    assert [(definition.tool, definition.text) for definition in result.sent] == [
        ("find", json.dumps(text)) for text in texts
    ]
    assert [tally.requests for tally in result.sent.values()] == [2] * len(texts)
    assert result.requests == 2


@pytest.mark.parametrize(
    "record", [{"tools": []}, {"tools": ["a"]}, {"tools": {"a": 1}}, {"tools": [{"q": 1}]}, {}]
)
def test_other_lists_of_tools_are_none(record: dict[str, Any]) -> None:
    assert find_tools(read_record(json.dumps(record))) is None


def test_the_exact_text_is_kept_and_tokens_are_those_of_it() -> None:
    text = '{"name" : "find",\n "n": 1.50}'
    account = Account()
    asked = f'{{"messages":[{{"role":"user","content":"x"}}],"tools":[ {text} ]}}'
    read_all(asked, account=account)
    [tool] = count_definitions(account.definitions, "o200k_base")["tools"]

    assert [definition.text for definition in account.definitions.sent] == [text]
    assert tool["tokens"] > tool["minified"] == 11
    assert (tool["requests"], tool["listed"], tool["called"]) == (1, 0, False)


def test_servers_and_calls_are_told_by_name() -> None:
    tools = [{"name": name} for name in ("mcp__git__log", "mcp__git__blame", "own")]
    calls = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "own"}}]}
    result = {"role": "tool", "tool_call_id": "9", "name": "mcp__git__log", "content": "text"}
    result = noted({"tools": tools, "messages": [calls, result]})

    assert {(e.server, e.tool, result.was_called(e)) for e in result.sent} == {
        ("git", "mcp__git__log", True),
        ("git", "mcp__git__blame", False),
        ("", "own", True),
    }


def test_a_server_lists_its_tools_of_which_a_model_is_sent_a_part() -> None:
    sent = {"name": "log", "inputSchema": SCHEMA}
    tools = [{"title": "Log", **sent, "annotations": {"readOnlyHint": True}}, {"name": "blame"}]
    result = noted(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "log"}},
        {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "[1]"}]}},
        name="git.jsonl",
    )

    assert [(e.server, e.tool, json.loads(e.text), result.was_called(e)) for e in result.sent] == [
        ("git", "log", sent, True),
        ("git", "blame", {"name": "blame"}, False),
    ]
    assert [tally.listed for tally in result.sent.values()] == [1, 1]
    assert result.requests == 0


def test_calls_in_one_file_count_for_definitions_in_another() -> None:
    account = Account()
    defined = lines({**HEAD, "tools": [{"name": "mcp__git__log"}]})
    called = lines({"role": "tool", "tool_call_id": "1", "name": "mcp__git__log", "content": "[1]"})
    read_all(zipped({"a.jsonl": defined, "b.jsonl": called}), "x.zip", account=account)

    [definition] = account.definitions.sent
    assert account.definitions.was_called(definition)


def test_beyond_the_bounds_definitions_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DEFINITIONS", 2)
    result = noted(*({**HEAD, "tools": [{"name": n} for n in names]} for names in ("abc", "d")))

    assert [definition.tool for definition in result.sent] == ["a", "b"]
    assert (result.left_out, result.requests) == (2, 2)


def test_the_work_grows_as_a_list_of_tools_does() -> None:
    def work(tools: int) -> int:
        text = lines({**HEAD, "tools": [{"name": f"t{n}", "x": "y" * 50} for n in range(tools)]})
        return count_lines(partial(read_all, text, account=Account()))

    assert work(2_000) < 30 * work(200)  # a hundred times, were each compared with all


def test_the_times_of_requests_give_the_window() -> None:
    tools = [{"name": "a"}]
    result = noted(*({**HEAD, "tools": tools, "time": 1_760_000_000 + n} for n in (50, 0, 100, 50)))

    assert (result.first, result.last, result.timed) == (1_760_000_000, 1_760_000_100, 4)
    assert len(result.moments) == 3


@pytest.mark.parametrize("number", ["1e999", "9" * 400])
def test_odd_values_in_a_definition_stop_nothing(number: str) -> None:
    account, tool = Account(), f'{{"name":"t","n":{number}}}'
    text = f'{{"messages":[{{"role":"tool","tool_call_id":"1","content":"[1]"}}],"tools":[{tool}]}}'
    items = read_all(text, account=account)
    facts = count_definitions(account.definitions, "o200k_base")

    assert len(items) == 1
    assert len(facts["tools"]) + facts["left_out"] == 1
    assert json.loads(json.dumps(facts)) == facts
