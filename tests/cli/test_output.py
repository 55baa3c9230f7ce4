"""Output that is full, broken or shared: a sentence or silence, and nothing is lost."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.processes import Process
from toon.cli import main
from toon.measuring.table import open_run

MEASURE = "measure log.jsonl -o run.parquet --workers 1 --tokenizer chars4 --format toon"
COMMANDS = ["encode log.jsonl", "stats log.jsonl --format toon", f"{MEASURE} --report a.csv"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a log that is one long document too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    Path("log.jsonl").write_text(json.dumps({"a": list(range(20_000))}))


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.rest
@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_leaves_is_no_error(command: str) -> None:
    """Quiet, with the status that a shell gives a process that SIGPIPE ended; reports are there."""
    read, write = os.pipe()
    os.close(read)
    process = [sys.executable, "-m", "toon", *command.split()]
    with os.fdopen(write, "wb") as nobody:
        done = subprocess.run(process, stdout=nobody, stderr=subprocess.PIPE)

    assert (done.returncode, done.stderr) == (141, b"")
    assert Path("a.csv").exists() == ("--report" in command)


@pytest.mark.rest
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output_is_one_sentence(command: str) -> None:
    process = [sys.executable, "-m", "toon", *command.split()]
    with open("/dev/full", "w") as output:
        done = subprocess.run(process, stdout=output, stderr=subprocess.PIPE)

    line = b"toon: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, line)
    assert Path("a.csv").exists() == ("--report" in command)


def test_a_stopped_command_loses_nothing_when_it_goes_on() -> None:
    """Where Python does not buffer, the system then writes only a part of what it is given."""
    Path("text.json").write_text(json.dumps({"a": "x" * 1_000_000}))
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "toon", "encode", "text.json"], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    pipe, held = process.stdout.fileno(), bytearray(4)
    while int.from_bytes(held, sys.byteorder) < fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ):
        fcntl.ioctl(pipe, termios.FIONREAD, held)  # until it is full, and the command waits
    process.send_signal(signal.SIGSTOP)
    begun = os.read(pipe, 10_000)
    process.send_signal(signal.SIGCONT)

    assert begun + process.communicate()[0] == b"a: " + b"x" * 1_000_000


@pytest.mark.parametrize("command", ["encode -", "decode -", "stats -", "encode - -o old.toon"])
def test_ctrl_c_is_quiet(command: str) -> None:
    """The status that a shell gives a process that SIGINT ended; a file stays as it was."""
    Path("old.toon").write_text("old")
    with Process(
        [sys.executable, "-m", "toon", *command.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"[1,\n" * 200_000)  # a pipe holds less: it is reading, and waits
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")

    assert process.returncode == 130
    assert Path("old.toon").read_text() == "old"
    assert not list(Path().glob(".*draft"))


def test_a_full_disk_leaves_the_old_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.csv").write_text("old")
    fsync, calls = os.fsync, iter(range(9))

    def full_for_the_report(descriptor: int) -> None:
        (fsync if next(calls) < 4 else full)(descriptor)

    monkeypatch.setattr(os, "fsync", full_for_the_report)
    assert main(f"{MEASURE} --report a.csv".split()) == 1

    out, err = capsys.readouterr()
    assert "1 payload" in out
    assert err == "toon: a.csv cannot be written: No space left on device\n"
    assert Path("a.csv").read_text() == "old"
    assert open_run("run.parquet").about["complete"]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError("damaged"), "toon: damaged"),
        (OSError(errno.EIO, "broken", "log.jsonl"), "toon: log.jsonl: broken"),
    ],
)
def test_an_error_that_is_not_of_the_output_is_not_said_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: OSError, line: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("toon.cli._drop_output", lambda: None)
    for place, command in (
        ("toon.cli.convert.say_notices", "encode log.jsonl"),
        ("toon.traffic.read_paths", MEASURE),
    ):
        monkeypatch.setattr(place, fail)
        assert main(command.split()) == 1
        assert capsys.readouterr().err == f"{line}\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [("a: 1\na: 2", ["--lenient"]), ("a: 1\na.b: 2", ["--lenient", "--expand-paths"])],
)
def test_what_the_older_version_is_read_without_is_said(
    capsys: pytest.CaptureFixture[str], text: str, options: list[str]
) -> None:
    Path("twice.toon").write_text(text)

    assert main(["decode", "twice.toon", "--spec", "3.3", "--compact", *options]) == 0
    assert "read leniently; strict:" in capsys.readouterr().err


@pytest.mark.rest
def test_closed_streams_are_no_crash(tmp_path: Path) -> None:
    """A program may start this one without any of the three."""
    file = tmp_path / "a.json"
    file.write_text('{"a":1}')
    command = f"{sys.executable} -m toon encode {file}"

    def run(closed: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", f"{command} {closed}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    assert (run("2>&-").returncode, run("2>&-").stdout) == (0, "a: 1")
    assert run("<&-").returncode == 0
    assert (run(">&-").returncode, run(">&-").stderr) == (1, "standard output is closed\n")
