"""JSON-model equality, and the description of differences."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from toon.values.equality import differences

CASES = [
    (1, 1.0, "nothing"),
    (0.0, -0.0, "nothing"),
    (Decimal("1e400"), Decimal("1E+400"), "nothing"),
    (10**400, Decimal("1e400"), "nothing"),
    (True, 1, "type of 1 value"),
    (None, "null", "type of 1 value"),
    (["1", 2, "x"], [1, "2", "x"], "types of 2 values"),
    ("a", "b", "1 value changed"),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "key order of 1 object"),
    ({"a": 1}, {}, "1 key or item missing"),
    ([1, 2], [1, 2, 3], "1 key or item added"),
    ([[1], {"a": {"b": None}}], [[2], {"a": {"b": "x"}}], "type of 1 value, 1 value changed"),
    ([], {}, "type of 1 value"),
    ({"a": [1, 2]}, ["1", "2"], "types of 2 values, 1 key or item missing"),
    ([1, 2], {"item": ["1", "2"]}, "types of 2 values, 1 key or item added"),
    ({"a": [1], "b": 2}, ["1"], "type of 1 value"),
    ({"a": 1}, [1], "type of 1 value"),
]


@pytest.mark.parametrize(("original", "returned", "named"), CASES)
def test_differences_are_named(original: Any, returned: Any, named: str) -> None:
    found = differences(original, returned)

    assert str(found) == named
    assert found.same == (named == "nothing" or named.startswith("key order"))
