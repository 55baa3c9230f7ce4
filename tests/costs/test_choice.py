"""Which format to send: the sentence, its reason, the explanation's cost, and the shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import uniform_rows, values
from toon.codec.encoder import Encoder
from toon.costs.choice import cheapest, verdict
from toon.costs.compare import compare
from toon.costs.explanation import explanation_tokens, pays_back_from
from toon.formats import FORMATS
from toon.formats.toon import ToonFormat
from toon.values.shape import is_table, shape_of

ROWS = [{"id": i, "name": f"name {i}", "active": i % 2 == 0} for i in range(40)]


def judged(value: Any) -> dict[str, Any]:
    return verdict(value, compare(value), "o200k_base")


@pytest.mark.parametrize(
    ("tokens", "refused", "today", "chosen"),
    [
        ({"json-compact": 9, "toon": 7, "yaml": 8}, (), "json-compact", "toon"),
        ({"json-compact": 9, "toon": 7, "yaml": 8}, ("toon",), "json-compact", "yaml"),
        ({"json-compact": 9, "toon": 7}, ("toon",), "json-compact", "json-compact"),
        ({"json-compact": 9, "toon": 9}, (), "json-compact", "json-compact"),
        ({"json-compact": 9, "toon": 9}, (), "toon", "toon"),
        ({"json-compact": 9, "toon-tab": 7, "toon": 7}, (), "json-compact", "toon-tab"),
        ({"json-compact": 9, "csv": 1, "vibemcp-lossless": 1}, (), "json-compact", "json-compact"),
    ],
)
def test_the_cheapest_that_is_proven_and_may_be_recommended(
    tokens: dict[str, int], refused: tuple[str, ...], today: str, chosen: str
) -> None:
    assert cheapest(tokens, lambda name: name not in refused, today) == chosen


def test_a_saving_above_the_explanation_is_taken() -> None:
    found = judged(ROWS)
    rows = {row["format"]: row["tokens"] for row in compare(ROWS)}

    assert found["format"].startswith("toon")
    assert found["saved"] == rows["json-compact"] - rows[found["format"]] > found["primer"] > 0
    assert found["vs_json_compact"] == -found["saved"] / rows["json-compact"]
    assert found["sentence"].startswith("Send TOON")
    assert found["sentence"].endswith(
        "100 % of the values are in tables, 98 % of the keys are repeats, 2 levels deep."
    )


def test_a_saving_below_the_explanation_is_not_worth_it() -> None:
    found = judged(ROWS[:3])

    assert found["cheapest"].startswith("toon")
    assert found["format"] == "json-compact"
    assert 0 < found["saved"] <= found["primer"]
    assert "would save" in found["sentence"]
    assert found["pays_back_rows"] > 3


def test_compact_json_stays_when_nothing_is_cheaper() -> None:
    found = judged([[1], [2], [3]])

    assert (found["format"], found["vs_json_compact"], found["saved"]) == ("json-compact", 0, 0)
    assert found["sentence"].startswith("Stay with compact JSON: no lossless format with a public")
    assert found["pays_back_rows"] is None


def test_a_format_without_a_promise_is_never_recommended() -> None:
    rows = [{"a": "b", "c": "d"}] * 60
    cheapest = min(
        (row for row in compare(rows) if row["round_trips"]), key=lambda row: row["tokens"]
    )

    assert cheapest["format"] == "csv"
    assert judged(rows)["format"].startswith("toon")


def test_an_estimate_is_said_to_be_one() -> None:
    found = verdict(ROWS, compare(ROWS, tokenizers=["estimate"]), "estimate")

    assert found["sentence"].count("about ") == 2


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_an_explanation(name: str) -> None:
    assert FORMATS[name].explanation.startswith("The data is ")
    new_to_models = FORMATS[name].dialect or isinstance(FORMATS[name], ToonFormat)
    assert (explanation_tokens(name, "o200k_base") > 10) == new_to_models


@pytest.mark.parametrize(
    ("rows", "saved", "extra", "needed"),
    [(10, 20, 70, 35), (10, 70, 70, 10), (10, 1, 0, 0), (10, 0, 70, None), (0, 5, 70, None)],
)
def test_rows_from_which_it_pays(rows: int, saved: int, extra: int, needed: int | None) -> None:
    assert pays_back_from(rows, saved, extra) == needed


def test_the_shape_counts_what_stands_in_tables() -> None:
    shape = shape_of({"rows": [{"a": 1, "g": {"b": 2}}, {"a": 3, "g": {"b": 4}}], "x": [5, {}]})

    assert (shape.scalars, shape.in_tables, shape.rows, shape.depth) == (5, 4, 2, 4)
    assert (shape.keys, shape.distinct_keys) == (8, 5)


@given(uniform_rows())
def test_what_is_a_table_here_is_a_table_to_the_encoder(rows: list[dict[str, Any]]) -> None:
    assert is_table(rows) == (Encoder(",", 2).columns(rows) is not None)


@given(values)
def test_any_value_has_a_shape_within_bounds(value: Any) -> None:
    shape = shape_of(value)

    assert 0 <= shape.in_tables <= shape.scalars
    assert 0 <= shape.table_share <= 1
    assert 0 <= shape.repeated_keys <= 1
