"""Field filters: what each pattern drops, and that large patterns and values are no problem."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import count_lines
from toon.values.filters import PRESETS, apply, parse, preset

NESTED = {"a": {"x": 1, "y": {"z": 1}}, "b": {"c": 2}}
DEEP = {"items": {"at": [{"rs": 1, "x": {"rs": 2, "y": {"rs": 3, "q": 1}}}], "rs": 9}}
LIST = {"etag": 1, "items": [{"etag": 2, "s": 1}, {"etag": 3, "s": 2}]}

CASES: list[tuple[str, Any, Any]] = [
    ("etag", LIST, {"items": [{"etag": 2, "s": 1}, {"etag": 3, "s": 2}]}),
    ("etag", [{"etag": 1, "b": {"etag": 2}}], [{"b": {"etag": 2}}]),
    ("etag", [[{"etag": 1, "b": 2}]], [[{"b": 2}]]),
    ("items.etag", LIST, {"etag": 1, "items": [{"s": 1}, {"s": 2}]}),
    ("*.etag", LIST, {"items": [{"s": 1}, {"s": 2}]}),
    ("items.at.*.rs", DEEP, {"items": {"at": [{"x": {"y": {"q": 1}}}], "rs": 9}}),
    ("*.c.b", {"b": 1, "c": {"b": 2, "d": 1}, "e": {"c": {"b": 3, "z": {"b": 4}}, "b": 5}},
     {"b": 1, "c": {"d": 1}, "e": {"c": {"z": {"b": 4}}, "b": 5}}),
    ("*", NESTED, {}),
    ("*", [{"a": 1}, 2, [{"b": 1}]], [{}, 2, [{}]]),
    ("a.*", NESTED, {"a": {}, "b": {"c": 2}}),
    ("a.*", {"a": [1, 2, {"b": 3}]}, {"a": [1, 2, {}]}),
    ("*.y.*", NESTED, {"a": {"x": 1, "y": {}}, "b": {"c": 2}}),
    ("a.*.y", {"a": {"y": 1, "b": {"y": 2}}, "y": 3}, {"a": {"b": {}}, "y": 3}),
    ("a.*.c.*.d", {"a": {"b": {"c": {"d": 1, "e": 2}}}}, {"a": {"b": {"c": {"e": 2}}}}),
    ("*.*.y", {"y": 1, "a": {"y": 2}}, {"y": 1, "a": {}}),
    ("*.*.*", {"a": {"b": {"c": 1}}}, {"a": {}}), ("*.*", NESTED, NESTED),
    ("a.*.*", NESTED, NESTED), ("a..x", NESTED, NESTED), ("", NESTED, NESTED),
    ("a.x", {"a.x": 1, "a": {"x": 2}}, {"a.x": 1, "a": {}}),
    ("nowhere", NESTED, NESTED),
    ("items[].etag", LIST, {"etag": 1, "items": [{"s": 1}, {"s": 2}]}),
    ('["a.x"]', {"a.x": 1, "a": {"x": 2}}, {"a": {"x": 2}}),
    ('["*"]', {"*": 1, "a": 2}, {"a": 2}),
    ("form[name]", {"form[name]": 1, "b": 2}, {"b": 2}),
    ("items[0].etag", LIST, LIST), ("$", NESTED, NESTED), ("*", 5, 5), ("*", None, None),
    ("*", [1, "x"], [1, "x"]),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "value", "left"), CASES)
def test_what_a_pattern_drops(pattern: str, value: Any, left: Any) -> None:
    before = copy.deepcopy(value)

    assert apply(value, [pattern])[0] == left
    assert value == before


def test_several_patterns_drop_what_any_of_them_names() -> None:
    assert apply(NESTED, ["*.z", "b", "a.x"]) == ({"a": {"y": {}}}, 3)
    assert apply(NESTED, []) == (NESTED, 0)


def test_keys_keep_their_order() -> None:
    value = {"z": 1, "b": {"y": 1, "x": 2, "c": 3}, "a": 3}
    left, _ = apply(value, ["b.x"])

    assert list(left) == ["z", "b", "a"]
    assert list(left["b"]) == ["y", "c"]


def test_fields_inside_a_dropped_one_are_not_counted() -> None:
    assert apply(LIST, ["items.etag", "*.etag", "nowhere"])[1] == 3
    assert apply({"a": {"b": 1, "c": 2}}, ["a", "*.b"]) == ({}, 1)


def count_fields(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(count_fields, inside)) + (len(value) if isinstance(value, dict) else 0)


small_keys = st.sampled_from(["a", "b", "c", "*"])
trees = st.recursive(
    st.integers(0, 3),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(small_keys, inner, max_size=3)
    ),
    max_leaves=15,
)
patterns = st.lists(small_keys, min_size=1, max_size=4).map(".".join)


def drop(value: Any, steps: list[str]) -> Any:
    """``value`` filtered by a slow, simple implementation of the same semantics."""
    if isinstance(value, list):
        return [drop(item, steps) for item in value]
    if not isinstance(value, dict) or not steps:
        return value
    first, *rest = steps
    if first != "*" or not rest:
        return {
            key: drop(item, rest) if first in ("*", key) else item
            for key, item in value.items()
            if rest or first not in ("*", key)
        }
    if rest == ["*"]:
        here = {key: item for key, item in value.items() if key != "*"}
    elif rest[0] == "*":
        here = {key: drop(item, rest[1:]) for key, item in value.items()}
    else:
        here = drop(value, rest)
    return {key: drop(item, steps) for key, item in here.items()}


@given(trees, patterns)
def test_the_matcher_equals_the_simple_implementation(value: Any, pattern: str) -> None:
    assert apply(value, [pattern])[0] == drop(value, pattern.split("."))


@given(trees, st.lists(patterns, max_size=3, unique=True))
def test_patterns_together_drop_the_same_as_one_after_another(
    value: Any, several: list[str]
) -> None:
    left = value
    for pattern in several:
        left, _ = apply(left, [pattern])
    together, count = apply(value, several)

    assert together == left
    assert (count == 0) == (left == value)
    assert count_fields(value) - count_fields(left) >= count


# -- names and text --------------------------------------------------------------------------


def test_patterns_are_read_from_text() -> None:
    assert parse("etag, *.kind ,,items.x") == ("etag", "*.kind", "items.x")
    assert parse('["a,b"].c,d') == ('["a,b"].c', "d")
    assert parse("") == parse(" , ") == ()


def test_the_google_preset() -> None:
    event = {
        "etag": 1, "kind": 2, "htmlLink": 3, "iCalUID": 4, "sequence": 5, "summary": "x",
        "reminders": {"useDefault": True, "overrides": []},
        "creator": {"self": True, "email": "e"}, "organizer": {"self": True, "kind": 1},
    }  # fmt: skip
    slim = {"summary": "x", "reminders": {"overrides": []}, "creator": {"email": "e"}}
    slim["organizer"] = {}

    assert preset("google") == PRESETS["google"]
    assert apply(event, preset("google"))[0] == slim
    inside = apply({"items": [event]}, preset("google"))[0]["items"][0]
    assert list(inside) == list(slim)
    assert inside["creator"] == {"self": True, "email": "e"}


# -- limits ----------------------------------------------------------------------------------


def test_a_key_takes_no_longer_with_more_patterns_that_do_not_name_it() -> None:
    def work(patterns: int, keys: int) -> int:
        value = {f"x{number}": {"y": number} for number in range(keys)}
        return count_lines(apply, value, [f"*.k{number}.*.z" for number in range(patterns)])

    assert work(200, 400) - work(200, 200) < 2 * (work(2, 400) - work(2, 200))


def test_many_stars_on_deep_data() -> None:
    value: Any = {"a": 1, "b": 2}
    for _ in range(5000):
        value = {"a": 0, "b": [value]}
    left, _ = apply(value, [".".join(["*"] * 41 + ["a"])])
    kept = 0
    while "a" in left:
        kept, left = kept + 1, left["b"][0]

    assert kept == 20  # of 41 stars every second one is exactly one level
    for _ in range(5000 - 20):
        assert list(left) == ["b"]
        left = left["b"][0]
    assert left == {"b": 2}
