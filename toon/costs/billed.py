"""Prices of calls as they were billed: cached tokens read and written at their own prices.

A change of format changes every prompt once: the provider's cache does not fit the new prompt,
which is written anew.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from toon.costs.prices import price_usage

#: Input sizes beyond which some model's tokens have another price.
SIZES: Final = (32_000, 100_000, 128_000, 199_999, 200_000, 256_000, 272_000, 512_000, 524_288)


class Billed(NamedTuple):
    """The tokens of calls of one model. ``cached`` of the ``input`` were read from the cache;
    ``written`` were written to it, ``hour`` of these for an hour.
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


class Change(NamedTuple):
    """The US dollars that a change of format costs ``once`` and saves with ``each`` later call.

    The change pays from call ``calls`` on, the first with the new format counted; None: never.
    """

    once: Decimal
    each: Decimal
    calls: int | None


def change_of_format(
    key: str, other: int, before: int, after: int, at: datetime | None = None
) -> Change | None:
    """Return the cost of writing a cached prompt anew, and the calls from which that pays.

    Every call reads the same prompt from the cache: ``before`` tokens of payloads in today's
    format, and ``other`` tokens. In another format the payloads take ``after``. The first call in
    it writes the prompt anew, the later calls read it.

    Returns:
        The change; None if a price is unknown.
    """

    def price(payloads: int, new: int) -> Decimal | None:
        total = other + payloads
        return price_billed(key, Billed(total, total - new, new), at=at)

    today, then = price(before, 0), price(after, 0)
    first = price(after, other + after)
    if today is None or then is None or first is None:
        return None
    once, each = first - today, today - then
    if once <= 0:
        return Change(once, each, 1)
    return Change(once, each, 1 + math.ceil(once / each) if each > 0 else None)
