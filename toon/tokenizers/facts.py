"""What is known of a tokenizer's figures: exact ones, measured errors, and unknown errors."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from toon.wording import marked, percent

#: The band of an estimate whose error is not known.
UNKNOWN_BAND: Final = "≈, error unknown"
UNMEASURED: Final = "how far off the kinds are was not measured"


@dataclass(frozen=True, slots=True)
class Error:
    """How far estimates were from real counts, as fractions of the real counts.

    ``mean`` is of the absolute errors, ``p95`` their 95th percentile. ``difference`` is the 95th
    percentile of the errors of the difference between any two formats of one payload, as fractions
    of the larger's real tokens. ``texts`` is the number of estimates, ``source`` says what they
    were compared with. Nothing is known of texts of less than the ``fewest`` tokens.
    """

    mean: float
    p95: float
    difference: float
    texts: int
    source: str
    fewest: int = 0

    @property
    def within(self) -> str:
        """What 95 of 100 estimates are within, as a whole per cent, rounded up: ``±5 %``."""
        return f"±{_rounded_up(self.p95)}"

    @property
    def saving_within(self) -> str:
        """What 95 of 100 differences between two formats are within, in tokens of the larger."""
        return f"±{_rounded_up(self.difference)}"


def _rounded_up(share: float) -> str:
    return percent(-(-round(share * 1000) // 10) / 100)


class Exact:
    """The facts of a tokenizer that gives the model's own tokens; a base class."""

    exact = True
    witnesses: tuple[str, ...] = ()
    error: Error | None = None
    band = "exact"
    caveat = ""
    kinds_caveat = ""

    def __init__(self, name: str, label: str, evidence: str = "") -> None:
        self.name, self.label, self.evidence = name, label, evidence

    def no_estimate(self, text: str, others: Iterable[str] = ()) -> str | None:
        """Return None: a count is not an estimate."""
        return None

    def at(self, tokens: float) -> Self:
        """Return what is known of a text of so many tokens: the same."""
        return self


class Estimated:
    """The facts of an estimate: its error, where that was measured; a base class."""

    exact = False
    witnesses: tuple[str, ...] = ()
    error: Error | None

    def at(self, tokens: float) -> Self:
        """Return what is known of a text of so many tokens: too few have no known error."""
        if self.error is None or tokens >= self.error.fewest:
            return self
        other = copy.copy(self)
        other.error = None
        return other

    @property
    def kinds_caveat(self) -> str:
        return f"Estimated tokens are spread evenly over the bytes: {UNMEASURED}"

    @property
    def band(self) -> str:
        return marked(self.error.within, exact=False) if self.error else UNKNOWN_BAND

    @property
    def caveat(self) -> str:
        if self.error is None:
            return "≈ Estimates, error unknown"
        return (
            f"≈ Estimates: tokens {self.error.within}, "
            f"differences between two formats {self.error.saving_within} of the larger's tokens"
        )
