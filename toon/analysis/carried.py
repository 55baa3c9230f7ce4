"""What a token of a tool's result costs: in the call that it enters with, and carried after it.

The call after a result writes it to the cache, or reads it as plain input; each later call in the
same context sends it again. Prompts begin alike, so the cache holds a prompt's oldest tokens: of
the prompt before it, a call has read as many tokens from the cache as it names cached ones, at
most all, and has sent the rest anew like what is new. README.md works an example by hand.
"""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import numpy as np

from toon.analysis.columns import Floats, Places
from toon.costs.billed import SIZES, Billed, price_billed
from toon.costs.named import find_price
from toon.costs.prices import price_period
from toon.traffic.turns import COLUMNS

#: Seconds in which no price changes: those that change within a day do so at quarters of an hour.
_SPAN: Final = 900


class Rates(NamedTuple):
    """US dollars for a token of a tool's result, as arrays by call; NaN where not known.

    The index is the number of the call that asked for the tool. ``first`` is for the call after it,
    0 where there is none, and ``carried`` for all later ones.
    """

    first: Floats
    carried: Floats

    def at(self, turns: Places) -> Rates:
        """Return the rates of the calls with the numbers ``turns``; NaN for unknown numbers."""
        known = (turns >= 0) & (turns < self.first.size)
        found = [np.full(turns.size, np.nan) for _ in self]
        for rates, column in zip(found, self, strict=True):
            rates[known] = column[turns[known]]
        return Rates(*found)


def find_rates(facts: Any) -> Rates:
    """Return Rates by call, US dollars for a token of a result, from a run's metadata (``turns``).

    Raises:
        LookupError, TypeError, ValueError: The facts have another form than
            :meth:`toon.traffic.turns.Turns.facts` gives.
    """
    if facts is None:
        return Rates(np.zeros(0), np.zeros(0))
    columns = {name: np.array(facts[name], np.float64) for name in COLUMNS}
    size = len(columns["before"])
    before = columns["before"].astype(np.intp)
    if any(len(column) != size for column in columns.values()):
        raise ValueError("calls are told in part")
    new, again = _price_calls(facts["models"], columns, before)
    again = np.nan_to_num(again)  # a call without a price is in no bill either
    after, below = [-1] * size, [0.0] * size
    for call in facts["lost"]:
        below[call] = math.nan
    asked, costs = before.tolist(), again.tolist()
    open = np.bincount(before[before >= 0], minlength=size).tolist()
    ended = [call for call in range(size) if not open[call]]
    for call in ended:  # grows by each call behind which all are added up
        if (above := asked[call]) >= 0:
            after[above] = call if after[above] < 0 else min(call, after[above])
            below[above] += costs[call] + below[call]
            open[above] -= 1
            ended += [] if open[above] else [above]
    if len(ended) < size:
        raise ValueError("a call comes before itself")
    last, later = np.array(after, np.intp) < 0, np.array(below)
    first = np.where(last, later + 0.0 * new, new[after])  # NaN without a price
    return Rates(first, np.where(last, first, later - again[after] + 0.0 * first))


def _price_calls(models: list[str], columns: dict[str, Floats], before: Places) -> Rates:
    """Return US dollars by call for a token: new in it (``first``) or sent again (``carried``)."""
    prices = _prices(models, columns)
    input, cached, written, hour = (
        columns[name] for name in ("input", "cached", "written", "hour")
    )
    fresh = input - cached - written
    with np.errstate(divide="ignore", invalid="ignore"):
        sent = _priced((fresh, prices.input), (written - hour, prices.write), (hour, prices.hour))
        new = np.where(fresh + written > 0, sent / (fresh + written), prices.read)
        old = np.minimum(input, np.where(before >= 0, input[before], input))
        share = np.where(old > 0, np.minimum(1.0, cached / old), 0.0)
        return Rates(new, _priced((share, prices.read), (1.0 - share, new)))


def _priced(*parts: tuple[Floats, Floats]) -> Floats:
    """Return for each row the sum of amount × price over pairs of arrays.

    An unknown price (NaN) makes a sum unknown only where its amount is above 0.
    """
    costs = (np.where(amount > 0, amount * price, 0.0) for amount, price in parts)
    return np.asarray(np.sum(list(costs), axis=0), np.float64)


class _Prices(NamedTuple):
    """Arrays by model call of US dollars for a token as input, read from the cache, written to it,
    and written to it for an hour; NaN where unknown.
    """

    input: Floats
    read: Floats
    write: Floats
    hour: Floats


def _prices(models: list[str], columns: dict[str, Floats]) -> _Prices:
    """Return the ``_Prices`` of a token by call, for its model, time and size; NaN if unknown."""
    keys = [find_price(model) if model else None for model in models]
    times = np.where(np.isnan(columns["time"]), time.time(), columns["time"])
    sizes = np.searchsorted(SIZES, columns["input"])
    kinds = zip(*(each.tolist() for each in (columns["model"], sizes, times // _SPAN)), strict=True)
    known, found = dict[tuple[float, int, float], int](), list[tuple[float, ...]]()
    prices = dict[tuple[str | None, int, str], tuple[float, ...]]()
    which = [known.setdefault(kind, len(known)) for kind in kinds]
    for model, size, moment in known:
        price, at = keys[int(model)], datetime.fromtimestamp(moment * _SPAN, UTC)
        kind = price, size, price_period(price, at) if price else ""
        prices[kind] = prices.get(kind) or _tokens_at(price, size, at)
        found.append(prices[kind])
    rates = np.array(found, np.float64).reshape(-1, len(_Prices._fields))
    return _Prices(*rates[which].T)


def _tokens_at(price: str | None, size: int, at: datetime) -> tuple[float, ...]:
    """Return the four ``_Prices`` of a token, by the key of a price, a size and a time.

    The size is an index into ``SIZES``. An unknown price is NaN.
    """
    if price is None:
        return (math.nan,) * len(_Prices._fields)
    number = SIZES[size] if size < len(SIZES) else 2 * SIZES[-1]
    kinds = (
        Billed(number),
        Billed(number, cached=number),
        Billed(number, written=number),
        Billed(number, written=number, hour=number),
    )
    whole = (price_billed(price, kind, at=at) for kind in kinds)
    return tuple(math.nan if each is None else float(each) / number for each in whole)
