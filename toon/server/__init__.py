"""The server's state for as long as it runs: worker processes, texts and runs.

:data:`SERVER` is the server of this process. Routes, pages and jobs ask it; ``app.py`` starts and
ends it. Nothing starts before it is needed, so commands and tests pay nothing for it.

Caches of pure functions, and threads that hold nothing between two calls, stand where they are
used: they need no start and no end.
"""

from collections.abc import Callable
from typing import Final

from toon.bounded import Pool
from toon.playground.panes import Documents
from toon.server.runs import Runs, remove_folders, sweep


class Server:
    """The objects that all users of one server process share.

    Attributes:
        pool: The worker processes for untrusted input.
        documents: The texts of the editors.
        runs: The measured logs of the dashboard.
    """

    def __init__(self) -> None:
        self.pool = Pool()
        self.documents = Documents()
        self.runs = Runs()

    def start(self, load: Callable[[], object]) -> None:
        """Remove files of killed servers; start worker processes, which first call ``load``."""
        sweep()
        self.pool.prepare(load)

    def end(self) -> None:
        """End all worker processes and remove this server's files."""
        self.pool.close()
        remove_folders()


SERVER: Final = Server()
