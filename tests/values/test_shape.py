"""The shape of a value: what stands in tables, and how keys repeat."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import uniform_rows, values
from toon.codec.encoder import Encoder
from toon.values.shape import is_table, shape_of


def test_the_shape_counts_what_stands_in_tables() -> None:
    shape = shape_of({"rows": [{"a": 1, "g": {"b": 2}}, {"a": 3, "g": {"b": 4}}], "x": [5, {}]})

    assert (shape.scalars, shape.in_tables, shape.depth) == (5, 4, 4)
    assert (shape.keys, shape.distinct_keys) == (8, 5)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1, "flat"),
        ([1, 2], "flat"),
        ({"rows": [{"a": 1}, {"a": 2}]}, "table"),
        ({"rows": [{"a": 1}, {"a": 2}], "x": 1, "y": 2}, "partly a table"),
        ([[1, 2], [3, 4]], "bare lists"),
        ([{"a": 1}, {"a": [2]}, {"b": 3, "a": 4}, {"a": []}], "uneven records"),
        ({"a": {"b": 1}, "c": {"d": 2}}, "nested objects"),
    ],
)
def test_a_shape_has_a_name(value: Any, name: str) -> None:
    assert shape_of(value).name == name


@given(uniform_rows())
def test_what_is_a_table_here_is_a_table_to_the_encoder(rows: list[dict[str, Any]]) -> None:
    encoder = Encoder(",", 2)
    assert is_table(rows) == (encoder.columns(rows, encoder.cells) is not None)


@given(values)
def test_any_value_has_a_shape_within_bounds(value: Any) -> None:
    shape = shape_of(value)

    assert 0 <= shape.in_tables <= shape.scalars
    assert 0 <= shape.table_share <= 1
    assert 0 <= shape.repeated_keys <= 1
