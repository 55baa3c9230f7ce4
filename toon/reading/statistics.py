"""Statistics of right answers: intervals of shares, and paired tests.

Two formats are compared on the same questions. Only questions that one format alone got right tell
them apart: the format's own are ``gained``, the baseline's are ``lost``.
"""

from bisect import bisect
from math import comb, sqrt
from typing import Final, NamedTuple

#: The quantile of the normal distribution for two-sided intervals of 95 %.
_Z: Final = 1.959963984540054
#: The level of significance: a difference with a smaller p value is called seen.
SIGNIFICANT: Final = 0.05
#: The power of a run: the share of such runs in which the difference is seen.
POWER: Final = 0.8
_POWER_Z: Final = 0.8416212335729143
#: The fewest discordant answers, all on one side, that are significant: 2 / 2**6 < 0.05.
_FEWEST_DISCORDANT: Final = 6
#: The number of steps in which the search for a difference divides 0 to 1.
_STEPS: Final = 2**40


class Interval(NamedTuple):
    """The ends of a 95 % interval of a share or of a difference of shares, as fractions."""

    low: float
    high: float


def wilson(right: int, asked: int) -> Interval:
    """Return Wilson's 95 % interval of the share ``right / asked``; ``asked`` is above 0."""
    share, z2 = right / asked, _Z * _Z
    centre = (share + z2 / (2 * asked)) / (1 + z2 / asked)
    spread = _Z / (1 + z2 / asked) * sqrt(share * (1 - share) / asked + z2 / (4 * asked * asked))
    # Rounding must not leave the share itself outside.
    return Interval(max(0.0, min(share, centre - spread)), min(1.0, max(share, centre + spread)))


class Share(NamedTuple):
    """The number of right answers and of questions asked; the properties need a question."""

    right: int
    asked: int

    @property
    def accuracy(self) -> float:
        return self.right / self.asked

    @property
    def interval(self) -> Interval:
        return wilson(self.right, self.asked)


class Paired(NamedTuple):
    """How many questions two formats both got right, only the one, only the other, and neither."""

    both: int
    gained: int
    lost: int
    neither: int

    @property
    def asked(self) -> int:
        return sum(self)

    @property
    def discordant(self) -> float:
        """Fraction of the questions that only one of the two formats got right."""
        return (self.gained + self.lost) / self.asked

    @property
    def difference(self) -> float:
        """Fraction of the questions that the first format got right, minus the second's."""
        return (self.gained - self.lost) / self.asked

    @property
    def p_value(self) -> float:
        """The probability of such a difference in right answers by chance (exact McNemar test)."""
        discordant = self.gained + self.lost
        tail = ways = 1
        for number in range(min(self.gained, self.lost)):
            ways = ways * (discordant - number) // (number + 1)
            tail += ways
        return min(1.0, 2 * tail / (1 << discordant))

    @property
    def is_test(self) -> bool:
        """Whether some answer was right: 0 of 10 beside 0 of 10 says nothing about the formats."""
        return self.neither < self.asked

    @property
    def is_seen(self) -> bool:
        """Whether the difference in right answers is significant: its interval then excludes 0."""
        return self.p_value < SIGNIFICANT

    @property
    def smallest_seen(self) -> float:
        """Smallest difference in right answers, 0 to 1, that 80 % of runs as long would show."""
        return smallest_seen(self.asked, self.discordant)

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference in right answers (Newcombe 1998, method 10, paired).

        It reaches to 0 where the exact test sees no difference: with few discordant answers the
        test is the stricter of the two.
        """
        first, second = self.both + self.gained, self.both + self.lost
        one, other = wilson(first, self.asked), wilson(second, self.asked)
        p1, p2 = first / self.asked, second / self.asked
        correlation = self._correlation(first, second)

        def spread(below: float, above: float) -> float:
            square = below * below - 2 * correlation * below * above + above * above
            return sqrt(max(0.0, square))

        difference = p1 - p2
        low = difference - spread(p1 - one.low, other.high - p2)
        high = difference + spread(one.high - p1, p2 - other.low)
        if not self.is_seen:
            low, high = min(low, 0.0), max(high, 0.0)
        return Interval(max(-1.0, low), min(1.0, high))

    def _correlation(self, first: int, second: int) -> float:
        product = first * (self.asked - first) * second * (self.asked - second)
        if not product:
            return 0.0
        covered = float(self.both * self.neither - self.gained * self.lost)
        if covered > 0:
            covered = max(covered - self.asked / 2, 0.0)
        return covered / sqrt(product)


def smallest_seen(questions: int, discordant: float) -> float:
    """Return the smallest difference in right answers that so many questions show in 80 % of runs.

    It is a fraction; 1 means that they cannot show any. ``discordant`` is the fraction of questions
    that one format alone gets right. Where it is below the difference, no question is lost where
    others are gained.
    """
    if questions < _FEWEST_DISCORDANT:
        return 1.0

    def is_shown(step: int) -> bool:
        difference = step / _STEPS
        if discordant <= difference:
            fewer = (
                comb(questions, many) * difference**many * (1 - difference) ** (questions - many)
                for many in range(_FEWEST_DISCORDANT)
            )
            return 1 - sum(fewer) >= POWER
        # The normal approximation, corrected for whole questions as in the exact test.
        spread = _Z * sqrt(discordant) + _POWER_Z * sqrt(discordant - difference * difference)
        return questions * difference - 1 >= spread * sqrt(questions)

    return bisect(range(_STEPS), False, key=is_shown) / _STEPS
