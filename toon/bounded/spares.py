"""Worker processes that are ready before there is work for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from toon.bounded.process import Process

#: How many processes are ready at most: each holds some 170 MB.
_MOST: Final = 4


class Spares:
    """Processes that wait for work which is expected; those that nobody takes end in time.

    Args:
        memory: Bytes that each may hold; 0 is no limit.
        seconds: How long they wait.
    """

    def __init__(self, memory: int, seconds: float = 600) -> None:
        self._memory, self._seconds = memory, seconds
        self._idle: list[Process] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def prepare(self, count: int, first: Callable[[], object]) -> None:
        """Starts processes until there are so many, or ``_MOST``; each calls ``first`` at once.

        Where the system refuses processes, the work says so.
        """
        with self._lock:
            self._drop_dead()
            with suppress(OSError):
                while len(self._idle) < min(count, _MOST):
                    self._idle.append(Process(self._memory, first))
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(self._seconds, self.end)
            self._timer.daemon = True
            self._timer.start()

    def take(self) -> Process | None:
        """One of the processes, which is the caller's then; None if there is none."""
        with self._lock:
            self._drop_dead()
            return self._idle.pop(0) if self._idle else None  # the last may still be loading

    def end(self) -> None:
        """Ends the processes that nobody has taken."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()

    def _drop_dead(self) -> None:
        for process in [each for each in self._idle if not each.is_alive]:
            self._idle.remove(process)
            process.end()
