"""From how many rows on a table is worth a change of format, against counting every length."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.conftest import ROOT, SHARED, needs_shared
from tests.strategies import uniform_rows
from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.break_even import growing_table, worth_from_rows
from toon.costs.choice import is_worth
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.formats import FORMATS

O200K = tokenizers.get("o200k_base")
SAMPLES = ["uniform-rows", "nested-uniform-rows", "world-text", "weather"]
BENCHMARK = ["tabular", "analytics", "github", "nested-group"]


def by_counting_all(value: Any, key: str | None, rows: list[Any], format: str, most: int) -> int:
    """The first number of rows that is worth it, found by trying all from one row on."""
    for number in range(1, most + 1):
        shorter = rows[:number] if key is None else {**value, key: rows[:number]}
        text = FORMATS[format].dumps(shorter)
        extra = ALONE.tokens(format, FORMATS[format].uses(text), "o200k_base")
        if is_worth(O200K.count(text) + extra, O200K.count(FORMATS["json-compact"].dumps(shorter))):
            return number
    raise AssertionError("never worth it")


def table_of(value: Any) -> tuple[str | None, list[Any]]:
    return (None, value) if isinstance(value, list) else max(
        ((key, rows) for key, rows in value.items() if isinstance(rows, list)),
        key=lambda item: len(item[1]),
    )  # fmt: skip


@pytest.mark.parametrize("format", ["toon", "toon-tab"])
@pytest.mark.parametrize("name", SAMPLES[:3])
def test_the_break_even_of_a_sample_is_the_first_length_that_is_worth_it(
    name: str, format: str
) -> None:
    value = json.loads((ROOT / "samples" / f"{name}.json").read_text(encoding="utf-8"))
    key, rows = table_of(value)

    expected = by_counting_all(value, key, rows, format, len(rows))
    assert worth_from_rows(value, format, ALONE, O200K) == expected


@needs_shared
@pytest.mark.parametrize("name", BENCHMARK)
def test_the_break_even_of_the_benchmark(name: str) -> None:
    value = json.loads((SHARED / "datasets" / f"tok-{name}.json").read_text(encoding="utf-8"))
    key, rows = table_of(value)

    expected = by_counting_all(value, key, rows, "toon", len(rows))
    assert worth_from_rows(value, "toon", ALONE, O200K) == expected


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([{"a": 1}, {"a": 2}], ()),
        ({"rows": [{"a": 1}, {"a": 2}], "n": 2}, ("rows",)),
        ({"x": [{"y": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}], "n": 2}, ("x", 0, "y")),
        ({"rows": [{"a": 1}], "n": [1, 2, 3]}, None),  # the table is not what grows
        ([{"a": 1, "s": [{"b": 1}]}, {"a": 2, "s": [{"b": 2}]}], None),
        ({"x": {"a": 1}, "y": {"a": 2}}, None),
        ([], None),
        (5, None),
    ],
)
def test_the_table_that_grows(value: Any, place: tuple[str | int, ...] | None) -> None:
    found = growing_table(value)

    assert (None if found is None else found[0]) == place


@given(
    uniform_rows(),
    st.sampled_from([lambda rows: rows, lambda rows: {"n": 1, "x": rows}, lambda rows: [1, rows]]),
    st.sampled_from(["toon", "toon-pipe", "toon-3", "yaml"]),
)
def test_the_break_even_of_a_few_rows_is_that_of_each_number_written(
    rows: list[Any], around: Callable[[list[Any]], Any], format: str
) -> None:
    assume(growing_table(around(rows)) is not None)

    def count(name: str, number: int) -> int:
        return O200K.count(FORMATS[name].dumps(around(rows[:number])))

    numbers = range(1, len(rows))
    worth = (n for n in numbers if is_worth(count(format, n), count("json-compact", n)))
    expected = next(worth, len(rows))
    assert worth_from_rows(around(rows), format, Explaining(None), O200K) == expected


def test_a_table_that_is_too_short_has_no_break_even() -> None:
    rows = [{"id": i, "name": f"name {i}"} for i in range(6)]

    assert answer(Document.of(rows), "o200k_base")["break_even"]["rows"] is None
    assert worth_from_rows(rows, "toon", Explaining(None), O200K) == 5


def test_the_value_is_left_as_it_was() -> None:
    value = {"meta": 1, "rows": [{"id": i, "name": f"name {i}"} for i in range(60)]}
    before = json.dumps(value)

    assert worth_from_rows(value, "toon", ALONE, O200K) == 21
    assert json.dumps(value) == before
