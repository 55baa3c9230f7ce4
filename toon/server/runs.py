"""The measured logs (runs) that the server keeps, so that a reloaded page finds its own.

A run may hold payloads. Its files are on disk exactly as long as the run is kept: until it is the
oldest of too many, is unused for too long, or the process ends.
"""

import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import Final, NamedTuple

from toon.errors import HeldError
from toon.files import LockedFolder

_PREFIX: Final = "toon-kept-"
#: The most runs that are kept, and for how many hours after their last use.
MOST: Final = 6
KEPT_HOURS: Final = 2


class Folder:
    """A temporary folder for the Parquet ``file`` of a measured log, removed when it is unused.

    The folder is locked while it is in use, so only folders of killed processes are unlocked.
    """

    def __init__(self) -> None:
        while True:
            path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            with suppress(HeldError):  # another process sweeps it, before it was locked
                folder = LockedFolder(path, 0o700)
                break
        self.path, self.file = path, path / "run.parquet"
        self.remove: Callable[[], object] = weakref.finalize(self, _remove, folder)
        _FOLDERS.add(self)


_FOLDERS: Final[weakref.WeakSet[Folder]] = weakref.WeakSet()


def _remove(folder: LockedFolder) -> None:
    shutil.rmtree(folder.path, ignore_errors=True)
    folder.close()


def remove_folders() -> None:
    """Remove all folders of this process's runs: a server that stops calls no finalizers."""
    for folder in tuple(_FOLDERS):
        folder.remove()


def sweep() -> None:
    """Remove folders of runs that killed servers left, which are not locked; not on Windows."""
    if sys.platform == "win32":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # in use, or there are no locks
            status = path.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():  # not a stranger's
                _remove(LockedFolder(path, surely=True))


class KeptRun(NamedTuple):
    """A measured log that the server keeps: its name, its folder, and the time of its last use."""

    name: str
    folder: Folder
    used: float


def make_token() -> str:
    """Return a new random token of 32 characters, the name of a run that the server keeps."""
    return secrets.token_urlsafe(24)


class Runs:
    """The measured logs of the dashboard by token; the least recently used is dropped first."""

    def __init__(
        self,
        most: int = MOST,
        seconds: float = KEPT_HOURS * 3600,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._seconds, self._clock, self._lock = most, seconds, clock, Lock()
        self._runs: OrderedDict[str, KeptRun] = OrderedDict()

    def keep(self, name: str, folder: Folder, token: str | None = None) -> str:
        """Keep a measured log's folder under ``token``, or under a new one; return the token."""
        token = token or make_token()
        with self._lock:
            if not self._runs:
                self._drop_later()
            self._runs[token] = KeptRun(name, folder, self._clock())
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)[1].folder.remove()
        return token

    def get(self, token: str) -> KeptRun | None:
        """Return the measured log kept under a token, and note its use; None if there is none."""
        self.drop_old()
        with self._lock:
            if token not in self._runs:
                return None
            self._runs.move_to_end(token)
            self._runs[token] = self._runs[token]._replace(used=self._clock())
            return self._runs[token]

    def drop_old(self) -> None:
        """Drop the measured logs that nobody has used for two hours, and remove their files."""
        with self._lock:
            oldest = self._clock() - self._seconds
            while self._runs and next(iter(self._runs.values())).used <= oldest:
                self._runs.popitem(last=False)[1].folder.remove()

    def _drop_later(self) -> None:
        """Start a timer that drops old measured logs, again and again while there are any."""

        def drop() -> None:
            self.drop_old()
            with self._lock:
                if self._runs:
                    self._drop_later()

        timer = Timer(self._seconds / 8, drop)
        timer.daemon = True
        timer.start()
