"""``python -m toon stats``: what is compared, the ladder, the setting of explanations."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.words import COMPACT
from toon.cli import main
from toon.formats import BASELINES, FORMATS, RECOMMENDED
from toon.tokenizers import get


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory holds a payload."""
    monkeypatch.chdir(tmp_path)
    Path("payload.json").write_text('{"a":[{"b":1,"c":"x,y"},{"b":2,"c":"é"}]}', encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ([], RECOMMENDED),
        (["--format", "toon"], ["json-pretty", "json-python", "json-compact", "toon"]),
        (["--all"], FORMATS),
    ],
    ids=["what the answer is chosen from", "named, and the baselines", "all"],
)
def test_which_formats_have_rows(
    capsys: pytest.CaptureFixture[str], options: list[str], names: Iterable[str]
) -> None:
    assert main(["stats", "payload.json", "--json", *options]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["format"] for row in rows] == ["as-typed", *names]


def test_stats_sets_apart_what_may_not_be_recommended(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text('[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]')

    assert main(["stats", "a.json", "--format", "toon,csv,pipe,ticket", "--together", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:11]] == [
        "a.json", "format", "as-typed", "json-pretty", "json-python", "json-compact", "toon",
        "not", "csv", "ticket", "pipe",
    ]  # fmt: skip
    assert lines[6].split()[:3] == ["toon", "18", "+37"]
    assert lines[8].endswith("loses types of 2 values")
    assert lines[10].endswith("no public library reads it")


def test_stats_has_the_ladder_and_the_setting(capsys: pytest.CaptureFixture[str]) -> None:
    sample = str(ROOT / "samples" / "weather.json")
    assert main(["stats", sample, "--format", "toon", "--together", "3"]) == 0
    title, *_, ladder, sentence, _ = capsys.readouterr().out.splitlines()

    assert title == (f"{sample}  (o200k_base; note to the model included, payloads in a prompt: 3)")
    assert ladder == (
        f"your JSON 318 → {COMPACT} 188 (−130, −40.9\u202f%)"
        " → TOON 176 (−12, −6.4\u202f%, note included)"
    )
    assert sentence.startswith("Send TOON: ")


def test_a_cached_explanation_counts_at_the_price_of_the_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sample = str(ROOT / "samples" / "weather.json")
    options = "--model gpt-5,o3,gpt-4 --tokenizer qwen3 --format toon --explained-cached 1"

    assert main(["stats", sample, *options.split()]) == 0
    blocks = capsys.readouterr().out.replace("\u202f", " ").strip().split("\n\n")
    assert [block.splitlines()[0].rpartition("prompt: 1")[2] for block in blocks] == [
        ", 100 % read from the cache at 10 % of the price)",
        ", 100 % read from the cache at 25 % of the price)",
        *2 * [", 100 % read from the cache at a price that is not known: counted in full)"],
    ]
    assert [block.splitlines()[-1].partition(":")[0] for block in blocks] == [
        "Send TOON", "Send TOON", f"Send {COMPACT}", f"Send {COMPACT}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("together", "change"), [("1", "−34.9"), ("3", "−36.8"), ("none", "−37.8")]
)
def test_per_cents_of_the_table_have_their_share_of_the_note(
    capsys: pytest.CaptureFixture[str], together: str, change: str
) -> None:
    """820 tokens and 51 for the note against 1,318."""
    sample = str(ROOT / "samples" / "uniform-rows.json")

    assert main(["stats", sample, "--format", "toon-tab", "--together", together]) == 0
    out = capsys.readouterr().out.replace("\u202f", " ")
    row = next(line for line in out.splitlines() if line.startswith("toon-tab"))
    note = [] if together == "none" else ["+38"]
    assert row.split()[:4] == ["toon-tab", "820", *note, change, "%"][:4]
    assert f"TOON, tab {round(820 + 38 / int(together)) if note else 820:,}" in out


def test_of_a_long_text_only_what_the_answer_needs_is_proven(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest takes as long again; ``--all`` and ``--format`` ask for it."""
    monkeypatch.setattr("toon.limits.PAGE_CHARACTERS", 10)
    unread = []
    for options in ([], ["--all"], ["--format", "toon,yaml"]):
        assert main(["stats", "payload.json", "--json", *options]) == 0
        stats = json.loads(capsys.readouterr().out)["rows"]
        rows = [row for row in stats if row["tokens"] is not None]
        unread.append({row["format"] for row in rows if row["round_trips"] is None})
        assert {row["format"] for row in rows if "breakdown" not in row} == (
            set() if options else {"as-typed", *RECOMMENDED}
        )

    assert unread == [
        set(RECOMMENDED) - {*BASELINES, "toon"},
        set(),
        set(),
    ]  # toon is the one that would pay
    assert main(["stats", "payload.json"]) == 0
    assert capsys.readouterr().out.count("not read back, --all does it\n") == len(unread[0])


# -- models -----------------------------------------------------------------------------------


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
    note = f"Grok 4.5 is left out. {get('ask-service').evidence}\n"
    assert capsys.readouterr() == (alone, note)
