"""What to look at next: each gain is what its page will show."""

from __future__ import annotations

import pytest

from tests.advisor.shapes import best_combination
from tests.conftest import ROOT
from toon.advisor.next import NO_STEPS, NextSteps, next_steps
from toon.costs.answer import answer
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.worth import is_worth
from toon.formats.toon import TOON
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.json_text import parse_json
from toon.wording import signed_percent


def next_of(document: Document, tokenizer: str = DEFAULT_TOKENIZER) -> NextSteps:
    return next_steps(document, answer(document, tokenizer))


FILES = sorted((ROOT / "samples").glob("*.json"))


def test_a_format_that_pays_with_more_payloads_comes_first_and_where_the_answer_flips() -> None:
    text = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")
    found = next_of(Document(parse_json(text).value, Typed(text)))

    assert found == {
        "next": [
            {
                "page": "playground",
                "label": "TOON with 3 payloads in a prompt",
                "gain": "−6.4\u202f%",
                "together": 3,
            }
        ],
        "flips": "TOON for Claude from 4.8 on",
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_gain_of_more_payloads_is_that_of_the_answer_with_them(file: str) -> None:
    text = (ROOT / "samples" / file).read_text(encoding="utf-8")
    value, typed = parse_json(text).value, Typed(text)
    now = answer(Document(value, typed))
    for step in next_of(Document(value, typed))["next"]:
        if step["together"]:
            then = answer(Document(value, typed), explaining=Explaining(step["together"]))
            assert step["gain"] == signed_percent(fraction(then["cost"], now["cost"]))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_self_contained_gain_is_that_of_send_less(file: str) -> None:
    text = (ROOT / "samples" / file).read_text(encoding="utf-8")
    value, typed = parse_json(text).value, Typed(text)
    now, best = (
        answer(Document(value, typed))["cost"],
        best_combination(Document(value, typed))["cost"],
    )
    (step,) = next_of(Document(value, typed))["next"]

    is_next = is_worth(best, now) and not step["together"]
    assert (step["label"][:10] == "Send less:") == is_next
    if is_next:
        assert step["gain"] == signed_percent(fraction(best, now))


def test_what_costs_more_than_the_text_that_is_kept_is_no_step() -> None:
    text = TOON.dumps([{"id": number, "name": "abi"} for number in range(8)])
    found = next_of(Document(TOON.loads(text), Typed(text, TOON)))

    assert [(step["label"], step["gain"]) for step in found["next"]] == [("All 8 formats", "")]


def test_a_payload_without_figures_has_no_next_step() -> None:
    assert next_of(Document({}, Typed("{}"))) == NO_STEPS


def test_the_steps_of_a_large_payload_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "samples" / "weather.json").read_text(encoding="utf-8")
    monkeypatch.setattr("toon.limits.NEXT_CHARACTERS", len(text) - 1)
    found = next_of(Document(parse_json(text).value, Typed(text)), "claude_4_8")

    assert [(step["label"], step["gain"]) for step in found["next"]] == [
        ("Send less: steps for a large payload", ""),
    ]


def flips(sample: str, tokenizer: str) -> str:
    typed = Typed((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))
    document = Document(typed.read_json(), typed)
    return next_of(document, tokenizer)["flips"]


def test_the_models_for_which_something_else_costs_less_are_named() -> None:
    assert flips("weather", "o200k_base") == "TOON for Claude from 4.8 on"
    assert flips("weather", "claude_4_8") == "Minified JSON for GPT, Claude to 4.6, Gemini"


def test_where_all_agree_but_for_the_delimiter_nothing_is_said() -> None:
    assert flips("uniform-rows", "o200k_base") == ""
