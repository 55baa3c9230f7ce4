"""The document that links, files and the browser hold."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.links import write_link, write_state
from tests.words import YOUR_TEXT
from toon.playground.state import DEFAULTS, OPTIONS, State, read_kept, read_options, read_state

GOOD: dict[str, Any] = {
    "model": "claude-haiku-4.5", "delimiter": "tab", "indent": 4, "strict": False,
    "explained_together": 12, "explained_none": True, "explained_cached": 90, "calls": 5_000,
    "cached": 35, "batch": True, "wordings": {"toon": "It is TOON."},
}  # fmt: skip
BAD: list[tuple[str, Any]] = [
    ("model", "gpt-0"), ("model", ["o3"]), ("delimiter", ";"), ("indent", 3), ("indent", True),
    ("strict", 1), ("explained_together", 0), ("explained_together", 1.5),
    ("explained_cached", 101), ("explained_cached", 7), ("calls", -1), ("calls", 10**13),
    ("cached", 34), ("cached", 105), ("wordings", {"no format": "text"}), ("wordings", {"toon": 1}),
    ("wordings", {"toon": " "}),
    ("wordings", {"json-compact": "JSON needs no note."}),
    ("document", {}),
    ("payload", "<script>"),
    ("__class__", "x"),
]  # fmt: skip
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
#: What a browser has kept, and what stands for each field that is missing or of another kind.
GOOD_RECORD: dict[str, Any] = {
    "side": "toon", "text": "a: é", "name": "mine", "sample": True, "kept": "an id",
    "options": GOOD,
}  # fmt: skip
FALLBACKS: dict[str, Any] = {
    "side": "json", "text": None, "name": YOUR_TEXT, "sample": False, "kept": None, "options": {},
}  # fmt: skip
#: Strings are names, texts and ids; a list is nothing.
_WRONG: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("text", "name", "kept"), json_values.filter(lambda v: not isinstance(v, str))),
    "side": json_values,
    "sample": json_values.filter(lambda value: value is not True),
    "options": json_values.filter(lambda value: not isinstance(value, dict)),
}


@st.composite
def damages(draw: st.DrawFn) -> tuple[dict[str, Any], list[str]]:
    """A kept record with damaged and unknown fields; the names of the damaged ones."""
    names = draw(st.lists(st.sampled_from(list(FALLBACKS)), unique=True))
    unknown = draw(st.dictionaries(st.text(min_size=9), json_values, max_size=3))
    record = {**unknown, **GOOD_RECORD}
    for name in names:
        if draw(st.booleans()):
            del record[name]
        else:
            record[name] = draw(_WRONG[name])
    return record, names


damaged_records = damages()


@given(st.sampled_from(["json", "toon"]), st.text(), st.text(max_size=200))
def test_a_document_brings_the_state_back(side: Any, text: str, name: str) -> None:
    state = State(side, text, name if name.strip() else YOUR_TEXT, GOOD)

    problems = ["It brought its own notes to the model."]
    assert read_state(json.loads(write_state(state))) == (state, problems)


@pytest.mark.parametrize("sample", sorted(path.stem for path in ROOT.glob("samples/*.json")))
def test_a_link_to_each_sample_is_shorter_than_8_kb(sample: str) -> None:
    text = (ROOT / "samples" / f"{sample}.json").read_text("utf-8")

    assert len(write_link(State("json", text, sample, GOOD))) < 8_000


@pytest.mark.parametrize("options", [GOOD, DEFAULTS])
def test_every_option_can_be_held(options: dict[str, Any]) -> None:
    assert read_options(options) == (options, [])
    assert set(options) == set(OPTIONS)


def test_half_a_character_becomes_a_question_mark() -> None:
    document = {"tokenLab": 1, "side": "json", "text": '"\ud800"', "name": "\udc00", "options": {}}
    wording = {**document, "options": {"wordings": {"toon": "\ud800"}, "\ud801": 1}}

    assert read_state(document) == (State("json", '"?"', "?"), [])
    assert read_state(wording)[1] == [
        "Left out, because unknown or out of range here: wordings, ?."
    ]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_an_option_that_no_control_could_set_is_left_out_and_named(name: str, value: Any) -> None:
    assert read_options({"strict": True, name: value}) in (
        ({"strict": True}, [name]),
        ({}, ["strict"]),
    )


@given(json_values)
def test_any_json_is_a_kept_record_and_a_state_or_says_why_not(document: Any) -> None:
    assert read_kept(document) == (None, {})
    with pytest.raises(ValueError, match="This is not a state"):
        read_state(document)


@given(damaged_records, st.integers(1, 9))
def test_a_damaged_field_costs_itself_alone(damaged: tuple[Any, list[str]], version: int) -> None:
    """In documents of every version and in kept records: what was not damaged is as it was."""
    record, names = damaged
    good = {**GOOD_RECORD, **{name: FALLBACKS[name] for name in names}}
    kept, options = read_kept(record)
    assert options == good["options"]
    if good["text"] is None:
        assert kept is None
        with pytest.raises(ValueError, match="holds no text"):
            read_state({"tokenLab": version, **record})
        return
    assert kept == State(**{**good, "options": {}})
    state, _ = read_state({"tokenLab": version, **record})
    assert state == State(**{**good, "sample": False, "kept": None})


def test_a_newer_document_opens_what_is_known() -> None:
    document = {"tokenLab": 2, "side": "json", "text": "1", "options": {"zoom": 2, "indent": 4}}

    assert read_state(document) == (
        State("json", "1", YOUR_TEXT, {"indent": 4}),
        [
            "A newer version wrote this. What is known here was opened.",
            "Left out, because unknown or out of range here: zoom.",
        ],
    )
