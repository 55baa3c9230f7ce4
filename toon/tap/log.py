"""The file of a recording, to which several taps can add whole lines at once.

A file at its limit is renamed ``NAME.000001.jsonl`` and a new one begun; the oldest renamed files
are removed. Files may be read at any time.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toon.limits import TAP_FILE_BYTES, TAP_FILES
from toon.secrets import disguise


def closed_files(path: Path) -> list[tuple[int, Path]]:
    """Return the full files of a traffic recording at ``path`` as (number, path), oldest first."""
    name = re.compile(rf"{re.escape(path.stem)}\.([0-9]{{6,}}){re.escape(path.suffix)}\Z")
    matches = ((name.match(each.name), each) for each in path.parent.iterdir())
    return sorted((int(match[1]), each) for match, each in matches if match)


class Log:
    """The file of a traffic recording at ``path``, of up to ``most`` bytes, and ``kept`` full ones.

    Secrets are disguised with a random key, which is never stored.
    """

    def __init__(self, path: Path, most: int = TAP_FILE_BYTES, kept: int = TAP_FILES) -> None:
        self.path, self._most, self._kept = path, most, kept
        self._key = os.urandom(32)
        self._file = -1

    def append(self, line: bytes) -> None:
        """Add a line with its secrets disguised to the recording; begin a new file if it is full.

        Raises:
            OSError: The file cannot be written; it is left as it was.
        """
        text = line.decode(errors="surrogateescape")
        line = disguise(text, self._key).encode(errors="surrogateescape")
        while True:
            with self._locked() as file:
                end = os.fstat(file).st_size
                if not end or end + len(line) <= self._most:
                    return self._write(file, line, end)
                self._close_full()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Open and lock the recording's file; yield its descriptor, and unlock it at the end."""
        while True:
            if self._file < 0:
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
                self._file = os.open(self.path, flags, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._file), os.stat(self.path)):
                    break
            self.close()  # another tap has closed it meanwhile
        try:
            yield self._file
        finally:
            if self._file >= 0:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    @staticmethod
    def _write(file: int, line: bytes, end: int) -> None:
        """Write a line at offset ``end`` of a recording; end a killed tap's half line before."""
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
