"""Rows of steps: figures, proofs, and combinations."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import words
from tests.advisor.shapes import advise, best_combination, payloads, sample
from tests.conftest import ROOT
from toon.advisor import STEPS, combined, overview
from toon.advisor.steps.base import Applied, StepOptions
from toon.advisor.steps.uuids import Unhyphenate
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.formats import FORMATS, label
from toon.tokenizers import get
from toon.values.equality import differences
from toon.values.json_text import parse_json

COUNT = get("o200k_base").count
COMPACT, TOON = FORMATS["json-compact"], FORMATS["toon"]
JSONS = ["json-pretty", "json-python", "json-compact"]
OPTIONS = StepOptions()
AT = "2026-03-09T09:15:00Z"


UNDOABLE = [name for name, step in STEPS.items() if step.kind != "lossy"]
SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))


def assert_matches_its_text(row: dict[str, Any], value: Any, format: str) -> None:
    """The figures of a row are those of its text."""
    assert row["tokens"] == COUNT(row["text"])
    assert (row["start"], row["today"]) == (format, format)
    assert row["today_tokens"] == COUNT(FORMATS[format].dumps(value))
    assert row["today_cost"] == row["start_cost"]
    assert row["baseline"] == "json-compact"
    assert row["baseline_tokens"] == COUNT(COMPACT.dumps(value))
    assert row["cost"] == row["tokens"] + row["explanation"]
    assert row["saved"] == row["start_cost"] - row["cost"]
    assert row["vs"] == (row["cost"] - row["baseline_tokens"]) / row["baseline_tokens"]
    for part in ("legend", "kept"):
        has = row[part]
        assert row[f"{part}_tokens"] == (COUNT(COMPACT.dumps(has)) if has else 0)
    assert row["proven"] == (row["kind"] != "lossy")
    assert row["lost"] if row["kind"] == "lossy" else True


@pytest.mark.rest
@settings(max_examples=40)
@given(payloads)
def test_rows_match_their_texts_and_the_value_is_unchanged(value: Any) -> None:
    before = copy.deepcopy(value)

    for format in ("json-compact", "toon"):
        rows, idle = (
            advise(Document.of(value), format=format),
            overview(Document.of(value), format=format)["idle"],
        )

        made = {"minify"} if format == "json-compact" else set()
        assert {row["step"] for row in rows} | idle.keys() == set(STEPS) - made
        assert all(idle.values())
        for row in rows:
            assert row["step"] not in idle
            assert_matches_its_text(row, value, format)
            assert row["kind"] == STEPS[row["step"]].kind
    assert repr(value) == repr(before)


@settings(max_examples=40)
@given(payloads)
def test_steps_that_are_not_lossy_are_undone_together(value: Any) -> None:
    row = combined(Document.of(value), UNDOABLE, format="json-pretty")

    assert row["proven"], row["lost"]
    assert_matches_its_text(row, value, "json-pretty")
    assert set(row["steps"]) | set(row["skipped"]) == set(UNDOABLE)
    returned = FORMATS[row["format"]].loads(row["text"])
    for name in reversed(row["steps"]):
        returned = STEPS[name].undo(Applied(returned, "", kept=row["kept"].get(name)))
    assert differences(value, returned).same


@pytest.mark.rest
@settings(max_examples=40)
@given(payloads, st.sampled_from([1, 3, 100, None]))
def test_the_best_combination_is_self_contained_and_no_step_alone_is_worth_more(
    value: Any, together: int | None
) -> None:
    explaining = Explaining(together)
    best = best_combination(Document.of(value), explaining=explaining)
    alone = [
        row["cost"]
        for row in advise(Document.of(value), explaining=explaining)
        if row["kind"] == "self-contained"
    ]
    more = [
        combined(Document.of(value), [*best["steps"], name], explaining=explaining)
        for name, step in STEPS.items()
        if step.kind == "self-contained"
    ]

    assert (best["kind"], best["proven"], best["kept"]) == ("self-contained", True, {})
    assert not any(is_worth(cost, best["cost"]) for cost in alone)
    assert not any(is_worth(row["cost"], best["cost"]) and row["proven"] for row in more)
    assert not best["steps"] or is_worth(best["cost"], best["start_cost"])


@pytest.mark.parametrize("together", [1, 4, None])
def test_a_row_bears_its_share_of_every_explanation(together: int | None) -> None:
    value = [{"note": "a text that stands in all rows", "n": n, "at": AT} for n in range(30)]
    explaining = Explaining(together)

    row = combined(Document.of(value), ["legend", "epoch"], format="toon", explaining=explaining)

    sentences = [STEPS[name].apply(value, OPTIONS).explanation for name in ("epoch", "legend")]
    before, after = (TOON.uses(text) for text in (TOON.dumps(value), row["text"]))
    toon = explaining.tokens("toon", before, "o200k_base")
    steps = sum(map(COUNT, sentences))
    assert row["explanation"] == explaining.tokens("toon", after, "o200k_base") + steps
    assert row["explanation_text"] == " ".join([explaining.text("toon", after), *sentences])
    share = 0 if together is None else 1 / together
    assert row["cost"] == row["tokens"] + share * row["explanation"]
    assert row["start_cost"] == COUNT(TOON.dumps(value)) + share * toon


ADVICE = {
    "calendar-events": [
        ("epoch", "with-a-map", 223, 44, 94),
        ("dates", "lossy", 215, 0, 0),
        ("drop-nulls", "lossy", 183, 0, 0),
        ("short-ids", "with-a-map", 163, 0, 268),
        ("bare-uuids", "with-a-map", 37, 0, 5),
        ("legend", "self-contained", -13, 27, 0),
    ],
    "uniform-rows": [
        ("format", "self-contained", 460, 38, 0),
        ("legend", "self-contained", 3, 27, 0),
    ],
    "edge-numbers": [("round-floats", "lossy", 14, 0, 0)],
    "arrays-of-arrays": [("round-floats", "lossy", 46, 0, 0)],
}


@pytest.mark.parametrize("name", ADVICE)
def test_advice_on_samples(name: str) -> None:
    advice = [
        (row["step"], row["kind"], row["saved"], row["explanation"], row["kept_tokens"])
        for row in advise(Document.of(sample(name)))
    ]
    assert advice == ADVICE[name]


def test_the_ladder_leads_from_the_text_as_typed_to_the_best_steps() -> None:
    """Minifying is credited to itself: the steps are measured from the minified text."""
    text = json.dumps([{"id": n, "name": f"name {n}"} for n in range(60)], indent=4)
    value = json.loads(text)
    sent = FORMATS["toon"].dumps(value)
    typed, minified, best = COUNT(text), COUNT(COMPACT.dumps(value)), COUNT(sent)

    row = best_combination(Document.of(value, Typed(text)))

    assert (row["today"], row["today_tokens"], row["start"]) == ("as-typed", typed, "json-compact")
    assert row["start_cost"] == minified
    assert [rung["label"] for rung in row["ladder"]] == [
        "your JSON",
        words.COMPACT,
        label("toon"),
    ]
    costs = [typed, minified, best + row["explanation"]]
    assert [rung["cost"] for rung in row["ladder"]] == costs
    assert [rung["change"] for rung in row["ladder"]] == [0, minified - typed, costs[2] - minified]
    assert row["saved"] == minified - costs[2]


def assert_agrees_with_the_answer(text: str, together: int | None) -> None:
    value, typed, explaining = parse_json(text).value, Typed(text), Explaining(together)
    verdict = answer(Document.of(value, typed), explaining=explaining)

    row = combined(Document.of(value, typed), ["format"], explaining=explaining)

    assert (row["format"], row["cost"]) == (verdict["format"], verdict["cost"])
    assert row["today_cost"] == verdict["ladder"][0]["cost"]
    assert row["baseline_tokens"] == verdict["ladder"][1]["tokens"]


@settings(max_examples=40)
@given(payloads, st.sampled_from(JSONS), st.sampled_from([1, 3, None]))
def test_the_format_step_chooses_what_compare_recommends_for_any_payload(
    value: Any, written: str, together: int | None
) -> None:
    assert_agrees_with_the_answer(FORMATS[written].dumps(value), together)


def test_the_typed_text_is_the_baseline_where_it_is_shorter_still() -> None:
    text = '[1e15, 1e15, {"a": null}]'
    value = parse_json(text).value

    row = combined(Document.of(value, Typed(text)), ["drop-nulls"])

    assert row["baseline_tokens"] == COUNT('[1e15,1e15,{"a":null}]') < COUNT(COMPACT.dumps(value))
    assert row["start_cost"] == row["baseline_tokens"]
    assert row["tokens"] == COUNT("[1000000000000000,1000000000000000,{}]")


def test_a_format_that_is_sent_today_is_what_steps_are_measured_from() -> None:
    value = [{"id": n, "name": f"name {n}"} for n in range(60)]
    toon = COUNT(TOON.dumps(value))

    row = best_combination(Document.of(value, Typed(json.dumps(value))), format="toon")

    assert (row["today"], row["start"], row["steps"], row["saved"]) == ("toon", "toon", [], 0)
    assert row["today_tokens"] == toon
    labels = [(rung["label"], rung["tokens"]) for rung in row["ladder"]]
    assert labels == [(label("toon"), toon)]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "Nothing to compare: the payload is an empty object"),
        (1, "Nothing to compare: the payload is a single number"),
        ({"a": 1}, None),
    ],
)
def test_a_value_with_nothing_to_leave_out_is_named(value: Any, sentence: str | None) -> None:
    assert best_combination(Document.of(value))["nothing"] == sentence


@pytest.mark.parametrize("name", SAMPLES)
def test_steps_are_sorted_by_what_they_save_by_the_tokenizer(name: str) -> None:
    rows = advise(Document.of(sample(name)), tokenizer="claude_4_8")

    assert [row["saved"] for row in rows] == sorted((row["saved"] for row in rows), reverse=True)
    for row in rows:
        assert row["tokens"] == get("claude_4_8").count(row["text"])


def test_a_step_that_fails_its_proof_is_called_lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unhyphenate, "undo", lambda self, applied: applied.value)
    value = ["4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"]

    row = next(row for row in advise(Document.of(value)) if row["step"] == "bare-uuids")

    assert (row["kind"], row["proven"]) == ("lossy", False)
    assert row["lost"] == "it does not come back: 1 value changed"


def test_a_changed_order_of_keys_is_reported() -> None:
    text = "a text of some length that is the same in every row of the list"
    value = [{"n": n, "text": text} for n in range(5)]

    row = next(row for row in advise(Document.of(value)) if row["step"] == "hoist-constants")

    assert (row["kind"], row["proven"]) == ("self-contained", True)
    assert row["lost"] == "key order of 5 objects"


def nested(depth: int, *, rows: bool) -> Any:
    value: Any = "a text that comes again"
    for level in range(depth):
        value = {"a": value} if level % 2 or not rows else [{"a": value, "b": "same"}]
    return value


@pytest.mark.parametrize("rows", [True, False])
def test_nesting_is_limited_to_256_levels(rows: bool) -> None:
    value = nested(170 if rows else 256, rows=rows)

    found = overview(Document.of(value))
    assert len(found["alone"]) + len(found["idle"]) == len(STEPS) - 1
    assert best_combination(Document.of(value))["proven"]
    for depth in (257, 900, 5000):
        with pytest.raises(ValueError, match=r"^nested deeper than 256 levels$"):
            advise(Document.of(nested(depth, rows=rows)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokenizer": "gpt9"}, "No tokenizer is named 'gpt9'"),
        ({"format": "toml"}, "No format is named 'toml'. There are: json-pretty"),
        ({"format": "csv"}, "CSV loses data itself: nothing can be proven"),
        ({"keep_fields": ["x"]}, "no field 'x' here"),
        ({"keep_fields": ["a..b"]}, "line 1, column 2: expected a field name"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        advise(Document.of({"a": 1}), **arguments)


def test_the_error_for_an_unknown_step_lists_the_steps() -> None:
    with pytest.raises(ValueError, match=r"^no step 'shrink'; there are keep-fields, drop-nulls"):
        combined(Document.of({}), ["shrink"])
