"""Reading of sessions, each as it is when it is opened: agents may write meanwhile."""

import io
import os
import stat
from collections.abc import Iterable, Iterator
from typing import Final

import orjson

from toon.agents.listing import SessionFile, is_own, shown
from toon.traffic import read
from toon.traffic.account import GONE, GREW, HALF, Account
from toon.traffic.payload import Record
from toon.traffic.streams import MAX_RECORD

_LINES: Final = ".jsonl"
_BLOCK: Final = 1 << 16


def read_sessions(
    files: Iterable[SessionFile], account: Account | None = None
) -> Iterator[Iterator[Record]]:
    """Yield, for each session file in turn, an iterator over its payloads and bad records.

    A file is read up to its end when it was opened, and to its last whole line. The ``account``
    notes files that grew meanwhile, that end in half a line, that cannot be opened any more, and
    that are no sessions.
    """
    account = account or Account()
    return (_read(file.path, account) for file in files)


def _read(path: str, account: Account) -> Iterator[Record]:
    name = shown(path)
    try:
        file = _UpTo(path, "rb", opener=_open)
    except OSError:
        account.leave_out(name, GONE)
        return
    with file:
        size = file.end
        if path.endswith(_LINES) and (end := _end_of_lines(file)) < size:
            account.leave_out(name, HALF)
            file.end = end
        if file.end or not size:
            opened = io.BufferedReader(file, _BLOCK)
            yield from read(opened, name, whole=True, only_sessions=True, account=account)
        if os.fstat(file.fileno()).st_size > size:
            account.leave_out(name, GREW)


def _open(path: str, flags: int) -> int:
    """Open a regular file of this user, but no link; return its descriptor.

    Raises:
        OSError: The path is something else, or does not exist any more.
    """
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    opened = os.open(path, flags)
    facts = os.fstat(opened)
    if stat.S_ISREG(facts.st_mode) and is_own(facts):
        return opened
    os.close(opened)
    raise PermissionError(path)


class _UpTo(io.FileIO):
    """A file that is read up to ``end``, its size when it was opened."""

    end = 0

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.end = os.fstat(self.fileno()).st_size

    def readinto(self, buffer: memoryview, /) -> int | None:  # type: ignore[override]
        left = max(0, self.end - self.tell())
        return super().readinto(memoryview(buffer)[:left])


def _end_of_lines(file: _UpTo) -> int:
    """Return the offset after the last whole line of a JSON Lines file that may be growing."""
    size = start = file.end
    last, step = b"", _BLOCK
    while start and len(last) <= MAX_RECORD:
        step = min(step, start)
        file.seek(start - step)
        _, end, rest = (file.read(step) or b"").rpartition(b"\n")
        last, start, step = rest + last, start - len(rest), 2 * step
        if end:
            break
    file.seek(0)
    try:
        if last.strip():
            orjson.loads(last)
    except ValueError:
        return start
    return size
