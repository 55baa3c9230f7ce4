"""Prices of calls as they were billed: cached tokens read and written at their own prices."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from toon.costs.prices import price_usage

#: Input sizes beyond which some model's tokens have another price.
SIZES: Final = (32_000, 100_000, 128_000, 199_999, 200_000, 256_000, 272_000, 512_000, 524_288)


class Billed(NamedTuple):
    """The input and output tokens of calls of one model, as billed.

    ``cached`` of the ``input`` were read from the cache; ``written`` were written to it, ``hour``
    of these for an hour.
    """

    input: int = 0
    cached: int = 0
    written: int = 0
    hour: int = 0
    output: int = 0

    def plus(self, other: Billed) -> Billed:
        return Billed(*(one + two for one, two in zip(self, other, strict=True)))


def price_billed(
    key: str, tokens: Billed, calls: int = 1, at: datetime | None = None
) -> Decimal | None:
    """Return US dollars for ``calls`` with ``tokens`` in all; None if a price is unknown.

    The calls must be of one tier of the model's prices: each is priced as their mean. Where writing
    has no price of its own, written tokens have that of input.

    Args:
        key: ``provider/model``.
        tokens: The tokens of all calls.
        calls: The number of calls.
        at: The time whose prices apply; now if None.
    """
    if calls < 1:
        return None
    kinds = ("input", "cache_read", "cache_write", "cache_write_1h", "output")
    mean = {kind: Decimal(count) / calls for kind, count in zip(kinds, tokens, strict=True)}
    priced = price_usage(key, mean, at or datetime.now(UTC))
    return Decimal(priced.total_price) * calls if priced else None
