"""Measures sessions while somebody watches: what was changed last comes first, then the rest."""

from __future__ import annotations

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

#: Files and records in which the model is looked for; of a file as many as if there were so many.
_FILES: Final = 400
_RECORDS: Final = 600
_SHARES: Final = 30
#: Up to this many bytes this process measures: others take longer to start, so also of more the
#: first chunk is measured here.
_SMALL: Final = 300_000


def find_model(files: Sequence[SessionFile]) -> str | None:
    """Return the name of the model that most of the newest sessions were sent to; None without."""
    return find_logged_model(read_sessions(files[:_FILES]), _SHARES, _RECORDS)


def tokenizer_of(files: Sequence[SessionFile], otherwise: str) -> str:
    """Return the tokenizer of that model, or the one there is ``otherwise``."""
    name = find_model(files)
    model = nearest_model(name) if name else None
    return model.tokenizer if model else otherwise


class Measuring:
    """Sessions that are measured by ``settings``, in the order of their files.

    ``account`` says what they are, ``left`` how many bytes of them are not read yet, ``records``
    how many are measured. ``stop`` ends it.
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
        """The rows of the sessions as soon as they are measured, in order.

        Raises:
            RuntimeError: They cannot be measured.
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
        """What is measured, until no more than ``most`` chunks are pending."""
        while pending and not self.stop.is_set():
            try:
                part = pending[0].result(None if len(pending) > most else 0)
            except TimeoutError:
                return
            pending.popleft()
            table = pq.read_table(io.BytesIO(part))
            self.records += table.num_rows
            yield table
