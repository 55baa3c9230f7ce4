"""Where the tokens of an average ticket go in JSON, beside what the TOON/1 document claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypedDict

from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JsonFormat
from toon.layout.breakdown import breakdown
from toon.layout.spans import KINDS
from toon.tokenizers import get

#: The chart "Average ticket: token breakdown" of the document, in the order of ``KINDS``. The
#: document names neither the tickets nor the tokenizer. Only indented JSON has so much whitespace.
CLAIMED: Final = {
    "Field names": 0.38,
    "Punctuation (quotes, braces)": 0.27,
    "Whitespace": 0.15,
    "Actual values": 0.20,
}


class ShareRow(TypedDict):
    """The share of one part of a ticket, 0 to 1, as claimed or in one kind of JSON (``of``).

    The shares of each ``of`` add up to 1.
    """

    part: str
    of: str
    share: float


def average_ticket_shares(tickets: Sequence[Any], tokenizer_name: str) -> list[ShareRow]:
    """The shares of the four parts, over the tokens of all tickets, each written as its own text.

    Args:
        tickets: JSON values, at least one.
        tokenizer_name: A key of ``toon.tokenizers.TOKENIZERS``.

    Raises:
        ValueError: There is no ticket, or no such tokenizer.
    """
    if not tickets:
        raise ValueError("no ticket to measure")
    columns = {"claimed": list(CLAIMED.values())}
    for format in (JSON_PRETTY, JSON_COMPACT):
        columns[format.label] = _shares(tickets, format, tokenizer_name)
    return [
        {"part": part, "of": of, "share": shares[kind]}
        for kind, part in enumerate(CLAIMED)
        for of, shares in columns.items()
    ]


def _shares(tickets: Sequence[Any], format: JsonFormat, tokenizer_name: str) -> list[float]:
    tokenizer = get(tokenizer_name)
    tokens = [0.0] * len(KINDS)
    for ticket in tickets:
        text = format.dumps(ticket)
        shares = breakdown(text, format.layout(text), tokenizer).shares
        tokens = [a + b for a, b in zip(tokens, shares, strict=True)]
    return [count / sum(tokens) for count in tokens]
