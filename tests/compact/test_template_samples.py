"""The bundled templates: those of the domains give the built-in lines, and all paths exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import toon.compact.templates as templates
from tests.conftest import ROOT
from toon.compact import DOMAINS, compact
from toon.compact.envelope import Envelope
from toon.compact.relative import zone_of
from toon.compact.templates import FORMATTERS, HELP, Template, parse
from toon.records.store import SAMPLE_NOW, records
from toon.values.json_text import parse_json

FOLDER = ROOT / "samples" / "templates"

#: Where the form cannot say what a built-in line does: what it gives instead.
OTHERWISE = {
    "events": {
        "2026-02-19 22:00-06:00+1d Night watch, cold store 2 [Depot] id:db1fc512":
        "2026-02-19 22:00-06:00 Night watch, cold store 2 [Depot] id:db1fc512",
    },
    "files": {".env (0B) [file] id:201dbc29": ".env (0B) [env] id:201dbc29"},
}  # fmt: skip


def sample(name: str) -> Template:
    return parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def envelope_of(name: str, payload: Any) -> Envelope:
    envelope = sample(name).lines(payload, now=SAMPLE_NOW)
    assert envelope is not None
    return envelope


@pytest.mark.parametrize("tz", [None, "UTC"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_template_of_a_domain_gives_the_built_in_lines(domain: str, tz: str | None) -> None:
    bundled = records(domain, 12)
    built_in = compact(bundled, domain, now=SAMPLE_NOW, zone=zone_of(tz))
    others = OTHERWISE.get(domain, {})

    assert set(others) <= set(built_in["lines"])
    expected = [others.get(line, line) for line in built_in["lines"]]
    assert sample(domain).lines(bundled, now=SAMPLE_NOW, tz=tz) == {**built_in, "lines": expected}


def test_events_by_the_clocks_of_a_zone() -> None:
    bundled = [*records("events", 6), {"start_at": "2026-01-01"}, {"start_at": "soon"}]

    for tz in ("Europe/Madrid", "America/New_York"):
        built_in = compact(bundled, "events", now=SAMPLE_NOW, zone=zone_of(tz))
        assert sample("events").lines(bundled, now=SAMPLE_NOW, tz=tz) == built_in


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_record_with_nothing_in_it(domain: str) -> None:
    others = {"files": "(unnamed) [file]", "emails": '(unknown): "(no subject)" [INBOX] unread'}

    (expected,) = compact([{}], domain, now=SAMPLE_NOW)["lines"]
    assert envelope_of(domain, [{}])["lines"] == [others.get(domain, expected)]


def test_orders() -> None:
    payload = parse_json((ROOT / "samples" / "orders-with-items.json").read_text()).value

    envelope = envelope_of("orders-with-items", payload)

    assert envelope["summary"] == "6 orders"
    assert envelope["lines"][:2] == [
        "2026-03-07 ottoline@example.com (gold): Assam, 250 g; Cast-iron pot 0.6 l to Ghent, BE "
        "= 76.7 id:SO-9031",
        "2026-03-07 jb@example.org: Monthly tea box less FIRSTBOX = 14.5 id:SO-9032",
    ]
    assert envelope["ids"][0] == "SO-9031"


def test_repositories() -> None:
    payload = parse_json((ROOT / "samples" / "repo-search.json").read_text()).value

    envelope = envelope_of("repo-search", payload)

    assert envelope["summary"] == '10 of 214 repositories for "csv parser"'
    assert envelope["lines"][3] == (
        "oldharbour/csv-quirks — A collection of strange but real CSV files, for tests ★1204 "
        "#test-data 3mo ago"
    )
    assert envelope["ids"][3] == "oldharbour/csv-quirks"


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_every_path_leads_somewhere(path: Path) -> None:
    folder = ROOT / "samples" / ("domains" if path.stem in DOMAINS else "")
    payload = parse_json((folder / f"{path.stem}.json").read_text()).value

    assert sample(path.stem).missing_paths(payload) == []


def test_the_help_is_true() -> None:
    blocks = re.findall(r"```\n(.*?)```", HELP, re.S)
    cells = re.findall(r"^\| (`.*`) \| ", HELP.partition("| Formatter |")[0], re.M)
    examples = [code for cell in cells for code in re.findall(r"`(.+?)`", cell)]

    assert len(blocks) == 2
    assert len(examples) == 13
    for text in blocks:
        assert isinstance(parse(text), Template)
    for pattern in examples:
        assert isinstance(parse("line: " + pattern.replace("\\|", "|")), Template)
    for formatter in FORMATTERS.values():
        assert f"| `{formatter.usage}` | {formatter.does} |" in HELP


def test_the_example_in_the_docstring_is_one() -> None:
    text = (templates.__doc__ or "").partition("::\n")[2].partition("\n\nA template")[0]

    assert parse(text).id == ("number",)
