"""A recording or another log that grows: its whole lines as they come, and their measurement."""

import io
import os
import threading
from collections import deque
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from toon.errors import TextError
from toon.measuring.measure import Settings
from toon.measuring.run import chunks
from toon.measuring.workers import Executor, Future, InProcess, Processes, cores
from toon.tap.log import closed_files
from toon.traffic import Growing
from toon.traffic.account import Account
from toon.traffic.payload import BadRecord, Record

#: Seconds between two looks at a file that did not grow.
_PAUSE: Final = 0.25
#: Bytes that may be unread for a moment after each call; a larger backlog is shown.
BEHIND: Final = 200_000
#: The backlog in bytes that starts worker processes, which take a while to start.
_FAR: Final = 2_000_000
#: The most bytes of lines in a batch, unless a single line is longer.
BATCH_BYTES: Final = 1_000_000


class GrowingFile:
    """A reader of a growing log file, or of a tap's recording with its full files, by whole lines.

    A file that is closed meanwhile is read to its end before the next one. ``missed`` counts files
    that were removed unread, ``consumed`` the bytes that were read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.missed = self.consumed = 0
        self._number = 0  # of the open file; 0 before the first
        self._file: BinaryIO | None = None
        self._rest = b""

    def read(self) -> bytes:
        """Return the next whole lines of a growing log, as bytes; b"" if there are none yet."""
        while True:
            if self._file is None and not self._open_next():
                return b""
            assert self._file is not None
            data = self._file.read(max(BATCH_BYTES, len(self._rest)))
            if data:
                self.consumed += len(data)
                lines, end, self._rest = (self._rest + data).rpartition(b"\n")
                if end:
                    return lines + end
                continue
            if os.fstat(self._file.fileno()).st_size < self._file.tell():  # it was written anew
                self._file.seek(0)
                self._rest = b""
            elif self._is_last():
                return b""
            else:
                self._file.close()
                self._file = None
                if self._rest:  # a line that its writer could not end
                    lines, self._rest = self._rest + b"\n", b""
                    return lines

    @property
    def left(self) -> int:
        """Bytes of a growing log, and of its full files, that are still to be read."""
        files = [path for number, path in self._closed() if number > self._number]
        sizes = [file.stat().st_size for file in (*files, self.path) if file.exists()]
        here = 0
        if self._file is not None:
            here = os.fstat(self._file.fileno()).st_size - self._file.tell()
            if self._is_last():
                sizes = []
        return here + sum(sizes)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _closed(self) -> list[tuple[int, Path]]:
        return closed_files(self.path) if self.path.parent.is_dir() else []

    def _open_next(self) -> bool:
        """Open the recording's next file, by number; return False if there is none."""
        while True:
            closed = self._closed()
            following = [each for each in closed if each[0] > self._number]
            last = closed[-1][0] if closed else 0
            number, path = following[0] if following else (max(last, self._number) + 1, self.path)
            try:
                file = path.open("rb")
            except FileNotFoundError:
                if not following:
                    return False
                continue  # the file was removed meanwhile
            if path == self.path and self._closed() != closed:
                file.close()  # the file was closed meanwhile: its number is unsure
                continue
            if self._number:
                self.missed += number - self._number - 1
            self._number, self._file = number, file
            return True

    def _is_last(self) -> bool:
        """Return whether the open file is the last of a recording, which still grows."""
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path))
        except FileNotFoundError:
            return not any(number > self._number for number, _ in self._closed())


class Follower:
    """A measurement of the new records of a growing log at ``path``, by ``settings``.

    ``account`` describes the records, ``stop`` ends the reading, ``records`` counts measured rows.
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
        return self.file.left

    @property
    def consumed(self) -> int:
        return self.file.consumed

    def tables(self) -> Generator[pa.Table | None]:
        """Yield tables of newly measured records; yield None whenever all of the log is measured.

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
