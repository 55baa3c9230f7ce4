"""Names of a run's columns that belong to one tokenizer or format; :mod:`.table` lists all."""

from __future__ import annotations


def tokens_of(tokenizer: str, text: str) -> str:
    """Return the column of tokens by a tokenizer; ``text`` is a format, or the text as typed."""
    return f"{tokenizer}.{text}"


def round_trips_of(format: str) -> str:
    """Return the column that holds whether the value came back from the text in a format."""
    return f"round_trips.{format}"


def uses_of(format: str) -> str:
    """Return the column of the constructs that an explanation of the text in a format names."""
    return f"uses.{format}"
