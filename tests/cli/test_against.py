"""``toon measure --against``: a run beside an earlier one, in words, as JSON and in a report."""

import json
from pathlib import Path

import pytest

from tests.analysis.test_compared import MINIFIED, TABLE, asking
from toon.cli import main

LATER, EARLIER = "later.jsonl", "earlier.parquet"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds two logs, of which the earlier is measured."""
    monkeypatch.chdir(tmp_path)
    Path("earlier.jsonl").write_text(asking(TABLE, TABLE))
    Path(LATER).write_text(asking(MINIFIED, MINIFIED, MINIFIED))
    assert measure("earlier.jsonl", "-o", EARLIER) == 0


def measure(*arguments: str) -> int:
    options = ["--tokenizer", "o200k_base", "--format", "toon", "--workers", "1"]
    return main(["measure", *arguments, *([] if "--tokenizer" in arguments else options)])


@pytest.mark.rest
def test_what_was_realised_is_said_beside_what_was_promised_and_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    capsys.readouterr()
    reports = ["--report", "r.md"]
    assert measure(LATER, "-o", "run.parquet", "--against", EARLIER, *reports) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("As billed: 28.1 cents for 4 calls. 100,000 tokens of input, ")
    assert lines[3].startswith("Formats can touch ")
    place = next(at for at, line in enumerate(lines) if line.startswith(f"Against {EARLIER}, "))
    assert " took 1,557 tokens fewer (≈ 1.1 cents) than as many calls took then;" in lines[place]
    assert lines[place + 3].split()[:7] == ["list", "shop", "2", "3", "1,002", "483", "−51.8"]
    report = Path("r.md").read_text()
    assert "## Before and after" in report
    assert lines[place] in report

    assert measure(LATER, "-o", "run.parquet", "--against", EARLIER, "--json") == 0
    [tool] = json.loads(capsys.readouterr().out)["against"]
    about = {"tool": "list", "server": "shop", "calls": 3, "calls_before": 2}
    assert tool.items() >= about.items()
    assert tool["realised"] == {"tokens": 1_557, "us_dollars": pytest.approx(1_557 * 6.75e-6)}


def test_a_run_that_cannot_be_compared_is_refused_before_measuring(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = [LATER, "-o", "run.parquet", "--tokenizer", "chars4"]
    assert measure(*arguments, "--against", EARLIER) == 2
    assert measure(LATER, "-o", "run.parquet", "--against", LATER) == 2

    assert not Path("run.parquet").exists()
    assert "earlier.parquet is not counted by chars4" in capsys.readouterr().err
