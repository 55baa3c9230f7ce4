"""Rows of steps: figures, proofs, and combinations, each worked out once."""

import copy
import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import words
from tests.advisor.shapes import advise, best_combination, payloads, sample
from tests.conftest import ROOT
from toon.advisor import STEPS, combine, overview
from toon.advisor.measure import Row
from toon.advisor.steps.base import Applied, StepOptions
from toon.advisor.steps.ids import BareUuids
from toon.advisor.steps.repeats import HoistConstants
from toon.costs.answer import answer
from toon.costs.document import Document, Memory, Typed
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.formats import FORMATS, label
from toon.formats.json_columns import JsonColumnsFormat
from toon.formats.toon import ToonFormat
from toon.formats.tron import TronFormat
from toon.tokenizers import get
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.values.equality import differences
from toon.values.json_text import parse_json

COUNT = get("o200k_base").count
COMPACT, TOON = FORMATS["json-compact"], FORMATS["toon"]
JSONS = ["json-pretty", "json-python", "json-compact"]
UNDOABLE = [name for name, step in STEPS.items() if step.kind != "lossy"]
SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))
#: With and without a faster counter, and a rule of thumb.
COUNTERS = ["o200k_base", "llama3", "claude_4_8", "chars4"]


def combine_rows(value: Any, steps: list[str], text: str = "", **options: Any) -> Row:
    document = Document.of(value, Typed(text) if text else None)
    return combine(document, steps, StepOptions(**options))


def assert_matches_its_text(row: Row, value: Any, tokenizer: str) -> None:
    """The figures of a row are those of its text."""
    count, whole = get(tokenizer).count, get(tokenizer).count(COMPACT.dumps(value))
    assert row["tokens"] == count(row["text"])
    assert row["cost"] == row["tokens"] + row["explanation"]
    assert row["saved"] == whole - row["cost"]
    assert row["vs"] == (row["cost"] - whole) / whole
    assert row["ladder"][-1]["cost"] == row["cost"]
    assert row["kept_tokens"] == (count(COMPACT.dumps(row["kept"])) if row["kept"] else 0)
    assert row["proven"] == (row["kind"] != "lossy")
    assert row["lost"] if row["kind"] == "lossy" else True


@pytest.mark.rest
@settings(max_examples=40)
@given(payloads, st.sampled_from(COUNTERS))
def test_rows_match_their_texts_and_the_value_is_unchanged(value: Any, tokenizer: str) -> None:
    before = copy.deepcopy(value)

    steps = overview(Document.of(value), StepOptions(tokenizer))

    assert {row["steps"][0] for row in steps["alone"]} == STEPS.keys() - steps["idle"].keys()
    assert all(steps["idle"].values())
    for row in [*steps["alone"], steps["best"]]:
        assert_matches_its_text(row, value, tokenizer)
    for row in steps["alone"]:
        assert row["kind"] == STEPS[row["steps"][0]].kind
    assert repr(value) == repr(before)


@settings(max_examples=40)
@given(payloads)
def test_steps_that_are_not_lossy_are_undone_together(value: Any) -> None:
    row = combine_rows(value, UNDOABLE)

    assert row["proven"], row["lost"]
    assert_matches_its_text(row, value, "o200k_base")
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
    rows = advise(Document.of(value), explaining=explaining)
    alone = [row["cost"] for row in rows if row["kind"] == "self-contained"]
    more = [
        combine_rows(value, [*best["steps"], name], explaining=explaining)
        for name, step in STEPS.items()
        if step.kind == "self-contained"
    ]

    assert (best["kind"], best["proven"], best["kept"]) == ("self-contained", True, {})
    assert not any(is_worth(cost, best["cost"]) for cost in alone)
    assert not any(is_worth(row["cost"], best["cost"]) and row["proven"] for row in more)
    assert not best["steps"] or is_worth(best["cost"], best["ladder"][0]["cost"])


