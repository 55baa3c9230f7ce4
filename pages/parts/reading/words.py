"""How shares of right answers stand on the page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable

from pages.parts.reading.charts import Share
from toon.reading.results import points
from toon.reading.statistics import SIGNIFICANT, Interval, Paired, wilson
from toon.wording import percent


def right_share(row: str, format: str, right: int, asked: int) -> Share:
    """The share of right answers in a row of a chart."""
    interval = wilson(right, asked)
    text = percent(right / asked, 1)
    words = f"{text} ({percent(interval.low, 1)} to {percent(interval.high, 1)})"
    return Share(row, format, right / asked, interval, text, words)


def difference(row: str, format: str, paired: Paired) -> Share:
    """A paired difference in a row of a chart."""
    text = points(paired.difference)
    words = f"{text} points ({interval_words(paired.interval)})"
    seen = paired.p_value < SIGNIFICANT
    return Share(row, format, paired.difference, paired.interval, text, words, seen)


def interval_words(interval: Interval) -> str:
    """An interval of a difference in points."""
    return f"{points(interval.low)} to {points(interval.high)}"


def told(shares: Iterable[Share]) -> str:
    """What a chart shows, in words."""
    return "; ".join(f"{one.label}: {one.words}" for one in shares)
