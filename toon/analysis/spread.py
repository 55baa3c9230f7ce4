"""The spread of savings over payloads, and tokens over time."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from toon.analysis.columns import Floats

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
#: Width of a bar of the histogram, as a fraction. The last bar holds all that double or more.
STEP: Final = 0.05
_STEPS: Final = round(1 / STEP)

_DAY: Final = 86_400
#: Names and seconds of the units of time that a series may have.
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
    """A bar of a histogram: how many ``payloads`` change by a fraction from ``low`` to ``high``.

    Below zero a bar includes its low end, above zero its high end, so no bar holds both signs.
    """

    low: float
    high: float
    payloads: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The spread of changes in single payloads' tokens, as signed fractions of the tokens before.

    ``fewer``, ``same`` and ``more`` count payloads. ``quantiles`` are at QUANTILES, or () without
    payloads. ``bars`` leave out the payloads that stay the same.
    """

    fewer: int
    same: int
    more: int
    quantiles: tuple[float, ...]
    bars: tuple[Bar, ...]


def find_spread(tokens: Floats, baseline: Floats) -> Spread:
    """Return how payloads' tokens change from ``baseline`` to ``tokens``, two arrays, as shares:
    counts of fewer, same and more, quantiles, bars. NaN and baselines of 0 are left out.
    """
    known = ~np.isnan(tokens) & (baseline > 0)
    shares = (tokens[known] - baseline[known]) / baseline[known]
    if not shares.size:
        return Spread(0, 0, 0, (), ())
    # Rounded, because 0.05 is not exact in binary: 5 % belongs to the bar that ends there.
    scaled = np.round(shares / STEP, 9)
    steps = np.where(shares < 0, np.floor(scaled), np.ceil(scaled) - 1)
    steps = np.minimum(steps[shares != 0], _STEPS - 1).astype(np.int64)  # none is below -100 %
    counts = np.bincount(steps + _STEPS)
    filled = np.flatnonzero(counts)
    bars = [
        Bar((place - _STEPS) / _STEPS, (place - _STEPS + 1) / _STEPS, int(counts[place]))
        for place in (range(filled[0], filled[-1] + 1) if filled.size else ())
    ]
    quantiles = tuple(map(float, np.quantile(shares, QUANTILES)))
    fewer, more = int((shares < 0).sum()), int((shares > 0).sum())
    return Spread(fewer, shares.size - fewer - more, more, quantiles, tuple(bars))


@dataclass(frozen=True, slots=True)
class Series:
    """Sums of tokens over time, one for each ``unit`` from the first payload to the last.

    ``starts`` are seconds since 1970. ``untimed`` payloads have no time and are not in the sums.
    """

    unit: str
    starts: Floats
    tokens: Floats
    untimed: int


def sum_over_time(time: Floats, counts: Floats) -> Series | None:
    """Return sums of counts over time, by the smallest unit (minute to year) of at most 200 bars.

    None without times. A count that is NaN adds nothing.
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
        (np.arange(size, dtype=np.float64) + first) * width + shift,
        np.bincount(places, np.nan_to_num(counts[timed])).astype(np.float64),
        int(time.size - timed.sum()),
    )
