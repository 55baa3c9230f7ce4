"""``python -m toon stats --model``: a model's tokenizer, its band, and refused estimates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toon.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a payload."""
    monkeypatch.chdir(tmp_path)
    Path("payload.json").write_text('{"a":[{"b":1,"c":"x"},{"b":2,"c":"é"}]}', encoding="utf-8")


def test_a_model_brings_its_tokenizer_and_says_its_band(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text('[{"id": 1, "name": "Ada"}]')
    options = ["--model", "claude-haiku-4-5,gpt-5.4-nano", "--tokenizer", "o200k_base"]

    assert main(["stats", "a.json", "--format", "toon", *options]) == 0
    blocks = capsys.readouterr().out.replace("\u202f", " ").strip().split("\n\n")
    claude, gpt, o200k = (block.splitlines() for block in blocks)
    assumption = "note to the model included, payloads in a prompt: 1"
    assert claude[0] == f"a.json  (Claude Haiku 4.5, ≈, error unknown; {assumption})"
    assert claude[-1].startswith("Keep your JSON. ")
    assert " ≈ Estimates, error unknown. " in claude[-1]
    assert gpt[0] == f"a.json  (GPT-5.4 nano, exact; {assumption})"
    assert o200k[0] == f"a.json  (o200k_base; {assumption})"
    assert gpt[1:] == o200k[1:]


def test_a_payload_that_an_estimate_does_not_fit_has_no_figures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.json").write_text('["Привет", "Санкт-Петербург"]')

    assert main(["stats", "a.json", "--model", "grok-4.5"]) == 0
    title, sentence, blank = capsys.readouterr().out.splitlines()
    assert title.startswith("a.json  (Grok 4.5, ≈, error unknown; ")
    assert sentence.startswith("No estimate within ±12\u202f% for this text: ")
    assert sentence.endswith(" of it is Cyrillic letters.")
    assert blank == ""
    assert main(["stats", "a.json", "--model", "grok-4.5", "--tokenizer", "gemma3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    given = {
        (row["tokenizer"], row["tokens"] is None) for row in found["rows"] if "reason" not in row
    }
    assert given == {("grok_4_5", True), ("gemma3", False)}
    figures = ("tokens", "cost", "saved", "vs_today", "vs_json_compact", "break_even")
    assert [found["verdict"][name] for name in figures] == [None] * 6
    assert (found["verdict"]["ladder"], found["verdict"]["switch"]) == ([], False)


def test_the_rows_of_a_model_are_its_tokenizers_and_the_verdict_names_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = []
    for option in ("--model=gemini-3.6-flash,gpt-5", "--tokenizer=gemma3,o200k_base"):
        assert main(["stats", "payload.json", "--json", option]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    by_model, by_tokenizer = answers

    assert by_model["rows"] == by_tokenizer["rows"]
    assert by_model["verdict"] == {**by_tokenizer["verdict"], "model": "gemini-3.6-flash"}
