"""Models as logs name them."""

import pytest

from toon.costs.named import find_model, find_price, nearest_model


@pytest.mark.parametrize(
    ("name", "model", "price"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o", "openai/gpt-4o"),
        ("openai/gpt-5-mini", "gpt-5-mini", "openai/gpt-5-mini"),
        ("azure/gpt-4o", "gpt-4o", "openai/gpt-4o"),
        ("gpt-4-0613", "gpt-4", "openai/gpt-4"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4.5", "anthropic/claude-haiku-4-5"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4.5", "anthropic/claude-haiku-4-5"),
        ("anthropic/claude-haiku-4.5", "claude-haiku-4.5", "anthropic/claude-haiku-4-5"),
        ("openrouter/anthropic/claude-sonnet-4.6:beta", "claude-sonnet-4.6",
         "anthropic/claude-sonnet-4-6"),
        ("us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4.5",
         "anthropic/claude-haiku-4-5"),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0",
         "claude-haiku-4.5", "anthropic/claude-haiku-4-5"),
        ("models/gemini-2.5-flash", "gemini-2.5-flash", "google/gemini-2.5-flash"),
        ("gemini-2.5-flash-001", "gemini-2.5-flash", "google/gemini-2.5-flash"),
        ("GPT-5", "gpt-5", "openai/gpt-5"),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3.5-sonnet",
         "anthropic/claude-3-5-sonnet"),
    ],
)  # fmt: skip
def test_a_model_is_known_by_its_name_in_logs(name: str, model: str | None, price: str) -> None:
    result = find_model(name)

    assert (result and result.name) == model
    assert find_price(name) == price


@pytest.mark.parametrize(
    "name", ["", "/", "my-model", "ft:gpt-4o-mini:acme::x", "<synthetic>", "gpt", "x" * 10_000]
)
def test_other_names_are_no_model(name: str) -> None:
    assert find_model(name) is None
    assert find_price(name) is None


def test_a_name_that_is_only_priced_is_counted_like_the_nearest_one_at_its_own_price() -> None:
    result = nearest_model("gpt-5.4-image-2")

    assert result is not None
    assert (result.tokenizer, result.price, result.source) == (
        "o200k_base",
        "openai/gpt-5.4-image-2",
        "Not known here: counted like GPT-5.4 mini, the nearest name.",
    )


@pytest.mark.parametrize("name", ["", "unheard-of", "command-r", "<synthetic>"])
def test_a_name_of_no_known_maker_has_no_nearest_model(name: str) -> None:
    assert nearest_model(name) is None
