"""Files that are written whole or not at all, and folders that one process works in.

Every file that a command, the app or the library leaves on disk is written here. Locks belong to
open files, so the system releases them when a process ends, however it ends.
"""

from __future__ import annotations

import errno
import io
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from toon.errors import HeldError, WriteError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: Errors of systems without locks, or whose folders cannot be synced or read; they are ignored.
_UNSUPPORTED: Final = frozenset(
    [errno.EACCES, errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP]
)

_LOCK: Final = "lock"

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int, surely: bool) -> None:
        """Lock a file on Windows by a byte far beyond its content, which others may still read."""
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int, surely: bool) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if surely or error.errno not in _UNSUPPORTED:
                raise


def write_file(path: Path, data: bytes) -> None:
    """Write bytes into a file, whole or not at all; after a WriteError the file is as it was."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, drafts: Path | None = None) -> Iterator[BinaryIO]:
    """Open a draft, which replaces the file at ``path`` when the ``with`` block ends without error.

    After an error the file stays as it was. Even a power cut leaves the old file or the whole new
    one. The draft lies in the folder ``drafts``, or beside the file. A device or a pipe has no
    draft: it is written at once.

    Raises:
        WriteError: The file cannot be written. Other errors of the block stay as they are.
    """
    if path.exists() and not path.is_file():
        with _naming(path):
            device = io.FileIO(path, "w")
        with _NamedInErrors(device, path) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    with _naming(path):
        draft, raw = _open_draft(drafts or target.parent, target.name)
    with _NamedInErrors(raw, path) as file:
        try:
            with _naming(path):
                if target.exists():
                    if not os.access(target, os.W_OK):
                        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                    shutil.copymode(target, draft)
            yield file
            with _naming(path):
                file.flush()
                os.fsync(file.fileno())
                if sys.platform == "win32":  # an open file cannot be renamed there
                    file.close()
                os.replace(draft, target)
        except BaseException:
            _discard(file, draft)
            raise
    if sys.platform != "win32":  # folders cannot be opened there
        with _naming(path):
            _sync_folder(target.parent)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn a system error in a ``with`` block into WriteError: ``path`` cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # not from the system: its message says all
            raise
        raise WriteError(error.errno, error.strerror, str(path)) from error


class _NamedInErrors(io.BufferedWriter):
    """A file opened for writing, whose errors name ``path`` in place of its draft's name."""

    def __init__(self, raw: io.FileIO, path: Path) -> None:
        super().__init__(raw)
        self._path = path

    def write(self, data: ReadableBuffer, /) -> int:
        with _naming(self._path):
            return super().write(data)

    def flush(self) -> None:
        with _naming(self._path):
            super().flush()


def _open_draft(folder: Path, name: str) -> tuple[Path, io.FileIO]:
    """Make a new, locked draft of the file ``name`` in a folder; return its path and open file.

    Its name is always the same, so that drafts of killed processes do not pile up. Where another
    writer holds that file, or a stranger made it, the draft gets a name that nobody can guess.
    """
    encoded = os.fsencode(name)  # the draft's name must not be too long where this one is not
    usual = folder / f".{name if len(encoded) < 99 else sha256(encoded).hexdigest()}.draft"
    with suppress(FileExistsError, BlockingIOError):
        return usual, _open_locked(usual, new=True)
    with suppress(OSError):
        with _open_locked(usual) as left:
            _discard(left, usual)
        return usual, _open_locked(usual, new=True)
    draft = folder / f".{secrets.token_hex(16)}.draft"
    return draft, _open_locked(draft, new=True)


def _open_locked(path: Path, *, new: bool = False, surely: bool = False) -> io.FileIO:
    """Open a file, or make a ``new`` one, and lock it until it is closed; raise if it is locked.

    Where there are no locks it is only opened, or refused if it is to be locked ``surely``.
    """
    more = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | (os.O_EXCL if new else 0)
    while True:
        file = io.FileIO(path, "r+", opener=lambda name, flags: os.open(name, flags | more, 0o666))
        try:
            _lock(file.fileno(), surely)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:  # whoever held the lock has removed or renamed the file
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def _discard(file: BinaryIO, draft: Path) -> None:
    if sys.platform == "win32":
        file.close()
    with suppress(OSError):
        draft.unlink()


def _sync_folder(folder: Path) -> None:
    """Sync a folder to the disk, so that a power cut does not undo the renaming of a file there."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise


class LockedFolder:
    """A folder, made if need be, that this process alone works in until it releases it or ends.

    A file system without locks is used without, or refused if the folder is to be locked
    ``surely``.

    Raises:
        HeldError: Another process has locked the folder.
        WriteError: The folder cannot be made, or not be locked.
    """

    def __init__(self, path: Path, mode: int = 0o777, *, surely: bool = False) -> None:
        self.path = path
        with _naming(path):
            self._file = self._lock_file(mode, surely)
        with suppress(OSError):  # then nobody is named
            self._file.truncate(0)
            now = f"{datetime.now():%Y-%m-%d %H:%M}"
            self._file.write(f"process {os.getpid()} on {platform.node()} since {now}".encode())
            self._file.flush()

    def _lock_file(self, mode: int, surely: bool) -> BinaryIO:
        while True:
            self.path.mkdir(mode, parents=True, exist_ok=True)
            try:
                return _open_locked(self.path / _LOCK, surely=surely)
            except FileNotFoundError:  # whoever held the lock has removed the folder
                continue
            except (BlockingIOError, PermissionError) as error:
                if error.filename is not None:  # it is not the lock that is refused
                    raise
                holder = ""
                with suppress(OSError):
                    holder = (self.path / _LOCK).read_bytes()[:200].decode(errors="replace")
                is_named = holder and holder.isprintable()
                raise HeldError(self.path, holder if is_named else "another process") from None

    def clear(self) -> None:
        for entry in self.path.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif entry.name != _LOCK:
                entry.unlink()

    def remove(self) -> None:
        """Remove the locked folder with everything in it, and release its lock."""
        try:
            self.clear()
        finally:
            self.close()

    def close(self) -> None:
        """Release the folder's lock, and remove an empty folder; a second call does nothing."""
        if self._file.closed:
            return
        if sys.platform == "win32":
            self._file.close()
        with suppress(OSError):
            (self.path / _LOCK).unlink()
            self.path.rmdir()
        self._file.close()
