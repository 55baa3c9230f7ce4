"""Exchanges over HTTP in the logs of gateways, collections and HARs, read right."""

import base64
import gzip
import json
from typing import Any

import pytest

from tests.traffic.reading import entry, har, kind, lines, read_all, short
from toon.traffic.payload import Payload

BIG = '{"id": 1.50, "t": ["a", "b"]}'
PACKED = base64.b64encode(gzip.compress(BIG.encode())).decode()
PLAIN64 = base64.b64encode(BIG.encode()).decode()
GROUP = "GET /users/{id}"


ASKED = {"method": "GET", "path": "/users/7"}


@pytest.mark.parametrize(
    "record",
    [
        {"method": "GET", "path": "/users/7?k=SECRET", "status": 200, "resp_body": BIG},
        {"request": "GET /users/7?k=SECRET HTTP/1.1", "status": "200", "response_body": BIG},
        {"request": {"method": "GET", "uri": "/users/7"}, "response": {"status": 200, "body": BIG}},
        {"httpMethod": "GET", "path": "/users/7", "statusCode": 200, "isBase64Encoded": True,
         "body": PLAIN64},
        {"request": ASKED, "response": {"headers": {"Content-Encoding": "gzip"}, "body": PACKED}},
        {"request": ASKED, "response": {"isBase64Encoded": True, "body": PACKED}},
        {":method": "GET", ":path": "/users/7", "response_code": 200, "response_body": BIG},
    ],
)  # fmt: skip
def test_the_response_in_an_access_log_is_the_payload(record: dict[str, Any]) -> None:
    record = {**record, "time_local": "02/Mar/2026:10:00:00 +0000", "request_body": '{"s": 1}'}
    (payload,) = read_all(lines(record))

    assert kind(lines(record)).startswith("access log with bodies")
    assert isinstance(payload, Payload)
    assert (payload.group, payload.text, payload.time) == (GROUP, BIG, 1_772_445_600)
    assert "SECRET" not in repr(payload)


def test_bodies_without_json_in_an_access_log_are_skipped() -> None:
    base = {"method": "GET", "path": "/a"}
    log = lines(
        {**base, "status": 200, "resp_body": "[1]"},
        {**base, "status": 204, "resp_body": ""},
        {**base, "status": 304},
        {**base, "status": 200, "resp_body": "<p>"},
        {**base, "status": 200, "resp_body": '{"a": '},
        {**base, "status": 200, "resp_body": "[1]\n{}", "content_type": "application/x-ndjson"},
        {"level": "info"},
    )

    assert [row[:2] for row in short(log)] == [
        (1, "GET /a"),
        (2, "skipped: not JSON: GET /a: an empty body"),
        (3, "skipped: not JSON: GET /a: an empty body"),
        (4, "skipped: not JSON: GET /a: of no named type"),
        (5, "GET /a: the response is damaged JSON: expected a value, found the end of the text "
            "(column 7)"),
        (6, "GET /a"),
        (6, "GET /a"),
        (7, "no request in it"),
    ]  # fmt: skip


def test_responses_saved_in_a_postman_collection_are_read_in_any_folder() -> None:
    request = {"method": "GET", "url": {"raw": "{{base}}/users/7?k=SECRET"}}
    response = {"name": "ok", "originalRequest": request, "code": 200, "body": BIG}
    item = {"name": "u", "request": request, "response": [response, {"body": ""}]}
    schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    info = {"schema": schema, "_postman_id": "1"}
    text = json.dumps({"info": info, "item": [{"item": [item]}, item]})

    rows = [(1, GROUP, BIG), (1, f"skipped: not JSON: {GROUP}: an empty body")]
    assert short(text) == rows * 2
    first = read_all(text)[0]
    assert isinstance(first, Payload)
    assert first.path == "item[].item[].response[].body"


