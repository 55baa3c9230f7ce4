"""Queries over records: lists, one record, changes, filters, paging, and every error in JSON."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.codec.reading import decode
from toon.compact import DOMAINS, compact
from toon.records.query import respond
from toon.records.store import store

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)


def event(name: str, start: str, end: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": name, "title": name, "start_at": start, "end_at": end, "tags": [], **more}


EVENTS = [
    event("night", "2026-02-17T22:00:00Z", "2026-02-18T06:00:00Z", tags=["work", "Depot"]),
    event("party", "2026-02-17T20:00:00Z", "2026-02-18T00:00:00Z", open=True),
    event("lunch", "2026-02-18T12:00:00Z", place={"name": "Café"}, seats=4),
    event("late", "2026-02-18T23:30:00Z", open=False, seats=None),
    event("gone", "2026-02-18T09:00:00Z", deleted_at="2026-02-18T14:10:00Z"),
    event("free", "2026-02-18", "2026-02-20", all_day=True, created_at="2026-02-18T14:05:00Z"),
    event("odd", "soon", seats=20),
]


def ids(domain: str, query: dict[str, Any], records: Any = EVENTS) -> list[str]:
    answer = respond(domain, query, now=NOW, records=records)
    assert answer.status == 200, answer.value
    return [record["id"] for record in answer.value["data"]]


def error(query: dict[str, Any], **options: Any) -> tuple[int, dict[str, Any]]:
    answer = respond("events", query, now=NOW, records=EVENTS, **options)
    assert list(answer.value) == ["error"]
    assert not answer.is_toon
    return answer.status, answer.value["error"]


def test_a_full_list_without_deleted_records() -> None:
    answer = respond("events", {"limit": "2"}, now=NOW, records=EVENTS)

    assert answer.value == {
        "data": [EVENTS[1], EVENTS[0]],
        "meta": {"total": 6, "limit": 2, "offset": 0},
    }
    assert answer.text() == json.dumps(answer.value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"date": "today"}, ["night", "free", "lunch", "late"]),
        ({"date": "2026-02-17"}, ["party", "night"]),
        ({"date": "yesterday"}, ["party", "night"]),
        ({"date": "tomorrow"}, ["free"]),
        ({"date": "2026-02-20"}, []),
        ({"date": "tomorrow", "tz": "Europe/Madrid"}, ["free", "late"]),
        ({"date": "2026-02-17", "tz": "Asia/Tokyo"}, []),
        ({"tag": "work"}, ["night"]),
        ({"tags": ["WORK", "depot"]}, ["night"]),
        ({"tag": ["work", "home"]}, []),
        ({"open": "true"}, ["party"]),
        ({"open": "false"}, ["late"]),
        ({"seats": "4"}, ["lunch"]),
        ({"seats": "null"}, ["party", "night", "free", "late"]),
        ({"place": "café"}, ["lunch"]),
        ({"title": "LUNCH"}, ["lunch"]),
        ({"q": "café lun"}, ["lunch"]),
        ({"search": "café", "q": "night"}, []),
        ({"q": ""}, ["party", "night", "free", "lunch", "late", "odd"]),
    ],
)
def test_filters(query: dict[str, Any], expected: list[str]) -> None:
    assert ids("events", query) == expected


def test_order_and_paging() -> None:
    records = [{"id": "a", "n": 2, "updated_at": "2026-01-01T00:00:00Z"},
               {"id": "b", "n": "x", "updated_at": "2026-01-03T00:00:00Z"},
               {"id": "c", "n": None, "updated_at": "2026-01-02T00:00:00Z"},
               {"id": "d", "n": 1.5}]  # fmt: skip

    assert ids("notes", {}, records) == ["b", "c", "a", "d"]
    assert ids("notes", {"limit": "2", "offset": "1"}, records) == ["c", "a"]
    assert ids("notes", {"offset": "9"}, records) == []
    assert ids("search", {}, [{"id": "a", "score": 0.1}, {"id": "b", "score": 0.9}]) == ["b", "a"]


def test_a_compact_list() -> None:
    query = {"tag": "work", "format": "compact", "date": "today", "limit": "5"}

    assert respond("events", query, now=NOW, records=EVENTS).value == {
        "format": "compact",
        "summary": "1 event (tag:work, today)",
        "lines": ["22:00-06:00+1d night id:night"],
        "ids": ["night"],
        "meta": {"total": 1, "limit": 5, "offset": 0, "has_more": False},
    }
    query = {"format": "compact", "limit": "3", "offset": "2", "tz": "Asia/Tokyo"}
    second = respond("events", query, now=NOW, records=EVENTS).value
    assert second["summary"] == "3-5 of 6 events"
    assert second["lines"] == [
        "📅 2026-02-18 all-day: free id:free",
        "2026-02-18 21:00 lunch id:lunch",
        "2026-02-19 08:30 late id:late",
    ]
    assert second["meta"] == {"total": 6, "limit": 3, "offset": 2, "has_more": True}


def test_fields_of_a_list() -> None:
    answer = respond("events", {"fields": "seats", "q": "late"}, now=NOW, records=EVENTS)

    assert answer.value["data"] == [{"id": "late", "seats": None}]


def test_toon_for_a_list_a_record_and_changes() -> None:
    for query, name in (({}, None), ({}, "lunch"), ({"since": "2026-02-18T14:00:00Z"}, None)):
        answer = respond("events", {**query, "format": "toon"}, record_id=name, records=EVENTS)
        assert answer.text().startswith("data")
        assert decode(answer.text()) == answer.value


@pytest.mark.parametrize("query", [{}, {"format": "compact"}, {"fields": "title"}])
def test_changes_are_never_compact(query: dict[str, Any]) -> None:
    moment = "2026-02-18T14:00:00Z"
    answer = respond("events", {**query, "since": moment}, now=NOW, records=EVENTS)

    assert answer.value == {
        "data": {
            "created": [EVENTS[5]],
            "updated": [],
            "deleted": [{"id": "gone", "deleted_at": "2026-02-18T14:10:00Z"}],
        },
        "meta": {"response_timestamp": "2026-02-18T14:30:00Z", "total_changes": 2},
    }


ERRORS: list[tuple[dict[str, Any], str, str]] = [
    ({"limit": "0"}, "limit", "limit is not a whole number from 1 to 100"),
    ({"limit": "101"}, "limit", "limit is not a whole number from 1 to 100"),
    ({"limit": "٣"}, "limit", "limit is not a whole number from 1 to 100"),
    ({"limit": ["1", "2"]}, "limit", "limit is given 2 times"),
    ({"offset": "-1"}, "offset", "offset is not a whole number from 0 to 999,999,999"),
    ({"offset": "1" * 9999}, "offset", "offset is not a whole number from 0 to 999,999,999"),
    ({"format": "xml"}, "format", "format is not one of json, toon, compact"),
    ({"format": ""}, "format", "format is not one of json, toon, compact"),
    ({"order": "asc"}, "order", "no field is named 'order'"),
    ({"fields": "nope"}, "fields", "fields: no field is named 'nope'"),
    ({"fields": "title,tags.0"}, "fields", "fields: no field is named 'tags.0'"),
    ({"fields": ""}, "fields", "fields has an empty name"),
    ({"fields": "title,,id"}, "fields", "fields has an empty name"),
    ({"fields": "nope", "q": "nothing"}, "fields", "fields: no field is named 'nope'"),
    ({"fields": "title", "format": "compact"}, "fields",
     "fields cannot be combined with format=compact"),
    ({"date": "2026-02-30"}, "date", "date is not a day: '2026-02-30'"),
    ({"date": "2026-02-18T00:00:00Z"}, "date", "date is not a day: '2026-02-18T00:00:00Z'"),
    ({"tz": "Mars", "format": "compact"}, "tz", "tz is not a time zone: 'Mars'"),
    ({"since": "x", "format": "compact"}, "since", "since is not a timestamp: 'x'"),
    ({"nope": "1"}, "nope", "no field is named 'nope'"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "parameter", "message"), ERRORS)
def test_an_invalid_query(query: dict[str, Any], parameter: str, message: str) -> None:
    status, body = error(query)

    assert status == 400
    assert body["code"] == "INVALID_QUERY"
    assert body["message"] == message
    assert body["details"] == {"parameter": parameter, "value": query[parameter]}


@pytest.mark.parametrize("name", ["nope", "", "gone", "lun"])
def test_an_unknown_record(name: str) -> None:
    status, body = error({"format": "compact"}, record_id=name)

    assert status == 404
    assert body == {
        "code": "NOT_FOUND",
        "message": f"there is no record {name!r}",
        "details": {"id": name},
        "hint": "a line ends with the first eight characters of its id; ids has it in full",
    }


def test_an_unknown_domain() -> None:
    answer = respond("tasks", {"format": "compact"})

    assert answer.status == 404
    assert answer.value["error"]["code"] == "NOT_FOUND"
    assert answer.value["error"]["message"] == "there is no 'tasks'"
    assert "events, notes" in answer.value["error"]["hint"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_bundled_records_answer(domain: str) -> None:
    whole = respond(domain, {"limit": "100"})
    lines = respond(domain, {"limit": "100", "format": "compact"}).value
    answer = respond(domain, {"since": "2026-02-18T14:00:00Z"}).value

    assert whole.value["meta"] == {"total": 100, "limit": 100, "offset": 0}
    assert lines["ids"] == [record["id"] for record in whole.value["data"]]
    assert len(set(lines["ids"])) == 100
    assert lines == compact(whole.value["data"], domain, now=NOW, total=100, limit=100)
    assert {name: len(changes) for name, changes in answer["data"].items()} == {
        "created": 1,
        "updated": 1,
        "deleted": 1,
    }
    record = respond(domain, {"format": "compact"}, record_id=lines["ids"][0])
    assert record.value == {"data": whole.value["data"][0]}


parameters = st.sampled_from(
    ["format", "fields", "since", "limit", "offset", "tz", "date", "q", "title"]
)
asked = st.one_of(
    st.text(max_size=4),
    st.sampled_from(["compact", "toon", "json", "title", "1", "today", "UTC", "title,id"]),
)


@given(st.dictionaries(parameters, asked | st.lists(asked, max_size=3), max_size=5))
def test_any_query_is_answered_and_changes_nothing(query: dict[str, Any]) -> None:
    before = json.dumps(store("notes"))
    answer = respond("notes", query)

    assert answer.status == (400 if "error" in answer.value else 200)
    assert answer.text()
    assert json.dumps(store("notes")) == before
