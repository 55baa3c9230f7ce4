"""Intervals and tests against published examples, enumeration and simulation."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.reading.statistics import POWER, SIGNIFICANT, Paired, smallest_effect, wilson

counts = st.integers(0, 300)
pairs = st.builds(Paired, counts, st.integers(0, 40), st.integers(0, 40), counts).filter(sum)


def test_wilson_equals_the_published_examples() -> None:
    """Newcombe 1998, Statistics in Medicine 17, 857 to 872, table I, method 3."""
    shares = [(81, 263), (15, 148), (0, 20), (1, 29)]
    limits = [tuple(round(limit, 4) for limit in wilson(*share)) for share in shares]
    assert limits == [(0.2553, 0.3662), (0.0624, 0.1605), (0.0, 0.1611), (0.0061, 0.1718)]


@given(st.integers(1, 1000).flatmap(lambda asked: st.tuples(st.integers(0, asked), st.just(asked))))
def test_wilson_holds_the_shares_that_a_score_test_keeps(share: tuple[int, int]) -> None:
    """A limit is a share from which the observed one is 1.96 standard errors away."""
    right, asked = share
    low, high = wilson(right, asked)

    assert 0 <= low <= right / asked <= high <= 1
    for limit in {low, high} - {0.0, 1.0}:
        error = (limit * (1 - limit) / asked) ** 0.5
        assert abs(right / asked - limit) / error == pytest.approx(1.959964, rel=1e-4)


def test_the_interval_of_a_difference_equals_the_published_examples() -> None:
    """Newcombe 1998, Statistics in Medicine 17, 2635 to 2650, table II, method 10."""
    intervals = [Paired(36, 12, 2, 0).interval, Paired(20, 12, 2, 16).interval]
    limits = [tuple(round(limit, 4) for limit in interval) for interval in intervals]
    assert limits == [(0.0569, 0.3404), (0.0562, 0.3292)]


@pytest.mark.parametrize("discordant", range(9))
def test_the_p_value_is_that_of_tossing_a_coin(discordant: int) -> None:
    """Every way in which the discordant answers can fall, counted one by one."""
    tosses = [sum(toss) for toss in product((0, 1), repeat=discordant)]
    for gained in range(discordant + 1):
        distance = abs(2 * gained - discordant)
        as_far = sum(abs(2 * heads - discordant) >= distance for heads in tosses)

        p_value = Paired(50, gained, discordant - gained, 3).p_value
        assert p_value == float(Fraction(as_far, len(tosses)))


@given(pairs)
def test_gains_and_losses_mirror_each_other(pair: Paired) -> None:
    mirrored = pair._replace(gained=pair.lost, lost=pair.gained)

    assert mirrored.difference == -pair.difference
    assert mirrored.p_value == pair.p_value
    assert mirrored.interval == pytest.approx((-pair.interval.high, -pair.interval.low))


@given(pairs)
def test_the_interval_holds_the_difference_and_leaves_out_zero_only_if_it_is_seen(
    pair: Paired,
) -> None:
    low, high = pair.interval

    assert -1 <= low <= pair.difference <= high <= 1
    assert (low <= 0 <= high) == (pair.p_value >= SIGNIFICANT)
    assert pair.is_seen == (pair.p_value < SIGNIFICANT)


def share_seen(questions: int, difference: float, discordant: float) -> float:
    """The share of 4,000 runs drawn by chance that show the difference."""
    gains = (discordant + difference) / 2
    shares = [gains, max(0.0, discordant - gains), 1 - discordant]
    draws = np.random.default_rng(20).multinomial(questions, shares, size=4_000)
    different, times = np.unique(draws[:, :2], axis=0, return_counts=True)
    seen = [Paired(0, int(gained), int(lost), questions).is_seen for gained, lost in different]
    return float(times[seen].sum() / times.sum())


def test_the_smallest_difference_that_is_shown() -> None:
    numbers = (0, 5, 6, 20, 60, 244, 1000)
    shown = [round(100 * smallest_effect(number, 0), 1) for number in numbers]

    assert shown == [100.0, 100.0, 96.3, 36.6, 12.9, 3.2, 0.8]


@pytest.mark.parametrize(
    ("questions", "discordant"),
    [*product((10, 20, 60, 244, 1000), (0,)), *product((60, 244, 1000), (0.05, 0.1, 0.3))],
)
def test_the_smallest_difference_at_a_spread_is_seen_in_four_runs_of_five(
    questions: int, discordant: float
) -> None:
    difference = smallest_effect(questions, discordant)

    assert difference >= smallest_effect(questions, 0)
    seen = share_seen(questions, difference, max(difference, discordant))
    assert POWER - 0.02 <= seen < POWER + (0.09 if discordant else 0.02)


def test_no_right_answer_is_no_test() -> None:
    assert not Paired(0, 0, 0, 10).is_test
    assert Paired(1, 0, 0, 9).is_test
    assert Paired(0, 0, 1, 0).is_test
