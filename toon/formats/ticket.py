"""TOON/1 as a format: tickets, lists of them, boards, ok and errors. Nothing else, and lossy.

What it is for is compared here, so the generic form, which any JSON has, is left to
:func:`toon.dialects.ticket.encode`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from toon.dialects.ticket.decoder import decode
from toon.dialects.ticket.encoder import Encoded, encode, envelope_of, is_ticket
from toon.dialects.ticket.layout import ticket_layout
from toon.errors import EncodeError
from toon.formats.base import Format, NotApplicable
from toon.layout.spans import Layout
from toon.text import Parsed

# Unquoted, no TOON text holds a bracket or brace. The documents print envelopes without their
# marker, too.
_START: Final = re.compile(
    r"TOON/[0-9]\S*\s+(?:T|BOARD|ERR)?\s*[\[{]"
    r"|(?:\[\s*)?T\{\s*id:|BOARD\{\s*(?:\}|[a-z]+:\s*\[)|ERR\{\s*code:"
)


@dataclass(frozen=True, slots=True)
class TicketFormat(Format):
    """TOON/1 in its canonical form: summaries in lists and boards, dates for times."""

    name: str = "ticket"
    label: str = "Ticket (TOON/1)"
    lossless: bool = False
    dialect: bool = True
    explanation: str = (
        "The data is TOON/1. T{...} is a ticket: id, t title, s status (bk backlog, td todo, "
        "ip in progress, bl blocked, dn done, cl cancelled), p priority (cr critical, h high, "
        "m medium, l low), typ type (ft feature, tsk task, ep epic, chr chore), lbl labels, par "
        "parent, ch children, d description, as assignee, ca created, ua updated."
    )

    def dumps(self, value: Any) -> str:
        return _encoded(value).text

    def loads(self, text: str) -> Any:
        return self.read(text).value

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Tolerant always: the documents themselves print bare blanks and line breaks."""
        return decode(text)

    def recognises(self, text: str) -> bool:
        return _START.match(text) is not None

    def layout(self, text: str) -> Layout:
        return ticket_layout(text)

    def losses(self, value: Any) -> list[str]:
        """The fields that the canonical form leaves out or changes; [] for what it cannot carry."""
        try:
            return list(_encoded(value).losses)
        except NotApplicable:
            return []


def _encoded(value: Any) -> Encoded:
    if envelope_of(value) == "generic":
        raise NotApplicable(_why_not(value))
    try:
        return encode(value)
    except EncodeError as error:
        raise NotApplicable(str(error)) from None


def _why_not(value: Any) -> str:
    reason = "no ticket: an object with id and title, a list of them, a board, ok or an error"
    if isinstance(value, list):
        number = next(number for number, item in enumerate(value, 1) if not is_ticket(item))
        return f"item {number} is {reason.partition(',')[0]}"
    if isinstance(value, dict) and {"id", "title"} <= value.keys():
        return "no ticket: its id and its title must be texts"
    return reason


TICKET: Final = TicketFormat()
