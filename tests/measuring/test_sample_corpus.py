"""The bundled corpus is what its script writes, and has what its README says."""

import gzip
import runpy
from collections import Counter, defaultdict
from typing import Any

import pytest

from tests.conftest import ROOT
from toon.formats import FORMATS
from toon.measuring.measure import Settings, measure_record
from toon.measuring.table import open_run
from toon.tokenizers import get
from toon.traffic import read, sniff
from toon.traffic.payload import BadRecord, Payload
from toon.values.json_text import parse_json

PATH = ROOT / "samples" / "corpus.jsonl.gz"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "samples" / "make_corpus.py"))


@pytest.fixture(scope="module")
def corpus() -> list[Payload | BadRecord]:
    paths = {"payload_path": "payload", "group_path": "endpoint"}
    return list(read(PATH, "corpus.jsonl.gz", **paths))


@pytest.mark.rest
def test_the_script_writes_the_same_text_again(script: dict[str, Any]) -> None:
    assert script["corpus"]() == gzip.decompress(PATH.read_bytes())


def test_the_packed_bytes_hold_no_time_and_no_name(script: dict[str, Any]) -> None:
    data = b"x" * 1000

    assert script["packed"](data) == script["packed"](data)
    # method deflate, no flags (so no name), time 0, best compression, no system
    assert PATH.read_bytes()[:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255])
    assert PATH.stat().st_size < 1_000_000


def test_the_corpus_has_four_weeks_of_ten_endpoints(corpus: list[Payload | BadRecord]) -> None:
    payloads = [item for item in corpus if isinstance(item, Payload)]
    bad = [item for item in corpus if isinstance(item, BadRecord)]
    times = [item.time for item in payloads if item.time is not None]

    assert str(sniff(PATH, "corpus.jsonl.gz")) == (
        "JSON Lines, packed: a record a line, its payload at payload"
    )
    assert (len(payloads), len(bad)) == (2594, 6)
    assert {item.reason for item in bad} == {
        f"skipped: not JSON: tool: {tool}" for tool in ("search_help", "query_sales", "list_issues")
    }
    assert len(times) == len(payloads)
    assert times == sorted(times)
    assert 27 < (times[-1] - times[0]) / 86_400 < 28
    groups = Counter(item.group for item in payloads)
    assert len(groups) == 10
    assert min(groups.values()) > 50


def test_the_readme_says_which_endpoints_gain(corpus: list[Payload | BadRecord]) -> None:
    tokens: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen: Counter[str] = Counter()
    for item in corpus:
        if isinstance(item, BadRecord) or seen[item.group] == 25:
            continue
        seen[item.group] += 1
        value = parse_json(item.text).value
        for name in ("json-compact", "toon"):
            tokens[item.group][name] += get("o200k_base").count(FORMATS[name].dumps(value))
    verdicts = {group: _verdict(counts) for group, counts in tokens.items()}

    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (ROOT / "samples" / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith(("| `GET", "| `tool"))
    ]
    assert {row[0].strip("`"): row[2].split()[0] for row in rows} == verdicts


def _verdict(counts: Counter[str]) -> str:
    change = counts["toon"] / counts["json-compact"] - 1
    return "about" if abs(change) < 0.05 else "fewer" if change < 0 else "more"


@pytest.mark.rest
def test_the_sample_is_measured_as_it_would_be_now(corpus: list[Payload | BadRecord]) -> None:
    """All records have their rows; every 23rd is measured again."""
    run = open_run(ROOT / "samples" / "corpus.parquet")
    names = run.about["tokenizers"], run.about["formats"]
    lines = run.table().to_pylist()

    assert run.about["complete"]
    assert len(lines) == len(corpus) == run.about["records"]
    settings = Settings.of(*names)
    for place, (record, line) in enumerate(zip(corpus, lines, strict=True)):
        assert (line["source"], line["record"]) == (record.source, record.record)
        if isinstance(record, Payload):
            assert (line["group"], line["time"].timestamp()) == (record.group, record.time)
        if place % 23 == 0 or not isinstance(record, Payload):
            again = measure_record(record, settings) | {"time": line["time"]}
            assert line == {name: again.get(name) for name in line}
    assert Counter(line["error"] is None for line in lines) == {True: 2_594, False: 6}
