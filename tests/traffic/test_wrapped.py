"""Records that wrap their payloads in an unknown way are refused, with the paths that read them."""

import json
from typing import Any

import pytest

from tests.traffic.reading import lines, read_all, short
from toon.traffic.payload import BadRecord, Payload
from toon.traffic.wrapped import WrappedError, refuse_wrapped

ROWS = [{"id": 1, "city": "Bern"}, {"id": 2, "city": "Graz"}]
SAID = [{"role": "user", "content": "hi"}, {"role": "tool", "content": json.dumps(ROWS)}]

WRAPPERS = {
    "JSON as text": ({"at": "x", "out": {"raw": json.dumps(ROWS)}}, "out.raw"),
    "a large member of a log": ({"ts": 1, "latency_ms": 3, "reply": {"rows": ROWS}}, "reply.rows"),
    "a body beside its address": ({"url": "https://api.example/orders", "body": ROWS}, "body"),
    "a large member beside a status": ({"time": 1, "status": 200, "reply": ROWS}, "reply"),
    "both sides of a tool": ({"tool_input": {"q": "x"}, "tool_response": ROWS}, "tool_response"),
    "requests with their responses": (
        {"mappings": [{"request": {"url": "/a"}, "response": {"jsonBody": ROWS}}]},
        "mappings[].response.jsonBody",
    ),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapper_is_never_measured_as_a_payload(name: str) -> None:
    record, path = WRAPPERS[name]

    with pytest.raises(WrappedError) as refused:
        refuse_wrapped([record] * 3)
    candidates = {candidate.path: candidate for candidate in refused.value.candidates}
    assert path in candidates
    assert candidates[path].count == 3

    [bad] = read_all(lines(record, record))
    assert isinstance(bad, BadRecord)
    assert "--payload" in bad.reason
    assert [text for *_, text in short(lines(record), payload_path="$")] == [lines(record)]


@pytest.mark.parametrize(
    "record",
    [
        {"run": {"steps": [{"log": SAID}]}},
        {"name": "n", "conv": json.dumps(SAID)},
        {"id": 1, "said": {"role": "tool", "content": ROWS}},
    ],
)
def test_a_conversation_is_opened_and_read_wherever_it_lies(record: Any) -> None:
    payloads = [json.loads(text) for *_, text in short(lines(record, record))]

    assert payloads == [ROWS] * 2


def test_an_array_of_arrays_is_no_wrapper() -> None:
    record = [ROWS, ROWS]
    refuse_wrapped([record] * 3)

    assert all(isinstance(record, Payload) for record in read_all(lines(record, record)))


def test_the_reason_names_a_command_and_quotes_no_record() -> None:
    secret = {"at": 1, "raw": json.dumps({"password": "hunter2hunter2"})}

    assert short(lines(secret, secret)) == [
        (
            1,
            "records that wrap their payloads in a way that is not known here: say where these"
            " lie, for instance --payload 'raw' (--payload $ takes the whole records)",
        )
    ]


def test_stars_and_brackets_lead_to_every_payload() -> None:
    nested = {"item": [{"item": [{"response": [{"body": json.dumps(ROWS)}, {"body": "<p>"}]}]}]}

    assert [text for *_, text in short(lines(nested, nested), payload_path="item.*.body")] == [
        json.dumps(ROWS),
        "skipped: not JSON: log",
    ] * 2
    both = [(1, "log", "[1]"), (1, "log", "[2]")]
    assert short(lines({"a": [{"b": [1]}, {"b": [2]}]}), payload_path="a[].b") == both
    some = {"a": [{"b": None}, {"b": [1]}, {"b": ""}, {}]}
    assert short(lines(some), payload_path="a[].b") == [(1, "log", "[1]")]
    some = {"a": [{"b": ""}, {"b": json.dumps({"c": [1]})}, {"b": None}, {"b": "none"}]}
    assert short(lines(some), payload_path="a[].b.c") == [(1, "log", "[1]")]
    some["a"].append({"b": '{"c": '})
    assert "end of the text" in short(lines(some), payload_path="a[].b.c")[0][1]
    nothing = [(1, "nothing at the path 'a[].c'")]
    assert short(lines({"a": [{"b": "x"}]}), payload_path="a[].c") == nothing


def test_an_answer_with_status_and_time_is_a_payload_when_it_comes_alone() -> None:
    answer = {"status": 200, "timestamp": "2026-01-01T00:00:00Z", "data": ROWS}

    assert [text for *_, text in short(json.dumps(answer))] == [json.dumps(answer)]
    assert isinstance(read_all(lines(answer, answer))[0], BadRecord)


def test_a_log_is_known_by_what_comes_after_many_lines_of_another_kind() -> None:
    start = {"type": "summary", "summary": "s", "leafUuid": "u"}
    message = {"role": "user", "content": [{"type": "tool_result", "content": json.dumps(ROWS)}]}
    event = {"type": "user", "sessionId": "s", "message": message}

    assert [text for *_, text in short(lines(*[start] * 300, event))] == [json.dumps(ROWS)]


TEXT, LOGGED = json.dumps(ROWS), {"ts": "2026-01-01T00:00:00Z", "latency_ms": 3}
IDS = [f"550e8400-e29b-41d4-a716-44665544000{n}" for n in range(3)]


@pytest.mark.parametrize(
    ("log", "path"),
    [
        ([*[{**LOGGED, "reply": None}] * 6, *[{**LOGGED, "reply": TEXT}] * 6], "reply"),
        ([*[{**LOGGED, "reply": "not found"}] * 6, *[{**LOGGED, "reply": TEXT}] * 6], "reply"),
        ([*[{"out": {"raw": None}}] * 6, *[{"out": {"raw": TEXT}}] * 6], "out.raw"),
        ([*[{"out": {"raw": "not found"}}] * 6, *[{"out": {"raw": TEXT}}] * 6], "out.raw"),
        ([{"msg": "started"}, {"msg": "done", "data": json.dumps(ROWS * 9)}] * 4, "data"),
        ([{id: {"raw": TEXT} for id in IDS}] * 2, "*.raw"),
    ],
    ids=["null at first", "text at first", "null deeper", "text deeper", "most of the bytes",
         "a star for ids"],
)  # fmt: skip
def test_the_path_that_is_offered(log: list[Any], path: str) -> None:
    assert f"--payload '{path}'" in short(lines(*log))[0][1]


@pytest.mark.parametrize(
    "text",
    [
        'id,prompt\n1,"' + json.dumps({"messages": SAID}).replace('"', '""') + '"\n',
        lines({"operation": "chat", "payload": {"history": SAID}}),
        lines({"operation": "chat", "payload": SAID}) * 2,
    ],
)
def test_a_payload_that_wraps_others_is_refused_too(text: str) -> None:
    records = read_all(text)

    assert not any(isinstance(record, Payload) and "role" in record.text for record in records)


@pytest.mark.parametrize(
    "content", [[{"type": ["string", "null"]}], [{"type": {}}], {"type": []}, [[]]]
)
def test_types_that_are_no_texts_stop_nothing(content: Any) -> None:
    request = {"messages": [{"role": "tool", "tool_call_id": "a", "content": content}]}

    assert all(isinstance(record, Payload) for record in read_all(lines(request, request)))
