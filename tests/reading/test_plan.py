"""What would be sent: prompts, their tokens, and the price, before anything is."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.reading.scripted import PEOPLE, plan_of
from tests.words import COMPACT
from toon.costs.choice import CANDIDATES
from toon.costs.models import choose
from toon.costs.prices import call_price
from toon.costs.proof import prove
from toon.formats import FORMATS
from toon.reading.plan import write_head, write_tail
from toon.reading.questions import Question, TooSmall
from toon.tokenizers import get
from toon.values.json_text import parse_json

QUESTION = Question("field", "What is `a`?", "1", "integer", "all")


def write_prompt(format: str, text: str, is_explained: bool) -> str:
    return write_head(format, text, is_explained) + write_tail(QUESTION)


def test_a_prompt_is_the_data_then_the_question_then_how_to_answer() -> None:
    assert write_prompt("json-compact", '{"a":1}', False) == (
        "Here is the data.\n\n"
        '```\n{"a":1}\n```\n\n'
        "Answer this question from the data alone: What is `a`?\n\n"
        "Write a whole number in digits, without separators, and nothing else: "
        "no sentence, no reason, no unit."
    )


def test_an_explained_prompt_begins_with_the_explanation_of_its_format() -> None:
    plain = write_prompt("toon", "a: 1", False)
    explained = write_prompt("toon", "a: 1", True)

    assert explained.endswith(plain)
    assert explained.startswith("The data is TOON")


def test_braces_and_fences_in_the_data_stay_data() -> None:
    text = '{"a":"{question} ```` {data}"}'

    prompt = write_prompt("json-compact", text, False)
    assert f"`````\n{text}\n`````" in prompt


def test_the_baseline_is_always_there_and_the_formats_of_a_question_stand_side_by_side() -> None:
    plan = plan_of(3, ("toon", "yaml", "toon"))

    assert [(prompt.number, prompt.format) for prompt in plan.prompts()] == [
        (number, name) for number in range(3) for name in ("json-compact", "toon", "yaml")
    ]
    assert plan.requests == 9


def test_a_format_that_cannot_carry_the_payload_is_named_with_the_reason() -> None:
    plan = plan_of(3, ("csv", "toon"), value={**PEOPLE, "more": {"a": [1, [2]]}})

    assert plan.formats == ("json-compact", "toon")
    assert list(plan.refused) == ["csv"]
    assert plan.refused["csv"]


@pytest.mark.parametrize("tokenizer", ["o200k_base", "llama3", "mistral_v3"])
@pytest.mark.parametrize("sample", ["uniform-rows", "world-text", "weather"])
def test_tokens_counted_by_parts_are_those_of_the_whole_prompts(
    tokenizer: str, sample: str
) -> None:
    text = (ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8")
    formats = ("json-pretty", "toon", "yaml")
    plan = plan_of(
        5, formats, value=parse_json(text).value, lab_model=choose(tokenizer), is_explained=True
    )

    prompts = list(plan.prompts())
    assert [one.tokens for one in prompts] == [get(tokenizer).count(one.text) for one in prompts]
    assert plan.input_tokens == sum(one.tokens for one in prompts)


def test_a_model_with_a_known_frame_counts_it_with_every_prompt() -> None:
    framed, bare = (plan_of(4, lab_model=choose(name)) for name in ("gpt-5.4-nano", "gpt-5"))

    assert framed.input_tokens - bare.input_tokens == 6 * framed.requests


def test_the_price_is_that_of_the_input_and_of_the_longest_answers() -> None:
    plan = plan_of(2, answer_tokens=1000)

    read, wrote = (call_price("openai/gpt-5", 1000, output_tokens=n) for n in (0, 1000))
    assert read is not None
    assert wrote is not None
    assert wrote - read == Decimal("0.01")
    output = plan.requests * (wrote - read)
    assert plan.price is not None
    assert 0 < plan.price - output < Decimal("0.01")
    assert plan_of(2, lab_model=choose("llama-3")).price is None


def test_a_prompt_over_the_context_of_the_chosen_model_is_refused() -> None:
    long = {"people": [{**person, "note": "word " * 4_000} for person in PEOPLE["people"]]}

    with pytest.raises(ValueError, match=rf"^A prompt in {COMPACT} has .* reads at most 8,192: "):
        plan_of(20, value=long, lab_model=choose("gpt-4"))


def test_a_payload_too_small_is_refused() -> None:
    with pytest.raises(TooSmall):
        plan_of(20, value={"a": 1})


def test_the_same_payload_has_the_same_hash_in_another_layout(tmp_path: Path) -> None:
    assert plan_of(2).payload_hash == plan_of(3, ("yaml",)).payload_hash
    other = {"people": [*PEOPLE["people"], {"id": 1, "name": "x", "age": 2, "vip": True}]}
    assert plan_of(2).payload_hash != plan_of(2, value=other).payload_hash


@pytest.mark.parametrize("name", CANDIDATES)
@pytest.mark.parametrize("sample", ["uniform-rows", "orders-with-items"])
def test_every_format_that_may_be_sent_is_asked_the_same_questions(name: str, sample: str) -> None:
    value = parse_json((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8")).value
    plan = plan_of(9, (name,), value=value, is_explained=True)

    assert plan.questions == plan_of(9, ("toon",), value=value).questions
    assert plan.formats == tuple(dict.fromkeys(["json-compact", name]))
    heads = [prompt.head.text for prompt in plan.prompts() if prompt.format == name]
    assert len(heads) == 9
    for head in heads:
        data = head.partition("```\n")[2].rpartition("\n```")[0]
        assert prove(FORMATS[name], value, data).ok
        assert head.startswith(FORMATS[name].explain(FORMATS[name].uses(data)))
