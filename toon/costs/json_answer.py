"""Rows and verdict as JSON: what ``stats --json`` prints and the API answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from toon.costs.compare import Row
from toon.costs.verdict import Known, Verdict, Words


class JsonVerdict(Known, Words):
    """A verdict as plain data; the figures are None where no estimate holds."""

    tokens: int | None
    explanation: float | None
    cost: float | None
    saved: float | None
    tried: dict[str, float] | None


class JsonAnswer(TypedDict):
    """What a payload costs in every format that was asked for, and what to send."""

    rows: list[dict[str, Any]]
    verdict: JsonVerdict


def as_json(rows: Iterable[Row], verdict: Verdict) -> JsonAnswer:
    """``rows`` and ``verdict``; they have no figures where no estimate holds."""
    given: JsonVerdict = {**verdict}
    if verdict["no_estimate"]:
        given["tokens"] = given["explanation"] = given["cost"] = given["saved"] = None
        given["vs_today"] = given["vs_json_compact"] = given["break_even"] = None
        given["fewest"] = given["tried"] = given["unagreed"] = None
        given["ladder"] = []
    return {"rows": list(map(_row, rows)), "verdict": given}


def _row(row: Row) -> dict[str, Any]:
    if not row["no_estimate"]:
        return {**row}
    return {**row, "tokens": None, "breakdown": None, "vs": dict.fromkeys(row["vs"])}
