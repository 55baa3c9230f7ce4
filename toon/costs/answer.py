"""Provisional: replaced on merge."""

from __future__ import annotations

from typing import Any, TypedDict


class Rung(TypedDict):
    format: str
    label: str
    tokens: int
    explanation: float
    cost: float
    change: float
    vs_before: float | None
    vs_today: float | None


def nothing_to_compare(value: Any) -> str | None:
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "array"
        return None if value else f"Nothing to compare: the payload is an empty {kind}"
    kinds = {str: "text", bool: "boolean", type(None): "null"}
    return f"Nothing to compare: the payload is a single {kinds.get(type(value), 'number')}"
