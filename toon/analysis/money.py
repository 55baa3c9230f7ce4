"""The money of payloads: their rate a month, the models that their records name, and prices."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np

from toon.analysis.columns import Floats, Places, codes_of
from toon.analysis.filters import Filter
from toon.analysis.rows import Rows
from toon.costs import prices
from toon.costs.models import Model
from toon.costs.named import nearest_model
from toon.formats import AS_TYPED

#: Seconds of an average month.
MONTH: Final = 30.4375 * 86_400
#: The shortest window that a rate is observed in, in seconds.
SHORTEST: Final = 60.0
#: A window of fewer seconds projects a month that is said with a caveat, and in no headline.
SHORT_WINDOW: Final = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Rate:
    """An observed rate: payloads a month, from ``timed`` payloads between ``first`` and ``last``.

    Both times are seconds since 1970.
    """

    monthly: float
    timed: int
    first: float
    last: float

    @property
    def window(self) -> float:
        """Seconds between the first and the last payload of an observed rate."""
        return self.last - self.first


def observe_rate(rows: Rows, measured: Places, filter: Filter) -> Rate | None:
    """Return the monthly rate of the rows at ``measured``, observed from the times of a run's rows.

    The window runs from the first to the last row of the run within the filter's times: the times
    of ``measured`` alone would make rare groups look frequent. None if the window is too short or
    no row at ``measured`` has a time.
    """
    since = -np.inf if filter.since is None else filter.since
    until = np.inf if filter.until is None else filter.until
    times = rows.time[(rows.time >= since) & (rows.time <= until)]  # NaN is neither
    timed = int((~np.isnan(rows.time[measured])).sum())
    moments = np.unique(times)
    if not timed or not moments.size:
        return None
    first, last = float(moments[0]), float(moments[-1])
    monthly = monthly_rate(timed, moments.size, last - first)
    return None if monthly is None else Rate(monthly, timed, first, last)


def monthly_rate(sent: int, moments: int, window: float) -> float | None:
    """Return how many of ``sent`` things come a month; None if they took less than ``SHORTEST``.

    ``moments`` is the number of different times at which they came, ``window`` the seconds from the
    first to the last. That is one interval fewer than moments: three an hour apart take three
    hours, not two. Bursts whose times differ count as single moments.
    """
    if window < SHORTEST or moments < 2:
        return None
    return sent * (1 - 1 / moments) / window * MONTH


def price_calls(key: str, tokens: Floats) -> Decimal | None:
    """Return US dollars for all calls, from the number of input tokens of each; None if unpriced.

    ``key`` is that of the model's price. Each call has the price of its size; a fraction of a token
    is a part of an explanation. A model has few tiers, so the calls are sorted by size and split
    into spans whose first and last call have the same rate: all calls between them have it too.
    """
    sizes = tokens[tokens > 0]
    if not sizes.size:
        return Decimal(0)
    least, most = (_rate(key, math.ceil(size)) for size in (sizes.min(), sizes.max()))
    if least is not None and least == most:  # one tier, as most models have: nothing to sort
        return least * Decimal(float(sizes.sum()))
    sizes.sort()
    total = Decimal(0)
    spans = [(0, sizes.size - 1)]
    while spans:
        low, high = spans.pop()
        first, last = (_rate(key, math.ceil(sizes[place])) for place in (low, high))
        if first is None or last is None:
            return None
        if first == last:
            total += first * Decimal(float(sizes[low : high + 1].sum()))
        else:
            middle = (low + high) // 2
            spans += [(low, middle), (middle + 1, high)]
    return total


def flat_rate(key: str, most: float) -> Decimal | None:
    """Return a model's US dollars per input token if equal in calls of up to ``most``, or None."""
    least = _rate(key, 1)
    return least if least == _rate(key, max(1, math.ceil(most))) else None


def _rate(key: str, tokens: int) -> Decimal | None:
    """Return a model's US dollars per input token in a call of ``tokens``; None if unpriced."""
    price = prices.call_price(key, tokens)
    return None if price is None else (price / tokens).quantize(Decimal("1e-15"))


class Named(NamedTuple):
    """A model that records of a log name, with its number of payloads.

    ``share`` is its part of the tokens of all payloads that name a model, from 0 to 1; ``model`` is
    None if it is unknown here; ``code`` is its index among the run's names.
    """

    name: str
    payloads: int
    share: float
    model: Model | None
    code: int

    def is_priced(self, tokenizer: str) -> bool:
        """Return whether a log's model is known, is counted by ``tokenizer`` and has a price."""
        if self.model is None or self.model.tokenizer != tokenizer:
            return False
        return prices.price_notice(self.model) is None


def find_named(rows: Rows, measured: Places) -> list[Named]:
    """Return the models that the rows at ``measured`` name, those of most tokens first.

    The run's first tokenizer counts them, as the payloads were typed.
    """
    names = rows.models.dictionary.to_pylist()
    codes = codes_of(rows.models)[measured]
    naming = codes >= 0
    counts = rows.tokens[rows.tokenizers[0]].at(AS_TYPED, measured[naming])
    payloads = np.bincount(codes[naming], minlength=len(names)).tolist()
    tokens = np.bincount(codes[naming], counts, minlength=len(names))
    shares = (tokens / max(1.0, tokens.sum())).tolist()
    found = (
        Named(str(name), payloads[code], shares[code], nearest_model(str(name)), code)
        for code, name in enumerate(names)
        if payloads[code]
    )
    return sorted(found, key=lambda named: (-named.share, named.name))


def price_logged(
    rows: Rows, measured: Places, costs: Floats, priced: list[Named]
) -> Decimal | None:
    """Return US dollars for sending each measured row once, to the model that its record names.

    ``costs`` are the rows' tokens. Rows of other models than ``priced`` are left out. None if a
    price is unknown.
    """
    codes, total = codes_of(rows.models)[measured], Decimal(0)
    for named in priced:
        key = (named.model.price if named.model else None) or ""
        price = price_calls(key, costs[codes == named.code])
        if price is None:
            return None
        total += price
    return total
