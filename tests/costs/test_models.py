"""The table of models: its laws, its evidence, and what is said beside a model's figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.model import encoding_name_for_model

from toon.costs import models
from toon.costs.compare import compare
from toon.costs.models import MODELS, Choice, Model, choices, tokenizers_of, verdict_for
from toon.costs.prices import models as offers
from toon.costs.prices import price_of, price_source, unpriced
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import TOKENIZERS
from toon.tokenizers.fitted import read_fits

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)
RUSSIAN = '{"город":"Санкт-Петербург"}'


@every_model
def test_every_model_has_a_tokenizer_and_evidence(model: Model) -> None:
    tokenizer = TOKENIZERS[model.tokenizer]

    assert models.get(model.name) is model
    assert model.exact == tokenizer.exact
    assert model.error == (tokenizer.error if model.compared else None)
    assert model.evidence.endswith(".")
    assert model.compared or "Not compared with the counts of a service." in model.evidence


@every_model
def test_prices_and_windows_are_those_of_genai_prices(model: Model) -> None:
    offer = price_of(model)

    assert offer == (None if model.price is None else offers()[model.price])
    assert (unpriced(model) is None) == (offer is not None)


def test_labels_and_prices_belong_to_one_model_each() -> None:
    prices = [model.price for model in MODELS.values() if model.price]

    assert len({model.label for model in MODELS.values()}) == len(MODELS)
    assert len(set(prices)) == len(prices)
    assert all(models.sold_as(price).price == price for price in prices)
    assert models.sold_as("openai/gpt-99") is None


@pytest.mark.parametrize("name", [m.name for m in MODELS.values() if m.provider == "OpenAI"])
def test_tiktoken_names_the_tokenizer_of_every_model_of_openai(name: str) -> None:
    assert encoding_name_for_model(name) == MODELS[name].tokenizer


def test_compared_are_the_four_models_whose_services_reported_counts() -> None:
    compared = {
        model.name: (model.band, model.frame) for model in MODELS.values() if model.compared
    }

    assert compared == {
        "gpt-5.4-nano": ("exact", 6),
        "gemini-3.6-flash": ("exact", 1),
        "claude-haiku-4.5": ("≈ ±4\u202f%", None),
        "grok-4.5": ("≈ ±5\u202f%", None),
    }
    assert {fit["service"] for fit in read_fits().values()} == {
        MODELS[name].label for name in ("claude-haiku-4.5", "grok-4.5")
    }
    assert {model.frame for model in MODELS.values() if not model.compared} == {None}


def test_a_model_that_was_not_compared_says_so() -> None:
    gemini, sonnet, opus = (
        MODELS[name] for name in ("gemini-2.5-pro", "claude-sonnet-4.6", "claude-opus-4.7")
    )

    assert gemini.band == "published vocabulary, service not compared"
    assert gemini.evidence == (
        "Google's own library google-genai counts it with gemma3 (its LocalTokenizer). Not compared"
        " with the counts of a service."
    )
    assert sonnet.error is None
    assert sonnet.band == opus.band == "≈, error unknown"


def test_the_default_counts_as_the_default_tokenizer() -> None:
    assert models.default().name == "gpt-5"
    assert models.default().tokenizer == DEFAULT_TOKENIZER


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gpt5", "gpt-5, gpt-5.5, gpt-5.4, gpt-4, gpt-4o"),
        ("Claude-Haiku-4-5", "claude-haiku-4.5, claude-opus-4.7"),
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
        (Choice("estimate"), "estimate, ≈ ±11 %"),
        (Choice("gemma3", MODELS["gemini-3.6-flash"]), "Gemini 3.6 Flash, exact"),
        (Choice("claude_haiku_4_5", MODELS["claude-haiku-4.5"]), "Claude Haiku 4.5, ≈ ±4 %"),
    ],
)
def test_a_title_names_the_band(choice: Choice, title: str) -> None:
    assert choice.title("{}").replace("\u202f", " ") == title


def test_where_there_is_no_estimate_the_band_says_why() -> None:
    (choice,) = choices(["claude-haiku-4.5"], [])
    value = {"город": "Санкт-Петербург"}
    rows = compare(value, tokenizers=tokenizers_of([choice]))
    found = verdict_for(choice, RUSSIAN, value, rows)

    assert "model" in found
    assert found["model"] == "claude-haiku-4.5"
    assert found["band"].startswith("no estimate within 4\u202f% for this text: ")
    assert choice.title(RUSSIAN) == f"Claude Haiku 4.5, {found['band']}"


def test_a_model_without_a_price_says_so() -> None:
    assert unpriced(MODELS["llama-3"]) == (
        f"{price_source()} has no price that fits Llama 3: tokens alone are shown."
    )
