"""Measures uploaded files in a thread beside the session, while the page shows the progress."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final

from pages.parts.dashboard.background import Board, Work
from toon.costs.named import nearest_model
from toon.limits import DEFAULT_TOKENIZER
from toon.measuring.logged import find_logged_model
from toon.measuring.pace import Pace
from toon.measuring.run import Progress, Summary, measure
from toon.measuring.workers import cores
from toon.server import SERVER
from toon.server.runs import Folder
from toon.traffic import is_packed, read
from toon.traffic.account import Account
from toon.traffic.payload import Record

#: Below this many bytes a thread of this process measures: no record in them takes a second, and
#: processes take longer to start. What a packed file holds is not known before.
_SMALL: Final = 300_000


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure: files by name, paths into their records, and what counts.

    Without ``tokenizers`` that of the model counts that the log names; if it names none, the one
    that is there ``otherwise``.
    """

    files: tuple[tuple[str, bytes], ...]
    payload_path: str | None
    group_path: str | None
    tokenizers: tuple[str, ...]
    keep_payloads: bool
    otherwise: str = DEFAULT_TOKENIZER

    @property
    def name(self) -> str:
        first = self.files[0][0]
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"

    @property
    def size(self) -> int:
        return sum(len(data) for _, data in self.files)

    def check(self) -> None:
        """Checks what can be checked before measuring.

        Raises:
            ValueError: A path is invalid.
        """
        read(io.BytesIO(), "", payload_path=self.payload_path, group_path=self.group_path)

    def read(self, account: Account | None = None) -> Iterator[Iterator[Record]]:
        """The records of each file; what is found is noted in the ``account``."""
        for name, data in self.files:
            yield read(
                io.BytesIO(data),
                name,
                payload_path=self.payload_path,
                group_path=self.group_path,
                whole=len(self.files) > 1,
                account=account,
            )

    def counted_by(self) -> tuple[str, ...]:
        """The tokenizers to measure with. Where none was chosen, the first records are read."""
        if self.tokenizers:
            return self.tokenizers
        name = find_logged_model(self.read(), len(self.files))
        model = nearest_model(name) if name else None
        return (model.tokenizer if model else self.otherwise,)


def processes_for(files: Collection[bytes]) -> int:
    """How many processes measure these files; 1 is a thread of this one."""
    is_small = sum(map(len, files)) < _SMALL and not any(map(is_packed, files))
    return 1 if is_small else max(2, cores())


@dataclass
class _Board(Board):
    """What the thread reports."""

    progress: Progress = field(default_factory=Progress)
    account: Account = field(default_factory=Account)
    summary: Summary | None = None  # the result once the job is done; None if it failed


class Job(Work[_Board]):
    """A measurement in progress."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.folder = Folder()
        self._pace = Pace(order.size)
        board = _Board()
        super().__init__("toon-dashboard", board, partial(_work, order, self.folder, board))

    @property
    def pace(self) -> Pace:
        """How far it is by now."""
        self._pace.see(self.board.progress, self.board.account.bytes_read)
        return self._pace


def _work(order: Order, folder: Folder, board: _Board) -> None:
    def on_progress(progress: Progress) -> None:
        board.progress = progress

    account, workers = board.account, processes_for([data for _, data in order.files])
    try:
        board.summary = measure(
            chain.from_iterable(order.read(account)),
            folder.file,
            tokenizers=order.counted_by(),
            workers=workers,
            keep_payloads=order.keep_payloads,
            progress=on_progress,
            cancelled=board.cancel.is_set,
            account=account,
        )
        if board.summary.totals.payloads:
            # Kept here, not by the page: Streamlit may hold the session of a closed tab for ever.
            board.token = SERVER.runs.keep(order.name, folder)
    except Exception as error:  # any error: else the page would wait for ever
        folder.remove()
        board.error = f"{type(error).__name__}: {error}"
