"""Records that wrap their payloads in an unknown way are refused, with the paths that read them."""

from __future__ import annotations

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
    "a conversation deep inside": ({"run": {"steps": [{"log": SAID}]}}, "run.steps[].log"),
    "a conversation as text": ({"name": "n", "conv": json.dumps(SAID)}, "conv"),
    "a large member of a log": (
        {"ts": 1, "latency_ms": 3, "reply": {"rows": ROWS}},
        "reply.rows",
    ),
    "a large member beside a status": ({"time": 1, "status": 200, "reply": ROWS}, "reply"),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapper_is_never_measured_as_a_payload(name: str) -> None:
    record, path = WRAPPERS[name]

    with pytest.raises(WrappedError) as refused:
        refuse_wrapped([record] * 3)
    found = {each.path: each for each in refused.value.candidates}
    assert path in found
    assert found[path].count == 3

    [bad] = read_all(lines(record, record))
    assert isinstance(bad, BadRecord)
    assert "--payload" in bad.reason
    assert [text for *_, text in short(lines(record), payload_path="$")] == [lines(record)]


@pytest.mark.parametrize(
    "record",
    [
        {"id": 7, "status": "paid", "created_at": "2026-01-01", "items": ROWS},
        {"data": ROWS, "meta": {"page": 1}, "status": 200},
        {"device": "d", "timestamp": 1_772_445_600, "readings": [1.5] * 40},
        {"id": 1, "type": "PushEvent", "payload": {"commits": ROWS}, "created_at": "2026-01-01"},
        {"messages": [{"id": 1, "subject": "Hello"}]},
        {"name": "n", "note": "[see below] and so on", "rows": ROWS},
        {"title": "a long text " * 20, "extra": '{"a":1,"bb":22}'},
        [ROWS, ROWS],
    ],
)
def test_what_an_api_answers_is_no_wrapper(record: Any) -> None:
    refuse_wrapped([record] * 3)

    assert all(isinstance(each, Payload) for each in read_all(lines(record, record)))


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
    assert short(lines({"a": [{"b": [1]}, {"b": [2]}]}), payload_path="a[].b") == [
        (1, "log", "[1]"),
        (1, "log", "[2]"),
    ]
    assert short(lines({"a": [{"b": "x"}]}), payload_path="a[].c") == [
        (1, "nothing at the path 'a[].c'")
    ]
