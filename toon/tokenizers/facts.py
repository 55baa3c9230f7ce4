"""What is known of a tokenizer's figures: exact ones, measured errors, and unknown errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toon.wording import percent


@dataclass(frozen=True, slots=True)
class Error:
    """How far estimates were from real counts, as fractions of the real counts.

    ``mean`` is of the absolute errors, ``p95`` their 95th percentile, and ``difference`` the
    largest error of TOON's difference from compact JSON in one payload, whose unit is compact
    JSON. ``texts`` is their number, ``source`` says what they were compared with.
    """

    mean: float
    p95: float
    difference: float
    texts: int
    source: str


class Exact:
    """The facts of a tokenizer that gives the model's own tokens; a base class."""

    exact = True
    error: Error | None = None
    evidence = ""

    def no_estimate(self, text: str) -> str | None:
        """Return None: a count is not an estimate."""
        return None


class _Judged(Protocol):
    @property
    def exact(self) -> bool: ...
    @property
    def error(self) -> Error | None: ...


def band(tokenizer: _Judged) -> str:
    """Return what to say beside a figure: ``exact``, ``≈ ±5 %`` or ``≈, error unknown``.

    The per cent is the measured error's 95th percentile, rounded up.
    """
    if tokenizer.exact:
        return "exact"
    if tokenizer.error is None:
        return "≈, error unknown"
    return f"≈ ±{whole_percent(tokenizer.error)}"


def whole_percent(error: Error) -> str:
    """Return the 95th percentile as a whole per cent, rounded up: ``5 %``."""
    return percent(-(-round(error.p95 * 1000) // 10) / 100)
