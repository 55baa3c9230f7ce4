"""``fields=``: which fields are kept, and in which order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scalars
from toon.records.filters import keep_fields

RECORDS = [{"title": "a", "id": 1, "tags": ["x"]}, {"id": 2, "color": None, "title": None}]
KNOWN = ["title", "id", "tags", "color"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("id", [{"id": 1}, {"id": 2}]),
        ("title", [{"title": "a", "id": 1}, {"id": 2, "title": None}]),
        (" tags , title ,tags", [{"title": "a", "id": 1, "tags": ["x"]}, {"id": 2, "title": None}]),
        ("color", [{"id": 1}, {"id": 2, "color": None}]),
    ],
)
def test_named_fields_and_the_id_are_kept(names: str, expected: list[dict[str, Any]]) -> None:
    assert [list(record.items()) for record in keep_fields(RECORDS, names, KNOWN)] == [
        list(record.items()) for record in expected
    ]


rows = st.lists(st.dictionaries(st.sampled_from(["id", "a", "b"]), scalars), min_size=1)


@given(rows, st.sets(st.sampled_from(["id", "a", "b"]), min_size=1))
def test_values_and_order_do_not_change(records: list[dict[str, Any]], names: set[str]) -> None:
    known = ["id", "a", "b"]

    for before, after in zip(records, keep_fields(records, ",".join(names), known), strict=True):
        assert after == {name: before[name] for name in before if name in names | {"id"}}
        assert [name for name in before if name in after] == list(after)
