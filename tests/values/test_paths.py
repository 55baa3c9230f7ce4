"""Patterns and walks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import keys, values
from toon.errors import TextError
from toon.values.paths import (
    Path,
    check_depth,
    keys_of,
    mapped,
    parse_pattern,
    pattern_text,
    scalars,
)


@given(st.lists(st.one_of(st.none(), st.just("$"), keys), max_size=5).map(tuple))
def test_every_path_comes_back_from_its_pattern(path: Path) -> None:
    assert parse_pattern(pattern_text(path)) == path


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ((), "$"),
        ((None,), "[]"),
        (("orders", None, "customer", "email"), "orders[].customer.email"),
        (("a.b", None, "", "c"), '["a.b"][][""].c'),
        (("$",), '["$"]'),
        (("a", "x]", "é"), 'a["x]"].é'),
    ],
)
def test_patterns_by_example(path: Path, pattern: str) -> None:
    assert pattern_text(path) == pattern


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        (".a", 1),
        ("a..b", 2),
        ("a.", 2),
        ("a[0]", 2),
        ("a b", 2),
        ('["a"', 1),
        ('a["\\x"]', 2),
        ("[]a", 3),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_column(text: str, column: int) -> None:
    with pytest.raises(TextError) as caught:
        parse_pattern(text)

    assert caught.value.as_dict() == {
        "message": 'expected a field name, [] or ["name"]',
        "line": 1,
        "column": column,
        "source": text,
        "hint": "a pattern looks like orders[].customer.email",
    }


def test_scalars_come_in_the_order_they_are_written() -> None:
    value = {"b": [1, {"a": None}, [True]], "c": "x", "d": {}}

    assert list(scalars(value)) == [
        (("b", None), 1),
        (("b", None, "a"), None),
        (("b", None, None), True),
        (("c",), "x"),
    ]
    assert keys_of(value) == {"a", "b", "c", "d"}


@given(values)
def test_a_map_meets_the_same_scalars_and_copies(value: Any) -> None:
    met = []

    def note(path: Path, item: Any) -> Any:
        met.append((path, item))
        return item

    copy = mapped(value, note)

    assert copy == value
    assert copy is not value or not isinstance(value, dict | list)
    assert met == list(scalars(value))


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
