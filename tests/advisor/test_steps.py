"""Every step: its laws on random values, and its exact result on small ones."""

import copy
import json
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from tests import words
from tests.advisor.shapes import payloads
from toon.advisor import STEPS
from toon.advisor.steps.base import Applied, StepOptions
from toon.advisor.steps.lossy import round_number
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.worth import CANDIDATES
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.values.equality import differences
from toon.wording import count_tested

UUID = "4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"
COMPACT = FORMATS["json-compact"]


def apply(name: str, value: Any, **options: Any) -> Applied:
    """The result of the step; asserts that it leaves its input unchanged."""
    before = copy.deepcopy(value)
    try:
        return STEPS[name].apply(Document(value), StepOptions(**options))
    finally:
        assert repr(value) == repr(before)


@pytest.mark.rest
@pytest.mark.parametrize("name", [name for name in STEPS if STEPS[name].kind != "lossy"])
@given(payloads)
def test_a_step_is_undone_from_its_text_and_map(name: str, value: Any) -> None:
    """Value and map are written as JSON and read again, so nothing else can help the undo."""
    try:
        applied = apply(name, value)
    except NotApplicable:
        return
    sent, kept = (COMPACT.loads(COMPACT.dumps(x)) for x in (applied.value, applied.kept))

    returned = STEPS[name].undo(Applied(sent, "", kept=kept))

    assert differences(value, returned).same
    assert applied.note
    assert applied.lost is None
    if STEPS[name].kind == "self-contained":
        assert applied.kept is None


@pytest.mark.parametrize("name", [name for name in STEPS if STEPS[name].kind == "lossy"])
@given(payloads)
def test_a_lossy_step_names_its_loss_and_refuses_undo(name: str, value: Any) -> None:
    keep = {"keep_fields": ("$",)} if name != "keep-fields" else {}
    try:
        applied = apply(name, value, **keep)
    except NotApplicable:
        return

    assert applied.lost
    assert not differences(value, applied.value).same
    with pytest.raises(ValueError, match=r"^this cannot be undone: "):
        STEPS[name].undo(applied)


@pytest.mark.parametrize("name", ["drop-nulls", "drop-empty", "round-floats", "dates"])
@given(payloads)
def test_applying_a_lossy_step_twice_does_nothing_new(name: str, value: Any) -> None:
    try:
        applied = apply(name, value)
    except NotApplicable:
        return
    with pytest.raises(NotApplicable):
        apply(name, applied.value)


def test_only_a_step_that_takes_nothing_from_a_model_says_nothing() -> None:
    for step in STEPS.values():
        assert (step.kind == "self-contained") == (step.unanswerable is None)


class Example(NamedTuple):
    """A step applied to a value, and all parts of its result."""

    step: str
    value: Any
    result: Any
    note: str
    lost: str | None = None
    legend: Any = None
    kept: Any = None
    explanation: str = ""


