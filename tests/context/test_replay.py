"""Replays: what each step adds, exact cumulative sums, and texts that are not converted."""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.context.traces import call, hand_off, replay, task, trace
from tests.strategies import values
from toon.context.replay import COLUMNS
from toon.context.replay import replay as replay_text
from toon.context.trace import TraceError, read_steps
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.errors import EncodeError
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import ToonFormat
from toon.tokenizers import get
from toon.values.json_text import parse_json

BUNDLED = sorted((ROOT / "samples" / "pipelines").glob("*.json"))
COUNT = get("o200k_base").count
HITS = {"hits": [{"id": 1, "ok": True}, {"id": 2, "ok": False}]}


SMALL_RUN = trace(
    task("A", "Look", "Look it up."),
    call("search", HITS, {"q": "x"}),
    call("search", JSON_PRETTY.dumps(HITS)),
    call("fetch", '{"cut": '),
    hand_off("A", "B", {}),
)


def test_every_row_has_its_tokens_and_its_reason() -> None:
    rows = replay(SMALL_RUN)
    toon = "hits[2]{id,ok}:\n  1,true\n  2,false"
    compact, pretty = COUNT(JSON_COMPACT.dumps(HITS)), COUNT(JSON_PRETTY.dumps(HITS))
    call, text, cut = COUNT('{"q":"x"}'), COUNT("Look it up."), COUNT('{"cut": ')

    assert [[row["added"][name] for name in COLUMNS] for row in rows] == [
        [text, text, text],
        [compact + call, pretty + call, COUNT(toon) + call],
        [compact, pretty, COUNT(toon)],
        [cut, cut, cut],
        [1, 1, 1],
    ]
    assert [(row["outcome"], row["reason"]) for row in rows] == [
        ("passed", "plain text"),
        ("converted", None),
        ("converted", None),
        ("passed", "not JSON: line 1, column 9: expected a value, found the end of the text"),
        ("passed", "an empty object: nothing to convert"),
    ]
    assert [row["json_text"] for row in rows[:3]] == [
        "Look it up.",
        *[JSON_COMPACT.dumps(HITS)] * 2,
    ]
    assert [row["toon_text"] for row in rows] == ["Look it up.", toon, toon, '{"cut": ', "{}"]
    assert [row["compared"] for row in rows] == [False, True, True, False, False]
    assert [row["arguments"] for row in rows[:3]] == [None, '{"q":"x"}', None]
    assert [(row["step"], row["kind"], row["agent"], row["subject"]) for row in rows[3:]] == [
        (4, "tool_call", "A", "fetch"),
        (5, "hand_off", "A", "B"),
    ]


@pytest.mark.rest
@given(
    st.lists(st.tuples(values, st.booleans(), st.booleans()), max_size=6),
    st.sampled_from(["comma", "tab", "pipe"]),
    st.sampled_from([None, "smaller"]),
)
def test_contexts_and_bills_are_exact_sums(steps: Any, delimiter: str, fallback: Any) -> None:
    calls = (
        call("t", JSON_COMPACT.dumps(value) if as_text else value, value if asked else None)
        for value, as_text, asked in steps
    )
    rows = replay(trace(*calls), delimiter=delimiter, fallback=fallback)
    for name in COLUMNS:
        contexts = list(accumulate(row["added"][name] for row in rows))
        assert [row["context"][name] for row in rows] == contexts
        assert [row["billed"][name] for row in rows] == list(accumulate(contexts))
    if fallback:
        assert all(row["added"]["toon"] <= row["added"]["json"] for row in rows)


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_runs_are_traces_counted_step_by_step(path: Any) -> None:
    value = parse_json(path.read_text(encoding="utf-8")).value
    rows = replay(value, delimiter="pipe")

    assert any(row["outcome"] == "passed" for row in rows)
    end = rows[-1]["context"]
    assert (end["toon"] > end["json"]) == (path.stem == "incident")  # one run is a loss
    assert end["toon"] < end["pretty"]
    for step, row in zip(read_steps(value), rows, strict=True):
        if row["outcome"] != "converted":
            assert row["json_text"] == row["toon_text"]
            continue
        value = parse_json(row["json_text"]).value
        assert ToonFormat("toon", "TOON", "|").loads(row["toon_text"]) == value
        calls = 0 if step.arguments is None else COUNT(JSON_COMPACT.dumps(step.arguments))
        assert row["added"]["json"] == COUNT(JSON_COMPACT.dumps(value)) + calls
        assert row["added"]["toon"] == COUNT(row["toon_text"]) + calls


def test_json_nested_too_deep_in_a_tool_result_is_failed() -> None:
    (row,) = replay(trace(call("t", "[" * 300 + "]" * 300)))

    assert row["outcome"] == "failed"
    assert set(row["added"].values()) == {COUNT(row["toon_text"])}


def test_malformed_traces_are_refused() -> None:
    with pytest.raises(TraceError, match="'steps' is missing"):
        replay({"name": "x"})
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    with pytest.raises(EncodeError, match=r"^\$\.steps\[0\]\.content.*deeper than 256"):
        replay(trace(task("A", "t", deep)))


def test_a_run_explains_toon_once_and_says_from_which_step_it_is_worth_that() -> None:
    growing = trace(*[call("t", [{"id": n, "name": f"name {n}"} for n in range(8)])] * 4)
    text = JSON_COMPACT.dumps(growing)
    plain = replay(growing, delimiter="tab")

    replayed = replay_text(text, "o200k_base", "tab", None, Explaining(1))
    free = replay_text(text, "o200k_base", "tab", None, Explaining(None))
    rows, once = replayed["rows"], replayed["explanation"]

    assert once
    assert [row["added"] for row in rows] == [row["added"] for row in plain]
    for measure, calls in (("context", [1, 1, 1, 1]), ("billed", [1, 2, 3, 4])):
        more = [a[measure]["toon"] - b[measure]["toon"] for a, b in zip(rows, plain, strict=True)]
        assert more == [once * number for number in calls]
    assert free == {"rows": plain, "explanation": None, "worth_from": 1}
    worth = [is_worth(row["context"]["toon"], row["context"]["json"]) for row in rows]
    assert worth.index(True) + 1 == replayed["worth_from"]
    assert not worth[0]