@pytest.mark.parametrize("together", [1, 4, None])
def test_a_row_bears_its_share_of_every_explanation(together: int | None) -> None:
    at = "2026-03-09T09:15:00Z"
    value = [{"note": "a text that stands in all rows", "n": n, "at": at} for n in range(30)]
    explaining = Explaining(together)

    row = combine_rows(value, ["legend", "format", "epoch"], explaining=explaining)

    assert row["steps"] == ["epoch", "legend", "format"]
    document = Document.of(value)
    sentences = [STEPS[name].apply(document, StepOptions()).explanation for name in row["steps"]]
    format, uses = row["format"], FORMATS[row["format"]].uses(row["text"])
    own = explaining.tokens(format, uses, "o200k_base")
    assert row["explanation"] == own + sum(map(COUNT, sentences)) > sum(map(COUNT, sentences))
    assert row["explanation_text"] == " ".join([explaining.text(format, uses), *sentences[:2]])
    share = 0 if together is None else 1 / together
    assert row["cost"] == row["tokens"] + share * row["explanation"]


ADVICE = {
    "calendar-events": [
        ("epoch", "with-a-map", 223, 44, 97), ("dates", "lossy", 215, 0, 0),
        ("drop-nulls", "lossy", 183, 0, 0), ("short-ids", "with-a-map", 163, 0, 272),
        ("bare-uuids", "with-a-map", 37, 0, 11), ("legend", "self-contained", -13, 27, 0),
    ],
    "uniform-rows": [
        ("format", "self-contained", 460, 38, 0), ("legend", "self-contained", 3, 27, 0),
    ],
    "edge-numbers": [("round-floats", "lossy", 14, 0, 0)],
}  # fmt: skip


@pytest.mark.parametrize("name", ADVICE)
def test_advice_on_samples(name: str) -> None:
    advice = [
        (row["steps"][0], row["kind"], row["saved"], row["explanation"], row["kept_tokens"])
        for row in advise(Document.of(sample(name)))
    ]
    assert advice == ADVICE[name]


def test_the_ladder_leads_from_the_text_as_typed_to_the_best_steps() -> None:
    """Minifying is credited to itself: the steps are measured from the minified text."""
    text = json.dumps([{"id": n, "name": f"name {n}"} for n in range(60)], indent=4)
    value = json.loads(text)
    typed, minified, best = COUNT(text), COUNT(COMPACT.dumps(value)), COUNT(TOON.dumps(value))

    row = best_combination(Document.of(value, Typed(text)))

    costs = [typed, minified, best + row["explanation"]]
    assert [(rung["label"], rung["cost"], rung["change"]) for rung in row["ladder"]] == [
        ("your JSON", costs[0], 0),
        (words.COMPACT, costs[1], costs[1] - costs[0]),
        (label("toon"), costs[2], costs[2] - costs[1]),
    ]
    assert row["saved"] == minified - costs[2]


@settings(max_examples=40)
@given(payloads, st.sampled_from(JSONS), st.sampled_from([1, 3, None]))
def test_the_format_step_chooses_what_compare_recommends_for_any_payload(
    value: Any, written: str, together: int | None
) -> None:
    text, explaining = FORMATS[written].dumps(value), Explaining(together)
    document = Document.of(parse_json(text).value, Typed(text))
    verdict = answer(document, explaining=explaining)

    row = combine(document, ["format"], StepOptions(explaining=explaining))

    assert (row["format"], row["cost"]) == (verdict["format"], verdict["cost"])
    assert row["ladder"][:2] == verdict["ladder"][:2]


def test_the_typed_text_is_the_baseline_where_it_is_shorter_still() -> None:
    text = '[1e15, 1e15, {"a": null}]'
    value = parse_json(text).value

    row = combine_rows(value, ["drop-nulls"], text)

    shorter = COUNT('[1e15,1e15,{"a":null}]')
    assert row["ladder"][1]["tokens"] == shorter < COUNT(COMPACT.dumps(value))
    assert row["tokens"] == COUNT("[1000000000000000,1000000000000000,{}]")


