"""The README and the guides are true: their outputs, their Python, their commands and counts."""

import doctest
import re
from operator import truediv

import pytest

from tests.benchmarks.table import HEAD, LINES
from tests.conftest import ROOT
from tests.readme import GUIDES, README, refresh
from tests.test_rooms import GROUND, ROOMS
from toon.costs.compare import compare, measured_rows
from toon.costs.document import Document
from toon.costs.models import MODELS
from toon.costs.worth import LEAST_SHARE, LEAST_TOKENS
from toon.tokenizers import TOKENIZERS
from toon.values.json_text import parse_json
from toon.wording import percent

TEXTS = {
    str(file.relative_to(ROOT).parent): file.read_text(encoding="utf-8")
    for file in (README, *GUIDES)
}
TEXT, COSTS = TEXTS["."], TEXTS["toon/costs"]


def test_the_readme_is_short_and_names_every_guide_or_its_folder() -> None:
    assert TEXT.count("\n") <= 130
    for folder in TEXTS.keys() - {".", "toon/formats"}:
        assert f"]({folder}/README.md)" in TEXT, folder
    assert sum(text.count("\n$ ") for text in TEXTS.values()) >= 8


@pytest.mark.rest
@pytest.mark.parametrize("folder", TEXTS)
def test_every_output_shown_is_the_output(folder: str) -> None:
    assert refresh(TEXTS[folder]) == TEXTS[folder]


@pytest.mark.parametrize(("folder", "lines"), [(".", 4), ("toon", 10)])
def test_every_python_line_shown_does_what_is_shown(folder: str, lines: int) -> None:
    result = doctest.testfile(str(ROOT / folder / "README.md"), module_relative=False)

    assert result.attempted >= lines
    assert result.failed == 0


def test_the_five_figures_of_speed_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| (.+) \|$", TEXT.split("## How fast")[1].split("\n## ")[0], re.MULTILINE)

    assert len(rows) == 2 + 5
    for row in rows[2:]:
        assert f"\n| {row} | " in TEXTS["tests/benchmarks"], row


def test_every_benchmark_that_returns_ratios_has_its_lines() -> None:
    returning = re.compile(r"^def main\(.*\) -> Ratios:", re.MULTILINE)
    found = {
        path.stem
        for path in (ROOT / "tests" / "benchmarks").glob("*.py")
        if returning.search(path.read_text())
    }

    assert found == LINES.keys()


def test_the_readme_has_a_row_of_each_line_in_its_words() -> None:
    rows = TEXTS["tests/benchmarks"].split(HEAD)[1].splitlines(keepends=True)
    expected = [(name, line) for name, lines in LINES.items() for line in lines]

    for row, (name, line) in zip(rows, expected, strict=True):
        ratios = re.findall(r"(\d+\.\d\d)(?: to | times)", row)
        assert line.row(name, [float(ratio) for ratio in ratios]) == row


def test_the_number_of_models_that_are_counted_is_right() -> None:
    counted = sum(model.tokenizer in TOKENIZERS for model in MODELS.values())

    assert f"for {counted} models of GPT, Claude, Gemini and others" in TEXT


def test_every_grade_of_a_model_is_in_the_table() -> None:
    section = TEXT.split("## How exact")[1].split("\n## ")[0]
    said = dict(re.findall(r"^\| (.+) \| (.+) \|$", section, re.MULTILINE)[2:])

    assert set(said.values()) == {model.grade for model in MODELS.values()}
    for models, grade in said.items():
        first = re.split(",| to | and ", models)[0]
        assert {m.grade for m in MODELS.values() if m.label.startswith(first)} & {grade}, models


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
    ) in COSTS


def test_the_thresholds_of_a_change_are_those_of_the_choice() -> None:
    assert f"worth it from {100 * LEAST_SHARE:.0f} % and {LEAST_TOKENS} tokens on, both" in COSTS


def test_ci_runs_the_command_of_the_readme_and_the_rest() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    commands = re.findall(r"sed -n '/(.*)/p' (\S+)\)", script)

    found = [
        re.findall(
            f"^.*{pattern[1:]}.*$".replace(r"\/", "/"), (ROOT / file).read_text(), re.MULTILINE
        )
        for pattern, file in commands
    ]
    assert [len(lines) for lines in found] == [1, 1]
    assert [lines[0].endswith("--rest") for lines in found] == [False, True]


@pytest.mark.parametrize("folder", TEXTS)
def test_everything_named_is_there(folder: str) -> None:
    for path in re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXTS[folder]):
        assert (ROOT / folder / path).exists(), path
    for path in re.findall(r'(?:src|srcset)="([^"]+)"', TEXTS[folder]):
        assert (ROOT / folder / path).exists(), path
    for module in re.findall(r"python -m (tests\.[a-z._]+)", TEXTS[folder]):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_contributing_names_every_room_and_what_is_there() -> None:
    contributing = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `toon/(\w+)(?:\.py|/)` \|", contributing, re.MULTILINE)
    paths = re.findall(r"`((?:\.github|\.ci|app|pages|tests|toon)[/.][\w./-]+)`", contributing)

    assert rooms == [*GROUND, *ROOMS]
    assert {*rooms} <= {*re.findall(r"`(\w+)`", TEXTS["toon"].split("## The library")[0])}
    assert len(paths) > 40
    for path in paths:
        assert "NAME" in path or (ROOT / path).exists(), path


def test_contributing_and_readme_give_the_same_commands() -> None:
    contributing = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = re.findall(r"^pip install -r .*$", TEXT, re.MULTILINE)

    assert len(commands) == 2
    assert re.findall(r"^pip install -r .*$", contributing, re.MULTILINE)[:2] == commands
