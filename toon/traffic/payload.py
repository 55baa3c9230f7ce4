"""What readers find in a file: payloads to measure, and bad records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

#: How the reason of a record starts that is as it should be, but not JSON, such as a script.
SKIPPED: Final = "skipped: "
#: How the reason begins where a log kept no more than the beginning of a result.
CUT: Final = f"{SKIPPED}cut off by the log"


@dataclass(frozen=True, slots=True)
class Payload:
    """One JSON text that was sent to a model, or could have been.

    ``source`` is its file (in an archive: ``archive.zip/name``). ``record`` is its number in the
    file, from 1; in line-based files it is the line. ``group`` is its endpoint or tool. ``time`` is
    in seconds since 1970, ``model`` the model it was sent to; each is None if the file does not
    give it. ``path`` is where it lay in its record, with ``[]`` for any item; "" is the record
    itself. ``turn`` is the call that asked for it, of :class:`toon.traffic.turns.Turns`; None if
    the file does not tell.
    """

    source: str
    record: int
    group: str
    text: str
    time: float | None = None
    model: str | None = None
    path: str = ""
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be read or holds nothing to measure, and the reason.

    One that is only not JSON has a reason that starts with ``SKIPPED``, and is counted apart; its
    ``text`` was sent all the same, so its tokens are counted if it is here. ``time`` is in seconds
    since 1970, None if it is not known. ``group`` is the tool that answered it, "" if none did, and
    ``turn`` the call that asked for it.
    """

    source: str
    record: int
    reason: str
    text: str = ""
    time: float | None = None
    group: str = ""
    turn: int | None = None

    @property
    def is_skipped(self) -> bool:
        return self.reason.startswith(SKIPPED)


@dataclass(frozen=True, slots=True)
class LeftOut(BadRecord):
    """A file that is never opened, because its name says that it may hold credentials."""


Record: TypeAlias = Payload | BadRecord
