"""What stands on a terminal is what a pipe gets, however Python writes and however wide it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import resize, run_in_terminal, screen
from tests.conftest import ROOT

COMMANDS = [
    "encode flat.json", "encode broken.json", "decode flat.toon", "decode --lines rows.toon",
    "stats --format toon --tokenizer chars4 flat.json gone.json rows.json",
    "budget --max-tokens 20 --tokenizer chars4 rows.json flat.json rows.json",
    "measure log.jsonl -o run.parquet --workers 1 --tokenizer chars4 --format toon",
    "--version",
    "encode --nope",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds payloads that are written in many blocks, and damaged ones."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("COLUMNS", "80")
    Path("flat.json").write_text(json.dumps({f"key{n}": n for n in range(2_000)}))
    Path("flat.toon").write_text("\n".join(f"key{n}: {n}" for n in range(2_000)))
    Path("broken.json").write_text('{"a": 1, "b": [1, 2}')
    Path("rows.json").write_text(json.dumps([{"id": n, "name": f"né {n}"} for n in range(30)]))
    Path("rows.toon").write_text("[2]{a,b}:\n  1,x\n  2,y")
    long = ["x" * 999] * 1_200
    Path("long.json").write_text(json.dumps([{"a": cell} for cell in long]))
    Path("late.toon").write_text("\n  - ".join(["[1201]:", *long, "[1]:"]))
    Path("log.jsonl").write_text('{"a": [1, 2, 3]}\n' * 5)


def pipe(command: str, buffering: str = "", errors: int = subprocess.STDOUT) -> str:
    """What ``toon COMMAND`` writes into one pipe, or what beside its ``errors``."""
    done = subprocess.run(
        [sys.executable, "-m", "toon", *command.split()],
        stdout=subprocess.PIPE,
        stderr=errors,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONUNBUFFERED": buffering},
        check=False,
    )
    return done.stdout.decode()


def show(text: str, columns: int) -> list[str]:
    """What a terminal shows of a text, and of the line break that it needs in the end."""
    ended = text if text.endswith("\n") or not text else text + "\n"
    return screen(ended.replace("\n", "\r\n"), columns)


@pytest.mark.rest
@pytest.mark.parametrize("buffering", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_terminal_shows_what_a_pipe_gets(command: str, buffering: str) -> None:
    whole = pipe(command, buffering)
    for columns in (500, 20):
        written = run_in_terminal(f"$toon {command}", columns, PYTHONUNBUFFERED=buffering)

        assert screen(written, columns) == show(whole, columns)


def test_a_message_about_the_rest_of_a_document_has_a_line_of_its_own() -> None:
    document = pipe("decode late.toon", errors=subprocess.DEVNULL)
    message = pipe("decode late.toon").removeprefix(document)
    written = run_in_terminal("$toon decode late.toon", 2_000)

    assert document == "["
    assert screen(written, 2_000) == show(f"{document}\n{message}", 2_000)


def test_progress_is_not_among_the_lines_of_a_pager() -> None:
    written = run_in_terminal("$toon encode flat.json | cat", 500)

    assert screen(written, 500) == show(pipe("encode flat.json"), 500)[:-1]


def test_a_reader_that_leaves_leaves_the_terminal_in_order() -> None:
    written = run_in_terminal("{ $toon encode long.json; echo status $? >&2; } | head -1", 80)

    assert sorted(screen(written, 80)) == ["", "[1200]{a}:", "status 141"]


def test_a_terminal_that_cannot_erase_has_no_progress() -> None:
    command = "stats --format toon --tokenizer chars4 rows.json"
    written = run_in_terminal(f"$toon {command}", 200, TERM="dumb")

    assert written == pipe(command).replace("\n", "\r\n")


def test_a_terminal_may_not_know_its_width() -> None:
    written = run_in_terminal("$toon encode rows.json", 0)

    assert screen(written, 80) == show(pipe("encode rows.json"), 80)


def test_a_terminal_may_be_resized_meanwhile() -> None:
    """While the command waits to write, as nobody reads from the terminal, and before."""

    def narrow(terminal: int) -> None:
        with open("pipe.json", "w") as pipe:
            resize(terminal, 20)
            pipe.write(Path("flat.json").read_text())
        for columns in range(21, 99):
            resize(terminal, columns)

    os.mkfifo("pipe.json")
    written = run_in_terminal("$toon encode pipe.json", 500, narrow)

    assert screen(written, 500) == show(pipe("encode flat.json"), 500)
