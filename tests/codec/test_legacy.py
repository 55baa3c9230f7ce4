"""TOON 3.3: our own cases of the differences from 4.4."""

from typing import Any

import pytest
from hypothesis import given

import toon
from tests.strategies import values
from toon.values.equality import differences
from toon.values.walks import keys_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"r": [{"a": 1, "g": {"x": 2}}]}, "r[1]:\n  - a: 1\n    g:\n      x: 2"),
        ({"x": {"n": 1}, "y": {"n": 2}}, "x:\n  n: 1\ny:\n  n: 2"),
        ({"s": "#x", "p": "+1"}, "s: #x\np: +1"),
        (["#a", "b", "c", "d"], "[4]: #a,b,c,d"),
        ({"r": [{"a": "#x", "b": 1}]}, "r[1]{a,b}:\n  #x,1"),
    ],
)
def test_3_3_writes_these_values_differently(value: Any, text: str) -> None:
    assert toon.encode(value, spec="3.3") == text
    assert toon.decode(text, spec="3.3") == value


@pytest.mark.parametrize(
    "text", ["k[2:]{a}:\n  x: 1\n  y: 2", "r[1]{a,g{x}}:\n  1,2", "a[1][b]: 1", "a[]: 1"]
)
def test_headers_of_4_x_are_refused(text: str) -> None:
    with pytest.raises(toon.ToonDecodeError):
        toon.decode(text, spec="3.3")


def test_a_malformed_bracket_is_a_literal_key_leniently() -> None:
    assert toon.decode("foo[1][bar]: 10", spec="3.3", strict=False) == {"foo[1][bar]": 10}


def test_chains_fold_and_expand() -> None:
    value = {"a": {"b": {"c": 1}}, "d": {"e f": {"g": 2}}, "h": {"i": [{"j": {"k": 3}}]}}
    text = toon.encode(value, spec="3.3", key_folding=True)

    assert text == 'a.b.c: 1\nd:\n  "e f":\n    g: 2\nh.i[1]:\n  - j.k: 3'
    assert toon.decode(text, spec="3.3", expand_paths=True) == value
    assert toon.encode(value["a"], spec="3.3", key_folding=True, flatten_depth=1) == "b:\n  c: 1"


@pytest.mark.parametrize(
    ("text", "path"), [("a: 1\nb: 2\na.c: 3", r"a\.c"), ("ab: 1\na.b: 1\na: 2", "a")]
)
def test_paths_that_collide_are_refused_with_their_line(text: str, path: str) -> None:
    with pytest.raises(toon.ToonDecodeError, match=f"'{path}' leads through a value") as caught:
        toon.decode(text, spec="3.3", expand_paths=True)

    assert caught.value.line == 3


def test_quoted_field_names_stay_literal_in_short_and_long_tables() -> None:
    """Rows are built by different code depending on their number."""
    for count in (2, 300):
        text = f'r[{count}]{{"a.b",c.d}}:' + "\n  1,2" * count
        decoded = toon.decode(text, spec="3.3", expand_paths=True)
        assert decoded["r"][-1] == {"a.b": 1, "c": {"d": 2}}


@pytest.mark.rest
@given(values)
def test_expanding_reverses_folding_if_no_key_has_dots(value: Any) -> None:
    text = toon.encode(value, spec="3.3", key_folding=True)
    if any("." in key for key in keys_of(value)):
        return
    assert differences(value, toon.decode(text, spec="3.3", expand_paths=True)).same


def test_one_object_in_two_places_folds_like_two_objects() -> None:
    shared = {"": {"a": {"b": 1}}}
    apart = {"": {"a": {"b": 1}}}
    one = toon.encode({"a": shared, "b": {"k": shared}}, spec="3.3", key_folding=True)
    two = toon.encode({"a": shared, "b": {"k": apart}}, spec="3.3", key_folding=True)

    assert one == two


def test_folding_refuses_what_it_cannot_fold() -> None:
    cycle: dict[str, Any] = {}
    cycle["x"] = cycle
    with pytest.raises(toon.EncodeError, match="contains itself"):
        toon.encode(cycle, spec="3.3", key_folding=True)
    with pytest.raises(toon.EncodeError, match="is not a string"):
        toon.encode({(1,): 2}, spec="3.3", key_folding=True)
    with pytest.raises(toon.ToonDecodeError, match="nested deeper"):
        toon.decode("a." * 3000 + "a: 1", spec="3.3", expand_paths=True)
