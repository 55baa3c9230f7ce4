"""Measuring of sessions while somebody watches: the last changed first."""

import io
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from itertools import chain
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.agents.listing import SessionFile
from toon.agents.sessions import read_sessions
from toon.costs.named import nearest_model
from toon.measuring.logged import find_logged_model
from toon.measuring.measure import Settings
from toon.measuring.run import chunks
from toon.measuring.workers import Executor, Future, InProcess, Processes, cores
from toon.traffic.account import Account
from toon.traffic.payload import Record

#: Files and records that are searched for the model, and the number of files that share records.
_FILES: Final = 400
_RECORDS: Final = 600
_SHARES: Final = 30
#: Up to this many bytes are measured in this process. So is the first chunk of more bytes,
#: because other processes take longer to start.
_SMALL: Final = 300_000


def find_model(files: Sequence[SessionFile]) -> str | None:
    """Return the name of the model that most of the first session files were sent to, or None."""
    return find_logged_model(read_sessions(files[:_FILES]), _SHARES, _RECORDS)


def tokenizer_of(files: Sequence[SessionFile], otherwise: str) -> str:
    """Return the tokenizer of the model that session files name most, or ``otherwise``."""
    name = find_model(files)
    model = nearest_model(name) if name else None
    return model.tokenizer if model else otherwise


class Measuring:
    """A running measurement of agents' session files with ``settings``, in the order of ``files``.

    ``account`` has the files' kinds, ``left`` is the number of unread bytes and ``records`` that of
    measured records. Setting ``stop`` ends the measuring.
    """

    def __init__(self, files: Sequence[SessionFile], settings: Settings) -> None:
        self.account = Account()
        self.stop = threading.Event()
        self.records = 0
        self.bytes = sum(file.size for file in files)
        self._files, self._settings = files, settings

    @property
    def left(self) -> int:
        return max(0, self.bytes - self.account.bytes_read)

    @property
    def consumed(self) -> int:
        return self.bytes - self.left

    def tables(self) -> Generator[pa.Table]:
        """Yield tables of measured records of the sessions as soon as they are ready, in order.

        Raises:
            RuntimeError: The sessions cannot be measured.
        """
        executor: Executor = InProcess(self._settings)
        pending = deque[Future]()
        try:
            for number, chunk in enumerate(chunks(self._records())):
                if number == 1 and self.bytes > _SMALL:
                    executor = Processes(max(2, cores()), self._settings)
                pending.append(executor.submit(chunk))
                yield from self._measured(pending, executor.window - 1)
            yield from self._measured(pending, 0)
        finally:
            executor.close()

    def _records(self) -> Iterator[Record]:
        for record in chain.from_iterable(read_sessions(self._files, self.account)):
            if self.stop.is_set():
                return
            yield record

    def _measured(self, pending: deque[Future], most: int) -> Iterator[pa.Table]:
        """Yield the tables of chunks that are measured; wait while over ``most`` are pending."""
        while pending and not self.stop.is_set():
            try:
                part = pending[0].result(None if len(pending) > most else 0)
            except TimeoutError:
                return
            pending.popleft()
            table = pq.read_table(io.BytesIO(part))
            self.records += table.num_rows
            yield table
