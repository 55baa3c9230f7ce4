"""The spread of savings over payloads, and tokens over time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.analysis.spread import find_spread, sum_over_time


def test_a_spread_keeps_the_signs_apart() -> None:
    baseline = np.full(8, 100.0)
    tokens = np.array([60, 95, 96, 100, 101, 105, 300, np.nan])

    spread = find_spread(tokens, baseline)

    assert (spread.fewer, spread.same, spread.more) == (3, 1, 3)
    filled = [(bar.low, bar.high, bar.payloads) for bar in spread.bars if bar.payloads]
    assert filled == [(-0.4, -0.35, 1), (-0.05, 0.0, 2), (0.0, 0.05, 2), (0.95, 1.0, 1)]
    assert [bar.low for bar in spread.bars] == [place / 20 for place in range(-8, 20)]
    assert spread.quantiles[2] == 0.0


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 300)), max_size=60))
def test_every_payload_is_in_one_place_of_a_spread(pairs: list[tuple[int, int]]) -> None:
    both = np.array(pairs, np.float64).reshape(-1, 2)
    spread = find_spread(both[:, 0], both[:, 1])

    counted = [pair for pair in pairs if pair[1] > 0]
    assert spread.fewer + spread.same + spread.more == len(counted)
    assert sum(bar.payloads for bar in spread.bars if bar.low < 0) == spread.fewer
    assert sum(bar.payloads for bar in spread.bars if bar.low >= 0) == spread.more
    assert len(spread.quantiles) == (5 if counted else 0)


@pytest.mark.parametrize(
    ("window", "unit"),
    [(600, "minute"), (86_400, "hour"), (30 * 86_400, "day"), (900 * 86_400, "week")],
)
def test_series_lose_no_token(window: int, unit: str) -> None:
    time = np.append(np.linspace(1_760_000_000, 1_760_000_000 + window, 57), np.nan)
    tokens = np.arange(58.0)

    series = sum_over_time(time, tokens)

    assert series is not None
    assert (series.unit, series.untimed) == (unit, 1)
    assert series.tokens.sum() == sum(range(57))
    (seconds,) = set(np.diff(series.starts).tolist())
    assert series.starts[0] <= time[0] < series.starts[0] + seconds


MONDAY, DAY = 1_767_571_200.0, 86_400.0  # 5 January 2026, 00:00 UTC


def test_weeks_start_on_monday() -> None:
    time = MONDAY + DAY * np.array([-0.01, 0, 6.99, 7, 300, np.nan])

    series = sum_over_time(time, np.array([1.0, 2, np.nan, 8, 16, 32]))

    assert series is not None
    assert (series.unit, series.untimed) == ("week", 1)
    assert series.starts.tolist() == [MONDAY + 7 * DAY * week for week in range(-1, 43)]
    assert series.tokens.tolist() == [1, 2, 8, *[0] * 40, 16]


@pytest.mark.parametrize(
    ("unit", "seconds", "larger"),
    [
        ("minute", 60, "hour"),
        ("hour", 3_600, "day"),
        ("day", DAY, "week"),
        ("week", 7 * DAY, "month of 30 days"),
        ("month of 30 days", 30 * DAY, "year of 365 days"),
        ("year of 365 days", 365 * DAY, "year of 365 days"),
    ],
)
def test_a_series_has_the_smallest_unit_that_needs_at_most_200_bars(
    unit: str, seconds: float, larger: str
) -> None:
    for bars, expected in ((198.9, unit), (199, larger)):
        series = sum_over_time(np.array([0.5, 0.5 + bars * seconds]), np.ones(2))
        assert series is not None
        assert series.unit == expected
        if expected == unit:
            assert set(np.diff(series.starts).tolist()) == {seconds}
            assert series.starts.size in (199, 200)
            since = 345_600 - 604_800 if unit == "week" else 0  # a Monday, and 1970
            assert series.starts[0] == since


def test_there_is_no_series_without_times() -> None:
    assert sum_over_time(np.full(3, np.nan), np.ones(3)) is None
