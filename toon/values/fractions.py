"""Signed differences as fractions of a baseline, and shares in per cent."""

from __future__ import annotations


def fraction(tokens: float, baseline: float) -> float | None:
    """``(tokens - baseline) / baseline``, negative for fewer; None for a baseline of 0."""
    return (tokens - baseline) / baseline if baseline else None


def percent_of(part: int | None, whole: int | None) -> float | None:
    """``part`` as per cent of ``whole``; None if either is unknown or ``whole`` is 0."""
    return None if part is None or not whole else 100 * part / whole
