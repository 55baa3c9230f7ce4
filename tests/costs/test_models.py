"""The table of models: its laws, its evidence, and what is said beside a model's figures."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.model import encoding_name_for_model

from toon.costs import models
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.models import MODELS, Choice, Grade, Model, choices, tokenizers_of
from toon.costs.prices import find_offer, offers, price_notice, price_of
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import TOKENIZERS, UncountedError

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=lambda model: model.name)


@every_model
def test_every_model_has_a_tokenizer_and_evidence(model: Model) -> None:
    assert models.get(model.name) is model
    assert Choice(model.tokenizer, model).counted == (
        model.grade not in (Grade.SERVICE, Grade.UNKNOWN)
    )
    assert model.evidence.endswith(".")


@every_model
def test_prices_and_windows_are_those_of_genai_prices(model: Model) -> None:
    offer = price_of(model)

    assert offer == (None if model.price is None else offers()[model.price])
    assert (price_notice(model) is None) == (offer is not None)


def test_labels_and_prices_belong_to_one_model_each() -> None:
    prices = [model.price for model in MODELS.values() if model.price]

    assert len({model.label for model in MODELS.values()}) == len(MODELS)
    assert len(set(prices)) == len(prices)


@pytest.mark.parametrize("name", [m.name for m in MODELS.values() if m.provider == "OpenAI"])
def test_tiktoken_names_the_tokenizer_of_the_models_of_openai_that_it_knows(name: str) -> None:
    model = MODELS[name]
    try:
        known = encoding_name_for_model(name)
    except KeyError:
        assert model.grade is Grade.PREDECESSOR
    else:
        assert model.grade in (Grade.LIBRARY, Grade.EQUAL)
        assert model.tokenizer == known.replace("harmony", "base")


@pytest.mark.parametrize("name", ["Claude-Haiku-4-5", "claude-haiku-4.5", " CLAUDE-HAIKU-4-5 "])
def test_a_model_is_found_as_its_service_writes_it(name: str) -> None:
    assert models.get(name) is MODELS["claude-haiku-4.5"]


def test_the_default_is_the_newest_model_that_its_makers_library_counts() -> None:
    default = models.default_model()
    newest = next(model for model in MODELS.values() if model.grade is Grade.LIBRARY)

    assert default.tokenizer == DEFAULT_TOKENIZER
    assert (default.provider, default.grade) == (newest.provider, newest.grade)
    assert default.label.split()[0] == newest.label.split()[0] == "GPT-5.6"
    assert default.price == find_offer("gpt-5.6")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gpt5", "gpt-5, gpt-5.5, gpt-5.4, gpt-5.3, gpt-5.2"),
        ("claude-haiku", "claude-3-haiku, claude-haiku-5.5, claude-haiku-4.5, "
         "claude-3.5-haiku-latest, claude-opus-5"),
        ("gemini-3-flash", "gemini-3.8-flash, gemini-3.7-flash, gemini-3.6-flash, "
         "gemini-3.5-flash, gemini-2.5-flash"),
    ],
)  # fmt: skip
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

    assert len({choice.title for choice in chosen}) == len(chosen)
    assert {choice.model.name for choice in chosen if choice.model} == set(names)
    assert counted[0] == next(
        (MODELS[n].tokenizer for n in names), (more or [DEFAULT_TOKENIZER])[0]
    )
    assert set(counted) >= {*more, *(MODELS[name].tokenizer for name in names)}


def test_a_frame_of_no_token_is_known() -> None:
    model = replace(MODELS["gpt-5"], frame=0)

    assert Choice("o200k_base", model).evidence().endswith(" A call has 0 tokens more, its frame.")
    assert "frame" not in Choice("o200k_base", replace(model, frame=None)).evidence()


def test_every_price_is_the_makers_own() -> None:
    def strip_name(name: str) -> str:
        return re.sub("[^a-z]", "", name.lower()).removesuffix("azure")

    sellers = {
        name: offers()[model.price].provider for name, model in MODELS.items() if model.price
    }
    assert {name: strip_name(seller) for name, seller in sellers.items()} == {
        name: strip_name(MODELS[name].provider) for name in sellers
    }


@pytest.mark.parametrize(
    ("name", "tokenizer", "grade", "frame"),
    [
        ("gpt-6.1-sol", "o200k_base", "as its predecessor, unchecked", None),
        ("gpt-5", "o200k_base", "the maker's library counts it so", None),
        ("gpt-oss-120b", "o200k_base", "the maker's library counts it so", None),
        ("gpt-4", "cl100k_base", "the maker's library counts it so", None),
        ("claude-haiku-4.5", "claude_3",
         "reconstructed, equal to 1,329 counts of the service", 7),
        ("claude-opus-4.6", "claude_3", "reconstructed, unchecked", 7),
        ("claude-opus-4.7", "claude_4_7", "reconstructed, unchecked", 11),
        ("claude-sonnet-5", "claude_4_8", "reconstructed, unchecked", 6),
        ("claude-opus-5.5", "claude_4_8", "as its predecessor, unchecked", 6),
        ("gemini-3.6-flash", "gemma3", "equal to 1,329 counts of the service", 1),
        ("gemini-3.1-pro-preview", "gemma3", "the maker's library counts it so", None),
        ("gemini-4-argon", "gemma3", "as its predecessor, unchecked", None),
        ("grok-4.7", "ask-service", "ask the service", None),
        ("deepseek-v3.2", "deepseek_v3", "published vocabulary", None),
        ("deepseek-v4-pro", "uncounted", "no vocabulary is published", None),
        ("mistral-nemo", "mistral_v3", "the maker's library counts it so", None),
        ("mistral-large-4", "mistral_v3", "as its predecessor, unchecked", None),
        ("kimi-k2.7-code", "kimi_k2", "published vocabulary", None),
        ("kimi-k3", "kimi_k3", "published vocabulary", None),
        ("glm-4.7", "glm4", "published vocabulary", None),
        ("phi-4", "phi4", "published vocabulary", None),
    ],
)  # fmt: skip
def test_a_model_is_counted_by_the_rules(
    name: str, tokenizer: str, grade: str, frame: int | None
) -> None:
    model = MODELS[name]

    assert (model.tokenizer, model.grade, model.frame) == (tokenizer, grade, frame)
    assert model.source.endswith((".", ")."))


@pytest.mark.parametrize(
    "name", ["gpt-image-2", "gpt-realtime", "gemini-2.5-flash-tts", "claude-2", "codestral-embed"]
)
def test_what_reads_no_text_or_is_retired_is_not_offered(name: str) -> None:
    assert not [known for known in MODELS if known.startswith(name)]


def test_the_newest_of_each_maker_is_first() -> None:
    first = {model.provider: model.name for model in reversed(list(MODELS.values()))}

    assert first["Anthropic"].startswith(("claude-opus-5.5", "claude-haiku-5.5"))
    assert first["OpenAI"].startswith("gpt-6.1-")
    assert first["xAI"] == "grok-4.7"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("grok-4.7", "Only its service counts for this model: ask it in the app, or by toon stats"),
        ("deepseek-v4-pro", "Nobody publishes the vocabulary of this model."),
    ],
)
def test_what_cannot_be_counted_is_no_number(name: str, why: str) -> None:
    with pytest.raises(UncountedError, match=f"^{why}"):
        answer(Document.of({"a": 1}), models.choose(name).tokenizer)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("o200k_base", "o200k_base"),
        ("chars4", "chars4: Characters / 4, what other tools show"),
        ("gpt-5", "GPT-5"),
        ("claude-opus-5.5", "Claude Opus 5.5, as its predecessor, unchecked"),
    ],
)
def test_a_title_has_the_grade_where_the_maker_does_not_count(name: str, title: str) -> None:
    assert models.choose(name).title == title
