"""The exact part of a JSON text that holds a value, whichever way it is found."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.traffic.slices import cut_slice

KEYS = st.sampled_from(["a", "b", "rows", "é", "a b", '"a":', "\\"])
VALUES = st.recursive(
    st.none() | st.integers(-9, 9) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def paths(value: Any, start: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield start, value
    members = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else members:
        yield from paths(inner, (*start, key))


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_every_value_is_cut_out_as_it_was_written(value: Any, ascii: bool, indent: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)

    for path, expected in paths(value):
        part = cut_slice(text, path)
        assert part in text
        assert json.loads(part) == expected


@pytest.mark.parametrize(
    ("text", "path", "part"),
    [
        (r'{"x": {"b" : [1.50]}}', ("x", "b"), "[1.50]"),
        (r'{"x": {"\u0062": 1.0}, "y": {"b": 2}}', ("x", "b"), "1.0"),
        (r'{"b": [1], "b": {"c": 2.0}}', ("b",), '{"c": 2.0}'),
        (r'{"x": "b", "b": 3.0}', ("b",), "3.0"), (r'[["b", 4.0]]', (0, 0), '"b"'),
        (r'{"b\u002dc": 5.0, "x": {"b-c": 6}}', ("b-c",), "5.0"),
        (r'{"b\u0031": 7.0, "x": {"b1": 8}}', ("b1",), "7.0"),
        (r'{"x": "\u003c", "b": {"b": [9.0]}}', ("b", "b", 0), "9.0"),
        (r'{"b": {"b": 1.0}, "x": "b"}', ("b",), '{"b": 1.0}'),
    ],
)  # fmt: skip
def test_a_key_is_found_however_it_is_spelled_and_repeated(
    text: str, path: tuple[str | int, ...], part: str
) -> None:
    assert cut_slice(text, path) == part


@pytest.mark.parametrize("path", [("a",), (1,), ("b", "c"), ("b", 0)])
def test_without_a_value_there_is_an_error(path: tuple[str | int, ...]) -> None:
    with pytest.raises(LookupError):
        cut_slice('{"b": 1}', path)
