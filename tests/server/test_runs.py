"""Runs that a server keeps: for how long, where, and what becomes of what a killed one left."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from tests.conftest import ROOT, python_path
from tests.processes import Process
from toon.files import LockedFolder
from toon.server.runs import _PREFIX, Folder, Runs, sweep


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are kept below the test's own folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_the_oldest_run_goes_first_and_its_files_with_it() -> None:
    now = 0.0
    runs = Runs(most=2, seconds=100, clock=lambda: now)
    folders = [Folder() for _ in range(3)]
    tokens = []
    for folder in folders[:2]:
        tokens.append(runs.keep("a run", folder))
    now = 60
    assert runs.get(tokens[0]) is not None  # now the other one is the oldest
    tokens.append(runs.keep("a run", folders[2]))
    assert [folder.path.exists() for folder in folders] == [True, False, True]
    assert runs.get(tokens[1]) is None

    now = 160
    runs.drop_old()
    assert [folder.path.exists() for folder in folders] == [False, False, False]
    assert runs.get(tokens[0]) is None
    assert len(set(tokens)) == 3


def test_an_old_run_is_dropped_though_nobody_asks() -> None:
    runs, folder = Runs(seconds=0.08), Folder()
    gone = threading.Event()
    removed, folder.remove = folder.remove, lambda: (removed(), gone.set())
    runs.keep("a run", folder)

    assert gone.wait(60)
    assert not folder.path.exists()


HOLD = """
from toon.server.runs import Folder
folder = Folder()
(folder.path / "run.parquet").write_text("secret")
print(folder.path, flush=True)
input()
"""


def test_what_a_killed_server_left_is_swept_and_what_a_living_one_holds_is_not(
    tmp_path: Path,
) -> None:
    mine = Folder()
    with Process(
        [sys.executable, "-c", HOLD],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": python_path(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().strip())
        sweep()
        assert (mine.path.exists(), (theirs / "run.parquet").exists()) == (True, True)

        process.send_signal(signal.SIGKILL)
        process.wait()
        assert theirs.exists()
        sweep()
        assert (mine.path.exists(), theirs.exists()) == (True, False)
    mine.remove()
    assert list(tmp_path.glob(f"{_PREFIX}*")) == []


def test_nothing_that_a_stranger_lays_among_the_runs_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a link to a folder of ours."""
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("lock", "a"):
        (mine / name).write_text(name)
    (tmp_path / f"{_PREFIX}link").symlink_to(mine)
    (tmp_path / f"{_PREFIX}file").write_text("")
    sweep()
    assert {path.name: path.read_text() for path in mine.iterdir()} == {"lock": "lock", "a": "a"}
    assert len(list(tmp_path.iterdir())) == 3

    left = tmp_path / f"{_PREFIX}left"
    left.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    sweep()
    assert left.exists()


def test_without_locks_runs_are_kept_and_none_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("toon.files.fcntl.flock", flock)
    folder = Folder()
    sweep()
    assert folder.path.exists()
    folder.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_swept_before_it_is_locked_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [tmp_path / "swept", tmp_path / "new"]
    for path in made:
        path.mkdir()
    holder = LockedFolder(made[0])
    monkeypatch.setattr(tempfile, "mkdtemp", lambda prefix: str(made.pop(0)))
    folder = Folder()
    assert folder.path == tmp_path / "new"
    folder.remove()
    holder.remove()
    assert list(tmp_path.iterdir()) == []
