"""The bundled templates: their lines, and all of their paths exist; what the help says is so."""

import re
from pathlib import Path

import pytest

import toon.compact.templates as templates
from tests.conftest import ROOT
from toon.compact.templates import FORMATTERS, HELP, Template, parse
from toon.records.store import SAMPLE_NOW
from toon.values.json_text import parse_json

SAMPLES = ROOT / "samples"
OF_SAMPLES = sorted((SAMPLES / "templates").iterdir())
OF_DOMAINS = sorted((ROOT / "toon" / "compact" / "lines").iterdir())


@pytest.mark.parametrize(
    ("name", "summary", "place", "line", "id"),
    [
        ("orders-with-items", "6 orders", 0,
         "2026-03-07 ottoline@example.com (gold): Assam, 250 g; Cast-iron pot 0.6 l to Ghent, BE "
         "= 76.7 id:SO-9031", "SO-9031"),
        ("repo-search", '10 of 214 repositories for "csv parser"', 3,
         "oldharbour/csv-quirks — A collection of strange but real CSV files, for tests ★1204 "
         "#test-data 3mo ago", "oldharbour/csv-quirks"),
    ],
)  # fmt: skip
def test_a_template_of_a_sample(name: str, summary: str, place: int, line: str, id: str) -> None:
    payload = parse_json((SAMPLES / f"{name}.json").read_text()).value
    text = (SAMPLES / "templates" / f"{name}.txt").read_text(encoding="utf-8")

    envelope = parse(text).lines(payload, now=SAMPLE_NOW)

    assert envelope is not None
    assert envelope["summary"] == summary
    assert (envelope["lines"][place], envelope["ids"][place]) == (line, id)


@pytest.mark.parametrize("path", [*OF_SAMPLES, *OF_DOMAINS], ids=lambda path: path.stem)
def test_every_path_leads_somewhere(path: Path) -> None:
    folder = SAMPLES / ("domains" if path in OF_DOMAINS else "")
    payload = parse_json((folder / f"{path.stem}.json").read_text()).value

    assert parse(path.read_text(encoding="utf-8")).missing_paths(payload) == []


def test_the_help_is_true() -> None:
    blocks = re.findall(r"```\n(.*?)```", HELP, re.S)
    cells = re.findall(r"^\| (`.*`) \| ", HELP.partition("| Formatter |")[0], re.M)
    examples = [code for cell in cells for code in re.findall(r"`(.+?)`", cell)]
    _, example = (templates.__doc__ or "").partition("\n\nA template")[0].split("::\n")

    assert (len(blocks), len(examples)) == (2, 13)
    for text in [*blocks, example]:
        assert isinstance(parse(text), Template)
    for pattern in examples:
        assert isinstance(parse("line: " + pattern.replace("\\|", "|")), Template)
    for formatter in FORMATTERS.values():
        assert f"| `{formatter.usage}` | {formatter.effect} |" in HELP
