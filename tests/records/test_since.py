"""``since``: what counts as created, updated and deleted; and the same between two snapshots."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scalars
from toon.compact import QueryError
from toon.records.since import diff, since

NOW = datetime(2026, 2, 18, 14, 35, 0, 999_999, tzinfo=UTC)
AT = "2026-02-18T14:00:00Z"
BEFORE, AFTER = "2026-02-18T13:59:59.999Z", "2026-02-18T15:00:00.5+01:00"


def changes(*records: dict[str, Any], moment: Any = AT) -> dict[str, Any]:
    found: dict[str, Any] = since(list(records), moment, now=NOW)["data"]
    return found


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

    assert json.dumps(since(records, AT, now=NOW)) == json.dumps(
        {
            "data": {
                "created": [records[0]],
                "updated": [
                    {"id": "edited", "created_at": BEFORE, "updated_at": AT},
                    {"id": "unborn", "updated_at": AFTER},
                ],
                "deleted": [
                    {"id": "gone", "deleted_at": AT},
                    {"id": "brief", "deleted_at": AFTER},
                ],
            },
            "meta": {"response_timestamp": "2026-02-18T14:35:00Z", "total_changes": 5},
        }
    )


@pytest.mark.parametrize(
    "moment",
    ["2026-02-18T14:00:00", "2026-02-18T14:00", "2026-02-18T15:00:00+01:00",
     datetime(2026, 2, 18, 14), datetime(2026, 2, 18, 14, tzinfo=UTC)],
)  # fmt: skip
def test_moments_mean_the_same_however_written(moment: Any) -> None:
    at, before = {"id": 1, "created_at": AT}, {"id": 2, "created_at": BEFORE}

    assert changes(at, before, moment=moment)["created"] == [at]


@pytest.mark.parametrize(
    ("moment", "hint"),
    [
        ("", ""), ("today", ""), ("2026-02-30T00:00:00Z", ""), ("1771425000", ""),
        ("2026-02-18T14:00:00 01:00", "; in a URL the + of an offset is written as %2B"),
    ],
)  # fmt: skip
def test_what_is_no_timestamp_is_an_invalid_query(moment: str, hint: str) -> None:
    with pytest.raises(QueryError) as found:
        since([], moment)

    assert found.value.status == 400
    assert found.value.as_json() == {
        "error": {
            "code": "INVALID_QUERY",
            "message": f"since is not a timestamp: {moment!r}",
            "details": {"parameter": "since", "value": moment},
            "hint": "write it as 2026-02-18T14:00:00Z" + hint,
        }
    }


def state(number: int, moments: list[int], second: int) -> dict[str, Any]:
    """A record created, updated and deleted at three moments, as it is at one second."""
    made, edited, gone = (f"2026-02-18T14:00:0{moment}Z" for moment in moments)
    return {
        "id": number,
        "created_at": made,
        "updated_at": edited if moments[1] <= second else made,
        "deleted_at": gone if moments[2] <= second else None,
    }


def told(record: dict[str, Any]) -> str:
    return "deleted" if record.get("deleted_at") else record["updated_at"]


seconds = st.integers(0, 9)
lives = st.lists(st.lists(seconds, min_size=3, max_size=3).map(sorted), max_size=6)


@given(lives, st.lists(seconds, min_size=1).map(sorted))
def test_no_change_is_lost_between_polls(lives: list[list[int]], polls: list[int]) -> None:
    """Who passes on each answer's timestamp knows what there is at the last poll."""
    heard: dict[int, str] = {}
    moment = "2026-02-18T14:00:00Z"
    for poll in polls:
        there = [state(n, life, poll) for n, life in enumerate(lives) if life[0] <= poll]
        answer = since(there, moment, now=datetime(2026, 2, 18, 14, 0, poll, tzinfo=UTC))
        for record in (record for kind in answer["data"].values() for record in kind):
            heard[record["id"]] = told(record)
        moment = answer["meta"]["response_timestamp"]

    assert heard == {record["id"]: told(record) for record in there}


