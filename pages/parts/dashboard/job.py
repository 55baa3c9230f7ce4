"""Measurements of logs in a thread beside the session, while the page shows how far they are."""

import io
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Final

from toon.costs.named import nearest_model
from toon.limits import DEFAULT_TOKENIZER
from toon.measuring.logged import find_logged_model
from toon.measuring.run import Pace, Progress, Summary, measure
from toon.measuring.workers import cores
from toon.server import SERVER
from toon.server.runs import Folder
from toon.tap.growing_run import Snapshot
from toon.traffic import is_packed, read
from toon.traffic.account import Account
from toon.traffic.payload import Record

#: Below this many bytes a thread of this process measures: no record in them takes a second, and
#: processes take longer to start. What a packed file holds is not known before.
_SMALL: Final = 300_000


@dataclass
class Board:
    """What a measuring thread reports to the dashboard, such as its progress, its error and the
    run's token; and the event that stops the thread.

    The thread holds the board and not its :class:`Work`, which would never end then.
    """

    cancel: threading.Event = field(default_factory=threading.Event)
    error: str | None = None
    token: str | None = None  # of the run, once there is one
    # of uploaded files
    progress: Progress = field(default_factory=Progress)
    account: Account = field(default_factory=Account)
    summary: Summary | None = None  # once the job is done; None if it failed
    # of what grows
    snapshot: Snapshot | None = None
    records: int = 0
    left: int = 0  # bytes


class Work:
    """A thread, started at once, that calls ``work``, which reports on ``board``.

    It is cancelled when nothing refers to this object any more.
    """

    def __init__(self, name: str, board: Board, work: Callable[[], None]) -> None:
        self.board = board
        self._thread = threading.Thread(target=work, name=name, daemon=True)
        weakref.finalize(self, board.cancel.set)
        self._thread.start()

    def cancel(self) -> None:
        """Ask this measuring thread to stop; the rows that it has measured are kept."""
        self.board.cancel.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until this measuring thread has ended, at most ``seconds``."""
        self._thread.join(seconds)

    @property
    def cancelled(self) -> bool:
        return self.board.cancel.is_set()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()


@dataclass(frozen=True, slots=True)
class Order:
    """What to measure: uploaded log files, paths into their records, the tokenizers that count.

    Without ``tokenizers`` that of the model counts that the log names; if it names none, the
    tokenizer in ``fallback``.
    """

    files: tuple[tuple[str, bytes], ...]
    payload_path: str | None
    group_path: str | None
    tokenizers: tuple[str, ...]
    keep_payloads: bool
    fallback: str = DEFAULT_TOKENIZER

    @property
    def name(self) -> str:
        first = self.files[0][0]
        return first if len(self.files) == 1 else f"{first} and {len(self.files) - 1} more"

    def read(self, account: Account | None = None) -> Iterator[Iterator[Record]]:
        """Yield an iterator of records for each uploaded log; note its kind in ``account``."""
        for name, data in self.files:
            yield read(
                io.BytesIO(data),
                name,
                payload_path=self.payload_path,
                group_path=self.group_path,
                whole=len(self.files) > 1,
                account=account,
            )


class Job(Work):
    """A thread that measures the uploaded logs of an order into a run, a Parquet file."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.folder = Folder()
        self._pace = Pace(sum(len(data) for _, data in order.files))
        board = Board()
        super().__init__("toon-dashboard", board, partial(_work, order, self.folder, board))

    @property
    def pace(self) -> Pace:
        """How far the uploaded logs are measured: the share done, and words for the time left."""
        self._pace.update(self.board.progress, self.board.account.bytes_read)
        return self._pace


def _work(order: Order, folder: Folder, board: Board) -> None:
    try:
        tokenizers = order.tokenizers
        if not tokenizers:  # the first records are read for the model that they name
            name = find_logged_model(order.read(), len(order.files))
            model = nearest_model(name) if name else None
            tokenizers = (model.tokenizer if model else order.fallback,)
        files = [data for _, data in order.files]
        is_small = sum(map(len, files)) < _SMALL and not any(map(is_packed, files))
        board.summary = measure(
            chain.from_iterable(order.read(board.account)),
            folder.file,
            tokenizers=tokenizers,
            workers=1 if is_small else max(2, cores()),
            keep_payloads=order.keep_payloads,
            progress=partial(setattr, board, "progress"),
            cancelled=board.cancel.is_set,
            account=board.account,
        )
        if board.summary.totals.payloads:
            # Kept here, not by the page: Streamlit may hold the session of a closed tab for ever.
            board.token = SERVER.runs.keep(order.name, folder)
    except Exception as error:  # any error: else the page would wait for ever
        folder.remove()
        board.error = f"{type(error).__name__}: {error}"
