"""Calls priced as they were billed.

In US$ per 10^6 tokens: Claude Sonnet 4.6 takes 3 for input, 0.30 for reading, 3.75 for writing for
five minutes, 6 for an hour and 15 for output; GPT-5 takes 1.25, 0.125, nothing more, and 10.
"""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from toon.costs.billed import Billed, price_billed

SONNET, GPT = "anthropic/claude-sonnet-4-6", "openai/gpt-5"
GEMINI = "google/gemini-2.5-pro"
AT = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("key", "tokens", "calls", "dollars"),
    [
        # 100 x 3 + 600 x 0.30 + 200 x 3.75 + 100 x 6 + 50 x 15
        (SONNET, Billed(1_000, 600, 300, 100, 50), 1, "0.002580"),
        # 400 x 1.25 + 600 x 0.125 + 50 x 10
        (GPT, Billed(1_000, 600, 0, 0, 50), 1, "0.001075"),
        (GPT, Billed(1_000, 0, 400, 100), 1, "0.00125"),  # writing costs what input does
        # 1,501 x 3 + 1,000 x 0.30 + 500 x 3.75 + 70 x 15
        (SONNET, Billed(3_001, 1_000, 500, 0, 70), 7, "0.007728"),
        # Gemini 2.5 Pro takes 1.25 up to 200,000 tokens of input in a call, beyond that 2.50.
        (GEMINI, Billed(400_000), 2, "0.5"),
        (GEMINI, Billed(400_000), 1, "1"),
    ],
)
def test_calls_have_the_price_of_each_kind_of_token_and_the_tier_of_their_size(
    key: str, tokens: Billed, calls: int, dollars: str
) -> None:
    whole = price_billed(key, tokens, calls, at=AT)

    assert whole is not None
    assert round(whole, 12) == Decimal(dollars)


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
