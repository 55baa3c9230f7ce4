"""``toon budget``: the command, the hook of pre-commit and the action of GitHub."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import toon
from tests.conftest import ROOT
from toon.cli import main
from toon.tokenizers import get

ACTION = ROOT / ".github" / "actions" / "budget"
ROWS = (ROOT / "samples" / "uniform-rows.json").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.json").write_text(ROWS, "utf-8")
    (tmp_path / "rows.toon").write_text(toon.encode(json.loads(ROWS)), "utf-8")
    (tmp_path / "prompt.md").write_text("one line\n" * 10, "utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["budget", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.usefixtures("folder")
def test_a_file_is_over_in_the_line_in_which_it_passes_the_budget(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tokens = get("o200k_base").count("one line\n" * 10)
    assert tokens == 30

    over = run(capsys, "prompt.md", "--max-tokens", "16")
    exactly = run(capsys, "prompt.md", "--max-tokens", "30")

    assert over == (
        1,
        "prompt.md:6: 30 tokens, 14 more than the 16 of the budget, by o200k_base\n",
        "0 files of 1 within the budget\n",
    )
    assert exactly == (0, "", "1 file of 1 within the budget\n")


@pytest.mark.parametrize(
    ("file", "change", "status"),
    [
        ("rows.toon", "-10%", 0),
        ("rows.toon", "−36%", 0),
        ("rows.toon", "-37 %", 1),
        ("rows.json", "0%", 1),
        ("rows.json", "+61.5", 0),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_change_is_signed_and_against_the_named_format(
    capsys: pytest.CaptureFixture[str], file: str, change: str, status: int
) -> None:
    code, printed, _ = run(capsys, file, "--max-vs", "json-compact", change)

    assert code == status
    assert printed.count("\n") == status


@pytest.mark.usefixtures("folder")
def test_a_model_is_named_with_its_grade_and_notes_are_not_in_a_change(
    capsys: pytest.CaptureFixture[str],
) -> None:
    compact = json.dumps(json.loads(ROWS), separators=(",", ":"), ensure_ascii=False)
    tokens, base = map(get("claude_3").count, (ROWS, compact))
    assert round(tokens / base - 1, 3) == 0.747
    model = ("--model", "claude-haiku-4.5")

    assert run(capsys, "rows.json", "--max-vs", "json-compact", "-10%", *model)[:2] == (
        1,
        "rows.json:1: +74.7\u202f% vs minified JSON without notes, −10.0\u202f% is the most of the "
        "budget, by Claude Haiku 4.5, reconstructed, equal to 1,329 counts of the service\n",
    )


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_counted_is_not_within_the_budget_and_is_left_out_beside_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reason = get("ask-service").evidence
    budget = "prompt.md", "--max-tokens", "9999", "--model"

    alone = run(capsys, *budget, "grok-4.5")
    beside = run(capsys, *budget, "grok-4.5,gpt-5")

    assert alone == (1, "", f"{reason}\n0 files of 1 within the budget\n")
    assert beside == (0, "", f"Grok 4.5 is left out. {reason}\n1 file of 1 within the budget\n")


@pytest.mark.usefixtures("folder")
def test_a_file_that_cannot_be_read_fails_and_the_others_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, printed, errors = run(capsys, "nothing.md", "prompt.md", "--max-tokens", "100")

    assert (status, printed) == (1, "")
    assert "nothing.md" in errors
    assert "1 file of 2 within the budget" in errors


def run_in_shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script with a command ``toon`` that is this one."""
    command = folder / "bin" / "toon"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m toon "$@"\n', "utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    libraries = f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": libraries, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.rest
def test_the_action_counts_and_marks_the_lines(folder: Path) -> None:
    action: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text("utf-8"))
    step = action["runs"]["steps"][-1]
    inputs = {name: str(option.get("default", "")) for name, option in action["inputs"].items()}
    given = inputs | {"files": "*.json *.toon", "max-tokens": "1000", "max-vs": "json-compact -50%"}
    values = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], text)
        for name, text in step["env"].items()
    }

    done = run_in_shell(step["run"], folder, GITHUB_ACTION_PATH=str(ACTION), **values)

    matcher = json.loads((ACTION / "lines.json").read_text("utf-8"))["problemMatcher"][0]
    (pattern,) = matcher["pattern"]
    marked = re.findall(pattern["regexp"], done.stdout, re.MULTILINE)
    assert done.returncode == 1
    assert done.stdout.startswith(f"::add-matcher::{ACTION}/lines.json\n")
    assert [(file, line) for file, line, _ in marked] == [
        ("rows.json", "137"),
        ("rows.json", "1"),
        ("rows.toon", "1"),
    ]


@pytest.mark.rest
def test_the_hook_runs_the_command(folder: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))

    done = run_in_shell(f"{hook['entry']} --max-tokens 16 prompt.md", folder)

    assert (hook["id"], done.returncode) == ("toon-budget", 1)
    assert done.stdout.startswith("prompt.md:6: ")
