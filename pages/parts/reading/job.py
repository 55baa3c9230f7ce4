"""Asks a model in a thread beside the session, while the page shows the progress.

A job is known by its token from the start, and its run is kept under the same token when it ends:
a page that is loaded again finds either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from pages.parts import job
from pages.parts.dashboard.kept import Folder, Runs, new_token
from toon.reading.endpoint import Endpoint
from toon.reading.plan import Plan
from toon.reading.run import Budget, Record, ask, write_run

#: The finished runs of this process, for all sessions.
RUNS: Final = Runs()
#: The jobs under way, as long as any session holds them.
JOBS: Final[WeakValueDictionary[str, Asking]] = WeakValueDictionary()


@dataclass
class _Board(job.Board):
    """What the thread reports: the answers so far, those of an earlier run included."""

    records: list[Record] = field(default_factory=list)


class Asking(job.Job[_Board]):
    """Asking in progress; it holds the endpoint, and with it the key, no longer than it lasts."""

