"""The one proof of a round trip."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.costs.document import Document, Proof, compare_values
from toon.formats import FORMATS
from toon.formats.base import NotApplicable
from toon.values.equality import differences

JSONS = [FORMATS[name] for name in ("json-compact", "json-pretty", "json-python")]


@pytest.mark.parametrize(
    ("name", "value", "text", "proof"),
    [
        ("toon", [{"a": 1, "b": "x"}], "[1]{a,b}:\n  1,x", Proof(True)),
        ("csv", [{"a": 1}], "a\n1", Proof(False, "type of 1 value")),
        ("json-compact", [1, 2], "[1]", Proof(False, "1 key or item missing")),
        ("compact", [], "{}", Proof(False, "one way: lines are written for a reader")),
        (
            "toon",
            {"a": 1},
            'a: "1',
            Proof(False, "it cannot be read back: line 1, column 4: string is not closed"),
        ),
        ("json-columns", [{"a": 1}], '{"columns":["a"],"rows":[[1]]}', Proof(True)),
        (
            "json-columns",
            [{"a": 1}],
            '{"columns":["a"],"rows":1}',
            Proof(
                False, "it cannot be read back: line 1, column 1: 'rows' is not an array of arrays"
            ),
        ),
    ],
)
def test_what_comes_back_is_proven_and_a_difference_named(
    name: str, value: Any, text: str, proof: Proof
) -> None:
    assert Document(value).prove(FORMATS[name], text) == proof


def test_another_order_of_keys_is_proven_and_named() -> None:
    assert compare_values({"a": 1, "b": 2}, {"b": 2, "a": 1}) == Proof(
        True, "key order of 1 object"
    )


@pytest.mark.parametrize("value", [2**64, Decimal("1e400"), 0.1, -0.0, 1.0, 2**53 + 1])
def test_numbers_that_a_fast_reader_would_change_are_proven_by_ours(value: Any) -> None:
    for format in JSONS:
        assert Document(value).prove(format, format.dumps(value)) == Proof(True)
    assert not Document(value).prove(FORMATS["json-compact"], "7").ok


@pytest.mark.parametrize("lost", [float("inf"), float("-inf"), float("nan")])
@pytest.mark.parametrize("format", ["json-compact", "json-pretty", "toon"])
def test_a_number_that_is_written_as_null_does_not_come_back(lost: float, format: str) -> None:
    for value in ([lost], {"a": None, "b": [1.0, {"c": lost}]}):
        text = FORMATS[format].dumps(value)
        assert Document(value).prove(FORMATS[format], text) == Proof(False, "type of 1 value")


@given(values, values, st.sampled_from(list(FORMATS.values())))
def test_the_fast_way_agrees_with_the_plain_one(value: Any, other: Any, format: Any) -> None:
    try:
        text = format.dumps(other)
        returned = format.loads(text)
    except (NotApplicable, ValueError):
        return

    assert Document(value).prove(format, text).ok == differences(value, returned).same
