"""Traces: both written forms, and errors."""

import json
from typing import Any

import pytest
from hypothesis import given

import toon
from tests.context.traces import call, hand_off, task, trace
from tests.strategies import values
from toon.context.trace import TraceError, TraceStep, read_run, read_steps
from toon.errors import JsonDecodeError
from toon.values.equality import differences
from toon.values.json_text import parse_json


@given(values, values.filter(lambda value: value is not None))
def test_a_run_is_read_from_both_forms(content: Any, arguments: Any) -> None:
    given = trace(
        {**task("A", "t", content), "at": "2026-03-24T09:00:00+00:00"},
        call("search", content, arguments),
        hand_off("A", "B", content),
    )
    text = read_run(toon.encode(given), is_toon=True)

    assert differences(given, parse_json(text).value).same
    assert read_run(text, is_toon=False) == text
    assert read_steps(given) == [
        TraceStep("task", "A", "t", content, None),
        TraceStep("tool_call", "A", "search", content, arguments),
        TraceStep("hand_off", "A", "B", content, None),
    ]


TASK = task("A", "t", 1)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "$: expected an object, found a list"),
        ({"name": "x"}, "$: 'steps' is missing"),
        ({"name": 1, "steps": []}, "$.name: expected a text, found 1"),
        ({"name": "x", "steps": {}}, "$.steps: expected a list, found an object"),
        ({"name": "x", "steps": [], "id": 1}, "$: unknown key 'id'; there are name, steps"),
        ({"name": "x", "steps": [TASK, None]}, "$.steps[1]: expected an object, found null"),
        ({"name": "x", "steps": [{**TASK, "kind": "think"}]},
         "$.steps[0].kind: expected task or tool_call or hand_off, found 'think'"),
        ({"name": "x", "steps": [{**TASK, "kind": []}]}, "$.steps[0].kind: expected task"),
        ({"name": "x", "steps": [{**TASK, "arguments": {}}]},
         "$.steps[0]: unknown key 'arguments'; there are agent, at, content, kind, task"),
        ({"name": "x", "steps": [{"kind": "task", "agent": "A", "content": 1}]},
         "$.steps[0]: 'task' is missing"),
        ({"name": "x", "steps": [{**TASK, "at": 5}]}, "$.steps[0].at: expected a text, found 5"),
    ],
)  # fmt: skip
def test_a_malformed_trace_is_refused_with_the_path(value: Any, message: str) -> None:
    with pytest.raises(TraceError) as error:
        read_run(json.dumps(value), is_toon=False)

    assert str(error.value).startswith(message)
    assert error.value.hint


def test_a_trace_that_is_not_json_is_refused_with_the_position() -> None:
    with pytest.raises(JsonDecodeError, match="line 2, column 11: expected a value"):
        read_run('{"name": "x",\n"steps": [x]}', is_toon=False)
