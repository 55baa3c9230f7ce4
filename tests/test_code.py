"""The code keeps its own rules: ruff and strict mypy, as configured in the dotfiles."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize(
    "command", [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]], ids=" ".join
)
def test_the_tools_find_nothing(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False
    )

    assert result.returncode == 0, result.stdout + result.stderr


def test_files_stay_short_enough_to_read() -> None:
    files = [
        path
        for folder in ("toon", "pages", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js") and "__pycache__" not in path.parts
    ]

    assert len(files) > 40
    assert [path.name for path in files if path.read_text().count("\n") > 400] == []
