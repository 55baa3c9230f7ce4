"""Runs the commands that READMEs show: ``python -m tests.readme`` writes their output into them."""

import contextlib
import importlib
import io
import re
import shlex
import tempfile
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from tests.conftest import ROOT
from toon.formats import FORMATS, NOT_TAKEN, RECOMMENDED
from toon.http import ROUTES
from toon.traffic.sniff import list_kinds

README = ROOT / "README.md"
#: Everything that people read beside it, each where it is looked for.
GUIDES = [
    ROOT / folder / "README.md"
    for folder in (
        "pages", "toon", "toon/costs", "toon/formats", "toon/http", "toon/reading",
        "toon/tap", "toon/tokenizers", "toon/traffic", "tests/benchmarks", ".github/deploy",
    )
]  # fmt: skip
#: A block whose output holds backticks has a fence of four.
_CONSOLE = re.compile(r"^(`{3,4})console\n(\$ .*?)^\1$", re.MULTILINE | re.DOTALL)

#: The tables of logs that can be read, and of formats that stand in for TOON.
_LOGS = re.compile(r"(?<=<!-- logs -->\n).*?(?=<!-- /logs -->)", re.DOTALL)
_RIVALS = re.compile(r"(?<=<!-- rivals -->\n).*?(?=<!-- /rivals -->)", re.DOTALL)


def refresh(text: str) -> str:
    """``text`` with today's tables and the output that each ``console`` block has today."""
    text = _RIVALS.sub(lambda _: _rivals(), _LOGS.sub(lambda _: _logs(), text))
    return _CONSOLE.sub(_refresh_block, text)


def _logs() -> str:
    rows = [("What you have", "Measured", "Where it is"), ("---", "---", "---")]
    rows += [(kind.label, kind.records, kind.kept) for kind in list_kinds()]
    return _table(rows)


def _rivals() -> str:
    rows = [("Format", "What it is", "May be recommended"), ("---", "---", "---")]
    for name, format in FORMATS.items():
        if format.dialect:
            why_not = "no public library" if format.lossless else "loses data"
            rows.append((format.label, format.about, "yes" if name in RECOMMENDED else why_not))
    rows += [(name, words, "not in the table") for name, words in NOT_TAKEN.items()]
    return _table(rows)


def _table(rows: list[tuple[str, str, str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _refresh_block(match: re.Match[str]) -> str:
    commands = re.findall(r"^\$ (.*)$", match[2], re.MULTILINE)
    lines = [f"$ {command}\n{_run(command)}" for command in commands]
    return "\n".join([f"{match[1]}console", *lines, match[1]])


def _run(command: str) -> str:
    words = shlex.split(command)
    printed = _fetch(words) if words[0] == "curl" else _run_python(words)
    return printed.rstrip("\n")


def _run_python(words: list[str]) -> str:
    """What ``python -m toon ...`` or ``python -m tests.benchmarks.NAME ...`` prints."""
    _, _, module, *arguments = words
    printed = io.StringIO()
    # In a folder that is removed, because a command may write files.
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "samples").symlink_to(ROOT / "samples")
        with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
            importlib.import_module("toon.cli" if module == "toon" else module).main(arguments)
    return printed.getvalue()


def _fetch(words: list[str]) -> str:
    """The body that ``curl -s URL [--data-binary BODY]`` gets."""
    url = "http://" + next(word for word in words if word.startswith("localhost"))
    client = TestClient(Starlette(routes=[Mount("/api", routes=ROUTES)]))
    if "--data-binary" in words:
        body = words[words.index("--data-binary") + 1]
        return client.post(url, content=body.encode()).text
    return client.get(url).text


if __name__ == "__main__":
    for file in (README, *GUIDES):
        file.write_text(refresh(file.read_text(encoding="utf-8")), encoding="utf-8")