def test_insomnia_and_bruno_are_read_or_refused_by_name() -> None:
    asked = {"_type": "request", "_id": "r", "method": "GET", "url": "{{ b }}/users/7"}
    saved = {"_type": "response", "parentId": "r", "body": BIG}
    v4 = {"_type": "export", "__export_format": 4, "resources": [asked, saved]}
    refusal = "a collection of requests without a saved response: export a HAR instead"

    assert short(json.dumps(v4)) == [(1, GROUP, BIG)]
    assert short(json.dumps({**v4, "resources": [asked]})) == [(1, refusal)]
    asked = {"method": "GET", "url": "/users/7"}
    example = {"request": asked, "response": {"body": {"content": BIG}}}
    item = {"type": "http-request", "request": {"url": "/x"}, "examples": [example]}
    bruno = {"name": "b", "version": "1", "environments": [], "items": [item]}
    assert short(json.dumps(bruno)) == [(1, GROUP, BIG)]


def post(body: Any, text: str, mime: str = "application/json") -> dict[str, Any]:
    made = entry("https://api.example.com/x", text=text, mimeType=mime)
    made["request"]["method"] = "POST"
    made["request"]["postData"] = {"mimeType": "application/json", "text": json.dumps(body)}
    return made


def test_a_har_names_operations_and_gives_what_models_were_sent() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    messages = [
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": BIG},
    ]
    rpc = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "look"}}
    content = {"content": [{"type": "text", "text": BIG}], "structuredContent": json.loads(BIG)}
    answer = json.dumps({"jsonrpc": "2.0", "id": 5, "result": content})
    listed = {"jsonrpc": "2.0", "id": 6, "method": "tools/list"}
    tools = json.dumps({"jsonrpc": "2.0", "id": 6, "result": {"tools": [{"name": "look"}]}})
    block = {"jsonrpc": "2.0", "id": 1, "method": "eth_getBlock", "params": ["SECRET"]}
    text = json.dumps(
        har(
            post({"model": "gpt-4o", "messages": messages}, '{"choices": []}'),
            post({"query": "query Users($a: ID) {x}", "variables": {"a": "SECRET"}}, "{}"),
            post({"operationName": "One", "query": "{x}"}, "[2]"),
            post(rpc, f"event: message\ndata: {answer}\n\n", "text/event-stream"),
            post(listed, tools),
            post(block, '{"jsonrpc": "2.0", "id": 1, "result": {"n": 1.0}}'),
            post({}, '[1]\n{"a": 1}\n', "application/x-ndjson"),
        )
    )

    assert short(text) == [
        (1, "find", BIG),
        (2, "Users", "{}"),
        (3, "One", "[2]"),
        (4, "look", BIG),
        (6, "eth_getBlock", '{"n": 1.0}'),
        (7, "POST api.example.com/x", "[1]"),
        (7, "POST api.example.com/x", '{"a": 1}'),
    ]
    first = read_all(text)[0]
    assert isinstance(first, Payload)
    assert first.model == "gpt-4o"
    assert "SECRET" not in repr(read_all(text))


def test_a_body_that_is_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toon.traffic.bodies.MAX_RECORD", 1000)
    bomb = base64.b64encode(gzip.compress(b"[" + b"1," * 2000 + b"1]")).decode()
    base = {"method": "GET", "path": "/a", "status": 200}
    log = lines({**base, "resp_body": bomb, "content_encoding": "gzip"})

    assert short(log) == [(1, "GET /a: the response body unpacks to more than a record may hold")]


def test_the_response_of_a_csv_of_traffic_wins_and_is_named_by_its_endpoint() -> None:
    text = 'endpoint,method,request,response\n/u/7?k=SECRET,post,"{""a"": 1}",[1.50]\n'
    tools = 'tool,arguments,result\nfind,"{""a"": 1}",[2]\nJohn Doe,{},[3]\n'

    assert short(text) == [(2, "POST /u/{id}", "[1.50]")]
    assert short(tools, "t.csv") == [(2, "find", "[2]"), (3, "t", "[3]")]


def test_a_payload_path_that_names_no_column_is_refused() -> None:
    text = "a,b\n1,[1]\n"

    assert short(text, payload_path="c") == [(1, "no column is called 'c': the columns are a, b")]
    assert short(text, payload_path="b") == [(2, "log", "[1]")]
