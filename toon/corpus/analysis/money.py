"""The price of a month of payloads, at the observed rate or at a given one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np

from toon.corpus.analysis.rows import Filter, Floats, Places, Rows
from toon.costs import prices

#: Seconds of an average month.
MONTH: Final = 30.4375 * 86_400
#: The shortest window that a rate is observed in, in seconds.
SHORTEST: Final = 60.0


@dataclass(frozen=True, slots=True)
class Rate:
    """An observed rate: payloads a month, from ``timed`` payloads between ``first`` and ``last``.

    Both times are seconds since 1970.
    """

    monthly: float
    timed: int
    first: float
    last: float


def observe_rate(rows: Rows, measured: Places, filter: Filter) -> Rate | None:
    """The rate of the rows at ``measured``.

    The window runs from the first to the last row of the run within the filter's times. The times
    of ``measured`` alone would make rare groups look frequent. The result is None if the window is
    shorter than ``SHORTEST``, or if no row at ``measured`` has a time.
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


def price_calls(key: str, tokens: Floats) -> Decimal | None:
    """US dollars for calls with these numbers of input tokens; None if the price is unknown.

    ``key`` names the model. Each call is priced at the tier of its size. A model has few tiers, so
    the calls are sorted by size and split into spans whose first and last call have the same rate:
    all calls between them have it too.
    """
    sizes = np.sort(tokens[tokens > 0])
    if not sizes.size:
        return Decimal(0)
    total = Decimal(0)
    spans = [(0, sizes.size - 1)]
    while spans:
        low, high = spans.pop()
        first, last = (_rate(key, int(sizes[place])) for place in (low, high))
        if first is None or last is None:
            return None
        if first == last:
            total += first * int(sizes[low : high + 1].sum())
        else:
            middle = (low + high) // 2
            spans += [(low, middle), (middle + 1, high)]
    return total


def _rate(key: str, tokens: int) -> Decimal | None:
    """Dollars per token in a call of this size, rounded so that the rates of a tier are equal."""
    price = prices.call_price(key, tokens)
    return None if price is None else (price / tokens).quantize(Decimal("1e-15"))


@dataclass(frozen=True, slots=True)
class Bill:
    """US dollars a month for input: as sent ``now``, all in one format, and as the mix.

    None means unknown; ``all_format`` is also None where the format cannot carry every payload.
    ``rate`` is payloads a month.
    """

    model: str
    rate: float
    now: Decimal | None
    all_format: Decimal | None
    mix: Decimal | None


def price_month(model: str, rate: float, sent: tuple[Floats, Floats | None, Floats]) -> Bill:
    """The bill of the same payloads sent three ways, scaled to ``rate`` payloads a month.

    ``sent`` holds the tokens of every call: as sent now, all in one format (or None), as the mix.
    """
    payloads = sent[0].size

    def monthly(tokens: Floats | None) -> Decimal | None:
        price = None if tokens is None else price_calls(model, tokens)
        if price is None or not payloads:
            return price
        return price * Decimal(rate) / payloads

    return Bill(model, rate, *map(monthly, sent))