@pytest.mark.parametrize("name", SAMPLES)
def test_steps_are_sorted_by_what_they_save_by_the_tokenizer(name: str) -> None:
    rows = advise(Document.of(sample(name)), tokenizer="claude_4_8")

    assert [row["saved"] for row in rows] == sorted((row["saved"] for row in rows), reverse=True)
    for row in rows:
        assert row["tokens"] == get("claude_4_8").count(row["text"])


def test_a_step_that_fails_its_proof_is_called_lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BareUuids, "undo", lambda self, applied: applied.value)

    row = combine_rows(["4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"], ["bare-uuids"])

    assert (row["kind"], row["proven"]) == ("lossy", False)
    assert row["lost"] == "it does not come back: 1 value changed"


def test_a_step_that_fails_its_proof_is_not_among_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HoistConstants, "undo", lambda self, applied: applied.value)
    rows = [{"id": n, "left": n * 7, "city": "Graz"} for n in range(200)]

    assert best_combination(Document.of(rows))["steps"] == ["format"]


def test_a_changed_order_of_keys_is_reported() -> None:
    text = "a text of some length that is the same in every row of the list"

    row = combine_rows([{"n": n, "text": text} for n in range(5)], ["hoist-constants"])

    assert (row["kind"], row["proven"]) == ("self-contained", True)
    assert row["lost"] == "key order of 5 objects"


@pytest.mark.parametrize("rows", [True, False])
def test_a_value_as_deep_as_may_be_has_advice(rows: bool) -> None:
    value: Any = "a text that comes again"
    for level in range(170 if rows else 256):
        value = {"a": value} if level % 2 or not rows else [{"a": value, "b": "same"}]

    steps = overview(Document.of(value), StepOptions())
    assert len(steps["alone"]) + len(steps["idle"]) == len(STEPS)
    assert steps["best"]["proven"]


@pytest.mark.parametrize(
    ("keep", "message"),
    [("x", "no field 'x' here"), ("a..b", "line 1, column 2: expected a field name")],
)
def test_fields_that_are_not_there_are_refused(keep: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        combine_rows({"a": 1}, ["keep-fields"], keep_fields=(keep,))


@settings(max_examples=15)
@given(payloads, st.sampled_from(COUNTERS))
def test_the_advice_is_that_of_finding_everything_anew(given: Any, tokenizer: str) -> None:
    text = FORMATS["json-pretty"].dumps(given)
    value = parse_json(text).value

    def advice() -> Any:
        document, options = Document.of(value, Typed(text)), StepOptions(tokenizer)
        return overview(document, options), combine(document, UNDOABLE, options)

    first = advice()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Memory, "recall", lambda _, key, find, *args: find(*args))
        assert advice() == first


def test_no_text_is_written_counted_or_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many steps, rounds and proofs ask for it."""
    rows = [{"id": n, "left": n * 7, "city": "Graz"} for n in range(200)]
    text = FORMATS["json-pretty"].dumps(rows)
    met: Counter[tuple[str, str, str]] = Counter()

    def watch(owner: type[Any], name: str) -> None:
        real = getattr(owner, name)

        def watched(self: Any, given: Any, *more: Any) -> Any:
            key = given if isinstance(given, str) else COMPACT.dumps(given)
            met[name, self.name, key] += len(key) > len(text) / 8  # no snippet of a step
            return real(self, given, *more)

        monkeypatch.setattr(owner, name, watched)

    watch(OpenModelTokenizer, "count")
    for format in (ToonFormat, JsonColumnsFormat, TronFormat):
        watch(format, "dumps_beside")
        watch(format, "loads")
    steps = overview(Document.of(parse_json(text).value, Typed(text)), StepOptions())

    assert steps["best"]["steps"] == ["hoist-constants", "format"]
    assert {name for name, _, _ in +met} == {"count", "dumps_beside", "loads"}
    assert set((+met).values()) == {1}
