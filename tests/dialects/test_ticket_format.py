"""TOON/1 as a format: what is not applicable, and losses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from tests.conftest import ROOT
from tests.dialects.tickets import FIRST, FIRST_TEXT, normal_payload, payloads
from toon.formats.base import NotApplicable
from toon.formats.ticket import TICKET

A: dict[str, Any] = {"id": "a", "title": "x"}
REASON = "no ticket: an object with id and title, a list of them, a board, ok or an error"


def test_a_ticket_is_written_and_read() -> None:
    assert TICKET.dumps(FIRST) == FIRST_TEXT
    assert TICKET.loads(FIRST_TEXT) == FIRST | {"created_at": "2024-01-15"}
    assert TICKET.loads("T{id:a,t:x y}") == {"id": "a", "title": "x y"}
    assert (TICKET.name, TICKET.label, TICKET.lossless) == ("ticket", "Ticket (TOON/1)", False)


@pytest.mark.rest
@given(payloads)
def test_losses_are_named(value: Any) -> None:
    returned = TICKET.loads(TICKET.dumps(value))

    assert returned == normal_payload(value)
    assert bool(TICKET.losses(value)) == (returned != value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1, REASON), ({}, REASON), ({"id": "a"}, REASON), ({"a": [A]}, REASON),
        ({"id": 1, "title": "x"}, "no ticket: its id and its title must be texts"),
        ([A, {"id": "b"}], "item 2 is no ticket: an object with id and title"),
        (A | {"status": "zz"}, "$.status: unknown status 'zz': it is one of backlog, todo, "
         "in_progress, done, blocked, cancelled"),
        (A | {"title": "\ud800"}, r"$.title: lone surrogate in '\ud800': UTF-8 cannot carry it"),
    ],
)  # fmt: skip
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable) as caught:
        TICKET.dumps(value)

    assert str(caught.value) == reason
    assert TICKET.losses(value) == []


def test_the_bundled_tickets_lose_their_details() -> None:
    tickets = json.loads((ROOT / "samples" / "tickets.json").read_text())

    assert TICKET.losses(tickets)[:3] == [
        "description of 3 tickets",
        "assignee of 4 tickets",
        "created_at cut to its date in 8 tickets",
    ]
