"""How far a run is, for people who wait: the share that is done, and the time it still takes."""

from __future__ import annotations

from typing import Final

from toon.measuring.run import Progress
from toon.wording import duration, percent

#: The part of the share that reading fills; measuring, which is slower, fills the rest.
_READING: Final = 0.1
#: No time is said before this share is measured: the start of processes says nothing of the rest.
_STEADY: Final = 0.1


class Pace:
    """The share of a run that is ``done``, 0 to 1, and the seconds that are ``left``.

    The share never falls and the seconds never rise. They are None until they can be estimated.
    """

    def __init__(self, total: int) -> None:
        """Begins a run of files with ``total`` bytes in all, as they are stored."""
        self._total = max(1, total)
        self.done = 0.0
        self.left: float | None = None

    def see(self, progress: Progress, read: int = 0) -> None:
        """Takes in how far a run is; ``read`` bytes of the files have been read by now.

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
        """The share and the time left: ``43 %, about 12 seconds left``."""
        share = percent(int(100 * self.done) / 100)
        if self.left is None or self.left < 1:
            return share
        return f"{share}, about {duration(self.left)} left"
