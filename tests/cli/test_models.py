"""``python -m toon stats --model``: a model's tokenizer, its grade, and what nobody can count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toon.cli import main
from toon.tokenizers import get


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a payload."""
    monkeypatch.chdir(tmp_path)
    Path("payload.json").write_text('{"a":[{"b":1,"c":"x"},{"b":2,"c":"é"}]}', encoding="utf-8")


def test_a_model_brings_its_tokenizer_and_says_its_grade(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.json").write_text('[{"id": 1, "name": "Ada"}]')
    options = ["--model", "claude-haiku-4-5,gpt-5.4-nano", "--tokenizer", "o200k_base"]

    assert main(["stats", "a.json", "--format", "toon", *options]) == 0
    blocks = capsys.readouterr().out.replace("\u202f", " ").strip().split("\n\n")
    claude, gpt, o200k = (block.splitlines() for block in blocks)
    assumption = "note to the model included, payloads in a prompt: 1"
    grade = "reconstructed, equal to 1,329 counts of the service"
    assert claude[0] == f"a.json  (Claude Haiku 4.5, {grade}; {assumption})"
    assert claude[-1].startswith("Keep your JSON. ")
    assert gpt[0] == f"a.json  (GPT-5.4 nano; {assumption})"
    assert o200k[0] == f"a.json  (o200k_base; {assumption})"
    assert gpt[1:] == o200k[1:]


def test_a_model_that_nobody_can_count_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "payload.json", "--model", "grok-4.5"]) == 1
    assert capsys.readouterr() == ("", f"{get('ask-service').evidence}\n")


@pytest.mark.parametrize(
    "command",
    [
        ["stats"],
        pytest.param(["measure", "-o", "run.parquet", "--workers=1"], marks=pytest.mark.rest),
    ],
)
def test_models_that_nobody_can_count_are_left_out_beside_others(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "payload.json", "--model", "gpt-5"]) == 0
    alone = capsys.readouterr().out
    assert main([*command, "payload.json", "--model", "grok-4.5,gpt-5"]) == 0
    said = f"Grok 4.5 is left out. {get('ask-service').evidence}\n"
    assert capsys.readouterr() == (alone, said)


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
