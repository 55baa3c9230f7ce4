"""Paths into records, as users type them."""

import io
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traffic.reading import entry, har, kind, lines, read_all, short
from tests.work import count_lines
from toon.errors import TextError
from toon.traffic import read
from toon.traffic.locate import Node, locate, parse_path, read_record
from toon.traffic.payload import Payload


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (None, None), ("", None), (" ", None), ("$", ()), ("a", ("a",)), ("$.a.0", ("a", "0")),
        (r"a\.b.c\\", ("a.b", "c\\")), ("a b", ("a b",)), ("a.$", ("a", "$")), ("é", ("é",)),
    ],
)  # fmt: skip
def test_paths_are_parsed(path: str | None, expected: tuple[str, ...] | None) -> None:
    assert parse_path(path) == expected


@pytest.mark.parametrize("path", [".", "a.", ".a", "a..b", "$."])
def test_an_empty_step_is_refused_at_once(path: str) -> None:
    with pytest.raises(ValueError, match=rf"the path '{re.escape(path)}' has an empty step"):
        read(io.BytesIO(b"{}"), "n", payload_path=path)


def test_the_ways_in_which_many_stars_lead_nowhere_are_not_all_tried() -> None:
    record = read_record('{"a":' * 30 + "1" + "}" * 30)

    def work(stars: int) -> int:
        path = parse_path("*." * stars + "nowhere") or ()

        def find() -> None:
            with pytest.raises(TextError, match="nothing at the path"):
                list(locate(record, path))

        return count_lines(find)

    assert work(8) < 4 * work(4)


def test_a_group_has_one_name() -> None:
    with pytest.raises(ValueError, match="leads to many values"):
        read_all("[1]", group_path="a[].b")


@given(st.lists(st.text(min_size=1).map(lambda s: s.replace(" ", "_")), min_size=1))
def test_any_key_can_be_written_as_a_step(keys: list[str]) -> None:
    path = ".".join(re.sub(r"([.\[\\])", r"\\\1", key) for key in keys)
    steps = parse_path(f"$.{path}.end")

    assert steps == (*keys, "end")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.1.b", 2), ("a.9", None), ("a.b", None), ("a.-1", None), ("c", None), ("a.1.b.x", None),
        ("text.b", 3), ("no.b", None),
    ],
)  # fmt: skip
def test_the_value_at_a_path_is_found(path: str, expected: Any) -> None:
    value = {"a": [0, {"b": 2}], "text": '{"b": 3}', "no": "b"}

    node = Node(value, "").get(*(parse_path(path) or ()))

    assert (node and node.value) == expected


@pytest.mark.parametrize(
    ("record", "group"),
    [
        ({"tool": "list_issues", "a": 1}, "list_issues"),
        ({"endpoint": "GET /v1/users?id=7"}, "GET /v1/users"),
        ({"a": 1, "operationName": "Orders", "tool": " "}, "Orders"),
        ({"function": {"name": "search", "arguments": "{}"}}, "search"),
        ({"tool": ["x"], "route": 3}, "log"),
        ({"name": "no key of a group"}, "log"),
    ],
)
def test_a_record_of_json_lines_may_name_its_group(record: object, group: str) -> None:
    line = json.dumps(record)
    records = read_all(f"{line}\n{line}\n", "log.jsonl")

    assert [record.group for record in records if isinstance(record, Payload)] == [group] * 2


def test_records_that_name_their_group_hold_their_payload_under_that_key() -> None:
    log = [{"tool": "find", "payload": {"x": 1}}, {"endpoint": "GET /a", "payload": "[2.0]"}]
    expected = [(1, "find", '{"x": 1}'), (2, "GET /a", "[2.0]")]

    assert kind(lines(*log)) == "JSON Lines: a record a line, its payload at payload"
    assert short(lines(*log)) == short(json.dumps(log)) == expected
    assert short(lines(log[0]), payload_path="$") == [(1, "find", lines(log[0]))]


@pytest.mark.parametrize(
    "other", [{"payload": {"x": 1}}, {"tool": "find", "payload": "x"}, {"tool": "find"}, [1]]
)
def test_where_one_record_is_no_such_log_every_record_is_a_payload(other: Any) -> None:
    log = {"tool": "find", "payload": {"x": 1}}

    assert kind(lines(log, other)) == "JSON Lines: a record a line"
    assert [text for *_, text in short(lines(log, other))] == [json.dumps(log), json.dumps(other)]


def test_a_path_is_not_for_a_har_which_has_its_own_places() -> None:
    called = {"id": "c1", "function": {"name": "list_users"}}
    messages = [
        {"role": "assistant", "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c1", "content": '[{"id":1}]'},
    ]
    asked = {**entry(text='{"choices":[]}')}
    body = json.dumps({"model": "m", "messages": messages})
    asked["request"] = {**asked["request"], "method": "POST", "postData": {"text": body}}
    log = json.dumps(har(asked))

    (payload,) = read_all(log, payload_path="request.headers")
    assert [payload] == read_all(log)
    assert isinstance(payload, Payload)
    assert (payload.group, payload.text) == ("list_users", '[{"id":1}]')
