"""``since``: what counts as created, updated and deleted."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scalars
from toon.compact import QueryError
from toon.records.filters import find_changes, keep_fields

NOW = datetime(2026, 2, 18, 14, 35, 0, 999_999, tzinfo=UTC)
AT = "2026-02-18T14:00:00Z"
BEFORE, AFTER = "2026-02-18T13:59:59.999Z", "2026-02-18T15:00:00.5+01:00"


def changes(*records: dict[str, Any], moment: str = AT) -> dict[str, Any]:
    data: dict[str, Any] = find_changes(list(records), moment, now=NOW)["data"]
    return data


def test_each_change_is_in_one_list() -> None:
    records = [
        {"id": "new", "title": "a", "note": None, "created_at": AT, "updated_at": AFTER},
        {"id": "edited", "note": None, "created_at": BEFORE, "updated_at": AT},
        {"id": "old", "created_at": BEFORE, "updated_at": BEFORE},
        {"id": "gone", "title": "a", "created_at": BEFORE, "updated_at": AFTER, "deleted_at": AT},
        {"id": "brief", "created_at": AT, "updated_at": AT, "deleted_at": AFTER},
        {"id": "long gone", "created_at": BEFORE, "updated_at": AFTER, "deleted_at": BEFORE},
        {"id": "unborn", "created_at": None, "updated_at": AFTER, "deleted_at": None},
        {"id": "odd", "created_at": 7, "updated_at": "yesterday", "deleted_at": True},
    ]

    assert json.dumps(find_changes(records, AT, now=NOW)) == json.dumps(
        {
            "data": {
                "created": [records[0]],
                "updated": [
                    {"id": "edited", "created_at": BEFORE, "updated_at": AT},
                    {"id": "unborn", "updated_at": AFTER},
                ],
                "deleted": [{"id": "gone", "deleted_at": AT}, {"id": "brief", "deleted_at": AFTER}],
            },
            "meta": {"response_timestamp": "2026-02-18T14:35:00Z", "total_changes": 5},
        }
    )


@pytest.mark.parametrize(
    "moment", ["2026-02-18T14:00:00", "2026-02-18T14:00", "2026-02-18T15:00:00+01:00"]
)
def test_equal_moments_in_different_notations(moment: str) -> None:
    at, before = {"id": 1, "created_at": AT}, {"id": 2, "created_at": BEFORE}

    assert changes(at, before, moment=moment)["created"] == [at]


@pytest.mark.parametrize(
    ("moment", "hint"),
    [
        ("", ""), ("today", ""), ("2026-02-30T00:00:00Z", ""), ("1771425000", ""),
        ("2026-02-18T14:00:00 01:00", "; in a URL the + of an offset is written as %2B"),
    ],
)  # fmt: skip
def test_a_wrong_timestamp_is_an_invalid_query(moment: str, hint: str) -> None:
    with pytest.raises(QueryError) as error:
        find_changes([], moment, now=NOW)

    assert error.value.status == 400
    assert error.value.as_json() == {
        "error": {
            "code": "INVALID_QUERY",
            "message": f"since is not a timestamp: {moment!r}",
            "details": {"parameter": "since", "value": moment},
            "hint": "write it as 2026-02-18T14:00:00Z" + hint,
        }
    }


def state(number: int, moments: list[int], second: int) -> dict[str, Any]:
    """The state at ``second`` of a record created, updated and deleted at three ``moments``."""
    made, edited, gone = (f"2026-02-18T14:00:0{moment}Z" for moment in moments)
    return {
        "id": number,
        "created_at": made,
        "updated_at": edited if moments[1] <= second else made,
        "deleted_at": gone if moments[2] <= second else None,
    }


def version(record: dict[str, Any]) -> str:
    return "deleted" if record.get("deleted_at") else record["updated_at"]


seconds = st.integers(0, 9)
lives = st.lists(st.lists(seconds, min_size=3, max_size=3).map(sorted), max_size=6)


@given(lives, st.lists(seconds, min_size=1).map(sorted))
def test_no_change_is_lost_between_polls(lives: list[list[int]], polls: list[int]) -> None:
    """A client that passes on the timestamp of each answer knows all records at the last poll."""
    heard: dict[int, str] = {}
    moment = "2026-02-18T14:00:00Z"
    for poll in polls:
        there = [state(n, life, poll) for n, life in enumerate(lives) if life[0] <= poll]
        answer = find_changes(there, moment, now=datetime(2026, 2, 18, 14, 0, poll, tzinfo=UTC))
        data = answer["data"]
        for record in (*data["created"], *data["updated"], *data["deleted"]):
            heard[record["id"]] = version(record)
        moment = answer["meta"]["response_timestamp"]

    assert heard == {record["id"]: version(record) for record in there}


# -- fields ----------------------------------------------------------------------------------

rows = st.lists(st.dictionaries(st.sampled_from(["id", "a", "b"]), scalars), min_size=1)


@given(rows, st.sets(st.sampled_from(["id", "a", "b"]), min_size=1))
def test_named_fields_are_kept_in_their_order(
    records: list[dict[str, Any]], names: set[str]
) -> None:
    known = ["id", "a", "b"]

    asked = " , ".join([*names, *names])
    for before, after in zip(records, keep_fields(records, asked, known), strict=True):
        assert after == {name: before[name] for name in before if name in names | {"id"}}
        assert [name for name in before if name in after] == list(after)
