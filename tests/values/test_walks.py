"""Walks over values: order, copies, the limit of nesting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import values
from toon.values.paths import Path
from toon.values.walks import check_depth, keys_of, mapped, scalar_values, scalars


def test_scalars_are_in_the_order_of_the_value() -> None:
    value = {"b": [1, {"a": None}, [True]], "c": "x", "d": {}}

    assert list(scalars(value)) == [
        (("b", None), 1),
        (("b", None, "a"), None),
        (("b", None, None), True),
        (("c",), "x"),
    ]
    assert keys_of(value) == {"a", "b", "c", "d"}


@given(values)
def test_mapped_visits_the_same_scalars_and_copies(value: Any) -> None:
    met = []

    def note(path: Path, item: Any) -> Any:
        met.append((path, item))
        return item

    copy = mapped(value, note)

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
