"""Records of a log file: payloads to measure, and bad records."""

from dataclasses import dataclass
from typing import Final, TypeAlias

#: How the reason of a sound record that is not JSON starts.
SKIPPED: Final = "skipped: "
#: How the reason starts where the log kept only the beginning of a result.
CUT: Final = f"{SKIPPED}cut off by the log"


@dataclass(frozen=True, slots=True)
class Payload:
    """A JSON text in a log that was sent to a model, or could have been: what is measured.

    ``source`` is its file (in an archive: ``archive.zip/name``). ``record`` is its number in the
    file, from 1; in line-based files it is the line. ``group`` is its endpoint or tool. ``time`` is
    in seconds since 1970 and ``model`` the receiving model; each is None if the file names none.
    ``path`` leads to it in its record, with ``[]`` for any item; "" is the record itself. ``turn``
    is the number of the call that asked for it in :class:`toon.traffic.turns.Turns`, or None.
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
    """A record of a log that cannot be read or holds nothing to measure, and the reason.

    A sound record that is not JSON has a reason that starts with ``SKIPPED``, and is counted apart.
    Its ``text``, if known, was sent all the same, so its tokens count. ``time`` is in seconds since
    1970, or None. ``group`` is the tool that answered it, or "", and ``turn`` the call that asked
    for it.
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
    """The bad record of a file that is not opened, because its name tells of credentials."""


Record: TypeAlias = Payload | BadRecord
