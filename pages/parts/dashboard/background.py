"""Work in a thread beside the session, while the page shows how far it is."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar


@dataclass
class Board:
    """What the thread reports, and whether it should stop.

    ``token`` is that of the run that it makes, as soon as there is one. The board is separate from
    the work: the thread must not hold the work, or that would never end.
    """

    cancel: threading.Event = field(default_factory=threading.Event)
    error: str | None = None
    token: str | None = None


Reported = TypeVar("Reported", bound=Board)


class Work(Generic[Reported]):
    """Work in progress. It is cancelled when nothing refers to it any more."""

    def __init__(self, name: str, board: Reported, work: Callable[[], None]) -> None:
        """Starts ``work``, which reports on the ``board``; ``name`` is that of the thread."""
        self.board = board
        self._thread = threading.Thread(target=work, name=name, daemon=True)
        weakref.finalize(self, board.cancel.set)
        self._thread.start()

    def cancel(self) -> None:
        """Stops the work soon; what is done by then is kept."""
        self.board.cancel.set()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the work has ended, at most so many seconds."""
        self._thread.join(seconds)

    @property
    def cancelled(self) -> bool:
        return self.board.cancel.is_set()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()
