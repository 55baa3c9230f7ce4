"""Asks a model in a thread beside the session, while the page shows the progress.

A job is known by its token from the start, and its run is kept under the same token when it ends:
a page that is loaded again finds either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from pages.parts.runs import job
from toon.files import write_file
from toon.reading.asking import Order, ask
from toon.reading.run import Record, begin, to_parquet
from toon.server import SERVER
from toon.server.runs import Folder, new_token

#: The jobs under way, as long as any session holds them.
JOBS: Final[WeakValueDictionary[str, Asking]] = WeakValueDictionary()


@dataclass
class _Board(job.Board):
    """What the thread reports: how many answers there are, and why not all were asked for."""

    answered: int = 0
    failed: int = 0
    tokens: int = 0
    stopped: str = ""
    is_kept: bool = False


class Asking(job.Job[_Board]):
    """Asking in progress. The order, and with it the key, is the thread's alone."""

    def __init__(self, order: Order) -> None:
        self.name, self.requests = order.name, order.plan.requests
        token, answered = new_token(), order.before.answers if order.before else 0
        board = _Board(token=token, answered=answered)
        JOBS[token] = self
        super().__init__("toon-reading", board, partial(_work, order, token, board))


def _work(order: Order, token: str, board: _Board) -> None:
    """Asks, and keeps the run here and not by the page: a closed tab must not lose it."""

    def on_record(record: Record) -> None:
        board.answered += record.said is not None
        board.failed += record.said is None
        board.tokens += record.tokens

    run = begin(order.plan, order.endpoint, order.before)
    try:
        ask(order, run, on_record=on_record, is_cancelled=board.cancel.is_set)
        board.stopped = run.meta.stopped
    except Exception as error:  # any error: else the page would wait for ever
        is_said = isinstance(error, OSError | RuntimeError | ValueError)
        # The text of another error may quote what was sent.
        board.error = run.meta.stopped = str(error) if is_said else f"{type(error).__name__}."
    if run.answers:
        try:
            folder = Folder()
            write_file(folder.file, to_parquet(run))
            SERVER.runs["reading"].keep(order.name, folder, token)
            board.is_kept = True
        except OSError as error:
            board.error = board.error or str(error)
