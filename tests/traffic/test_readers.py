"""Every kind of file: how it is recognised, and exactly what is read from it."""

import base64
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.traffic.reading import as_bytes, entry, har, kind, lines, read_all, short, zipped
from toon.errors import TextError
from toon.traffic import read, sniff
from toon.traffic.payload import BadRecord, Payload

BIG = '{"a": 1.50, "b": 18446744073709551616, "c": 1e400, "é": "\\u00e9"}'


def test_a_document_is_one_payload_with_its_exact_text() -> None:
    text = '{\n  "a": 1.50,\r\n  "b": [1e400]\n}\n'

    assert kind(text) == "JSON document: the whole is one payload"
    assert read_all(text, "in/Orders.json") == [Payload("in/Orders.json", 1, "Orders", text, None)]


def test_each_item_of_an_array_is_a_record() -> None:
    text = f' [ {BIG} ,\n [1.0, 2], "{{\\"x\\": 2.0}}" ]'

    assert kind(text) == "JSON array: each item is a record"
    assert short(text) == [(1, "log", BIG), (2, "log", "[1.0, 2]"), (3, "log", '{"x": 2.0}')]
    assert short(text, whole=True) == [(1, "log", text)]
    assert short("[]") == [(1, "no record in it")]
    assert short('[{"p": {"x": 1}}]', whole=True, payload_path="p") == [(1, "log", '{"x": 1}')]


def test_each_line_of_json_lines_is_a_record() -> None:
    text = f'{BIG}\r\n\n[1]\n "[2.0]" \n'

    assert kind(text) == "JSON Lines: a record a line"
    rows = [(1, "traffic", BIG), (3, "traffic", "[1]"), (4, "traffic", "[2.0]")]
    assert short(text, "a/traffic.jsonl.gz") == rows


def test_paths_lead_to_payload_and_group_through_json_in_strings() -> None:
    inner = json.dumps({"data": [{"x": 0}]})
    text = (
        '{"r": {"body": [0, {"x": 1.50}]}, "to": {"name": "GET /a/1?key=v"}}\n'
        '{"r": {"body": [0, "{\\"x\\": 1.0}"]}, "to": {"name": 7}}\n'
        + json.dumps({"r": json.dumps({"body": [0, inner]}), "to": {"name": ["no"]}})
        + '\n{"r": {"body": [0]}}\n'
        '{"r": {"body": [0, null]}}\n'
    )

    assert short(text, payload_path="r.body.1", group_path="$.to.name") == [
        (1, "GET /a/{id}", '{"x": 1.50}'),
        (2, "7", '{"x": 1.0}'),
        (3, "(none)", inner),
        (4, "nothing at the path 'r.body.1'"),
        (5, "neither an object nor an array, but null"),
    ]


def test_white_space_around_a_payload_in_a_string_was_sent_too() -> None:
    """A byte order mark was not. White space in the line of a record is the record's."""
    strings = (" [1]\n", "\ufeff[2]", "[3] ")
    text = "".join(f"  {json.dumps({'p': string})} \n" for string in strings)

    rows = [(1, "log", " [1]\n"), (2, "log", "[2]"), (3, "log", "[3] ")]
    assert short(text, payload_path="p") == rows
    assert short(text)[2] == (3, "log", '  {"p": "[3] "} ')


def test_a_har_gives_its_json_responses() -> None:
    coded = base64.b64encode("\ufeff[1.50]".encode()).decode()
    entries = [
        entry(text=BIG),
        entry("http://api.example.com/img", mimeType="image/png", text="iVBOR", encoding="base64"),
        entry(text=coded, encoding="base64"),
        entry(),
        entry(text=""),
        entry(text="<p>", mimeType="text/html; x=SECRET"),
        entry(text='{"a": '),
        entry(text="!", encoding="base64"),
        {"request": {}, "response": {"content": {"text": "[1]"}}},
        {"response": {}},
        "no entry",
    ]
    text = json.dumps(har(*entries), indent=2)
    users = "GET api.example.com/users/{id}"

    assert kind(text) == "HAR: JSON responses, by method and URL with the ids folded"
    assert read_all(text, "a.har")[0] == Payload("a.har", 1, users, BIG, 1_772_445_600.25)
    assert short(text) == [
        (1, users, BIG),
        (2, "GET api.example.com/img: the response body is damaged base64"),
        (3, users, "[1.50]"),
        (4, f"{users}: no response body in the HAR"),
        (5, f"skipped: not JSON: {users}: an empty body"),
        (6, f"skipped: not JSON: {users}: text/html"),
        (7, f"{users}: the response is damaged JSON: expected a value, found the end of the text "
            "(column 7)"),
        (8, f"{users}: the response body is damaged base64"),
        (9, "? (unreadable URL)", "[1]"),
        (10, "an entry without a request"),
        (11, "an entry without a request"),
    ]  # fmt: skip


