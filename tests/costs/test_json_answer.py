"""Rows and verdict as JSON: figures that hold as they are, others as null."""

from __future__ import annotations

from typing import Any

from toon.costs.json_answer import as_json

from toon.costs.answer import answer
from toon.costs.compare import compare
from toon.costs.document import Document

FORMATS = ("json-compact", "toon", "csv")


def test_figures_that_hold_are_given_as_they_are() -> None:
    document = Document.of([{"id": number, "tags": [number]} for number in range(40)])
    rows, verdict = compare(document, FORMATS), answer(document)

    assert [row["tokens"] is None for row in rows] == [False, False, True]
    assert as_json(rows, verdict) == {"rows": rows, "verdict": verdict}


def test_where_no_estimate_holds_there_are_no_figures() -> None:
    haiku = "claude_haiku_4_5"
    document = Document.of([{"text": "Съешь же ещё этих мягких французских булок"}] * 9)
    rows, verdict = compare(document, FORMATS, [haiku]), answer(document, haiku)
    nothing: dict[str, Any] = {
        "tokens": None, "explanation": None, "cost": None, "saved": None, "vs_today": None,
        "vs_json_compact": None, "break_even": None, "fewest": None, "tried": None,
        "ladder": [],
    }  # fmt: skip
    without = {"json-compact": None, "json-pretty": None, "json-python": None}

    assert verdict["tokens"] > 0
    assert as_json(rows, verdict) == {
        "rows": [{**row, "tokens": None, "breakdown": None, "vs": without} for row in rows],
        "verdict": {**verdict, **nothing},
    }
