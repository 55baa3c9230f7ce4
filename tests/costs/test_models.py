"""The table of models: its laws, its evidence, and what is said beside a model's figures."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.model import encoding_name_for_model
from toon.tokenizers.fitted import read_fits

from tests.words import COMPACT
from toon.costs import models
from toon.costs.answer import answer
from toon.costs.compare import compare, measured_rows, why_not
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.models import MODELS, Choice, Model, choices, tokenizers_of, verdict_for
from toon.costs.prices import offers, price_of, price_source, unpriced
from toon.costs.typed import Typed
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import TOKENIZERS

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
PARTS = [{"id": number, "name": f"part {number}"} for number in range(99)]
RUSSIAN = '{"город":"Санкт-Петербург"}'


@every_model
def test_every_model_has_a_tokenizer_and_evidence(model: Model) -> None:
    assert models.get(model.name) is model
    assert model.band == TOKENIZERS[model.tokenizer].band
    assert model.evidence.endswith(".")


@every_model
def test_prices_and_windows_are_those_of_genai_prices(model: Model) -> None:
    offer = price_of(model)

    assert offer == (None if model.price is None else offers()[model.price])
    assert (unpriced(model) is None) == (offer is not None)


def test_labels_and_prices_belong_to_one_model_each() -> None:
    prices = [model.price for model in MODELS.values() if model.price]

    assert len({model.label for model in MODELS.values()}) == len(MODELS)
    assert len(set(prices)) == len(prices)


@pytest.mark.parametrize("name", [m.name for m in MODELS.values() if m.provider == "OpenAI"])
def test_tiktoken_names_the_tokenizer_of_every_model_of_openai(name: str) -> None:
    assert encoding_name_for_model(name) == MODELS[name].tokenizer


def test_frames_and_bands_of_the_models_whose_services_reported_counts() -> None:
    compared = {
        name: (MODELS[name].band, MODELS[name].frame)
        for name in ("gpt-5.4-nano", "gemini-3.6-flash", "claude-haiku-4.5", "grok-4.5")
    }

    assert compared == {
        "gpt-5.4-nano": ("exact", 6),
        "gemini-3.6-flash": ("exact", 1),
        "claude-haiku-4.5": ("≈\u00a0±12\u202f%", None),
        "grok-4.5": ("≈\u00a0±12\u202f%", round(read_fits()["grok_4_5"]["frame"])),
    }
    assert {model.frame for model in MODELS.values() if model.name not in compared} == {None}


@pytest.mark.parametrize(
    ("name", "band", "evidence"),
    [
        ("gpt-5", "exact", "tiktoken, OpenAI's own library, counts it with o200k_base."),
        ("gemini-2.5-pro", "exact",
         "google-genai, Google's own library, counts it with gemma3 (its LocalTokenizer)."),
        ("glm-4", "vocabulary as published",
         "Vocabulary as published (in splintr-rs), not compared with the service."),
        ("claude-sonnet-4.6", "≈, error unknown",
         "Estimated as Claude Haiku 4.5: Anthropic's notes name a new tokenizer only from Opus 4.7"
         " on. The error is unknown."),
        ("claude-opus-4.7", "≈, error unknown",
         "One user's factor from prose and code (issue 65 of sammcj/ingest; 1.18 for earlier"
         " models); Claude's tokenizer is not public, and the error is unknown."),
    ],
)  # fmt: skip
def test_a_model_that_was_not_compared_says_what_is_known(
    name: str, band: str, evidence: str
) -> None:
    assert (MODELS[name].band, MODELS[name].evidence) == (band, evidence)


@pytest.mark.parametrize("name", ["Claude-Haiku-4-5", "claude-haiku-4.5", " CLAUDE-HAIKU-4-5 "])
def test_a_model_is_found_as_its_service_writes_it(name: str) -> None:
    assert models.get(name) is MODELS["claude-haiku-4.5"]


def test_the_default_counts_as_the_default_tokenizer() -> None:
    assert models.default().name == "gpt-5"
    assert models.default().tokenizer == DEFAULT_TOKENIZER


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gpt5", "gpt-5, gpt-5.5, gpt-5.4, gpt-5.2, gpt-4"),
        ("claude-haiku", "claude-haiku-4.5"),
        ("gemini-3-flash", "gemini-3.6-flash, gemini-2.5-flash"),
    ],
)
def test_an_unknown_name_lists_near_ones(name: str, near: str) -> None:
    with pytest.raises(ValueError, match="No model is named") as caught:
        models.get(name)

    assert str(caught.value) == f"No model is named {name!r}. Near it: {near}"


def test_a_name_like_no_other_lists_all() -> None:
    with pytest.raises(ValueError, match="No model is named") as caught:
        models.get("?")

    assert str(caught.value) == f"No model is named '?'. There are: {', '.join(MODELS)}"


@given(st.lists(st.sampled_from(list(MODELS))), st.lists(st.sampled_from(list(TOKENIZERS))))
def test_models_come_first_and_nothing_is_chosen_twice(names: list[str], more: list[str]) -> None:
    chosen = choices(names, more)
    counted = tokenizers_of(chosen)

    assert len({choice.title() for choice in chosen}) == len(chosen)
    assert {choice.model.name for choice in chosen if choice.model} == set(names)
    assert counted[0] == next(
        (MODELS[n].tokenizer for n in names), (more or [DEFAULT_TOKENIZER])[0]
    )
    assert set(counted) >= {*more, *(MODELS[name].tokenizer for name in names)}


@pytest.mark.parametrize(
    ("choice", "title"),
    [
        (Choice("o200k_base"), "o200k_base"),
        (Choice("estimate"), "estimate, ≈\u00a0±33 %"),
        (Choice("gemma3", MODELS["gemini-3.6-flash"]), "Gemini 3.6 Flash, exact"),
        (Choice("claude_haiku_4_5", MODELS["claude-haiku-4.5"]), "Claude Haiku 4.5, ≈\u00a0±12 %"),
    ],
)
def test_a_title_names_the_band(choice: Choice, title: str) -> None:
    assert choice.title().replace("\u202f", " ") == title


@pytest.mark.parametrize("typed", [None, Typed(RUSSIAN)])
def test_the_answer_gives_the_reason_where_an_estimate_does_not_hold(typed: Typed | None) -> None:
    (choice,) = choices(["claude-haiku-4.5"], [])
    value = {"город": "Санкт-Петербург"}
    document = Document.of(value, typed)
    rows = compare(document, tokenizers=tokenizers_of([choice]))
    found = verdict_for(choice, document)

    assert "model" in found
    assert (found["model"], found["format"]) == ("claude-haiku-4.5", "json-compact")
    assert found["sentence"].startswith("No estimate within ±12\u202f% for this text: ")
    assert answer(Document.of(value, typed), choice.tokenizer)["sentence"] == found["sentence"]
    assert {why_not(row) for row in measured_rows(rows)} == {found["nothing"]}


def test_where_an_estimate_is_refused_no_change_is_advised() -> None:
    value = [{"город": "Санкт-Петербург", "улица": "Невский проспект"}] * 20
    found = answer(
        Document.of(value, Typed(json.dumps(value, ensure_ascii=False, indent=2))), "grok_4_5"
    )

    assert found["no_estimate"] is not None
    assert found["switch"] is False


def test_a_frame_of_no_token_is_known() -> None:
    model = replace(MODELS["gpt-5"], frame=0)

    assert model.frame_words == "A call has 0 tokens more, its frame."
    assert replace(model, frame=None).frame_words == ""


def test_every_price_is_the_makers_own() -> None:
    def plain(name: str) -> str:
        return re.sub("[^a-z]", "", name.lower())

    sellers = {
        name: offers()[model.price].provider for name, model in MODELS.items() if model.price
    }
    assert {name: plain(seller) for name, seller in sellers.items()} == {
        name: plain(MODELS[name].provider) for name in sellers
    }


def test_a_single_value_is_called_that_even_where_an_estimate_would_refuse_it() -> None:
    found = answer(Document.of(None, Typed("null")), "grok_4_5")

    assert found["nothing"] == "Nothing to compare: the payload is a single null"
    assert found["no_estimate"] is not None


def test_a_saving_against_the_typed_text_may_be_below_the_error_too() -> None:
    value = {"text": "1 plain, 2 words of 3 sentences. " * 65, "b": [0, 1, 2, 3, 4]}
    found = answer(Document.of(value, Typed(json.dumps(value))), "claude_haiku_4_5")

    assert found["format"] == "json-compact"
    assert f"{COMPACT} differs from your JSON by less than that" in found["reasons"]


def test_a_typed_text_full_of_escapes_is_judged_as_typed() -> None:
    value = ["жизнь"] * 20
    escaped = Typed(json.dumps(value))

    assert answer(Document.of(value, escaped), "estimate")["nothing"].startswith("No estimate")
    assert answer(Document.of(value, Typed("[1]")), "o200k_base")["nothing"] is None


@pytest.mark.parametrize(
    ("value", "format", "is_doubted"),
    [
        (
            {"about": "1 plain, 2 words of 3 sentences. " * 50, "parts": PARTS[:20]},
            "json-columns",
            True,
        ),
        (PARTS, "json-columns", False),
    ],
)
def test_a_saving_below_the_error_of_the_estimate_is_called_that(
    value: Any, format: str, is_doubted: bool
) -> None:
    found = answer(Document.of(value), "claude_haiku_4_5", Explaining(None))

    assert found["format"] == format
    assert TOKENIZERS["claude_haiku_4_5"].caveat in found["reasons"]
    doubts = [reason for reason in found["reasons"] if reason.endswith("by less than that")]
    assert bool(doubts) is is_doubted


def test_a_model_without_a_price_says_so() -> None:
    assert unpriced(MODELS["llama-3"]) == (
        f"{price_source()} has no price that fits Llama 3: tokens alone are shown."
    )
