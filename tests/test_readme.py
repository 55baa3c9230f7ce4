"""The README is true: its outputs, its Python, its commands and its counts."""

from __future__ import annotations

import doctest
import re
from operator import truediv

import pytest

from tests.conftest import ROOT
from tests.readme import README, refresh
from tests.test_rooms import GROUND, ROOMS
from toon.costs.compare import compare, measured_rows
from toon.costs.document import Document
from toon.values.json_text import parse_json
from toon.wording import percent

TEXT = README.read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_output_shown_is_the_output() -> None:
    assert "tokens" in TEXT.split("```console")[1]
    assert TEXT.count("\n$ ") >= 3
    assert refresh(TEXT) == TEXT


def test_every_python_line_shown_does_what_is_shown() -> None:
    result = doctest.testfile(str(README), module_relative=False)

    assert result.attempted >= 4
    assert result.failed == 0


def test_the_count_of_samples_that_lose_is_right() -> None:
    rows = {}
    for path in (ROOT / "samples").glob("*.json"):
        value = parse_json(path.read_text(encoding="utf-8")).value
        (row,) = compare(Document.of(value), formats=["toon"])
        rows[path.stem] = row["vs"]["json-compact"]

    assert len(rows) == 16
    assert sum(fraction > 0 for fraction in rows.values()) == 9
    assert "Of the sixteen samples, nine cost more as TOON than as minified JSON" in TEXT


def test_the_share_of_tokens_that_span_kinds_is_right() -> None:
    spanning, tokens = [], []
    for path in (ROOT / "samples").glob("*.json"):
        value = parse_json(path.read_text(encoding="utf-8")).value
        (row,) = measured_rows(compare(Document.of(value), formats=["json-pretty"]))
        spanning.append(row["breakdown"]["mixed_tokens"])
        tokens.append(row["tokens"])

    pooled = percent(sum(spanning) / sum(tokens))
    most = percent(max(map(truediv, spanning, tokens)))
    assert (f"({pooled} do in the samples' indented JSON, at most {most} in one of them)").replace(
        "\u202f", " "
    ) in TEXT


def test_ci_runs_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    command = re.search(r"sed -n 's/\^\\\((.*?)\\\)\$/", script)

    assert command is not None
    pattern = command[1].replace(r"\/", "/")
    assert len(re.findall(f"^{pattern}$", TEXT, re.MULTILINE)) == 1


def test_everything_named_is_there() -> None:
    for path in re.findall(r"\]\((\.github/[^)]*|[a-z]+/[^)]*)\)", TEXT):
        assert (ROOT / path).exists(), path
    for module in re.findall(r"python -m (tests\.[a-z._]+)", TEXT):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_contributing_names_every_room_and_what_is_there() -> None:
    contributing = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `toon/(\w+)(?:\.py|/)` \|", contributing, re.MULTILINE)
    paths = re.findall(r"`((?:\.github|\.ci|app|pages|tests|toon)[/.][\w./-]+)`", contributing)

    assert rooms == [*GROUND, *ROOMS]
    assert len(paths) > 40
    for path in paths:
        assert "NAME" in path or (ROOT / path).exists(), path


def test_contributing_and_readme_give_the_same_commands() -> None:
    contributing = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = re.findall(r"^pip install .*$", TEXT, re.MULTILINE)

    assert len(commands) == 2
    assert re.findall(r"^pip install .*$", contributing, re.MULTILINE) == commands
