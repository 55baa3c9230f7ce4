"""``toon budget --mcp``: a server's tools, counted as a model is sent them."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest

from tests.conftest import ROOT
from tests.processes import Process
from toon.cli import main
from toon.mcp import listing
from toon.tokenizers import get

SERVER = ROOT / "tests" / "mcp" / "server.py"
SCHEMA = '{"type":"object","properties":{"path":{"type":"string"}}}'


def tokens(name: str, about: str = "About it.") -> int:
    """What a tool of the server takes: its title, its output and its annotations stay with it."""
    sent = f'{{"name":"{name}","description":"{about}","inputSchema":{SCHEMA}}}'
    return get("o200k_base").count(sent)


READ, WRITE, OTHER = tokens("read", "Reads \\u001b[31m a file."), tokens("write"), tokens("other")
BY = "by o200k_base"


def run(
    capsys: pytest.CaptureFixture[str], *options: str, mode: str = "plain", more: str = ""
) -> tuple[int, list[str], list[str]]:
    command = [sys.executable, str(SERVER), mode, *more.split()]
    status = main(["budget", "--mcp", *options, "--", *command])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.replace(sys.executable, "python").splitlines()


def test_each_tool_is_counted_by_what_a_model_is_sent_of_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(capsys) == (
        0,
        ["tool   o200k_base", f"read           {READ}", f"write          {WRITE}"],
        [f"files: 2 tools with {READ + WRITE} tokens in every prompt, {BY}"],
    )


def test_a_sum_and_a_tool_over_the_limit_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    whole = READ + WRITE
    limits = "--max-tokens", str(whole - 1), "--max-tool-tokens", str(WRITE)

    assert run(capsys, *limits)[:2] == (
        1,
        [
            f"files: {whole} tokens, 1 more than the {whole - 1} of the budget, {BY}: "
            f"read {READ}, write {WRITE}",
            f"files: read: {READ} tokens, {READ - WRITE} more than the {WRITE} of the budget, {BY}",
        ],
    )
    exactly = "--max-tokens", str(whole), "--max-tool-tokens", str(READ)
    assert run(capsys, *exactly)[:2] == (0, [])


def test_what_has_grown_since_it_was_saved_is_marked_in_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "tools.json"
    assert run(capsys, "--save", str(file))[0] == 0
    written = {"o200k_base": {"read": READ, "write": WRITE}}
    assert json.loads(file.read_text("utf-8")) == written
    assert run(capsys, "--against", str(file))[:2] == (0, [])

    before = {"cl100k_base": {"write": 1}, "o200k_base": {"read": READ, "write": WRITE - 2}}
    file.write_text(json.dumps(before, indent=2), "utf-8")
    both = "--against", str(file), "--save", str(file)
    assert run(capsys, *both, more="other")[:2] == (
        1,
        [
            f"{file}:7: write: {WRITE} tokens, 2 more than the {WRITE - 2} saved, {BY}",
            f"{file}:1: other: {OTHER} tokens, a new tool, {BY}",
        ],
    )
    assert json.loads(file.read_text("utf-8")) == before


@pytest.mark.parametrize(
    ("mode", "error"),
    [
        ("ends", "python ended before it had listed its tools"),
        ("dies", "python ended before it had listed its tools"),
        ("refuses", "python does not list its tools: no key set KEY"),
        ("again", "python lists the same again after 1 page"),
        ("invalid", "python lists its tools against the protocol, at tools.0.inputSchema"),
    ],
)
def test_a_server_that_does_not_list_its_tools_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], mode: str, error: str
) -> None:
    assert run(capsys, mode=mode) == (1, [], [error])


@pytest.mark.rest
def test_a_server_that_never_answers_is_given_up_and_ended(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"

    async def end_once_asked(scope: anyio.CancelScope) -> None:
        while not log.read_text().endswith("\n"):
            await asyncio.sleep(0.01)
        scope.deadline = anyio.current_time()

    @contextmanager
    def fail_once_asked(seconds: float) -> Iterator[None]:
        assert seconds == listing.SECONDS
        with anyio.fail_after(300) as scope:
            ending = asyncio.create_task(end_once_asked(scope))
            yield
            ending.cancel()

    monkeypatch.setattr(listing, "anyio", SimpleNamespace(fail_after=fail_once_asked))
    with log.open("w") as errors:
        monkeypatch.setattr(sys, "__stderr__", errors)
        status, out, said = run(capsys, mode="silent")

    assert (status, out) == (1, [])
    assert said == ["python did not list its tools within 120 seconds"]
    assert not is_alive(log.read_text())


@pytest.mark.rest
def test_a_signal_ends_the_server_too() -> None:
    command = [sys.executable, "-m", "toon", "budget", "--mcp", "--"]
    with Process(
        [*command, sys.executable, str(SERVER), "silent"], stderr=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stderr is not None
        server = asking.stderr.readline()
        asking.terminate()
        assert asking.wait() == 130  # before its errors have nowhere to go

    assert not is_alive(server)


def is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("mode", "tools"), [("pages", 3), ("many", 2_500), ("huge", 1)])
def test_all_that_a_server_lists_is_counted(
    capsys: pytest.CaptureFixture[str], mode: str, tools: int
) -> None:
    status, table, _ = run(capsys, mode=mode)

    assert (status, len(table)) == (0, tools + 1)


def test_noise_between_the_messages_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, mode="noise")[2][0] == (
        "files writes 3 lines to its output that are no messages: some clients stop there"
    )


@pytest.mark.rest
def test_a_server_of_the_official_sdk_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["budget", "--mcp", "--", sys.executable, "-m", "toon", "mcp"])
    tools = [line.split()[0] for line in capsys.readouterr().out.splitlines()]

    assert (status, sorted(tools)) == (
        0, ["count", "decode", "encode", "measure", "recommend", "tool"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("saved", "error"),
    [
        ("[1]", "{} is nothing that --save wrote"),
        ('{"a": {"b": true}}', "{} is nothing that --save wrote"),
        ("{}", "{} has no counts by o200k_base"),
    ],
)
def test_a_file_that_was_not_saved_so_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, saved: str, error: str
) -> None:
    file = tmp_path / "tools.json"
    file.write_text(saved, "utf-8")

    status, out, errors = run(capsys, "--against", str(file))

    assert (status, out, errors[-1]) == (1, [], error.format(file))
