"""Where the tokens of an average ticket go in JSON, measured, beside what the document claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JsonFormat
from toon.layout.breakdown import breakdown
from toon.layout.spans import KINDS
from toon.tokenizers import get

#: The document's pie "Average ticket: token breakdown", in the order of ``KINDS``. It names
#: neither the tickets nor the tokenizer; its share of whitespace fits indented JSON alone.
CLAIMED: Final = {
    "Field names": 0.38,
    "Punctuation (quotes, braces)": 0.27,
    "Whitespace": 0.15,
    "Actual values": 0.20,
}


class ShareRow(NamedTuple):
    """The share, 0 to 1, of one part of a ticket in indented JSON, in compact JSON and as claimed.

    The shares of each column add up to 1.
    """

    part: str
    pretty: float
    compact: float
    claimed: float


def average_ticket_shares(tickets: Sequence[Any], tokenizer_name: str) -> list[ShareRow]:
    """The four parts of ``tickets``, each written as a JSON text of its own; tokens are summed up.

    Args:
        tickets: JSON values, at least one.
        tokenizer_name: a key of ``toon.tokenizers.TOKENIZERS``.

    Raises:
        ValueError: there is no ticket, or no such tokenizer.
    """
    if not tickets:
        raise ValueError("no ticket to measure")
    pretty = _shares(tickets, JSON_PRETTY, tokenizer_name)
    compact = _shares(tickets, JSON_COMPACT, tokenizer_name)
    return [
        ShareRow(part, pretty[kind], compact[kind], CLAIMED[part])
        for kind, part in enumerate(CLAIMED)
    ]


def _shares(tickets: Sequence[Any], format: JsonFormat, tokenizer_name: str) -> list[float]:
    tokenizer = get(tokenizer_name)
    tokens = [0.0] * len(KINDS)
    for ticket in tickets:
        text = format.dumps(ticket)
        found = breakdown(text, format.layout(text), tokenizer)
        tokens = [a + b for a, b in zip(tokens, found.shares, strict=True)]
    return [count / sum(tokens) for count in tokens]