LONG = "a text that is long enough to be worth a line"
EXAMPLES = [
    Example(
        "drop-nulls", {"a": None, "b": [None, {"c": None, "d": 0}]}, {"b": [None, {"d": 0}]},
        "2 keys with null dropped", lost="whether a key was null or absent",
    ),
    Example(
        "drop-empty",
        {"a": "", "b": [[], {"c": {"d": []}}], "e": None, "f": False, "g": 0},
        {"b": [[], {}], "e": None, "f": False, "g": 0},
        "3 keys with an empty text, array or object dropped",
        lost="whether a text, array or object was empty or absent",
    ),
    Example(
        "round-floats",
        [1.125, 0.001, 2.999, -0.004, 3.5, Decimal("1.23456789012345678901"), 7],
        [1.12, 0, 3, 0, 3.5, 1.23, 7],
        "5 numbers rounded",
        lost="the decimals beyond 2 of 5 numbers; 2 became 0",
    ),
    Example(
        "dates",
        {"a": "2026-03-09T09:15:00+01:00", "b": ["2026-03-09 09:15Z"], "c": "2026-13-01T00:00:00Z"},
        {"a": "2026-03-09", "b": ["2026-03-09"], "c": "2026-13-01T00:00:00Z"},
        "2 timestamps cut to dates",
        lost="the time of day and offset of 2 timestamps",
    ),
    Example(
        "epoch",
        [{"at": "2026-03-09T09:15:00.114+01:00", "by": "2026-03-09T09:15:00Z"},
         {"at": "1970-01-01T00:59:59.500+01:00", "by": "2026-03-09T09:15:00+02:00"},
         {"at": None, "by": None}],
        [{"at": 1773044100.114, "by": "2026-03-09T09:15:00Z"},
         {"at": -0.5, "by": "2026-03-09T09:15:00+02:00"}, {"at": None, "by": None}],
        "2 timestamps in [].at: their offset is only in the map; "
        "1 field unchanged: several forms, or no offset",
        kept={"[].at": {"separator": "T", "digits": 3, "offset": "+01:00"}},
        explanation="Numbers in [].at are seconds since 1970-01-01T00:00:00Z.",
    ),
    Example(
        "short-ids",
        {"id": UUID, "next": [UUID], "user_id": "cus_NffrFeUfNV2Hib", "name": "NffrFeUfNV2Hib"},
        {"id": "4b0c9d52", "next": ["4b0c9d52"], "user_id": "cus_NffrFeUf",
         "name": "NffrFeUfNV2Hib"},
        "3 ids cut, 2 distinct",
        kept={"4b0c9d52": UUID, "cus_NffrFeUf": "cus_NffrFeUfNV2Hib"},
    ),
    Example(
        "short-ids",
        [{"id": "9c41f07ab2de"}, {"id": "9c41f07ab2d3"}, {"id": "9c41f07aa2d3"}, {"id": "x7"}],
        [{"id": "9c41f07ab2de"}, {"id": "9c41f07ab2d3"}, {"id": "9c41f07aa"}, {"id": "x7"}],
        "1 id cut, 1 distinct, 1 of them longer than 8 characters to stay unique",
        kept={"9c41f07aa": "9c41f07aa2d3"},
    ),
    Example(
        "short-ids",
        {"id": "9c41f07ab2de", "note": "9c41f07a", "seen": ["9c41f07ab2de"] * 4},
        {"id": "9c41f07ab", "note": "9c41f07a", "seen": ["9c41f07ab"] * 4},
        "5 ids cut, 1 distinct, 1 of them longer than 8 characters to stay unique",
        kept={"9c41f07ab": "9c41f07ab2de"},
    ),
    Example(
        "bare-uuids",
        {"a": [UUID, UUID.upper(), "x"], "b": [UUID, UUID.replace("-", "")]},
        {"a": [UUID.replace("-", ""), UUID.replace("-", "").upper(), "x"],
         "b": [UUID, UUID.replace("-", "")]},
        "hyphens taken out of 2 UUIDs in a[]",
        kept=["a[]"],
    ),
    Example(
        "hoist-constants",
        {"x": [{"n": n, "text": LONG, "list": [1, True]} for n in range(3)], "constants": 1},
        {"x": {"constants_": {"text": LONG, "list": [1, True]},
               "rows": [{"n": 0}, {"n": 1}, {"n": 2}]}, "constants": 1},
        "in 1 list, written once: text, list",
        legend=[{"text": LONG, "list": [1, True]}],
        explanation='An object with "constants_" and "rows" stands for the list of its rows; each '
        'row also has the fields in "constants_".',
    ),
    Example(
        "legend",
        {"a": [LONG, LONG, {"b": LONG}, "@1"], "c": [{"x": [LONG * 2]}, {"x": [LONG * 2]}]},
        {"legend": {"@2": {"x": [LONG * 2]}, "@3": LONG},
         "data": {"a": ["@3", "@3", {"b": "@3"}, "@1"], "c": ["@2", "@2"]}},
        "2 values in the legend for 5 in the data",
        legend={"@2": {"x": [LONG * 2]}, "@3": LONG},
        explanation='The payload is in "data". A text such as "@1" there stands for the value that '
        '"legend" gives for it.',
    ),
]  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.step)
def test_steps_by_example(example: Example) -> None:
    applied = apply(example.step, example.value)

    assert json.dumps(applied.value) == json.dumps(example.result)
    parts = applied.note, applied.lost, applied.legend, applied.kept, applied.explanation
    expected = example.note, example.lost, example.legend, example.kept, example.explanation
    assert parts == expected


