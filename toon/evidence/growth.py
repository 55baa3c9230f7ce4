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

    ``vs`` compares the lines with each other form, as a signed fraction: negative means that the
    lines have fewer tokens. ``claim`` is the fraction that the document claims; ``exact`` is False
    if the tokens are estimates.
    """

    domain: str
    count: int
    tokens: dict[str, int]
    vs: dict[str, float]
    claim: float
    exact: bool


class EstimateRow(TypedDict):
    """The tokens of one response, and for each of ``ESTIMATORS`` its number and signed error.

    ``form`` is a key of :func:`texts`, or ``step 2`` or ``step 3`` of the story. A negative error
    means that the estimate is too low.
    """

    domain: str
    form: str
    tokens: int
    exact: bool
    estimates: dict[str, int]
    errors: dict[str, float]


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
    return {
        "domain": domain,
        "count": count,
        "tokens": tokens,
        "vs": {form: _vs(tokens["lines"], tokens[form]) for form in tokens if form != "lines"},
        "claim": CLAIMS[domain],
        "exact": tokenizer.exact,
    }


def _vs(tokens: int, baseline: int) -> float:
    difference = fraction(tokens, baseline)
    assert difference is not None  # no text is empty
    return difference


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
    return {name: sum(abs(row["errors"][name]) <= TOLERANCE for row in rows) for name in ESTIMATORS}


def _responses(domain: str) -> Iterator[tuple[str, str]]:
    yield from texts(domain).items()
    for row in story(domain, "estimate"):
        if row["step"] > 1:  # the first step is the list of ``texts``
            yield f"step {row['step']}", row["text"]


def _estimate_row(domain: str, form: str, text: str, tokenizer: Tokenizer) -> EstimateRow:
    tokens = tokenizer.count(text)
    estimates = {name: get(name).count(text) for name in ESTIMATORS}
    return {
        "domain": domain,
        "form": form,
        "tokens": tokens,
        "exact": tokenizer.exact,
        "estimates": estimates,
        "errors": {name: _vs(estimate, tokens) for name, estimate in estimates.items()},
    }
