"""Names of a run's columns that belong to one tokenizer or format; :mod:`.table` lists all."""

from __future__ import annotations


def tokens_of(tokenizer: str, text: str) -> str:
    """Tokens by a tokenizer; ``text`` is the name of a format, or that of the text as typed."""
    return f"{tokenizer}.{text}"


def round_trips_of(format: str) -> str:
    """Whether the value came back from the text in a format."""
    return f"round_trips.{format}"


def uses_of(format: str) -> str:
    """The constructs that explaining the text in a format must name."""
    return f"uses.{format}"