def test_a_diff_of_two_snapshots() -> None:
    old = [{"id": "a", "title": "Lunch", "start_at": "T14"}, {"id": "b", "title": "X"}]
    new = [{"id": "a", "title": "Lunch", "start_at": "T15"}, {"id": "c", "title": "New"}]

    assert json.dumps(diff(old, new, now=NOW)) == json.dumps(
        {
            "data": {
                "created": [{"id": "c", "title": "New"}],
                "updated": [{"id": "a", "title": "Lunch", "start_at": "T15"}],
                "deleted": [{"id": "b"}],
            },
            "meta": {"response_timestamp": "2026-02-18T14:35:00Z", "total_changes": 3},
        }
    )
    assert diff(old, old, now=NOW)["data"] == {"created": [], "updated": [], "deleted": []}
    assert diff(old, old, now=NOW)["meta"]["total_changes"] == 0


@pytest.mark.parametrize(
    ("old", "new", "updated"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [{"id": 1, "b": 3}]),
        ({"subject": "s", "a": 1}, {"a": True, "subject": "s"},
         [{"id": 1, "a": True, "subject": "s"}]),
        ({"a": 1, "title": "t"}, {"title": "t"}, [{"id": 1, "title": "t", "a": None}]),
        ({"a": None}, {}, []),
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2, "b": 1}}, []),
        ({}, {"filename": "f"}, [{"id": 1, "filename": "f"}]),
    ],
)  # fmt: skip
def test_what_an_update_shows(old: Any, new: Any, updated: list[Any]) -> None:
    found = diff([{"id": 1, **old}], [{"id": 1, **new}], now=NOW)["data"]["updated"]

    assert [list(record.items()) for record in found] == [list(r.items()) for r in updated]


def test_records_without_an_id_can_only_be_created() -> None:
    found = diff([{"a": 1}, {"a": 2}], [{"a": 2}, {"a": 3}], now=NOW)["data"]

    assert found == {"created": [{"a": 3}], "updated": [], "deleted": []}


def test_an_id_that_is_null_is_none() -> None:
    old, new = [{"id": None, "a": 1}, {"id": None, "a": 2}], [{"id": None, "a": 2}, {"id": None}]

    assert diff(old, new)["data"] == {"created": [{"id": None}], "updated": [], "deleted": []}


def test_numbers_of_any_size_may_tell_records_apart() -> None:
    vast = 10**5000

    data = diff([{"id": vast}, {"a": vast}], [{"id": vast, "a": vast}, {"a": vast}])["data"]

    assert data == {"created": [], "updated": [{"id": vast, "a": vast}], "deleted": []}


def test_what_is_no_object_is_refused() -> None:
    odd: list[Any] = [1]
    with pytest.raises(QueryError, match="record 1 is not an object"):
        since(odd, AT)
    with pytest.raises(QueryError, match="record 1 is not an object"):
        diff([], odd)


named = st.dictionaries(st.sampled_from(["id", "title", "a", "b"]), scalars)
snapshots = st.lists(
    named.filter(lambda r: r.get("id") is not None), max_size=4, unique_by=lambda r: repr(r["id"])
)


@given(snapshots, snapshots)
def test_a_diff_makes_the_new_snapshot_of_the_old(old: list[Any], new: list[Any]) -> None:
    changes = diff(old, new, now=NOW)["data"]
    there = {repr(record["id"]): dict(record) for record in old}
    for record in changes["created"]:
        there[repr(record["id"])] = record
    for record in changes["updated"]:
        there[repr(record["id"])] |= record
    for record in changes["deleted"]:
        del there[repr(record["id"])]

    def filled(record: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in record.items() if value is not None}

    assert {key: filled(record) for key, record in there.items()} == {
        repr(record["id"]): filled(record) for record in new
    }
