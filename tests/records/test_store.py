"""The bundled records: complete, with distinct ids, always the same, and all invented."""

import json
import re

import pytest

from tests.conftest import ROOT
from toon.compact import DOMAINS, domain_of
from toon.compact.relative import read_time
from toon.records.filters import find_changes
from toon.records.store import SAMPLE_NOW, add_changes, records, store


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_hundred_records_of_one_domain(domain: str) -> None:
    sample = records(domain, 100)

    assert len(sample) == 100
    assert domain_of(sample) == domain
    assert sample == records(domain, 100)
    assert sample[:10] == records(domain, 10)
    assert len({record["id"] for record in sample}) == 100
    assert len({tuple(record) for record in sample}) == 1
    assert len({len(record["id"]) for record in sample}) == 1


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_record_has_changed_yet(domain: str) -> None:
    for record in records(domain, 100):
        created, updated = (read_time(record[name]) for name in ("created_at", "updated_at"))
        assert created is not None
        assert updated is not None
        assert created <= updated < SAMPLE_NOW
        assert record["deleted_at"] is None


def test_each_lap_is_two_weeks_earlier() -> None:
    first, again = (records("diary", 13)[place] for place in (0, 12))

    assert (first["entry_date"], again["entry_date"]) == ("2026-02-18", "2026-02-04")
    assert first["content"] == again["content"]
    assert first["created_at"][:10] == "2026-02-18"
    assert again["created_at"] == first["created_at"].replace("02-18", "02-04")
    scores = [record["score"] for record in records("search", 100)]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("domain", DOMAINS)
def test_half_an_hour_brings_one_change_of_each_kind(domain: str) -> None:
    before = records(domain, 5)
    after = add_changes(domain, before)
    changes = find_changes(after, "2026-02-18T14:00:00Z", now=SAMPLE_NOW)["data"]

    assert before == records(domain, 5)
    assert [record["id"] for record in changes["created"]] == [after[-1]["id"]]
    assert [record["id"] for record in changes["updated"]] == [before[1]["id"]]
    assert [record["id"] for record in changes["deleted"]] == [before[-1]["id"]]
    assert list(after[1]) == list(before[1])
    assert {name for name in after[1] if after[1][name] != before[1][name]} >= {"updated_at"}
    assert len(store(domain)) == 101


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_files_are_invented_and_small(domain: str) -> None:
    text = (ROOT / "samples" / "domains" / f"{domain}.json").read_text(encoding="utf-8")

    assert len(json.loads(text)) == 13
    assert text.count("\n") == 15  # a record a line
    assert len(text) < 20_000
    hosts = re.findall(r"@([\w.-]+)", text)
    assert set(hosts) <= {"example.com", "example.org", "example.net"}
