"""The domain of a list, and a page of its records in their envelope."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import values
from toon.compact import DOMAINS, compact, domain_of
from toon.compact.relative import zone_of

LISTS: list[tuple[Any, str | None]] = [
    ([{"id": 1, "title": "a", "start_at": None}], "events"),
    ([{"start_at": "x", "all_day": True}], "events"),
    ([{"title": "a", "content": "b", "tags": []}], "notes"),
    ([{"content": "b", "is_pinned": False}], "notes"),
    ([{"subject": "a", "from_address": "b"}], "emails"),
    ([{"display_name": "a", "emails": []}], "contacts"),
    ([{"name": "a", "company": "b", "email": "c"}], "contacts"),
    ([{"filename": "a", "size_bytes": 1}], "files"),
    ([{"name": "a", "size": 1, "mime_type": None}], "files"),
    ([{"entry_date": "a", "content": "b", "tags": []}], "diary"),
    ([{"domain": "note", "title": "a", "snippet": "b"}], "search"),
    ([{"title": "a", "start_at": None}, {}], "events"),
    ([{"title": "a", "start_at": None}, {}, {}], None),
    ([{"title": "a", "start_at": None}, {"entry_date": "a"}], None),
    ([{"title": "a", "start_at": None}, 1], None),
    ([{"id": 1, "name": "a", "email": "b", "role": "c"}], None),
    ([{"id": 1, "title": "a", "body": "b"}], None), ([{}], None), ([], None),
    ({"start_at": 1, "title": 2}, None), ("events", None),
]  # fmt: skip


@pytest.mark.parametrize(("records", "domain"), LISTS)
def test_the_domain_of_a_list(records: Any, domain: str | None) -> None:
    assert domain_of(records) == domain


@pytest.mark.rest
@given(values)
def test_any_value_has_a_known_domain_or_none(value: Any) -> None:
    assert domain_of(value) in (None, *DOMAINS)


NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)

SUMMARIES: list[tuple[str, int, dict[str, Any], str]] = [
    ("events", 0, {"filters": [("date", "today")]}, "0 events (today)"),
    ("events", 1, {}, "1 event"),
    ("notes", 2, {"filters": [("tag", "work")]}, "2 notes (tag:work)"),
    ("notes", 20, {"total": 87, "filters": [("tag", "work"), ("tag", "q1")]},
     "1-20 of 87 notes (tag:work, tag:q1)"),
    ("notes", 20, {"total": 87, "offset": 40}, "41-60 of 87 notes"),
    ("notes", 0, {"total": 87, "offset": 100}, "0 of 87 notes"),
    ("notes", 7, {"total": 87, "offset": 80}, "81-87 of 87 notes"),
    ("diary", 1, {}, "1 diary entry"),
    ("diary", 2, {}, "2 diary entries"),
    ("emails", 1, {"filters": [("folder", "INBOX"), ("is_read", "false")]},
     "1 email (folder:INBOX, is_read:false)"),
    ("search", 5, {"filters": [("q", "budget q3")]}, '5 results (q:"budget q3")'),
    ("search", 5, {"filters": [("search", "a\nb"), ("x\ny", "\x00")]},
     '5 results (q:"a b", x y:)'),
    ("files", 1, {"total": 2}, "1-1 of 2 files"),
]  # fmt: skip


@pytest.mark.parametrize(("domain", "count", "options", "summary"), SUMMARIES)
def test_a_summary(domain: str, count: int, options: dict[str, Any], summary: str) -> None:
    assert compact([{}] * count, domain, now=NOW, **options)["summary"] == summary


@pytest.mark.parametrize(
    ("count", "options", "meta"),
    [
        (2, {}, (2, 20, 0, False)),
        (30, {}, (30, 30, 0, False)),
        (2, {"limit": 2, "total": 5, "offset": 2}, (5, 2, 2, True)),
        (1, {"limit": 2, "total": 5, "offset": 4}, (5, 2, 4, False)),
        (2, {"offset": 4}, (6, 20, 4, False)),
    ],
)
def test_the_place_of_a_page(count: int, options: dict[str, Any], meta: tuple[Any, ...]) -> None:
    place = compact([{}] * count, "notes", now=NOW, **options)["meta"]

    assert list(place) == ["total", "limit", "offset", "has_more"]
    assert tuple(place.values()) == meta


def test_ids_are_whole_and_one_for_each_line() -> None:
    records = [{"id": "a\nb"}, {"id": 10**30}, {"id": None}, {}, None, "x", {"id": 1.5}]

    assert compact(records, "notes", now=NOW)["ids"] == ["a\nb", str(10**30), "", "", "", "", "1.5"]


def test_a_time_without_an_offset_is_in_the_zone_or_utc() -> None:
    madrid = zone_of("Europe/Madrid")
    record = {"title": "a", "updated_at": "2026-02-18T12:30:00Z"}
    now = NOW.replace(tzinfo=None)

    assert compact([record], "notes", now=now)["lines"] == ['"a" [2h ago]']
    assert compact([record], "notes", now=now, zone=madrid)["lines"] == ['"a" [1h ago]']
    record["updated_at"] = "2026-02-18T12:30:00"
    assert compact([record], "notes", now=NOW)["lines"] == ['"a" [2h ago]']
    assert compact([record], "notes", now=NOW, zone=madrid)["lines"] == ['"a" [3h ago]']
