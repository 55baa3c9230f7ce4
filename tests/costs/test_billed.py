"""Calls priced as they were billed.

In US$ per 10^6 tokens: Claude Sonnet 4.6 takes 3 for input, 0.30 for reading, 3.75 for writing for
five minutes, 6 for an hour and 15 for output; GPT-5 takes 1.25, 0.125, nothing more, and 10.
"""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from toon.costs.billed import Billed, price_billed

SONNET, GPT = "anthropic/claude-sonnet-4-6", "openai/gpt-5"
AT = datetime(2026, 11, 1, tzinfo=UTC)


def test_cached_tokens_have_their_own_prices() -> None:
    tokens = Billed(input=1_000, cached=600, written=300, hour=100, output=50)

    # 100 x 3 + 600 x 0.30 + 200 x 3.75 + 100 x 6 + 50 x 15
    assert price_billed(SONNET, tokens, at=AT) == Decimal("0.002580")
    # 400 x 1.25 + 600 x 0.125 + 50 x 10
    assert price_billed(GPT, Billed(1_000, 600, 0, 0, 50), at=AT) == Decimal("0.001075")


def test_without_a_price_for_writing_that_of_input_is_taken() -> None:
    assert price_billed(GPT, Billed(1_000, 0, 400, 100), at=AT) == Decimal("0.00125")


def test_many_calls_are_the_sum_of_them() -> None:
    tokens = Billed(3_001, 1_000, 500, 0, 70)
    whole = price_billed(SONNET, tokens, 7, at=AT)

    # 1,501 x 3 + 1,000 x 0.30 + 500 x 3.75 + 70 x 15
    assert whole is not None
    assert round(whole, 12) == Decimal("0.007728")


def test_each_call_has_the_tier_of_its_size() -> None:
    """Gemini 2.5 Pro takes 1.25 up to 200,000 tokens of input, beyond that 2.50."""
    key = "google/gemini-2.5-pro"

    assert price_billed(key, Billed(400_000), 2, at=AT) == Decimal("0.5")
    assert price_billed(key, Billed(400_000), 1, at=AT) == Decimal("1")


@pytest.mark.parametrize(
    ("key", "tokens"),
    [
        ("openai/none", Billed(1)),
        ("none", Billed(1)),
        ("openai/gpt-4", Billed(10, 5)),  # it has no cache
        (GPT, Billed(10, 11)),  # more was read than there is
    ],
)
def test_an_unknown_price_is_none(key: str, tokens: Billed) -> None:
    assert price_billed(key, tokens, at=AT) is None
