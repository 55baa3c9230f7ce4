"""The state that the server keeps as long as it runs: worker processes, texts and runs.

:data:`SERVER` is the server of this process. Routes, pages and jobs ask it; ``app.py`` starts and
ends it. Nothing starts before it is needed, so commands and tests that need nothing pay nothing.

Other things that live as long as the process stand where they are used, because nobody has to start
or end them: caches of pure functions, and threads that hold nothing between two calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toon.bounded import Pool
from toon.playground.documents import Documents
from toon.server.runs import Runs, remove_folders, sweep


class Server:
    """The things that all users of one process share.

    Attributes:
        pool: The processes that work on untrusted input.
        documents: The texts of the editors.
        runs: The runs of the dashboard.
    """

    def __init__(self) -> None:
        self.pool = Pool()
        self.documents = Documents()
        self.runs = Runs()

    def start(self, load: Callable[[], object]) -> None:
        """Remove what killed servers left, and start processes; each calls ``load`` first."""
        sweep()
        self.pool.prepare(load)

    def end(self) -> None:
        """End all processes and remove what is on disk."""
        self.pool.close()
        remove_folders()


SERVER: Final = Server()