@pytest.mark.parametrize(("name", "value", "reason"), [
    ("keep-fields", {}, "no fields are chosen"),
    ("drop-nulls", [None], "no key holds null"),
    ("drop-empty", ["", [], {}], "no key holds an empty text, array or object"),
    ("round-floats", [1.25, 10**30, Decimal("1e400")], "no number has more than 2 decimals"),
    ("dates", ["2026-03-09", "2026-06-30T23:59:60Z"], "there is no timestamp"),
    ("epoch", ["now"], "there is no timestamp"),
    ("epoch",
     {"a": ["2026-03-09T09:15:00Z", 5], "b": "2026-03-09T09:15Z", "c": "2026-03-09T09:15:00"},
     "no field has timestamps with only one form and offset"),
    ("short-ids", {"id": "customer-17", "name": "9c41f07ab2de"},
     "there is no UUID, and no field of random ids"),
    ("short-ids", {"id": ["9c41f07ab2de", "9c41f07ab2d3"]},
     "the ids differ only where they would be cut"),
    ("bare-uuids", [UUID.replace("-", "")], "there is no UUID"),
    ("bare-uuids", [UUID, "0" * 32], "every field with UUIDs also holds some without hyphens"),
    ("hoist-constants", [{"a": 1, "b": True}, {"a": True, "b": 1}, {"a": 1}],
     "no list has a constant column that is worth moving"),
    ("legend", ["short", "short", LONG], "no long value repeats often enough"),
    ("format", {}, "Nothing to compare: the payload is an empty object"),
    ("format", [1, 2],
     f"none of {count_tested(len(CANDIDATES))} is worth a change, note included"),
])  # fmt: skip
def test_a_step_with_nothing_to_do_says_why(name: str, value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable) as caught:
        apply(name, value)

    assert str(caught.value) == reason


def test_the_key_of_hoisted_lists_is_longer_than_any_like_it() -> None:
    rows = [{"kind": LONG, "constants__": n} for n in range(4)]

    applied = apply("hoist-constants", {"constants": 1, "rows": rows})

    assert list(applied.value["rows"]) == ["constants___", "rows"]
    assert STEPS["hoist-constants"].undo(applied) == {"constants": 1, "rows": rows}


@pytest.mark.parametrize(("together", "format"), [(1, None), (3, "toon"), (None, "toon")])
def test_the_format_step_pays_for_the_note_of_the_format(
    together: int | None, format: str | None
) -> None:
    """TOON has fewer tokens here, but fewer than its note takes in one payload alone."""
    rows = [{"id": n, "name": f"name {n}"} for n in range(10)]
    explaining = Explaining(together)
    if format is None:
        with pytest.raises(NotApplicable):
            apply("format", rows, explaining=explaining)
        return

    switched = apply("format", rows, explaining=explaining)

    assert (switched.value, switched.format) == (rows, format)
    assert switched.note == f"TOON instead of {words.COMPACT}"


def test_chosen_fields_are_kept_and_the_rest_is_named() -> None:
    value = [{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 4}]

    applied = apply("keep-fields", value, keep_fields=("[].b.c",))

    assert applied.value == [{"b": {"c": 2}}, {}]
    assert applied.note == "3 values of 4 left out"
    assert applied.lost == "2 fields: [].a, [].b.d"
    empty = apply("keep-fields", [{"a": 1, "b": {}}, {"a": []}], keep_fields=("[].a",))
    assert (empty.value, empty.lost) == ([{"a": 1}, {"a": []}], "1 field: [].b")
    with pytest.raises(NotApplicable, match=r"^the chosen fields are all there are$"):
        apply("keep-fields", value, keep_fields=("[].b", "[].a"))


def test_rounding_keeps_the_digits_before_the_point() -> None:
    numbers: list[Any] = [0.125, 2.0, 1.999, -0.001, 1e300, 5e-324]
    long = ("1E+400", "1E-99999999", f"{'1234567890' * 3}.128", "99999999999999999999.999")

    assert [repr(round_number(number)) for number in (*numbers, *map(Decimal, long))] == [
        "0.12", "2.0", "2", "0", "1e+300", "0",
        "Decimal('1E+400')", "0", f"Decimal('{'1234567890' * 3}.13')", "100000000000000000000",
    ]  # fmt: skip


def test_nested_lists_are_hoisted_innermost_first() -> None:
    rows = [{"kind": LONG, "n": n} for n in range(4)]
    value = [{"name": LONG, "rows": rows, "at": at} for at in range(3)]

    applied = apply("hoist-constants", value)

    inner = {"constants": {"kind": LONG}, "rows": [{"n": n} for n in range(4)]}
    assert applied.value == {
        "constants": {"name": LONG, "rows": inner},
        "rows": [{"at": 0}, {"at": 1}, {"at": 2}],
    }
    assert applied.legend == [{"name": LONG, "rows": inner}]
    assert STEPS["hoist-constants"].undo(applied) == value