def test_a_har_without_entries_says_so() -> None:
    nothing = "no response of an API and no result of a tool in it"
    assert short(json.dumps(har())) == short('{"log": {"creator": {}}}') == [(1, nothing)]


CSV = 'time;tool;note;body\n2026-03-02;a;x;"{""q"": 1.50}"\n;b;"l\n2";"[\n1]"\n'


def test_csv_gives_the_column_that_holds_json() -> None:
    assert kind(CSV) == "CSV: a record a row, its payload at body"
    assert read_all(CSV, "a.csv", group_path="tool") == [
        Payload("a.csv", 2, "a", '{"q": 1.50}', 1_772_409_600.0, path="body"),
        Payload("a.csv", 3, "b", "[\n1]", None, path="body"),
    ]


def test_csv_columns_are_named_by_the_paths() -> None:
    text = 'meta,a.b\n"{""t"": ""x""}","{""in"": {""v"": 1.0}}"\n'

    assert short(text, payload_path="a.b.in", group_path="meta.t") == [(2, "x", '{"v": 1.0}')]
    assert short(text, payload_path="meta") == [(2, "log", '{"t": "x"}')]


def call(id: Any, tool: str) -> dict[str, Any]:
    params = {"name": tool, "arguments": {"q": "x"}}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def result(id: Any, *texts: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text} for text in texts]
    return {"jsonrpc": "2.0", "id": id, "result": {"content": content, **more}}


MESSAGES = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}},
    {"jsonrpc": "2.0", "id": 0, "result": {"capabilities": {}}},
    call(1, "search"),
    call("1", "find"),
    result("1", "2 rows", "[1.50]", "[2]", structuredContent={"x": 0}),
    result(1, "plain", structuredContent={"x": 0}),
    call(2, "slow"),
    {"jsonrpc": "2.0", "id": 2, "error": {"code": -1, "message": "m"}},
    result(9, "plain"),
    {"jsonrpc": "2.0", "method": "notifications/progress"},
]


def test_mcp_results_are_matched_with_their_calls() -> None:
    # As a log writes them: spaced, and with the digits that a float would lose.
    text = lines(*MESSAGES).replace('{"x": 0}', '{"x":  1.50}')

    assert kind(text) == "MCP transcript: results of tools/call, by tool"
    assert short(text) == [
        (5, "skipped: not JSON: find"),
        (5, "find", "[1.50]"),
        (5, "find", "[2]"),
        (6, "search", '{"x":  1.50}'),
        (8, "slow: the call failed"),
        (9, "skipped: not JSON: (unknown tool)"),
    ]


@pytest.mark.parametrize(
    "text",
    [json.dumps(MESSAGES), json.dumps({"messages": MESSAGES}), lines(MESSAGES[:4], MESSAGES[4:])],
)
def test_mcp_messages_come_in_arrays_and_objects(text: str) -> None:
    assert [item[1:] for item in short(text)] == [item[1:] for item in short(lines(*MESSAGES))]


def test_a_payload_path_turns_recognition_off() -> None:
    text = lines(MESSAGES[4])

    assert short(text, payload_path="$") == [(1, "log", text)]


OPENAI = [
    {"role": "user", "content": "?"},
    {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"w": 1.50}'},
    {"role": "tool", "tool_call_id": "c2", "name": "own", "content": "plain"},
]
ANTHROPIC = [
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look"}]},
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "[1]"},
            {"type": "tool_result", "tool_use_id": "u",
             "content": [{"type": "image"}, {"type": "text", "text": "[2]"}]},
        ],
    },
]  # fmt: skip
RESPONSES = [
    {"type": "function_call", "call_id": "k", "name": "fn"},
    {"type": "function_call_output", "call_id": "k", "output": '{"r": 1.0}'},
]


