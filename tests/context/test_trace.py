"""Traces: recording, both written forms, files and errors."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import toon
from tests.strategies import values
from toon.codec.numbers import exact_number
from toon.context import ExecutionTrace, TraceError
from toon.errors import EncodeError, JsonDecodeError
from toon.values.equality import differences


def recorded() -> ExecutionTrace:
    times = iter(datetime(2026, 3, 24, 9, tzinfo=UTC) + timedelta(seconds=i) for i in range(9))
    trace = ExecutionTrace("report", clock=lambda: next(times))
    trace.task("Researcher", "Find trends", "Find what is new.")
    trace.tool_call("Researcher", "search", {"hits": [{"id": 1, "ok": True}]}, {"q": "agents"})
    trace.hand_off("Researcher", "Writer", [1.5, Decimal("0.1")])
    return trace


def test_a_trace_as_toon() -> None:
    assert recorded().to_toon() == (
        "name: report\n"
        "steps[3]:\n"
        "  - kind: task\n"
        "    agent: Researcher\n"
        "    task: Find trends\n"
        '    at: "2026-03-24T09:00:00+00:00"\n'
        "    content: Find what is new.\n"
        "  - kind: tool_call\n"
        "    agent: Researcher\n"
        "    tool: search\n"
        "    arguments:\n"
        "      q: agents\n"
        '    at: "2026-03-24T09:00:01+00:00"\n'
        "    content:\n"
        "      hits[1]{id,ok}:\n"
        "        1,true\n"
        "  - kind: hand_off\n"
        "    agent: Researcher\n"
        "    to: Writer\n"
        '    at: "2026-03-24T09:00:02+00:00"\n'
        "    content[2]: 1.5,0.1"
    )


@pytest.mark.rest
@given(values, values)
def test_traces_come_back_from_both_forms(content: Any, arguments: Any) -> None:
    trace = ExecutionTrace("x")
    trace.task("A", "t", content)
    trace.tool_call("A", "search", content, arguments)
    trace.hand_off("A", "B", content)

    # Numbers are equal by value: 1e17 comes back from JSON as an integer.
    for back in (
        ExecutionTrace.from_json(trace.to_json()),
        ExecutionTrace.from_toon(trace.to_toon()),
    ):
        assert differences(trace.to_value(), back.to_value()).same
    assert toon.decode(trace.to_toon(delimiter="\t"), parse_float=exact_number) == trace.to_value()


def test_contents_are_copied_and_times_need_a_clock() -> None:
    trace, content = ExecutionTrace("x"), {"rows": [1]}
    trace.hand_off("A", "B", content)
    content["rows"].append(2)

    assert trace.to_value()["steps"] == [
        {"kind": "hand_off", "agent": "A", "to": "B", "content": {"rows": [1]}}
    ]


def test_an_export_writes_a_file_and_creates_its_folders(tmp_path: Path) -> None:
    trace = recorded()

    for name, write in (("a/b/run.json", trace.to_json), ("c/run.toon", trace.to_toon)):
        text = write(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    assert trace.to_json().startswith('{\n  "name": "report",\n  "steps": [\n    {\n')


def test_an_export_that_cannot_be_written_says_where_and_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    for path in (tmp_path, tmp_path / "file" / "run.toon"):
        with pytest.raises(OSError, match="the trace cannot be written: ") as error:
            recorded().to_toon(path)
        assert error.value.filename == str(path)


def test_recording_a_content_without_a_json_form_is_refused() -> None:
    trace = ExecutionTrace("x")

    with pytest.raises(EncodeError, match=r"^\$\.content\.a: set is not a JSON value$"):
        trace.task("A", "t", {"a": {1}})
    with pytest.raises(EncodeError, match=r"^\$\.arguments: object is not a JSON value$"):
        trace.tool_call("A", "t", 1, object())
    assert trace.steps == []


TASK = {"kind": "task", "agent": "A", "task": "t", "content": 1}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "$: expected an object, found a list"),
        ({"name": "x"}, "$: 'steps' is missing"),
        ({"name": 1, "steps": []}, "$.name: expected a text, found 1"),
        ({"name": "x", "steps": {}}, "$.steps: expected a list, found an object"),
        ({"name": "x", "steps": [], "id": 1}, "$: unknown key 'id'; there are name, steps"),
        (
            {"name": "x", "steps": [TASK, None]},
            "$.steps[1]: expected an object, found null",
        ),
        (
            {"name": "x", "steps": [{**TASK, "kind": "think"}]},
            "$.steps[0].kind: expected task or tool_call or hand_off, found 'think'",
        ),
        ({"name": "x", "steps": [{**TASK, "kind": []}]}, "$.steps[0].kind: expected task"),
        (
            {"name": "x", "steps": [{**TASK, "arguments": {}}]},
            "$.steps[0]: unknown key 'arguments'; there are agent, at, content, kind, task",
        ),
        (
            {"name": "x", "steps": [{"kind": "task", "agent": "A", "content": 1}]},
            "$.steps[0]: 'task' is missing",
        ),
        ({"name": "x", "steps": [{**TASK, "at": 5}]}, "$.steps[0].at: expected a text, found 5"),
    ],
)
def test_a_malformed_trace_is_refused_with_the_path(value: Any, message: str) -> None:
    with pytest.raises(TraceError) as error:
        ExecutionTrace.from_json(json.dumps(value))

    assert str(error.value).startswith(message)
    assert error.value.hint


def test_a_trace_that_is_not_json_is_refused_with_the_position() -> None:
    with pytest.raises(JsonDecodeError, match="line 2, column 11: expected a value"):
        ExecutionTrace.from_json('{"name": "x",\n"steps": [x]}')
