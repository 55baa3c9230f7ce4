"""The limits of one piece of work, and the error of work that passes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from toon.limits import WORK_BYTES, WORK_OUTPUT_BYTES, WORK_SECONDS

Limit = Literal["seconds", "memory", "output", "depth", "wait", "crowd", "start", "end"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one piece of work; None means no limit.

    Memory is limited for a process as a whole.
    """

    seconds: float | None = WORK_SECONDS
    output: int | None = WORK_OUTPUT_BYTES


#: The limits that the operator sets.
STANDARD: Final = Bounds()


class Stopped(RuntimeError):
    """Work that was stopped because its result is no longer wanted."""


class Exceeded(RuntimeError):
    """Work that was not done; the message names the limit, and the setting that changes it."""

    def __init__(
        self, limit: Limit, bounds: Bounds = STANDARD, end: str = "ended unexpectedly"
    ) -> None:
        super().__init__(limit, bounds, end)  # the pickle's arguments
        self.limit = limit
        self._bounds = bounds
        self._end = end

    @property
    def is_of_others(self) -> bool:
        """Whether the work was never begun, because of other work."""
        return self.limit in ("wait", "crowd", "start")

    def __str__(self) -> str:
        seconds = f"{self._bounds.seconds or 0:g} seconds"
        output = f"{(self._bounds.output or 0) / 1e6:,g} MB"
        return {
            "seconds": f"not done in {seconds}, the limit that TOON_WORK_SECONDS sets",
            "wait": f"not begun in {seconds}, because other work is under way; "
            "TOON_WORK_SECONDS sets this limit",
            "crowd": "not begun, because too much other work waits already",
            "memory": f"needs more than {WORK_BYTES / 1e6:,g} MB of memory, the limit that "
            "TOON_WORK_BYTES sets",
            "output": f"gives more than {output}, the limit that TOON_WORK_OUTPUT_BYTES sets",
            "depth": "nested too deeply for this",
            "start": "not begun, because the system refuses another process",
            "end": f"not done, because the process that worked on it {self._end}",
        }[self.limit]