def test_chats_give_what_tools_answered() -> None:
    text = lines(
        {"created": 1_772_445_600, "model": "m", "messages": OPENAI},
        {"messages": ANTHROPIC},
        {"input": RESPONSES},
        {"request": json.dumps({"messages": OPENAI[:3]}), "response": {}},
        {"messages": OPENAI[:1]},
    )

    assert kind(text) == "chat-completion log: what tools answered, by tool"
    assert read_all(text)[0] == Payload(
        "log.x", 1, "get", '{"w": 1.50}', 1_772_445_600, "m", "messages[].content"
    )
    assert short(text) == [
        (1, "get", '{"w": 1.50}'),
        (1, "skipped: not JSON: own"),
        (2, "look", "[1]"),
        (2, "(unknown tool)", "[2]"),
        (3, "fn", '{"r": 1.0}'),
        (4, "get", '{"w": 1.50}'),
    ]


def test_a_zip_is_read_file_by_file() -> None:
    data = zipped(
        {
            "orders/1.json": "[1.50]",
            "orders/2.json": '{"a": 1}',
            "top.json": "{}",
            "deep/er/log.jsonl": "[1]\n[2]\n",
            "packed.json.gz": gzip.compress(b"[3]"),
            "__MACOSX/._top.json": "x",
            ".DS_Store": "x",
        }
    )

    assert kind(data) == "zip archive: each file in it, by folder or by name"
    assert read_all(data, "a.zip") == [
        Payload("a.zip/orders/1.json", 1, "orders", "[1.50]"),
        Payload("a.zip/orders/2.json", 1, "orders", '{"a": 1}'),
        Payload("a.zip/top.json", 1, "top", "{}"),
        Payload("a.zip/deep/er/log.jsonl", 1, "er", "[1]"),
        Payload("a.zip/deep/er/log.jsonl", 2, "er", "[2]"),
        Payload("a.zip/packed.json.gz", 1, "packed", "[3]"),
    ]


@pytest.mark.parametrize(
    "data",
    [lines([1], [2]), "[[1], [2]]", CSV, json.dumps(har(entry(text="[1]"))), lines(*MESSAGES),
     zipped({"a.json": "[1]"})],
)  # fmt: skip
def test_gzip_may_lie_around_anything(data: str | bytes) -> None:
    packed = gzip.compress(as_bytes(data))

    assert short(packed) == short(data)
    assert kind(packed) == kind(data).replace(":", ", packed:", 1)


def test_gzip_of_several_members_and_padding_is_read() -> None:
    data = gzip.compress(b"[1]\n[") + gzip.compress(b"2]\n") + bytes(100)

    assert short(data) == [(1, "log", "[1]"), (2, "log", "[2]")]


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ['{"é": "日本😀"}\n{"b": 1}\n', '[{"é": "日本😀"},{"b": 1}]'])
def test_texts_with_a_byte_order_mark_are_read(coding: str, text: str) -> None:
    mark = "\ufeff" if coding[-2:] in ("le", "be") else ""

    rows = [(1, "log", '{"é": "日本😀"}'), (2, "log", '{"b": 1}')]
    assert short((mark + text).encode(coding)) == rows


def test_a_path_or_an_open_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[1]")
    file = io.BytesIO(b"{}")
    file.read()

    assert list(read(str(path), "n", whole=True)) == [Payload("n", 1, "n", "[1]")]
    assert list(read(path, "n", group="g", whole=True)) == [Payload("n", 1, "g", "[1]")]
    assert list(read(file, "n")) == [Payload("n", 1, "n", "{}")]
    assert not file.closed


def test_files_that_cannot_be_opened_or_recognised_have_a_reason(tmp_path: Path) -> None:
    reason = "the file cannot be opened: No such file or directory"

    assert list(read(tmp_path / "no", "no")) == [BadRecord("no", 1, reason)]
    with pytest.raises(TextError, match=reason):
        sniff(tmp_path / "no", "no")
    with pytest.raises(TextError, match="not recognised: no JSON objects or arrays"):
        kind("Dear all,\n")
