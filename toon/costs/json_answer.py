"""Rows and verdict as JSON: what ``stats --json`` prints and the API answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from toon.costs.compare import Row
from toon.costs.verdict import Verdict

_FIGURES: Final = (
    "tokens", "explanation", "cost", "saved", "vs_today", "vs_json_compact", "break_even",
    "fewest", "tried", "unagreed",
)  # fmt: skip


def as_json(rows: Iterable[Row], verdict: Verdict) -> dict[str, Any]:
    """``rows`` and ``verdict``; they have no figures where no estimate holds."""
    given: dict[str, Any] = {**verdict}
    if verdict["no_estimate"]:
        given |= {**dict.fromkeys(_FIGURES), "ladder": []}
    return {"rows": list(map(_row, rows)), "verdict": given}


def _row(row: Row) -> dict[str, Any]:
    if not row["no_estimate"]:
        return {**row}
    return {**row, "tokens": None, "breakdown": None, "vs": dict.fromkeys(row["vs"])}
