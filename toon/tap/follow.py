"""The measurement of a file's new records while the file grows."""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.errors import TextError
from toon.measuring.measure import Settings
from toon.measuring.run import chunks
from toon.measuring.workers import Executor, Future, InProcess, Processes, cores
from toon.tap.growing import GrowingFile
from toon.traffic import Growing
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Record

#: Seconds between two looks at a file that did not grow.
_PAUSE: Final = 0.25
#: Bytes that may be unread for a moment after each call; a larger backlog is shown.
BEHIND: Final = 200_000
#: The backlog in bytes that starts worker processes, which take a while to start.
_FAR: Final = 2_000_000


class Follower:
    """A reader of a growing log at ``path``, which measures new records by ``settings``.

    ``account`` describes the records, ``stop`` ends the reading, ``records`` counts the rows so
    far.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        self.account = Account()
        self.stop = threading.Event()
        self.records = 0
        self.file = GrowingFile(path)
        self._reader = Growing(path.name, account=self.account)
        self._settings = settings
        self._pending = deque[Future]()
        self._missed = 0

    @property
    def left(self) -> int:
        """Bytes of the log that are still to be read."""
        return self.file.left

    @property
    def consumed(self) -> int:
        """Bytes of the log that were read."""
        return self.file.consumed

    def tables(self) -> Generator[pa.Table | None]:
        """Yield tables of the figures of new records; None whenever all of the log is measured.

        Raises:
            RuntimeError: A worker failed to measure.
            OSError: The file cannot be read.
        """
        executor: Executor = InProcess(self._settings)
        try:
            while not self.stop.is_set():
                lines = self.file.read()
                if lines and isinstance(executor, InProcess) and self.file.left > _FAR:
                    executor = Processes(max(2, cores()), self._settings)
                for chunk in chunks(self._records(lines)):
                    self._pending.append(executor.submit(chunk))
                while self._pending and (not lines or len(self._pending) >= executor.window):
                    yield self._measured()
                if not lines:
                    yield None
                    self.stop.wait(_PAUSE)
                    if not self.file.left and not isinstance(executor, InProcess):
                        executor.close()
                        executor = InProcess(self._settings)
        finally:
            executor.close()
            self.file.close()

    def _records(self, lines: bytes) -> Iterator[Record]:
        name = self.file.path.name
        if lines:
            try:
                yield from self._reader.read(lines)
            except TextError as error:
                yield BadRecord(name, 1, str(error))
        if missed := self.file.missed - self._missed:
            self._missed = self.file.missed
            yield BadRecord(name, 1, f"{missed:,} full files were removed before they were read")

    def _measured(self) -> pa.Table:
        table = pq.read_table(io.BytesIO(self._pending.popleft().result()))
        self.records += table.num_rows
        return table
