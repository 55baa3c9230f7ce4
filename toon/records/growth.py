"""What a list of each domain costs in JSON, in TOON and as lines, and how that grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from toon.compact.domains import DOMAINS
from toon.compact.envelope import DEFAULT_LIMIT, compact
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.records.store import SAMPLE_NOW, records
from toon.records.story import story
from toon.tokenizers import Tokenizer, get
from toon.values.fractions import fraction

Row = dict[str, Any]

#: What the document of the format says it saves on ten records, against its own JSON.
CLAIMS: Final = {
    "events": -0.81,
    "notes": -0.79,
    "emails": -0.82,
    "contacts": -0.72,
    "files": -0.75,
    "diary": -0.73,
    "search": -0.83,
}

#: The estimators that could fill ``X-Token-Count``, and how far off it may be.
ESTIMATORS: Final = ("estimate", "chars4")
TOLERANCE: Final = 0.15


def texts(domain: str, count: int = 10) -> dict[str, str]:
    """One page of ``count`` records in each form.

    ``json_compact``, ``json_pretty`` and ``toon`` hold all fields; ``lines`` is the envelope of
    compact lines as compact JSON. ``same_fields_json`` and ``same_fields_toon`` hold what the lines
    are made of and nothing else, texts cut where they cut them: as JSON without nulls, as TOON with
    a null for every field a record lacks, so that its rows can be a table.
    """
    page = records(domain, count)
    meta = {"total": count, "limit": max(DEFAULT_LIMIT, count), "offset": 0}
    whole = {"data": page, "meta": meta}
    same = [DOMAINS[domain].shown(record) for record in page]
    names = [name for name in page[0] if any(name in record for record in same)]
    even = [{name: record.get(name) for name in names} for record in same]
    return {
        "json_compact": JSON_COMPACT.dumps(whole),
        "json_pretty": JSON_PRETTY.dumps(whole),
        "toon": TOON.dumps(whole),
        "lines": JSON_COMPACT.dumps(compact(page, domain, now=SAMPLE_NOW)),
        "same_fields_json": JSON_COMPACT.dumps({"data": same, "meta": meta}),
        "same_fields_toon": TOON.dumps({"data": even, "meta": meta}),
    }


def domain_rows(tokenizer: str, count: int = 10) -> list[Row]:
    """One row per domain: its tokens in every form of ``texts``, and what the lines save.

    ``vs_json_compact``, ``vs_json_pretty``, ``vs_toon``, ``vs_same_fields_json`` and
    ``vs_same_fields_toon`` are signed fractions of tokens, lines against that form, negative =
    fewer; ``toon_vs_json_compact`` is TOON's. ``claim`` is the document's figure, ``exact`` whether
    these are a model's own tokens.
    """
    used = get(tokenizer)
    return [_domain_row(domain, used, count) for domain in DOMAINS]


def _domain_row(domain: str, tokenizer: Tokenizer, count: int) -> Row:
    tokens = {form: tokenizer.count(text) for form, text in texts(domain, count).items()}
    differences = {
        f"vs_{form}": fraction(tokens["lines"], tokens[form]) for form in tokens if form != "lines"
    }
    return {
        "domain": domain,
        "count": count,
        **tokens,
        **differences,
        "toon_vs_json_compact": fraction(tokens["toon"], tokens["json_compact"]),
        "claim": CLAIMS[domain],
        "exact": tokenizer.exact,
    }


def growth_rows(
    domain: str, tokenizer: str, counts: Sequence[int] = (1, 2, 5, 10, 20, 50, 100)
) -> list[Row]:
    """The row of one domain for each number of records."""
    used = get(tokenizer)
    return [_domain_row(domain, used, count) for count in counts]


def estimate_rows(tokenizer: str) -> list[Row]:
    """What ``X-Token-Count`` would say of every response of ten records, and of the story's.

    A row holds ``domain``, ``form`` (a key of ``texts``, or ``step 2`` and ``step 3``), ``tokens``,
    ``exact``, and for each of ``ESTIMATORS`` its number and its signed error, as in ``chars4`` and
    ``chars4_error`` (negative = it says too few).
    """
    used = get(tokenizer)
    return [
        _estimate_row(domain, form, text, used)
        for domain in DOMAINS
        for form, text in _responses(domain)
    ]


def within_tolerance(rows: Sequence[Row]) -> dict[str, int]:
    """How many of the rows each estimator is within ``TOLERANCE`` of, both ends included."""
    return {
        name: sum(abs(row[f"{name}_error"]) <= TOLERANCE for row in rows) for name in ESTIMATORS
    }


def _responses(domain: str) -> Iterator[tuple[str, str]]:
    yield from texts(domain).items()
    for row in story(domain, "estimate"):
        if row["step"] > 1:  # the first is the list again
            yield f"step {row['step']}", row["text"]


def _estimate_row(domain: str, form: str, text: str, tokenizer: Tokenizer) -> Row:
    tokens = tokenizer.count(text)
    row: Row = {"domain": domain, "form": form, "tokens": tokens, "exact": tokenizer.exact}
    for name in ESTIMATORS:
        row[name] = get(name).count(text)
        row[f"{name}_error"] = fraction(row[name], tokens)
    return row
