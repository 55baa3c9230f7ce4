"""The tokens of a list in JSON, in TOON and as lines, for each domain and number of records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypedDict

from toon.compact.domains import DOMAINS
from toon.compact.envelope import DEFAULT_LIMIT, compact
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.records.store import SAMPLE_NOW, records
from toon.records.story import story
from toon.tokenizers import Tokenizer, get
from toon.values.fractions import fraction

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

#: The estimators that could fill ``X-Token-Count``, and the largest error allowed.
ESTIMATORS: Final = ("estimate", "chars4")
TOLERANCE: Final = 0.15


class GrowthRow(TypedDict):
    """The tokens of one list in the forms of :func:`texts`.

    The ``vs_`` fields compare the lines with another form, as a signed fraction: negative means
    that the lines have fewer tokens. ``claim`` is the fraction that the document claims; ``exact``
    is False if the tokens are estimates.
    """

    domain: str
    count: int
    json_compact: int
    json_pretty: int
    toon: int
    lines: int
    same_fields_json: int
    same_fields_toon: int
    vs_json_compact: float | None
    vs_json_pretty: float | None
    vs_toon: float | None
    vs_same_fields_json: float | None
    vs_same_fields_toon: float | None
    claim: float
    exact: bool


class EstimateRow(TypedDict):
    """The tokens of one response, and each estimate with its signed error (negative: too low).

    ``form`` is a key of :func:`texts`, or ``step 2`` or ``step 3`` of the story.
    """

    domain: str
    form: str
    tokens: int
    exact: bool
    estimate: int
    estimate_error: float | None
    chars4: int
    chars4_error: float | None


def texts(domain: str, count: int = 10) -> dict[str, str]:
    """One page of ``count`` records in each form.

    ``json_compact``, ``json_pretty`` and ``toon`` have all fields. ``lines`` is the envelope of
    compact lines, as compact JSON. ``same_fields_json`` and ``same_fields_toon`` have only the
    fields that lines are made of, with previews cut alike: the JSON without nulls, the TOON with a
    null for each missing field, so that the rows form a table.
    """
    page = records(domain, count)
    meta = {"total": count, "limit": max(DEFAULT_LIMIT, count), "offset": 0}
    whole = {"data": page, "meta": meta}
    same = [DOMAINS[domain].visible(record) for record in page]
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


def domain_rows(tokenizer: str) -> list[GrowthRow]:
    """A row for each domain, for lists of ten records."""
    used = get(tokenizer)
    return [_growth_row(domain, used, 10) for domain in DOMAINS]


def growth_rows(
    domain: str, tokenizer: str, counts: Sequence[int] = (1, 2, 5, 10, 20, 50, 100)
) -> list[GrowthRow]:
    """A row for each number of records of one domain."""
    used = get(tokenizer)
    return [_growth_row(domain, used, count) for count in counts]


def _growth_row(domain: str, tokenizer: Tokenizer, count: int) -> GrowthRow:
    tokens = {form: tokenizer.count(text) for form, text in texts(domain, count).items()}
    lines = tokens["lines"]
    return {
        "domain": domain,
        "count": count,
        "json_compact": tokens["json_compact"],
        "json_pretty": tokens["json_pretty"],
        "toon": tokens["toon"],
        "lines": lines,
        "same_fields_json": tokens["same_fields_json"],
        "same_fields_toon": tokens["same_fields_toon"],
        "vs_json_compact": fraction(lines, tokens["json_compact"]),
        "vs_json_pretty": fraction(lines, tokens["json_pretty"]),
        "vs_toon": fraction(lines, tokens["toon"]),
        "vs_same_fields_json": fraction(lines, tokens["same_fields_json"]),
        "vs_same_fields_toon": fraction(lines, tokens["same_fields_toon"]),
        "claim": CLAIMS[domain],
        "exact": tokenizer.exact,
    }


def estimate_rows(tokenizer: str) -> list[EstimateRow]:
    """What ``X-Token-Count`` would say of each response: lists of ten records, and the story."""
    used = get(tokenizer)
    return [
        _estimate_row(domain, form, text, used)
        for domain in DOMAINS
        for form, text in _responses(domain)
    ]


def within_tolerance(rows: Sequence[EstimateRow]) -> dict[str, int]:
    """The number of rows in which the error of each estimator is at most ``TOLERANCE``."""
    errors = {
        "estimate": [row["estimate_error"] for row in rows],
        "chars4": [row["chars4_error"] for row in rows],
    }
    return {name: sum(abs(e or 0) <= TOLERANCE for e in errors[name]) for name in ESTIMATORS}


def _responses(domain: str) -> Iterator[tuple[str, str]]:
    yield from texts(domain).items()
    for row in story(domain, "estimate"):
        if row["step"] > 1:  # the first step is the list of ``texts``
            yield f"step {row['step']}", row["text"]


def _estimate_row(domain: str, form: str, text: str, tokenizer: Tokenizer) -> EstimateRow:
    tokens = tokenizer.count(text)
    estimate, chars4 = (get(name).count(text) for name in ESTIMATORS)
    return {
        "domain": domain,
        "form": form,
        "tokens": tokens,
        "exact": tokenizer.exact,
        "estimate": estimate,
        "estimate_error": fraction(estimate, tokens),
        "chars4": chars4,
        "chars4_error": fraction(chars4, tokens),
    }
