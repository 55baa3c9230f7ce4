"""Signed fractions of a baseline."""

from __future__ import annotations

from toon.values.fractions import fraction


def test_fewer_tokens_are_negative_and_nothing_is_no_baseline() -> None:
    assert fraction(75, 100) == -0.25
    assert fraction(125, 100) == 0.25
    assert fraction(5, 0) is None
