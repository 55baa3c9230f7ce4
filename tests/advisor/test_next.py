"""What to look at next: each gain is what its page will show."""

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
from toon.wording import signed_percent

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.json"))


def read_sample(sample: str) -> Document:
    typed = Typed((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))
    return Document(typed.read_json(), typed)


def find_next(document: Document, tokenizer: str = DEFAULT_TOKENIZER) -> NextSteps:
    return next_steps(document, answer(document, tokenizer))


def test_a_format_that_pays_with_more_payloads_comes_first_and_where_the_answer_flips() -> None:
    words, gain = "TOON with 3 payloads in a prompt", "−6.4\u202f%"

    assert find_next(read_sample("weather")) == {
        "next": [{"page": "playground", "label": words, "gain": gain, "together": 3}],
        "flips": "TOON for Claude from 4.8 on",
    }


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_gain_is_that_of_the_answer_with_more_payloads_or_of_send_less(sample: str) -> None:
    document = read_sample(sample)
    now, best = answer(document)["cost"], best_combination(document)["cost"]
    (step,) = find_next(document)["next"]

    if step["together"]:
        then = answer(document, explaining=Explaining(step["together"]))["cost"]
        assert step["gain"] == signed_percent(fraction(then, now))
    else:
        assert (step["label"][:10] == "Send less:") == is_worth(best, now)
        if is_worth(best, now):
            assert step["gain"] == signed_percent(fraction(best, now))


def test_what_costs_more_than_the_text_that_is_kept_is_no_step() -> None:
    text = TOON.dumps([{"id": number, "name": "abi"} for number in range(8)])
    row = find_next(Document(TOON.loads(text), Typed(text, TOON)))

    assert [(step["label"], step["gain"]) for step in row["next"]] == [("All 8 formats", "")]


def test_a_payload_without_figures_has_no_next_step() -> None:
    assert find_next(Document({}, Typed("{}"))) == NO_STEPS


def test_the_steps_of_a_large_payload_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    document = read_sample("weather")
    monkeypatch.setattr("toon.limits.NEXT_CHARACTERS", len(document.text("as-typed")) - 1)
    (step,) = find_next(document, "claude_4_8")["next"]

    assert (step["label"], step["gain"]) == ("Send less: steps for a large payload", "")


def test_the_models_for_which_something_else_costs_less_are_named() -> None:
    flips = "Minified JSON for GPT, Claude to 4.6, Gemini"
    assert find_next(read_sample("weather"), "claude_4_8")["flips"] == flips
    assert find_next(read_sample("uniform-rows"))["flips"] == ""  # all but for the delimiter
