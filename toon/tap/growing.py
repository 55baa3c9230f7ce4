"""The reader of a growing recording: whole lines as they come, over all of its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO, Final

from toon.tap.log import closed_files

#: The most bytes of lines in a batch, unless a single line is longer.
BATCH_BYTES: Final = 1_000_000


class GrowingFile:
    """The lines of the recording at ``path``, first those of its closed files.

    A file that is closed meanwhile is read to its end before the next one. ``missed`` counts files
    that were removed unread, ``consumed`` the bytes that were read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.missed = self.consumed = 0
        self._number = 0  # of the open file; 0 before the first
        self._file: BinaryIO | None = None
        self._rest = b""

    def read(self, most: int = BATCH_BYTES) -> bytes:
        """Return the next whole lines; b"" if there are none yet."""
        while True:
            if self._file is None and not self._open_next():
                return b""
            assert self._file is not None
            data = self._file.read(max(most, len(self._rest)))
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
        """Bytes that are still to be read."""
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
        """Open the file after the one that was read; return False if there is none."""
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
        """Return whether the open file is the one at the path, which still grows."""
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path))
        except FileNotFoundError:
            return not any(number > self._number for number, _ in self._closed())
