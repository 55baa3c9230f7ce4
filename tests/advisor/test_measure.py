"""Rows of steps: figures, proofs, and combinations."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings

from tests.advisor.shapes import payloads, sample
from tests.conftest import ROOT
from toon.advisor import STEPS, Applied, advise, best_combination, combined
from toon.advisor.steps.uuids import Unhyphenate
from toon.formats import FORMATS
from toon.tokenizers import get
from toon.values.equality import differences

COUNT = get("o200k_base").count
COMPACT = FORMATS["json-compact"]
LOSSLESS = [name for name, format in FORMATS.items() if format.lossless]
UNDOABLE = [name for name, step in STEPS.items() if step.kind != "lossy"]
SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))


def assert_matches_its_text(row: dict[str, Any], value: Any, format: str) -> None:
    """The figures of a row are those of its text."""
    assert row["tokens"] == COUNT(row["text"])
    assert row["before"] == COUNT(FORMATS[format].dumps(value))
    assert row["baseline"] == "json-compact"
    assert row["baseline_tokens"] == COUNT(COMPACT.dumps(value))
    assert row["saved"] == row["before"] - row["tokens"]
    assert row["vs"] == (row["tokens"] - row["baseline_tokens"]) / row["baseline_tokens"]
    for part in ("legend", "kept"):
        has = row[part]
        assert row[f"{part}_tokens"] == (COUNT(COMPACT.dumps(has)) if has else 0)
    assert row["tokens_with_kept"] == row["tokens"] + row["kept_tokens"]
    assert row["proven"] == (row["kind"] != "lossy")
    assert row["lost"] if row["kind"] == "lossy" else True


@pytest.mark.slow
@settings(max_examples=60)
@given(payloads)
def test_rows_match_their_texts_and_the_value_is_unchanged(value: Any) -> None:
    before = copy.deepcopy(value)

    for format in ("json-compact", "toon"):
        rows = advise(value, format=format)

        assert {row["step"] for row in rows} == set(STEPS)
        for row in rows:
            if row["tokens"] is None:
                assert row["reason"]
                continue
            assert_matches_its_text(row, value, format)
            assert (row["kind"], row["reason"]) == (STEPS[row["step"]].kind, None)
    assert repr(value) == repr(before)


@pytest.mark.slow
@settings(max_examples=60)
@given(payloads)
def test_steps_that_are_not_lossy_are_undone_together(value: Any) -> None:
    row = combined(value, UNDOABLE, format="json-pretty")

    assert row["proven"], row["lost"]
    assert_matches_its_text(row, value, "json-pretty")
    assert set(row["steps"]) | set(row["skipped"]) == set(UNDOABLE)
    returned = FORMATS[row["format"]].loads(row["text"])
    for name in reversed(row["steps"]):
        returned = STEPS[name].undo(Applied(returned, "", kept=row["kept"].get(name)))
    assert differences(value, returned).same


@pytest.mark.slow
@settings(max_examples=40)
@given(payloads)
def test_the_best_combination_never_costs_more_than_a_step_alone(value: Any) -> None:
    best = best_combination(value)
    alone = [row for row in advise(value) if row["tokens"] is not None and row["proven"]]

    assert best["proven"]
    assert_matches_its_text(best, value, "json-compact")
    cost = best["tokens"] + best["primer"]
    assert cost <= min([best["before"], *(row["tokens"] + row["primer"] for row in alone)])
    assert sum(one["saved"] for one in best["rounds"]) == best["before"] - cost
    assert {one["step"] for one in best["rounds"]} == set(best["steps"])
    assert all(one["saved"] > 0 for one in best["rounds"])


ADVICE = {
    "calendar-events": [
        ("epoch", "reversible", 267, 94),
        ("dates", "lossy", 215, 0),
        ("drop-nulls", "lossy", 183, 0),
        ("short-ids", "reversible", 163, 268),
        ("bare-uuids", "reversible", 37, 5),
        ("legend", "reversible", 14, 0),
    ],
    "uniform-rows": [("format", "lossless", 498, 0), ("legend", "reversible", 30, 0)],
    "edge-numbers": [("round-floats", "lossy", 14, 0), ("short-ids", "reversible", 3, 12)],
    "arrays-of-arrays": [("round-floats", "lossy", 46, 0)],
}


@pytest.mark.parametrize("name", ADVICE)
def test_advice_on_samples(name: str) -> None:
    rows = [row for row in advise(sample(name)) if row["tokens"] is not None]

    advice = [(row["step"], row["kind"], row["saved"], row["kept_tokens"]) for row in rows]
    assert advice == ADVICE[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_estimates_of_samples_are_marked_and_sorted(name: str) -> None:
    rows = [row for row in advise(sample(name), tokenizer="chars4") if row["tokens"] is not None]

    assert [row["saved"] for row in rows] == sorted((row["saved"] for row in rows), reverse=True)
    for row in rows:
        assert row["tokens"] == get("chars4").count(row["text"])
        assert not row["exact"]


def test_the_trail_of_combined_steps_adds_up() -> None:
    value = sample("calendar-events")
    alone = {row["step"]: row["saved"] for row in advise(value)}

    row = combined(value, ["bare-uuids", "short-ids", "drop-nulls", "epoch"])

    assert row["steps"] == ["drop-nulls", "epoch", "short-ids"]
    assert row["skipped"] == {"bare-uuids": "there is no UUID"}
    assert [(one["step"], one["alone"]) for one in row["trail"]] == [
        ("drop-nulls", alone["drop-nulls"]),
        ("epoch", alone["epoch"]),
        ("short-ids", alone["short-ids"]),
    ]
    assert sum(one["saved"] for one in row["trail"]) == row["saved"]
    assert row["saved_alone"] == sum(
        alone[name] for name in ("bare-uuids", "short-ids", "drop-nulls", "epoch")
    )
    assert row["interaction"] == row["saved"] - row["saved_alone"] < 0
    assert (row["kind"], row["proven"]) == ("lossy", False)
    assert row["lost"] == "whether a key was null or absent"
    assert list(row["kept"]) == ["epoch", "short-ids"]


def test_combining_no_steps_saves_nothing() -> None:
    row = combined({}, [])

    assert (row["steps"], row["saved"], row["kind"], row["proven"]) == ([], 0, "lossless", True)
    assert row["text"] == "{}"


def test_a_step_that_fails_its_proof_is_called_lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Unhyphenate, "undo", lambda self, applied: applied.value)
    value = ["4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"]

    row = next(row for row in advise(value) if row["step"] == "bare-uuids")

    assert (row["kind"], row["proven"]) == ("lossy", False)
    assert row["lost"] == "it does not come back: 1 value changed"
    assert "bare-uuids" not in best_combination(value)["steps"]


def test_a_changed_order_of_keys_is_reported() -> None:
    text = "a text of some length that is the same in every row of the list"
    value = [{"n": n, "text": text} for n in range(5)]

    row = next(row for row in advise(value) if row["step"] == "hoist-constants")

    assert (row["kind"], row["proven"]) == ("reversible", True)
    assert row["lost"] == "key order of 5 objects"
    assert row["legend_tokens"] < row["tokens"]


def test_the_baseline_is_the_same_for_every_format() -> None:
    value = sample("tickets")
    rows = {
        format: {row["step"]: row for row in advise(value, format=format)} for format in LOSSLESS
    }

    for format, by_step in rows.items():
        for row in by_step.values():
            if row["tokens"] is not None:
                assert_matches_its_text(row, value, format)
    assert rows["json-pretty"]["minify"]["vs"] == 0
    assert rows["json-pretty"]["minify"]["saved"] > 0
    assert rows["json-pretty"]["drop-nulls"]["vs"] > 0


def nested(depth: int, *, rows: bool) -> Any:
    value: Any = "a text that comes again"
    for level in range(depth):
        value = {"a": value} if level % 2 or not rows else [{"a": value, "b": "same"}]
    return value


@pytest.mark.parametrize("rows", [True, False])
def test_nesting_is_limited_to_256_levels(rows: bool) -> None:
    value = nested(170 if rows else 256, rows=rows)

    assert len(advise(value)) == len(STEPS)
    assert best_combination(value)["proven"]
    for depth in (257, 900, 5000):
        with pytest.raises(ValueError, match=r"^nested deeper than 256 levels$"):
            advise(nested(depth, rows=rows))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tokenizer": "gpt9"}, "No tokenizer is named 'gpt9'"),
        ({"format": "toml"}, "no format 'toml'; there are json-pretty"),
        ({"format": "csv"}, "CSV loses data itself: nothing can be proven"),
        ({"keep_fields": ["x"]}, "no field 'x' here"),
        ({"keep_fields": ["a..b"]}, "line 1, column 2: expected a field name"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        advise({"a": 1}, **arguments)


def test_the_error_for_an_unknown_step_lists_the_steps() -> None:
    with pytest.raises(ValueError, match=r"^no step 'shrink'; there are keep-fields, drop-nulls"):
        combined({}, ["shrink"])
