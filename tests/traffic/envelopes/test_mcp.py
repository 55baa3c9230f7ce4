"""MCP transcripts: text logs with prefixes, event streams, and the Inspector's pairs."""

import json
from typing import Any

import pytest

from tests.traffic.reading import kind, lines, read_all, short
from toon.traffic.payload import SKIPPED, Payload

BIG = '{"id": 1.50}'
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find"}})
RESULT: dict[str, Any] = {
    "content": [{"type": "text", "text": BIG}],
    "structuredContent": {"id": 1.5},
}
ANSWER = json.dumps({"jsonrpc": "2.0", "id": 1, "result": RESULT})
LISTED = json.dumps({"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "find"}]}})


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        ("--> ", "<-- "),
        ("2026-03-02T10:00:00Z [find] --> ", "2026-03-02T10:00:00Z [find] <-- "),
        ("[2026-03-02T10:00:00Z] client: ", "[2026-03-02T10:00:00Z] server: "),
        ("INFO:mcp.server:", "DEBUG:mcp.server:"),
        ("event: message\ndata: ", "event: message\ndata: "),
    ],
)
def test_a_prefix_before_each_message_is_stripped(sent: str, received: str) -> None:
    text = f"server started\n{sent}{CALL}\n{received}{ANSWER}\n{received}{LISTED}\n"
    (payload,) = read_all(text)

    assert kind(text).startswith("MCP transcript")
    assert isinstance(payload, Payload)
    assert (payload.group, payload.text) == ("find", BIG)
    assert payload.time == (1_772_445_600 if "2026" in sent else None)


FILES = [{"name": "a.txt", "type": "file"}, {"name": "b", "type": "file", "url": "https://b"}]
SAID = {"type": "text", "text": BIG}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"type": "text", "text": json.dumps(FILES)}], (2, "find", json.dumps(FILES))),
        (FILES, (2, "find", json.dumps(FILES))),
        ([{"type": "image", "data": "AAAA", "mimeType": "image/png"}],
         (2, f"{SKIPPED}not JSON: find")),
        ([SAID, {"type": "image", "base64": "AAAA", "mime_type": "image/png"}], (2, "find", BIG)),
        ([SAID, {"type": "image", "omitted": True}], (2, "find", BIG)),
        ([SAID, {"type": "file", "filename": "a.pdf", "url": "https://a",
                 "mediaType": "application/pdf"}], (2, "find", BIG)),
        ([{"type": "text", "text": ""}], (1, "no result of tools/call in it")),
        ([{"type": "text", "text": " \n"}], (1, "no result of tools/call in it")),
    ],
    ids=["a list of files as text", "a list of files", "a picture alone", "a picture beside a text",
         "a picture that is left out", "a document beside a text", "an empty text", "a blank text"],
)  # fmt: skip
def test_of_the_parts_of_a_result_the_data_is_the_payload(
    content: list[dict[str, Any]], expected: tuple[Any, ...]
) -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": content}}

    assert short(f"{CALL}\n{json.dumps(answer)}\n") == [expected]


def test_a_damaged_message_behind_a_prefix_is_a_bad_record() -> None:
    text = f"--> {CALL}\n<-- {ANSWER[:-3]}\n<-- {ANSWER}\n"

    assert [row[0] for row in short(text)] == [2, 3]
    assert short(text)[1] == (3, "find", BIG)


@pytest.mark.parametrize("as_text", [True, False])
def test_the_pairs_of_the_inspector_are_read(as_text: bool) -> None:
    call = {"method": "tools/call", "params": {"name": "find"}}
    listed = {"method": "tools/list", "params": {}}
    write: Any = json.dumps if as_text else lambda value: value
    pairs = [
        {"request": write(call), "response": write(RESULT)},
        {"request": write(listed), "response": write({"tools": [{"name": "find"}]})},
        {"request": write(call), "response": None},
    ]

    assert short(json.dumps(pairs)) == [(1, "find", BIG)]
    assert short(json.dumps({"history": pairs})) == [(1, "find", BIG)]
    assert short(lines(*pairs)) == [(1, "find", BIG)]


def test_csv_with_messages_is_no_text_log() -> None:
    cell = CALL.replace('"', '""')

    assert not kind(f'a,b\n1,"{cell}"\n').startswith("text log")
