"""What a month of it is worth, at the rate that was observed or at one that is given."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np

from toon.corpus.analysis.rows import Filter, Floats, Places, Rows
from toon.costs import prices

MONTH: Final = 30.4375 * 86_400  # seconds
#: A rate is not told from less than this, in seconds.
SHORTEST: Final = 60.0


@dataclass(frozen=True, slots=True)
class Rate:
    """Payloads a month as observed: ``timed`` of them in the window from ``first`` to ``last``.

    Both are seconds since 1970.
    """

    monthly: float
    timed: int
    first: float
    last: float


def observed(rows: Rows, measured: Places, filter: Filter) -> Rate | None:
    """The rate of the rows at ``measured``; None where too little time passed to tell.

    The window is that of all rows within the filter's times, since a group that is seldom called
    is no less called for that.
    """
    times = rows.time[~np.isnan(rows.time)]
    since = -np.inf if filter.since is None else filter.since
    until = np.inf if filter.until is None else filter.until
    times = times[(times >= since) & (times <= until)]
    timed = int((~np.isnan(rows.time[measured])).sum())
    if not times.size or not timed or times.max() - times.min() < SHORTEST:
        return None
    first, last = float(times.min()), float(times.max())
    return Rate(timed / (last - first) * MONTH, timed, first, last)


def price_of_calls(key: str, tokens: Floats) -> Decimal | None:
    """US dollars for calls of so many input tokens each; None where no price is known.

    Each call at the tier of its own size. A model's rate changes in few steps with the size of a
    call and is the same between them: of calls sorted by size, those between two of one rate have
    that rate.
    """
    sizes = np.sort(tokens[tokens > 0])
    if not sizes.size:
        return Decimal(0)
    total = Decimal(0)
    spans = [(0, sizes.size - 1)]
    while spans:
        low, high = spans.pop()
        ends = [_rate(key, int(sizes[place])) for place in (low, high)]
        if None in ends:
            return None
        rate = ends[0]
        assert rate is not None
        if rate == ends[1]:
            total += rate * int(sizes[low : high + 1].sum())
        else:
            middle = (low + high) // 2
            spans += [(low, middle), (middle + 1, high)]
    return total


def _rate(key: str, tokens: int) -> Decimal | None:
    """Dollars a token of a call of that size, rounded past what prices have."""
    price = prices.call_price(key, tokens)
    return None if price is None else (price / tokens).quantize(Decimal("1e-15"))


@dataclass(frozen=True, slots=True)
class Bill:
    """US dollars a month for input, by what is sent: ``now``, all in one format, the mix.

    None is unknown. ``rate`` payloads a month; ``all_format`` is None too where the format cannot
    carry every payload.
    """

    model: str
    rate: float
    now: Decimal | None
    all_format: Decimal | None
    mix: Decimal | None


def bill(model: str, rate: float, sent: tuple[Floats, Floats | None, Floats]) -> Bill:
    """The bill of the same payloads sent three ways; each array holds tokens a call."""
    payloads = sent[0].size

    def monthly(tokens: Floats | None) -> Decimal | None:
        price = None if tokens is None else price_of_calls(model, tokens)
        if price is None or not payloads:
            return price
        return price * Decimal(rate) / payloads

    return Bill(model, rate, *map(monthly, sent))
