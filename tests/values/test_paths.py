"""Paths in every form they are written in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import keys
from toon.errors import TextError
from toon.values.paths import (
    IN_TEMPLATE,
    STAR,
    Path,
    PathError,
    Step,
    member,
    parse_pattern,
    parse_typed,
    pattern_text,
    read_path,
)

any_key = st.one_of(st.sampled_from(["$", "*", "[]", "[0]", "0", "a.b", "\\", "{a}"]), keys)
patterns = st.lists(st.one_of(st.none(), any_key), max_size=5).map(tuple)
steps = st.one_of(st.none(), st.integers(-999_999, 999_999), st.just(STAR), any_key)


@given(patterns)
def test_every_pattern_comes_back_from_its_text(path: Path) -> None:
    assert parse_pattern(pattern_text(path)) == path


@given(st.lists(steps, max_size=5).map(tuple))
def test_every_path_comes_back_from_its_text(path: tuple[Step, ...]) -> None:
    text = pattern_text(path)
    typed = parse_typed(text)

    assert typed == path
    assert list(map(type, typed)) == list(map(type, path))
    assert read_path(f"{{{text}}}", IN_TEMPLATE, 1) == (path, len(text) + 1)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ((), "$"), ((None,), "[]"),
        (("orders", None, "customer", "email"), "orders[].customer.email"),
        (("items", 0, "name"), "items[0].name"), (("items", -1), "items[-1]"),
        ((STAR, "etag"), "*.etag"), (("*", "etag"), '["*"].etag'),
        (("a.b", None, "", "c"), '["a.b"][][""].c'), (("$",), '["$"]'),
        (("$ref", "@type"), "$ref.@type"), (("a", "x]", "é"), 'a["x]"].é'),
    ],
)  # fmt: skip
def test_paths_by_example(path: tuple[Step, ...], pattern: str) -> None:
    assert pattern_text(path) == pattern
    assert parse_typed(pattern) == path


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("choices.0.message", ("choices", "0", "message")),  # corpus
        ("$.a.0", ("a", "0")),
        (r"a\.b.c\\", ("a.b", "c\\")),
        ("a b", ("a b",)),
        ("a.$", ("a", "$")),
        ("items.at.*.rs", ("items", "at", STAR, "rs")),  # field filters
        ("@type", ("@type",)),
        ("form[name]", ("form[name]",)),
        ('say "hi"', ('say "hi"',)),
        (r"a\[0].b", ("a[0]", "b")),
        ("orders[].customer.email", ("orders", None, "customer", "email")),  # advisor
        ('["a.b"][].x', ("a.b", None, "x")),
        ("items[0].name", ("items", 0, "name")),  # templates
        ("[-1]", (-1,)),
    ],
)
def test_every_form_is_read_where_paths_are_typed(text: str, path: tuple[Step, ...]) -> None:
    assert parse_typed(text) == path


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 0, "expected a field, found the end"),
        (".a", 0, "expected a field, found '.'"),
        ("a..b", 2, "expected a key, found '.'"),
        ("a.", 2, "expected a key, found the end"),
        ("a[0]b", 4, "expected . or [, found 'b'"),
        ("[0][x]", 4, "expected ], a number or a quoted key, found 'x'"),
        ('["\\x"]', 2, "unknown escape"),
        ('["\\ud800"]', 1, "a surrogate is not a character"),
    ],
)
def test_a_typed_text_that_is_not_a_path_is_refused(text: str, at: int, message: str) -> None:
    with pytest.raises(PathError) as caught:
        parse_typed(text)

    assert (caught.value.at, caught.value.message) == (at, message)


@pytest.mark.parametrize(
    ("value", "step", "place"),
    [({"0": 1}, "0", "0"), ([5, 6], "1", 1), ([5, 6], "01", 1), ([5, 6], -1, 1), ([5, 6], 0, 0)],
)
def test_a_step_leads_to_a_key_or_an_index(value: Any, step: Step, place: str | int) -> None:
    assert member(value, step) == place


@pytest.mark.parametrize(
    ("value", "step"),
    [({"a": 1}, "b"), ({"0": 1}, 0), ([5], "1"), ([5], "-1"), ([5], -2), ([5], None), ("a", 0)],
)
def test_a_step_that_leads_nowhere_raises(value: Any, step: Step) -> None:
    with pytest.raises(LookupError):
        member(value, step)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1), (".a", 1), ("a..b", 2), ("a.", 2), ("a[0]", 2), ("a b", 2), ('["a"', 1),
        ('a["\\x"]', 2), ("[]a", 3),
    ],
)  # fmt: skip
def test_a_text_that_is_not_a_pattern_is_refused_with_its_column(text: str, column: int) -> None:
    with pytest.raises(TextError) as caught:
        parse_pattern(text)

    assert caught.value.as_dict() == {
        "message": 'expected a field name, [] or ["name"]',
        "line": 1,
        "column": column,
        "source": text,
        "hint": "a pattern looks like orders[].customer.email",
    }
