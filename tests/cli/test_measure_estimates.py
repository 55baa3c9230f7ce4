"""``python -m toon measure`` by an estimator: marks, bands, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toon.cli import main
from toon.measuring.table import open_run
from toon.tokenizers import get

ROWS = [{"id": number, "name": f"part {number}"} for number in range(120)]
RUSSIAN = [{"имя": "Анна", "город": "Москва"}] * 3
LOG = Path("log.jsonl")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def measure(*payloads: object, model: str, tokenizer: str = "o200k_base") -> None:
    lines = (json.dumps({"data": each}, ensure_ascii=False) + "\n" for each in payloads)
    LOG.write_text("".join(lines), encoding="utf-8")
    options = ["--payload", "data", "--workers", "1", "--format", "toon", "--report", "run.md"]
    names = ["--model", model, "--tokenizer", tokenizer]
    assert main(["measure", str(LOG), "-o", "run.parquet", *names, *options]) == 0


def test_the_summary_names_the_models_and_their_bands(capsys: pytest.CaptureFixture[str]) -> None:
    measure(ROWS, model="grok-4.5,gpt-5,gpt-4o", tokenizer="cl100k_base")

    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.splitlines()[0] for block in blocks[1:4]] == [
        f"Grok 4.5, {get('grok_4_5').band}",
        "GPT-5, exact; GPT-4o, exact",
        "cl100k_base",
    ]
    run = open_run("run.parquet")
    assert list(run.about["tokenizers"]) == ["grok_4_5", "o200k_base", "cl100k_base"]


def test_the_summary_says_what_an_estimate_leaves_out(capsys: pytest.CaptureFixture[str]) -> None:
    measure(ROWS, RUSSIAN, ROWS, model="claude-haiku-4.5,gpt-5")

    estimated, exact, end = capsys.readouterr().out.split("\n\n")[1:]
    assert estimated.splitlines()[:3] == [
        f"Claude Haiku 4.5, {get('claude_haiku_4_5').band}",
        f"{get('claude_haiku_4_5').caveat}.",
        "1 of 3 payloads is unlike those that the estimate was made for: it is left out of its "
        "figures.",
    ]
    assert exact.splitlines()[0] == "GPT-5, exact; o200k_base"
    assert [block.splitlines()[-1].split()[1] for block in (estimated, exact)] == ["as", "3"]
    assert end.startswith("your JSON ≈\u00a0")


def test_where_an_estimate_leaves_out_all_one_sentence_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measure(RUSSIAN, model="grok-4.5")

    assert capsys.readouterr().out.splitlines()[2:] == [
        "Nothing to compare: every payload is unlike those that the estimate was made for."
    ]


def test_the_report_is_for_the_first_model() -> None:
    measure(ROWS, model="claude-haiku-4.5,gpt-5")

    report = Path("run.md").read_text(encoding="utf-8")
    assert "| Model | Claude Haiku 4.5 |" in report
    assert "| Prices | Claude Haiku 4.5 of Anthropic; genai-prices " in report
