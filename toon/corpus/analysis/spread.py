"""How savings are spread over payloads, and tokens over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from toon.corpus.analysis.rows import Floats

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
#: Width of a bar of the histogram, as a fraction; what doubles or more is in the last one.
STEP: Final = 0.05
_STEPS: Final = round(1 / STEP)

_DAY: Final = 86_400
#: Names and seconds of the units in which tokens are laid over time.
UNITS: Final = (
    ("minute", 60),
    ("hour", 3_600),
    ("day", _DAY),
    ("week", 7 * _DAY),
    ("month of 30 days", 30 * _DAY),
    ("year of 365 days", 365 * _DAY),
)
_MOST_BARS: Final = 200
_MONDAY: Final = 4 * _DAY  # the first one since 1970


@dataclass(frozen=True, slots=True)
class Bar:
    """``payloads`` whose difference lies between ``low`` and ``high``, which are fractions.

    Below zero a bar includes its low end, above zero its high end, so no bar holds both signs.
    """

    low: float
    high: float
    payloads: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Differences of single payloads against a baseline, as signed fractions of it.

    ``quantiles`` are those of QUANTILES, () where there is no payload; ``bars`` leave out the
    ``same``.
    """

    fewer: int
    same: int
    more: int
    quantiles: tuple[float, ...]
    bars: tuple[Bar, ...]


def spread(tokens: Floats, baseline: Floats) -> Spread:
    """The spread of the payloads that both arrays have a count for; one figure a payload."""
    known = ~np.isnan(tokens) & (baseline > 0)
    found = (tokens[known] - baseline[known]) / baseline[known]
    if not found.size:
        return Spread(0, 0, 0, (), ())
    # A hair's breadth against binary fractions: 5 % belongs to the bar that ends there.
    scaled = np.round(found / STEP, 9)
    steps = np.where(found < 0, np.floor(scaled), np.ceil(scaled) - 1)
    steps = np.clip(steps[found != 0], -_STEPS, _STEPS - 1).astype(np.int64)
    counts = np.bincount(steps + _STEPS, minlength=2 * _STEPS)
    filled = np.flatnonzero(counts)
    bars = [
        Bar((place - _STEPS) / _STEPS, (place - _STEPS + 1) / _STEPS, int(counts[place]))
        for place in (range(filled[0], filled[-1] + 1) if filled.size else ())
    ]
    quantiles = tuple(map(float, np.quantile(found, QUANTILES)))
    fewer, more = int((found < 0).sum()), int((found > 0).sum())
    return Spread(fewer, found.size - fewer - more, more, quantiles, tuple(bars))


@dataclass(frozen=True, slots=True)
class Series:
    """Sums over time: ``starts`` are seconds since 1970, every ``unit`` from first to last.

    ``untimed`` payloads have no time and are in none of the sums.
    """

    unit: str
    seconds: int
    starts: Floats
    payloads: Floats
    tokens: dict[str, Floats]
    untimed: int


def series(time: Floats, counts: dict[str, Floats]) -> Series | None:
    """Sums of ``counts`` by the smallest unit that keeps to 200 bars; None where no time is known.

    A count that is NaN adds nothing.
    """
    timed = ~np.isnan(time)
    if not timed.any():
        return None
    moments = time[timed]
    window = float(moments.max() - moments.min())
    unit, width = next((u for u in UNITS if window / u[1] < _MOST_BARS - 1), UNITS[-1])
    shift = _MONDAY if unit == "week" else 0
    places = np.floor((moments - shift) / width).astype(np.int64)
    first = int(places.min())
    size = int(places.max()) - first + 1
    places -= first
    return Series(
        unit,
        width,
        (np.arange(size, dtype=np.float64) + first) * width + shift,
        np.bincount(places, minlength=size).astype(np.float64),
        {
            name: np.bincount(places, np.nan_to_num(tokens[timed]), size).astype(np.float64)
            for name, tokens in counts.items()
        },
        int(time.size - timed.sum()),
    )
