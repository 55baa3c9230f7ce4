"""The shape of a value: what stands in tables, and how keys repeat."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import uniform_rows, values
from toon.codec.encoder import Encoder
from toon.values.shape import is_table, shape_words


@pytest.mark.parametrize(
    ("value", "tables", "repeats", "depth"),
    [
        ({"rows": [{"a": 1, "g": {"b": 2}}, {"a": 3, "g": {"b": 4}}], "x": [5, {}]}, 80, 38, 4),
        ({"a": {"x": 1}, "b": {"x": 2}}, 100, 25, 2),
        ({"a": {"x": 1}}, 0, 0, 2),
        ([{"a": 1}, {"a": [2]}], 0, 50, 3),
        ([[1, 2], [3]], 0, 0, 2),
        (1, 0, 0, 0),
    ],
)
def test_the_shape_is_what_stands_in_tables(
    value: Any, tables: int, repeats: int, depth: int
) -> None:
    assert shape_words(value) == (
        f"{tables}\u202f% of the values are in tables, {repeats}\u202f% of the keys are repeats, "
        f"{depth} level{'s' * (depth != 1)} deep"
    )


@given(uniform_rows())
def test_what_is_a_table_here_is_a_table_to_the_encoder(rows: list[dict[str, Any]]) -> None:
    encoder = Encoder(",", 2)
    assert is_table(rows) == (encoder.columns(rows, encoder.cells) is not None)


@given(values)
def test_any_value_has_a_shape(value: Any) -> None:
    assert shape_words(value).endswith(" deep")
