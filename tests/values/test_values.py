"""Values: the order of walks, copies, the limit of nesting; equality; the shape in words."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import uniform_rows, values
from toon.codec.encoder import Encoder
from toon.values.equality import differences
from toon.values.paths import Path
from toon.values.shape import is_table, shape_words
from toon.values.walks import check_depth, keys_of, map_leaves, scalar_values, scalars


def test_scalars_are_in_the_order_of_the_value() -> None:
    value = {"b": [1, {"a": None}, [True]], "c": "x", "d": {}}

    assert list(scalars(value)) == [
        (("b", None), 1), (("b", None, "a"), None), (("b", None, None), True), (("c",), "x"),
    ]  # fmt: skip
    assert keys_of(value) == {"a", "b", "c", "d"}


@given(values)
def test_mapped_visits_the_same_scalars_and_copies(value: Any) -> None:
    met = []

    def note(path: Path, item: Any) -> Any:
        met.append((path, item))
        return item

    copy = map_leaves(value, note)

    assert copy == value
    assert copy is not value or not isinstance(value, dict | list)
    assert met == list(scalars(value))
    assert sorted(map(repr, scalar_values(value))) == sorted(repr(item) for _, item in met)


def test_nesting_is_bounded() -> None:
    value: Any = 1
    for _ in range(256):
        value = [value]
    check_depth({"wide": [1] * 1000})
    check_depth(value)
    loop: list[Any] = []
    loop += [loop, loop]

    for deep in ([value], loop):
        with pytest.raises(ValueError, match=r"^nested deeper than 256 levels$"):
            check_depth(deep)


# -- equality --------------------------------------------------------------------------------

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
    counts = differences(original, returned)

    assert str(counts) == named
    assert counts.same == (named == "nothing" or named.startswith("key order"))


# -- shape -----------------------------------------------------------------------------------


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
