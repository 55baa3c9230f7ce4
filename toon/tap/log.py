"""The file of a recording: lines are added whole, by several taps at once if need be.

It is bounded: a file that has grown to its limit is renamed ``NAME.000001.jsonl`` and a new one
begun, and the oldest of these are removed. It may be read at any time.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toon.limits import TAP_FILE_BYTES, TAP_FILES
from toon.secrets import disguise


def closed_files(path: Path) -> list[tuple[int, Path]]:
    """The closed files of the recording at ``path``, each with its number, the oldest first."""
    name = re.compile(rf"{re.escape(path.stem)}\.([0-9]{{6,}}){re.escape(path.suffix)}\Z")
    found = ((name.match(each.name), each) for each in path.parent.iterdir())
    return sorted((int(match[1]), each) for match, each in found if match)


class Log:
    """The file at ``path``, of at most ``most`` bytes, and ``kept`` closed ones beside it.

    Secrets in a line are disguised with a key that is forgotten with the recording.
    """

    def __init__(self, path: Path, most: int = TAP_FILE_BYTES, kept: int = TAP_FILES) -> None:
        self.path, self._most, self._kept = path, most, kept
        self._key = os.urandom(32)
        self._file = -1

    def append(self, line: bytes) -> None:
        """Adds a line, or leaves the file as it is.

        Raises:
            OSError: It cannot be written.
        """
        text = line.decode(errors="surrogateescape")
        line = disguise(text, self._key).encode(errors="surrogateescape")
        self._append(line)

    def _append(self, line: bytes) -> None:
        with self._locked() as file:
            end = os.fstat(file).st_size
            if end and end + len(line) > self._most:
                self._close_full()
            else:
                self._write(file, line, end)
                return
        self._append(line)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """The open file, which nobody else writes meanwhile and which lies at the path."""
        while True:
            if self._file < 0:
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
                self._file = os.open(self.path, flags, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            if self._is_at_path():
                break
            self.close()  # another tap has closed it meanwhile
        try:
            yield self._file
        finally:
            if self._file >= 0:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _is_at_path(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), os.stat(self.path))
        except FileNotFoundError:
            return False

    @staticmethod
    def _write(file: int, line: bytes, end: int) -> None:
        """Writes a line; what a tap that was killed has left of one ends before it."""
        if end and os.pread(file, 1, end - 1) != b"\n":
            line = b"\n" + line
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[os.write(file, rest) :]
        except OSError:
            with suppress(OSError):  # no file on a disk
                os.ftruncate(file, end)
            raise

    def _close_full(self) -> None:
        closed = closed_files(self.path)
        number = closed[-1][0] + 1 if closed else 1
        self.path.rename(self.path.with_name(f"{self.path.stem}.{number:06d}{self.path.suffix}"))
        for _, old in closed[: max(0, len(closed) + 1 - self._kept)]:
            old.unlink(missing_ok=True)
        self.close()
