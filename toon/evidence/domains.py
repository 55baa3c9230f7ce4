"""What ten records of each domain take in JSON, in TOON and as lines, beside what is claimed."""

from __future__ import annotations

from typing import Final, TypedDict

from toon.compact import compact
from toon.compact.domains import DOMAINS
from toon.compact.envelope import DEFAULT_LIMIT
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.records.store import SAMPLE_NOW, records
from toon.tokenizers import Tokenizer, get

#: The savings that the format's document claims for ten records, against its own JSON.
CLAIMS: Final = {
    "events": -0.81,
    "notes": -0.79,
    "emails": -0.82,
    "contacts": -0.72,
    "files": -0.75,
    "diary": -0.73,
    "search": -0.83,
}


class DomainRow(TypedDict):
    """The tokens of one list in the forms of :func:`texts`.

    ``vs`` compares the lines with each other form, as a signed fraction: negative means that the
    lines have fewer tokens. ``claim`` is the fraction that the document claims.
    """

    domain: str
    tokens: dict[str, int]
    vs: dict[str, float]
    claim: float


def texts(domain: str, count: int = 10) -> dict[str, str]:
    """One page of ``count`` records in each form.

    Compact JSON, indented JSON and TOON have all fields. ``lines`` is the envelope of compact
    lines, as compact JSON. ``same-fields`` and ``same-fields-toon`` have only the fields that lines
    are made of, with previews cut alike: the JSON without nulls, the TOON with a null for each
    missing field, so that the rows form a table.
    """
    page = records(domain, count)
    meta = {"total": count, "limit": max(DEFAULT_LIMIT, count), "offset": 0}
    whole = {"data": page, "meta": meta}
    same = [DOMAINS[domain].visible(record) for record in page]
    names = [name for name in page[0] if any(name in record for record in same)]
    even = [{name: record.get(name) for name in names} for record in same]
    return {
        JSON_COMPACT.name: JSON_COMPACT.dumps(whole),
        JSON_PRETTY.name: JSON_PRETTY.dumps(whole),
        TOON.name: TOON.dumps(whole),
        "lines": JSON_COMPACT.dumps(compact(page, domain, now=SAMPLE_NOW)),
        "same-fields": JSON_COMPACT.dumps({"data": same, "meta": meta}),
        "same-fields-toon": TOON.dumps({"data": even, "meta": meta}),
    }


def domain_rows(tokenizer: str) -> list[DomainRow]:
    """Measure a list of ten records of each domain."""
    return [_domain_row(domain, get(tokenizer)) for domain in DOMAINS]


def _domain_row(domain: str, tokenizer: Tokenizer) -> DomainRow:
    tokens = {form: tokenizer.count(text) for form, text in texts(domain).items()}
    lines = tokens["lines"]
    return {
        "domain": domain,
        "tokens": tokens,
        "vs": {form: (lines - count) / count for form, count in tokens.items() if form != "lines"},
        "claim": CLAIMS[domain],
    }
