"""TOON/1 as a format: tickets, lists of them, boards, ok and errors. Lossy.

The generic form of TOON/1 fits any JSON, but nobody would choose it: here it is not applicable.
"""

import re
from typing import Any, Final

from toon.dialects import ticket
from toon.errors import EncodeError
from toon.formats.base import Format, NotApplicable
from toon.layout.spans import Layout
from toon.text import Parsed

# TOON texts hold no unquoted brackets or braces here. The dialect's documents also print
# envelopes without their marker.
_START: Final = re.compile(
    r"TOON/[0-9]\S*\s+(?:T|BOARD|ERR)?\s*[\[{]"
    r"|(?:\[\s*)?T\{\s*id:|BOARD\{\s*(?:\}|[a-z]+:\s*\[)|ERR\{\s*code:"
)


class TicketFormat(Format):
    """TOON/1, a notation of tickets, as a format: short codes, and dates in place of times."""

    name = "ticket"
    label = "Ticket (TOON/1)"
    lossless = False
    dialect = True
    beginning = _START
    about = "TOON/1, a notation of tickets: short codes, and dates in place of times."
    explanation = (
        "The data is TOON/1. T{...} is a ticket: id, t title, s status (bk backlog, td todo, "
        "ip in progress, bl blocked, dn done, cl cancelled), p priority (cr critical, h high, "
        "m medium, l low), typ type (ft feature, tsk task, ep epic, chr chore), lbl labels, par "
        "parent, ch children, d description, as assignee, ca created, ua updated."
    )

    def dumps(self, value: Any) -> str:
        if ticket.choose_envelope(value) == "generic":
            raise NotApplicable(_explain_refusal(value))
        try:
            return ticket.encode(value)
        except EncodeError as error:
            raise NotApplicable(str(error)) from None

    def read(self, text: str, *, strict: bool = True) -> Parsed:
        """Read a TOON/1 text; return its value and notices. ``strict`` is ignored, since the
        documents of TOON/1 themselves have unquoted blanks and line breaks.
        """
        return ticket.read(text)

    def layout(self, text: str) -> Layout:
        return ticket.layout(text)

    def losses(self, value: Any) -> list[str]:
        """List the fields of tickets that TOON/1 drops or changes; [] for other JSON values."""
        try:
            return ticket.losses(value)
        except EncodeError:
            return []


def _explain_refusal(value: Any) -> str:
    reason = "no ticket: an object with id and title, a list of them, a board, ok or an error"
    if isinstance(value, list):
        number = next(n for n, item in enumerate(value, 1) if not ticket.is_ticket(item))
        return f"item {number} is {reason.partition(',')[0]}"
    if isinstance(value, dict) and {"id", "title"} <= value.keys():
        return "no ticket: its id and its title must be texts"
    return reason


TICKET: Final = TicketFormat()
FORMATS: Final = (TICKET,)
