"""Where the tokens of a ticket go, measured and claimed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.dialects.tickets import FIRST
from toon.evidence.ticket_shares import average_ticket_shares
from toon.formats.json import JSON_COMPACT
from toon.tokenizers import get

TICKETS = json.loads((ROOT / "samples" / "tickets.json").read_text())


def shares(tickets: list[Any]) -> dict[str, list[float]]:
    """The shares of names, punctuation, whitespace and values, by what they are shares of."""
    columns: dict[str, list[float]] = {}
    for row in average_ticket_shares(tickets, "o200k_base"):
        columns.setdefault(row["of"], []).append(row["share"])
    return columns


def test_the_shares_are_of_json_and_far_from_the_claimed_ones() -> None:
    claimed, pretty, compact = shares(TICKETS).values()

    assert [sum(column) for column in (claimed, pretty, compact)] == pytest.approx([1, 1, 1])
    assert compact[2] == 0
    assert pretty[2] > 0.15
    assert pretty[0] < compact[0] < 0.2 < claimed[0]
    assert compact[3] > pretty[3] > 0.4 > claimed[3]


def test_the_average_weighs_tickets_by_their_tokens() -> None:
    """Two equal tickets have the shares of one, and one ticket has the shares of its text."""
    count = get("o200k_base").count(json.dumps(FIRST, separators=(",", ":")))

    assert shares([FIRST] * 2) == shares([FIRST])
    assert shares([FIRST])[JSON_COMPACT.label][1] * count == pytest.approx(19)


def test_missing_tickets_and_unknown_tokenizers_are_refused() -> None:
    with pytest.raises(ValueError, match="no ticket to measure"):
        average_ticket_shares([], "o200k_base")
    with pytest.raises(ValueError, match="nope"):
        average_ticket_shares([FIRST], "nope")
