"""Compact lines as a format: what is applicable, what is written, and losses."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import scalars, values
from toon.compact import DOMAINS
from toon.compact.templates import formatters, template
from toon.formats.base import NotApplicable, OneWay
from toon.formats.compact import COMPACT_LINES
from toon.records.store import records

NOTES = [
    {"id": "n1", "title": "Old", "content": "x", "tags": ["a"],
     "updated_at": "2026-02-15T10:00:00Z"},
    {"id": "n2", "title": "New", "content": "x", "tags": [], "updated_at": "2026-02-18T10:00:00Z"},
]  # fmt: skip
TEXT = (
    '{"format":"compact","summary":"2 notes","lines":["\\"Old\\" (a) [3d ago] id:n1",'
    '"\\"New\\" [just now] id:n2"],"ids":["n1","n2"],'
    '"meta":{"total":2,"limit":20,"offset":0,"has_more":false}}'
)


@pytest.mark.parametrize(
    "value",
    [
        NOTES, {"data": NOTES, "tier": "free"}, {"items": NOTES, "next": None}, {"notes": NOTES},
        {"data": NOTES, "meta": {"total": 1, "limit": -1, "offset": True}},
        {"data": NOTES, "meta": None},
    ],
)  # fmt: skip
def test_the_envelope_as_compact_json(value: Any) -> None:
    assert COMPACT_LINES.dumps(value) == TEXT


def test_the_place_of_the_page_is_kept() -> None:
    value = {"data": NOTES, "meta": {"total": 87, "limit": 2, "offset": 40}}
    envelope = json.loads(COMPACT_LINES.dumps(value))

    whole: dict[str, Any] = {"data": NOTES, "meta": {"total": 2, "limit": 5, "offset": 0}}
    assert json.loads(COMPACT_LINES.dumps(whole))["meta"] == {**whole["meta"], "has_more": False}
    assert envelope["summary"] == "41-42 of 87 notes"
    assert envelope["meta"] == {"total": 87, "limit": 2, "offset": 40, "has_more": True}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"id": 1, "title": "a"}, "this is one object: only lists of records become lines"),
        ({}, "this is one object: only lists of records become lines"),
        ({"data": {"id": 1}}, "only lists of records become lines"),
        ({"error": {"code": "NOT_FOUND"}}, "only lists of records become lines"),
        ({"data": {"created": [], "updated": [], "deleted": []}, "meta": {}},
         "only lists of records become lines"),
        ("x", "only lists of records become lines"),
        (None, "only lists of records become lines"),
        ([], "an empty list does not say what its records are"),
        ({"data": []}, "an empty list does not say what its records are"),
        ([1], "these are not records of one kind of events, notes, emails, contacts, files, "
              "diary, search"),
    ],
)  # fmt: skip
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    for method in (COMPACT_LINES.dumps, COMPACT_LINES.losses):
        with pytest.raises(NotApplicable) as caught:
            method(value)
        assert str(caught.value) == reason


def test_too_long_lines_are_a_reason_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (formatters, template):
        monkeypatch.setattr(module, "TEMPLATE_CHARACTERS", 4)

    for method in (COMPACT_LINES.dumps, COMPACT_LINES.losses):
        with pytest.raises(NotApplicable) as caught:
            method([{"title": "a", "start_at": "2026-02-18T09:00:00Z"}])
        assert str(caught.value) == (
            "the lines have more than 4 characters, the limit TOON_TEMPLATE_CHARACTERS"
        )


def test_it_is_one_way() -> None:
    with pytest.raises(OneWay, match=r"^one way: lines are written for a reader$"):
        COMPACT_LINES.loads(TEXT)


LOSSES: list[tuple[Any, list[str]]] = [
    (NOTES, ["content of 2 notes", "exact updated_at of 2 notes"]),
    ([{"content": "word " * 19 + "word", "tags": [], "updated_at": "2026-02-15T10:00:00Z",
       "created_at": "2026-02-14T10:00:00Z", "color": "red", "folder": None}],
     ["color of 1 note", "created_at of 1 note", "end of the content of 1 note",
      "exact updated_at of 1 note"]),
    ([{"title": "a", "start_at": "2026-02-18T09:00:00Z", "recurrence": {"freq": "weekly"}},
      {"title": "b\nc", "start_at": "2026-02-18", "end_at": "2026-02-19", "recurrence": []}],
     ["date of 2 events", "time offset of 1 event", "recurrence rule of 1 event",
      "end of 1 event", "line breaks or extra blanks of 1 event"]),
    ([{"title": "a", "start_at": "2026-02-18T09:00:00"},
      {"title": "b", "start_at": "2026-02-19T09:00:00"}], []),
    ([{"from_name": "A", "from_address": "a@b.c", "subject": "s", "received_at": None}],
     ["from_address of 1 email"]),
    ([{"display_name": "A", "emails": ["a@b.c", "d@e.f"]}, {"display_name": "B", "emails": []},
      {"display_name": "C", "emails": [{"address": "x@y.z", "type": "work"}]}],
     ["other emails of 1 contact", "kind of email of 1 contact"]),
    ([{"filename": "a.pdf", "size_bytes": 2000, "mime_type": "application/pdf"},
      {"filename": "b", "size_bytes": 20, "mime_type": "text/plain"}],
     ["exact size of 1 file", "mime_type of 1 file"]),
    ([{"entry_date": "2026-02-18", "content": "x" * 60}], []),
    ([{"domain": "a", "title": "b", "snippet": "x" * 81}], ["end of the snippet of 1 result"]),
    ({"data": [{"entry_date": "2026-02-18"}], "tier": "free", "meta": {"total": 1, "took": 3}},
     ["tier beside the records", "meta.took beside the records"]),
    ([{"entry_date": "2026-02-18", **dict.fromkeys("abcde", 1), "f": None}],
     ["5 of 6 fields with a value: a, b, c, d, …"]),
]  # fmt: skip


@pytest.mark.parametrize(("value", "losses"), LOSSES)
def test_what_it_loses_is_named(value: Any, losses: list[str]) -> None:
    assert COMPACT_LINES.losses(value) == losses


def test_many_dropped_fields_are_counted() -> None:
    assert COMPACT_LINES.losses({"data": records("events", 10)}) == [
        "10 of 17 fields with a value: status, source, source_id, calendar_name, …",
        "time offset of 9 events",
        "recurrence rule of 3 events",
        "end of 1 event",
    ]


shows = sorted({name for domain in DOMAINS.values() for name in domain.shows})
cells = scalars | st.lists(scalars, max_size=2) | st.sampled_from(["2026-02-18", "9999-12-31"])
record = st.dictionaries(st.sampled_from(shows), cells, max_size=5)
rows = st.lists(record.map(lambda fields: {"entry_date": None, **fields}), max_size=3)


@pytest.mark.rest
@given(st.one_of(values, rows, st.builds(lambda items: {"data": items, "meta": {}}, rows)))
def test_the_same_value_gives_the_same_text(value: Any) -> None:
    try:
        text = COMPACT_LINES.dumps(value)
    except NotApplicable:
        return
    assert COMPACT_LINES.dumps(value) == text
    assert COMPACT_LINES.layout(text).size == len(text.encode())
    assert all(isinstance(loss, str) and loss for loss in COMPACT_LINES.losses(value))
