"""The tables: every figure is the count of an actual text, and signs are right."""

from __future__ import annotations

import json

import pytest

from toon.codec.api import decode
from toon.compact import DOMAINS, compact
from toon.evidence.domains import CLAIMS, domain_rows, texts
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
