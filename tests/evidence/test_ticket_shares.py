"""Where the tokens of a ticket go, measured and claimed."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from tests.dialects.tickets import FIRST
from toon.evidence.ticket_shares import average_ticket_shares
from toon.tokenizers import get

TICKETS = json.loads((ROOT / "samples" / "tickets.json").read_text())


def test_each_column_adds_up() -> None:
    rows = average_ticket_shares(TICKETS, "o200k_base")

    for column in ("pretty", "compact", "claimed"):
        assert sum(getattr(row, column) for row in rows) == pytest.approx(1)


def test_compact_json_has_no_whitespace_and_indented_json_has() -> None:
    whitespace = average_ticket_shares(TICKETS, "o200k_base")[2]

    assert whitespace.compact == 0
    assert whitespace.pretty > 0.15


def test_names_take_far_less_than_claimed() -> None:
    names, _, _, values = average_ticket_shares(TICKETS, "o200k_base")

    assert names.pretty < names.compact < 0.2 < names.claimed
    assert values.compact > values.pretty > 0.4 > values.claimed


def test_the_average_weighs_tickets_by_their_tokens() -> None:
    """Two equal tickets have the shares of one, and one ticket has the shares of its text."""
    count = get("o200k_base").count(json.dumps(FIRST, separators=(",", ":")))

    assert average_ticket_shares([FIRST] * 2, "o200k_base") == average_ticket_shares(
        [FIRST], "o200k_base"
    )
    punctuation = average_ticket_shares([FIRST], "o200k_base")[1]
    assert punctuation.compact * count == pytest.approx(19)


def test_missing_tickets_and_unknown_tokenizers_are_refused() -> None:
    with pytest.raises(ValueError, match="no ticket to measure"):
        average_ticket_shares([], "o200k_base")
    with pytest.raises(ValueError, match="nope"):
        average_ticket_shares([FIRST], "nope")
