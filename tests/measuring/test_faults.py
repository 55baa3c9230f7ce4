"""Wherever writing fails or the process dies, nothing is lost and the same command mends it."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from tests.conftest import ROOT
from tests.measuring.faults import COMMAND, Steps
from toon.cli import main
from toon.measuring.table import open_run

LOG = "".join(f'{{"a": {number}, "b": [1, 2]}}\n' for number in range(4))
OLD = {"report.csv": b"an old report", "note.txt": b"of somebody else"}
BEFORE = {"log.jsonl": LOG.encode(), "run.parquet": b"an old run", **OLD}

#: What happens to every file: a draft is written and synced, replaces it, and the folder is synced.
FILE = ["open", "write", "fsync", "replace", "open", "fsync"]
#: The run is written in two pieces where Python's buffer is the smaller one of before 3.14.
RUN = FILE if sys.version_info >= (3, 14) else [*FILE[:2], "write", *FILE[2:]]
#: The folder of parts, its lock, who holds it, and the parts.
PARTS = ["mkdir", "open", "truncate", "write", *FILE * 2]
REMOVALS = ["unlink", "unlink", "unlink", "rmdir"]  # of the parts, the lock and their folder
STEPS = [*PARTS, *RUN, *REMOVALS, *FILE]  # at last the report

#: What is said to be impossible, where a step up to this one fails.
SUBJECTS = {
    len(PARTS + RUN): "run.parquet cannot be written",
    len(PARTS + RUN + REMOVALS): "the run is complete, but run.parquet.parts cannot be removed",
    len(STEPS): "report.csv cannot be written",
}


def prepare(folder: Path) -> Path:
    folder.mkdir()
    for name, content in BEFORE.items():
        (folder / name).write_bytes(content)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def rows(folder: Path) -> pa.Table:
    return open_run(folder / "run.parquet").table()


def report(folder: Path) -> list[str]:
    """The lines of the report, but for the times in it."""
    lines = (folder / "report.csv").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("about,Measured", "about,Report made"))]


def run_until(step: int, fail: Callable[[], None] = lambda: None) -> tuple[int, list[str]]:
    with Steps(step, fail).count() as steps:
        return main(COMMAND), steps.names


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = prepare(tmp_path_factory.mktemp("undisturbed") / "0")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run_until(0) == (0, STEPS)
    return folder


def assert_mended(folder: Path, undisturbed: Path) -> None:
    """The folder holds what an undisturbed run leaves there, and nothing else."""
    assert {path.name for path in folder.iterdir()} == set(BEFORE)
    assert rows(folder).equals(rows(undisturbed))
    assert report(folder) == report(undisturbed)
    for name in ("log.jsonl", "note.txt"):
        assert (folder / name).read_bytes() == BEFORE[name]


def fail_with(number: int) -> None:
    raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("step", range(1, len(STEPS) + 1))
def test_a_step_that_fails_is_one_sentence_and_the_next_run_is_whole(
    step: int,
    undisturbed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = prepare(tmp_path / "1")
    monkeypatch.chdir(folder)
    number = (errno.ENOSPC, errno.EIO)[step % 2]

    status, _ = run_until(step, partial(fail_with, number))

    err = capsys.readouterr().err
    files = contents(folder)
    assert set(files) == set(BEFORE)
    if status:
        subject = next(name for end, name in SUBJECTS.items() if step <= end)
        assert err == f"toon: {subject}: {os.strerror(number)}\n"
    for name in ("log.jsonl", "note.txt"):
        assert files[name] == BEFORE[name]
    if files["run.parquet"] != BEFORE["run.parquet"]:
        assert rows(folder).equals(rows(undisturbed))
    if files["report.csv"] != BEFORE["report.csv"]:
        assert report(folder) == report(undisturbed)

    assert run_until(0)[0] == 0
    assert_mended(folder, undisturbed)


@pytest.mark.rest
def test_a_killed_run_goes_on_wherever_it_was(undisturbed: Path, tmp_path: Path) -> None:
    """Killed at the odd steps of the first file and at the even ones of the others."""
    steps = (*range(1, 11, 2), *range(12, len(STEPS) + 1, 2))
    folders = [prepare(tmp_path / str(step)) for step in steps]

    command = [sys.executable, "-m", "tests.measuring.faults", *map(str, folders)]
    subprocess.run(command, cwd=ROOT, check=True)

    for folder in folders:
        assert_mended(folder, undisturbed)
