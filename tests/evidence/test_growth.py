"""The tables: every figure is the count of an actual text, and signs are right."""

from __future__ import annotations

import json

import pytest

from toon.codec.api import decode
from toon.compact import DOMAINS, compact
from toon.evidence.growth import (
    CLAIMS,
    domain_rows,
    estimate_rows,
    growth_rows,
    texts,
    within_tolerance,
)
from toon.records.store import SAMPLE_NOW, records
from toon.tokenizers import get

FORMS = ("json-compact", "json-pretty", "toon", "lines", "same-fields", "same-fields-toon")


@pytest.mark.parametrize("domain", DOMAINS)
def test_all_forms_have_the_same_records(domain: str) -> None:
    found = texts(domain, 10)
    page = records(domain, 10)
    whole = {"data": page, "meta": {"total": 10, "limit": 20, "offset": 0}}

    assert tuple(found) == FORMS
    assert json.loads(found["json-compact"]) == json.loads(found["json-pretty"]) == whole
    assert decode(found["toon"]) == whole
    assert json.loads(found["lines"]) == compact(page, domain, now=SAMPLE_NOW)
    same = json.loads(found["same-fields"])["data"]
    assert same == [DOMAINS[domain].visible(record) for record in page]
    even = decode(found["same-fields-toon"])["data"]
    assert [{n: v for n, v in record.items() if v is not None} for record in even] == same
    assert len({tuple(record) for record in even}) == 1


def test_a_row_per_domain() -> None:
    rows = domain_rows("o200k_base")
    tokenizer = get("o200k_base")

    assert [row["domain"] for row in rows] == list(DOMAINS) == list(CLAIMS)
    assert [round(row["claim"] * -100) for row in rows] == [81, 79, 82, 72, 75, 73, 83]
    for row in rows:
        found = texts(row["domain"], 10)
        tokens = row["tokens"]
        assert tokens == {form: tokenizer.count(text) for form, text in found.items()}
        assert row["exact"] is True
        for form in (form for form in FORMS if form != "lines"):
            assert row["vs"][form] == (tokens["lines"] - tokens[form]) / tokens[form]


def test_most_of_the_saving_comes_from_dropped_fields() -> None:
    rows = {row["domain"]: row for row in domain_rows("o200k_base")}

    for row in rows.values():
        tokens = row["tokens"]
        assert row["vs"]["json-pretty"] < row["vs"]["json-compact"] < -0.5
        dropped = tokens["json-compact"] - tokens["same-fields"]
        assert dropped > tokens["same-fields"] - tokens["lines"]
    assert rows["search"]["vs"]["same-fields"] > 0  # every full id is there twice, near enough
    assert rows["files"]["vs"]["same-fields-toon"] > 0


def test_growth() -> None:
    rows = growth_rows("files", "estimate", (1, 10, 100))

    assert [row["count"] for row in rows] == [1, 10, 100]
    assert rows[1] == next(r for r in domain_rows("estimate") if r["domain"] == "files")
    assert rows[0]["exact"] is False
    for form in FORMS:
        assert rows[0]["tokens"][form] < rows[1]["tokens"][form] < rows[2]["tokens"][form]
    assert [row["count"] for row in growth_rows("diary", "estimate")] == [1, 2, 5, 10, 20, 50, 100]


def test_estimates_and_counts() -> None:
    rows = estimate_rows("o200k_base")
    tokenizer = get("o200k_base")

    assert len(rows) == len(DOMAINS) * 8
    first = rows[0]
    text = texts("events")["json-compact"]
    assert (first["domain"], first["form"], first["exact"]) == ("events", "json-compact", True)
    assert first["tokens"] == tokenizer.count(text)
    chars4 = first["estimates"]["chars4"]
    assert chars4 == -(-len(text) // 4)
    assert first["errors"]["chars4"] == (chars4 - first["tokens"]) / first["tokens"] < 0
    assert [row["form"] for row in rows[:8]] == [*FORMS, "step 2", "step 3"]


def test_the_number_of_estimates_within_tolerance() -> None:
    rows = estimate_rows("o200k_base")
    for row, error in zip(rows, (0.0, 0.15, -0.15, 0.1500001, -0.2), strict=False):
        row["errors"] = {"estimate": error, "chars4": -error}

    assert within_tolerance(rows[:5]) == {"estimate": 3, "chars4": 3}
    found = within_tolerance(estimate_rows("o200k_base"))
    assert found["estimate"] > found["chars4"]
