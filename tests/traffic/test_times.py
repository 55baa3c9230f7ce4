"""The time of a record: which key counts, how it may be written, and where else it may stand."""

import json
from typing import Any

import pytest

from tests.traffic.reading import lines, read_all
from toon.traffic.account import Account
from toon.traffic.payload import Payload


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2026-03-02T10:00:00Z", 1_772_445_600),
        ("2026-03-02T11:00:00.5+01:00", 1_772_445_600.5),
        ("2026-03-02 10:00:00", 1_772_445_600), (1_772_445_600, 1_772_445_600),
        (1_772_445_600.25, 1_772_445_600.25), (1_772_445_600_250, 1_772_445_600.25),
        (1_772_445_600_250_000, 1_772_445_600.25), (1_772_445_600_250_000_000, 1_772_445_600.25),
        ("1772445600", 1_772_445_600), ("yesterday", None), (12, None), (True, None), (None, None),
        ({}, None), ("0001-01-01T00:00:00+14:00", None),
    ],
)  # fmt: skip
def test_times_are_read(time: Any, expected: float | None) -> None:
    (payload,) = read_all(lines({"ts": time, "p": {}}), payload_path="p")

    assert isinstance(payload, Payload)
    assert payload.time == expected


def test_the_first_time_that_can_be_read_counts() -> None:
    (payload,) = read_all('{"timestamp": "soon", "created": 1772445600, "p": {}}\n')

    assert isinstance(payload, Payload)
    assert payload.time == 1_772_445_600


MESSAGES = [
    {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "get"}}]},
    {"role": "tool", "tool_call_id": "c", "content": "[1]"},
]
ANSWER = {"object": "chat.completion", "model": "m", "created": 1_772_445_600}


@pytest.mark.parametrize(
    "fields",
    [
        {"response": ANSWER},
        {"response": {"status_code": 200, "body": ANSWER}},
        {"response": json.dumps(ANSWER)},
        {"response": {**ANSWER, "created": None, "created_at": 1_772_445_600.0}},
        {"created": "soon", "response": ANSWER},
    ],
)
def test_a_record_without_a_time_has_that_of_the_answer_in_it(fields: dict[str, Any]) -> None:
    """For its payloads, its definitions and its bill."""
    usage = {"usage": {"prompt_tokens": 9, "completion_tokens": 1}}
    account = Account()
    request = {"messages": MESSAGES, "tools": [{"name": "get"}]}
    payload, *_ = read_all(lines({"request": request, **fields, **usage}), account=account)

    assert isinstance(payload, Payload)
    assert payload.time == account.definitions.first == 1_772_445_600
    assert [tally.last for tally in account.usages.rows.values()] == [1_772_445_600]


@pytest.mark.parametrize("answer", [{**ANSWER, "model": None, "created": 1}, {"created": 1.8e9}])
def test_the_times_of_data_are_no_times_of_records(answer: dict[str, Any]) -> None:
    payload, *_ = read_all(lines({"request": {"messages": MESSAGES}, "response": answer}))

    assert isinstance(payload, Payload)
    assert payload.time is None
