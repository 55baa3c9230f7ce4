"""The README with every command's output as it is now: ``python -m tests.readme`` writes it."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
from pathlib import Path

from tests.conftest import ROOT
from toon.cli import main

README = ROOT / "README.md"
_CONSOLE = re.compile(r"```console\n\$ python -m toon (.*)\n[^`]*```")


def refreshed(text: str) -> str:
    """``text`` with the output of each ``$ python -m toon`` run again."""
    return _CONSOLE.sub(_run, text)


def _run(match: re.Match[str]) -> str:
    printed = io.StringIO()
    # Elsewhere, because a command may write files.
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "samples").symlink_to(ROOT / "samples")
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            main(shlex.split(match[1]))
    return f"```console\n$ python -m toon {match[1]}\n{printed.getvalue().rstrip()}\n```"


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
