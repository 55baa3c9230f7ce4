"""``fields=``: which fields are kept, in which order, and errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scalars
from toon.compact import QueryError
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


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("titel", "fields: no field is named 'titel'"),
        ("title,tags.0", "fields: no field is named 'tags.0'"),
        ("", "fields has an empty name"),
        ("title,,id", "fields has an empty name"),
    ],
)
def test_unknown_names_are_an_invalid_query(names: str, message: str) -> None:
    with pytest.raises(QueryError) as found:
        keep_fields(RECORDS, names, KNOWN)

    assert found.value.as_json() == {
        "error": {
            "code": "INVALID_QUERY",
            "message": message,
            "details": {"parameter": "fields", "value": names},
            "hint": "there are title, id, tags, color",
        }
    }


def test_names_are_checked_on_an_empty_page() -> None:
    assert keep_fields([], "title", ["title"]) == []
    assert keep_fields([], "anything", []) == []
    with pytest.raises(QueryError, match="no field is named 'x'"):
        keep_fields([], "x", ["title"])


rows = st.lists(st.dictionaries(st.sampled_from(["id", "a", "b"]), scalars), min_size=1)


@given(rows, st.sets(st.sampled_from(["id", "a", "b"]), min_size=1))
def test_values_and_order_do_not_change(records: list[dict[str, Any]], names: set[str]) -> None:
    known = ["id", "a", "b"]

    for before, after in zip(records, keep_fields(records, ",".join(names), known), strict=True):
        assert after == {name: before[name] for name in before if name in names | {"id"}}
        assert [name for name in before if name in after] == list(after)
