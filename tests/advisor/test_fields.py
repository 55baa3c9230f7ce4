"""The cost of fields, and projections to chosen fields."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given

from tests.advisor.shapes import payloads
from toon.advisor import STRUCTURE, field_costs
from toon.errors import TextError
from toon.formats import FORMATS
from toon.tokenizers import get
from toon.values.paths import parse_pattern
from toon.values.projection import project, remove
from toon.values.walks import scalars

COMPACT = FORMATS["json-compact"]


@pytest.mark.rest
@pytest.mark.parametrize("tokenizer", ["o200k_base", "chars4"])
@given(payloads)
def test_the_fields_add_up_to_the_text(tokenizer: str, value: Any) -> None:
    before = copy.deepcopy(value)
    tokens = get(tokenizer).count(COMPACT.dumps(value))

    rows = field_costs(value, tokenizer)

    assert sum(row["tokens"] for row in rows) == tokens
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    costs = [row["tokens"] for row in rows]
    assert costs == sorted(costs, reverse=True)
    fields = [row["field"] for row in rows]
    assert len(set(fields)) == len(fields)
    assert {parse_pattern(f) for f in fields if f != STRUCTURE} >= {p for p, _ in scalars(value)}
    for row in [row for row in rows if row["field"] not in (STRUCTURE, "$")][:10]:
        without = COMPACT.dumps(remove(value, parse_pattern(row["field"])))
        assert row["removed_saves"] == tokens - get(tokenizer).count(without)
    assert repr(value) == repr(before)


def test_fields_by_example() -> None:
    value = {"orders": [{"id": 7, "tags": ["é", ""]}, {"id": 8, "tags": []}]}
    text = '{"orders":[{"id":7,"tags":["é",""]},{"id":8,"tags":[]}]}'
    assert COMPACT.dumps(value) == text
    count = get("o200k_base").count
    without = {
        "orders": "{}",
        "orders[].id": '{"orders":[{"tags":["é",""]},{"tags":[]}]}',
        "orders[].tags": '{"orders":[{"id":7},{"id":8}]}',
        "orders[].tags[]": '{"orders":[{"id":7,"tags":[]},{"id":8,"tags":[]}]}',
    }

    rows = {row["field"]: row for row in field_costs(value)}

    counts = {"orders": 1, "orders[].id": 2, "orders[].tags": 2, "orders[].tags[]": 2}
    assert {name: row["count"] for name, row in rows.items()} == {**counts, STRUCTURE: 16}
    for field, left in without.items():
        assert rows[field]["removed_saves"] == count(text) - count(left)
    assert rows[STRUCTURE]["removed_saves"] is None


def test_shared_tokens_are_split_by_their_bytes() -> None:
    """With four bytes a token, the tokens are ``{"a"``, ``:123``, ``,"b"`` and ``:34}``."""
    rows = {row["field"]: row["tokens"] for row in field_costs({"a": 123, "b": 34}, "chars4")}

    assert rows == {"a": 1.75, "b": 1.5, STRUCTURE: 0.75}


@pytest.mark.parametrize("value", [7, "x", [], {}, [[]], {"": {}}])
def test_the_smallest_values_have_costs(value: Any) -> None:
    rows = field_costs(value)

    assert sum(row["tokens"] for row in rows) == get("o200k_base").count(COMPACT.dumps(value))
    assert (rows[0]["field"] == "$") == (value in (7, "x"))


# -- project ---------------------------------------------------------------------------------

VALUE = {
    "orders": [
        {"id": 1, "customer": {"email": "a@example.com", "name": "A"}, "tags": ["x", "y"]},
        {"id": 2, "customer": None},
        3,
    ],
    "a.b": {"c": 1},
}


def test_projections_by_example() -> None:
    emails = {"orders": [{"customer": {"email": "a@example.com"}}, {}], "a.b": {"c": 1}}

    assert project(VALUE, ["$"]) == VALUE
    assert project(VALUE, ["orders[].id"]) == {"orders": [{"id": 1}, {"id": 2}]}
    assert project(VALUE, ["orders[].customer.email", '["a.b"]']) == emails
    assert project(VALUE, ["orders[].tags[]"]) == {"orders": [{"tags": ["x", "y"]}, {}]}
    assert project(VALUE, ["orders", "orders[].id"]) == {"orders": VALUE["orders"]}
    assert project(VALUE, []) == {}


@given(payloads)
def test_projecting_everything_copies_the_value(value: Any) -> None:
    copied = project(value, ["$"])

    assert copied == value
    assert copied is not value or not isinstance(value, dict | list)


def test_a_missing_field_and_a_malformed_pattern_are_refused() -> None:
    for pattern in ("orders[].sku", "orders.id", "orders[].id.x", "orders[][]"):
        with pytest.raises(ValueError, match=f"^no field '{re.escape(pattern)}' here$"):
            project(VALUE, ["orders[].id", pattern])
    with pytest.raises(TextError, match=r"^line 1, column 7: expected a field name"):
        project(VALUE, ["orders[0]"])
