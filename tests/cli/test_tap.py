"""``toon tap --watch``: one line about what a recording holds."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import Process
from tests.tap.tapping import environment
from tests.tap.test_growing import calls
from toon.cli import main
from toon.formats import AS_TYPED, label


@pytest.mark.rest
def test_the_line_moves_as_calls_come(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(calls(3)))
    models = "grok-4.5,gpt-5"  # nobody counts the first, which is left out
    command = [sys.executable, "-m", "toon", "tap", "--watch", "-o", str(path), "--model", models]
    with Process(
        command, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1")
    ) as watching:
        assert watching.stdout is not None
        first = watching.stdout.readline()
        with path.open("ab") as file:
            file.write(b"".join(calls(3, 3)))
        second = watching.stdout.readline()
        os.kill(watching.pid, signal.SIGINT)

    assert watching.returncode == 130
    assert first.startswith(f"3 payloads: {label(AS_TYPED)} 348 → minified 243 (−105, ")
    assert first.endswith(" as input of GPT-5\n")
    assert second.startswith(f"6 payloads: {label(AS_TYPED)} ")


def test_it_records_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tap", "--watch", "-o", str(tmp_path / "t"), "--", "true"]) == 2
    said = "--watch looks at FILE alone: record in another terminal\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("option", [["--apply", "policy.json"], ["--figures"]])
def test_what_was_removed_is_said(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tap", "-o", "t", *option, "--", "true"]) == 2
    assert capsys.readouterr().err.startswith(f"{option[0]} was removed: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--listen", "9000"], "name either a COMMAND after --, or both --listen and --upstream"),
        (
            ["--listen", "x", "--upstream", "http://127.0.0.1"],
            "toon tap: x is no address such as 127.0.0.1:9000",
        ),
        (
            ["--listen", "0", "--upstream", "ftp://127.0.0.1"],
            "toon tap: ftp://127.0.0.1 is no URL of an upstream, such as https://example.com",
        ),
        (
            ["--listen", "0", "--upstream", "http://u:sk-very-secret@127.0.0.1"],
            "toon tap: the URL of an upstream has a host and a path, and no more",
        ),
    ],
)
def test_what_the_command_refuses(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tap", "-o", str(tmp_path / "t.jsonl"), *options]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == said
