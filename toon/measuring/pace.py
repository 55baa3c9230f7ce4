"""The progress of a run, for people who wait: the share that is done, and the time left."""

from __future__ import annotations

from typing import Final

from toon.measuring.run import Progress
from toon.wording import duration, percent

#: The part of the share that reading fills; measuring, which is slower, fills the others.
_READING: Final = 0.1
#: The share before which no time is estimated: starting processes tells nothing of the rest.
_STEADY: Final = 0.1


class Pace:
    """The share of a run that is ``done``, 0 to 1, and the seconds that are ``left``.

    The share never falls and the seconds never rise. The seconds are None until estimated.
    """

    def __init__(self, total: int) -> None:
        """Begin a run of files with ``total`` bytes, as stored."""
        self._total = max(1, total)
        self.done = 0.0
        self.left: float | None = None

    def see(self, progress: Progress, read: int = 0) -> None:
        """Take in the progress of a run, of whose files ``read`` bytes have been read.

        Time is estimated at each step of measuring, not between two: waiting for a step would make
        it rise.
        """
        measured = min(1.0, progress.read / self._total)
        ahead = min(1.0, max(read, progress.read) / self._total)
        self.done = max(self.done, _READING * ahead + (1 - _READING) * measured)
        new = measured * progress.new_records / max(1, progress.records)
        if new >= _STEADY:
            left = progress.seconds * (1 - measured) / new
            self.left = left if self.left is None else min(left, self.left)

    @property
    def words(self) -> str:
        """Return the share and the time left: ``43 %, about 12 seconds left``."""
        share = percent(int(100 * self.done) / 100)
        if self.left is None or self.left < 1:
            return share
        return f"{share}, about {duration(self.left)} left"
