"""How shares of right answers stand on the page; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable

from pages.parts.reading.charts import Share
from toon.formats import label
from toon.reading.statistics import Interval, Paired, wilson
from toon.wording import percent, signed_points


def right_share(row: str, format: str, right: int, asked: int) -> Share:
    """The share of right answers in a row of a chart."""
    interval = wilson(right, asked)
    text = percent(right / asked, 1)
    words = f"{text} ({percent(interval.low, 1)} to {percent(interval.high, 1)})"
    return Share(row, format, right / asked, interval, text, words)


def difference(row: str, format: str, paired: Paired) -> Share:
    """A paired difference in a row of a chart."""
    text = signed_points(paired.difference)
    words = f"{text} points ({interval_words(paired.interval)})"
    return Share(row, format, paired.difference, paired.interval, text, words, paired.is_seen)


def interval_words(interval: Interval) -> str:
    """An interval of a difference in points."""
    return f"{signed_points(interval.low)} to {signed_points(interval.high)}"


def told(shares: Iterable[Share]) -> str:
    """What a chart shows, in words."""
    return "; ".join(f"{_row(one)}: {one.words}" for one in shares)


def _row(one: Share) -> str:
    name = label(one.format)
    return name if name == one.label else f"{one.label}, {name}"
