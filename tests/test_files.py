"""Files are replaced whole or not at all; a folder belongs to one process at a time."""

import errno
import fcntl
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.conftest import ROOT
from tests.processes import Process
from toon.errors import HeldError, WriteError
from toon.files import LockedFolder, replacing, write_file

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def limit_size(size: int) -> Iterator[None]:
    """No file that is written may be longer than ``size`` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_through_a_link_and_keeps_its_permissions(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    write_file(path, b"one")
    path.chmod(0o640)
    link.symlink_to(path)

    write_file(link, b"two")

    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"two", 0o640)
    assert link.is_symlink()
    assert names(tmp_path) == ["a.txt", "link"]


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()])
def test_until_a_file_is_whole_the_old_one_stays(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"old")

    def write_half() -> None:
        with replacing(path) as file:
            file.write(b"half")
            file.flush()
            assert path.read_bytes() == b"old"
            raise error

    with pytest.raises(type(error)):
        write_half()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("none/a.txt", "No such file or directory"),
        (".", "Is a directory"),
        ("/dev/full", "No space left on device"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(WriteError) as error:
        write_file(Path(path), b"x" * 100_000)

    assert str(error.value) == f"{path} cannot be written: {reason}"
    assert names(tmp_path) == []


def test_a_file_that_is_protected_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_file(path, b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # to root nothing is protected

    with pytest.raises(WriteError, match="cannot be written: Permission denied"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("path", ["a.txt", "/dev/null"])
def test_an_error_about_another_file_is_not_said_of_this_one(tmp_path: Path, path: str) -> None:
    with pytest.raises(FileNotFoundError, match="gone"), replacing(tmp_path / path):
        (tmp_path / "gone").read_bytes()
    with pytest.raises(OSError, match="5") as error, replacing(tmp_path / path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))  # as reading says it
    assert not isinstance(error.value, WriteError)


def test_a_full_disk_is_said_of_the_file_at_the_first_write_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with (
        limit_size(1000),
        pytest.raises(WriteError, match=r"a\.txt cannot be written: File too large"),
        replacing(path) as file,
    ):
        file.write(b"x" * 100_000)
    assert names(tmp_path) == []


def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data: list[bytes] = []
    reader = Thread(target=lambda: data.append(pipe.read_bytes()))
    reader.start()

    write_file(pipe, b"text")

    reader.join()
    assert (data, pipe.is_fifo(), names(tmp_path)) == ([b"text"], True, ["pipe"])


def test_the_draft_of_a_killed_process_is_taken_by_the_next(tmp_path: Path) -> None:
    (tmp_path / ".a.txt.draft").write_bytes(b"half of a much longer text")

    write_file(tmp_path / "a.txt", b"whole")

    assert (tmp_path / "a.txt").read_bytes() == b"whole"
    assert names(tmp_path) == ["a.txt"]


def link(path: Path) -> None:
    path.symlink_to(path.with_name("other"))
    path.with_name("other").write_text("kept")


@pytest.mark.parametrize("lay", [Path.mkdir, os.mkfifo, Path.touch, link])
def test_what_somebody_has_laid_as_a_draft_is_not_the_result(
    tmp_path: Path, lay: Callable[[Path], None]
) -> None:
    laid = tmp_path / ".a.txt.draft"
    lay(laid)
    laid.chmod(0o777)
    write_file(tmp_path / "a.txt", b"text")

    (tmp_path / "as usual").touch()
    assert (tmp_path / "a.txt").read_bytes() == b"text"
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "as usual").stat().st_mode
    assert lay is not link or (tmp_path / "other").read_text() == "kept"


def test_nobody_who_holds_the_draft_is_waited_for(tmp_path: Path) -> None:
    with open(tmp_path / ".a.txt.draft", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write_file(tmp_path / "a.txt", b"text")

    assert (tmp_path / "a.txt").read_bytes() == b"text"
    assert names(tmp_path) == [".a.txt.draft", "a.txt"]


def test_a_file_may_have_the_longest_name_there_is(tmp_path: Path) -> None:
    write_file(tmp_path / ("a" * 255), b"text")
    assert names(tmp_path) == ["a" * 255]


def test_the_output_of_a_process_is_a_path_too() -> None:
    code = "from toon.files import *; write_file(Path('/dev/stdout'), b'text')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True)
    assert (done.stdout, done.stderr) == (b"text", b"")


def test_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    texts = [bytes([65 + number]) * 200_000 for number in range(8)]
    writers = [Thread(target=write_file, args=(path, text)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert path.read_bytes() in texts
    assert names(tmp_path) == ["a.txt"]


HOLD = """
import sys
from pathlib import Path
from toon.files import LockedFolder
folder = LockedFolder(Path(sys.argv[1]))
print(flush=True)
input()
"""


def test_a_folder_is_held_until_its_process_ends_however_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "parts"
    with Process(
        [sys.executable, "-c", HOLD, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(HeldError) as error:
            LockedFolder(path)
        assert error.value.holder.startswith(f"process {process.pid} on ")
        process.send_signal(signal.SIGKILL)

    folder = LockedFolder(path)
    with pytest.raises(HeldError, match=f"process {os.getpid()} on "):
        LockedFolder(path)
    folder.close()
    assert names(tmp_path) == []


def test_a_folder_is_removed_with_what_is_in_it_and_once(tmp_path: Path) -> None:
    path = tmp_path / "parts"
    folder = LockedFolder(path)
    (path / "below").mkdir()
    (path / "below" / "a").write_text("")
    (path / "b").write_text("")
    folder.remove()
    assert names(tmp_path) == []

    another = LockedFolder(path)
    (path / "c").write_text("")
    folder.close()
    assert names(path) == ["c", "lock"]
    another.close()
    assert names(path) == ["c"]


def test_a_file_system_without_locks_is_used_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("toon.files.fcntl.flock", flock)
    write_file(tmp_path / "a.txt", b"text")
    LockedFolder(tmp_path / "parts").remove()

    assert names(tmp_path) == ["a.txt"]
