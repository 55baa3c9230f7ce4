"""The line of each kind of record: exact examples, and any record gives one line."""

import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import strings, values
from toon.compact import DOMAINS, compact
from toon.compact.relative import zone_of
from toon.records.store import SAMPLE_NOW, add_changes
from toon.records.store import records as bundled

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)
ID = "550e8400-e29b-41d4-a716-446655440000"


def write_lines(domain: str, *records: Any, **options: Any) -> list[str]:
    return compact(list(records), domain, now=NOW, **options)["lines"]


def write_line(domain: str, record: dict[str, Any], **options: Any) -> str:
    (line,) = write_lines(domain, {"id": ID, **record}, **options)
    return line


EVENTS: list[tuple[dict[str, Any], str]] = [
    ({"title": "Standup", "location": "Discord", "start_at": "2026-02-18T09:00:00Z",
      "end_at": "2026-02-18T09:30:00Z", "recurrence": {"freq": "weekly", "days": ["mon"]}},
     "09:00-09:30 Standup [Discord] 🔁 id:550e8400"),
    ({"title": "Comida con Ana", "location": "La Mar", "start_at": "2026-02-18T14:00:00Z",
      "end_at": "2026-02-18T15:00:00Z", "recurrence": None, "status": "tentative"},
     "14:00-15:00 Comida con Ana [La Mar] id:550e8400"),
    ({"title": "Cumple Mamá", "all_day": True, "start_at": "2026-02-18T00:00:00Z",
      "end_at": "2026-02-19T00:00:00Z"},
     "📅 all-day: Cumple Mamá id:550e8400"),
    ({"title": "Cumple Mamá", "start_at": "2026-02-18", "location": "Home", "recurrence": "yearly"},
     "📅 all-day: Cumple Mamá [Home] 🔁 id:550e8400"),
    ({"title": "Night\nshift", "start_at": "2026-02-18T22:00:00Z",
      "end_at": "2026-02-19T06:00:00Z"},
     "22:00-06:00+1d Night shift id:550e8400"),
    ({"title": "Reminder", "start_at": "2026-02-18T22:00:00+05:30", "end_at": None,
      "recurrence": {}},
     "22:00 Reminder id:550e8400"),
    ({"title": "Over the date line", "start_at": "2026-02-18T08:00:00+13:00",
      "end_at": "2026-02-17T20:00:00-10:00"},
     "08:00-20:00-1d Over the date line id:550e8400"),
    ({"title": "Odd", "start_at": "2026-02-18T22:00:00Z", "all_day": "true"},
     "22:00 Odd id:550e8400"),
    ({"title": None, "start_at": "soon", "end_at": "2026-02-18T22:00:00Z"},
     "(untitled) id:550e8400"),
]  # fmt: skip

OTHERS: list[tuple[str, dict[str, Any], str]] = [
    ("notes", {"title": "Meeting notes Q1", "pinned": True, "tags": ["trabajo"],
               "updated_at": "2026-02-03T10:00:00Z"},
     '📌 "Meeting notes Q1" (trabajo) [2w ago] id:550e8400'),
    ("notes", {"title": "Project ideas", "tags": ["work", "dev"], "archived": True,
               "updated_at": "2026-02-15T10:00:00Z", "created_at": "2025-01-01T10:00:00Z"},
     '"Project ideas" (work, dev) [3d ago] [archived] id:550e8400'),
    ("notes", {"title": None, "content": "Buy  bread,\nmilk and some of that good cheese",
               "created_at": "2026-02-18T12:00:00Z"},
     '"Buy bread, milk and some of that good..." [2h ago] id:550e8400'),
    ("notes", {"title": True, "content": ["a"], "pinned": "true"}, '"(untitled)" id:550e8400'),
    ("emails", {"from_name": "Juan", "from_address": "j@example.com", "subject": "Budget Q3",
                "is_read": False, "has_attachments": True},
     'Juan: "Budget Q3" [INBOX] unread 📎 id:550e8400'),
    ("emails", {"from_name": " ", "from_address": "a@b.c", "subject": None, "folder": "SENT",
                "is_read": True, "is_starred": True, "received_at": "2026-02-18T11:00:00Z"},
     'a@b.c: "(no subject)" [SENT] read ⭐ 3h ago id:550e8400'),
    ("emails", {"from_name": ["a", "b"], "subject": 'Say "yes"'},
     '(unknown): "Say "yes"" [INBOX] unread id:550e8400'),
    ("contacts", {"display_name": "Ana García", "company": "TechCorp",
                  "emails": [{"address": "old@tech.com"},
                             {"address": "ana@tech.com", "primary": True}]},
     "Ana García — TechCorp — ana@tech.com id:550e8400"),
    ("contacts", {"display_name": "Bob", "emails": ["b@x.y", "c@x.y"]}, "Bob — b@x.y id:550e8400"),
    ("contacts", {"display_name": "Solo"}, "Solo id:550e8400"),
    ("contacts", {"first_name": "Mia", "last_name": "Ek", "company": {"name": "Ek AB"}},
     "Mia Ek — Ek AB id:550e8400"),
    ("contacts", {"company": "Co", "email": "c@o.x"}, "Co — c@o.x id:550e8400"),
    ("contacts", {"emails": ["c@o.x"]}, "c@o.x id:550e8400"),
    ("contacts", {}, "(unknown) id:550e8400"),
    ("files", {"filename": "report.pdf", "size_bytes": 2411724},
     "report.pdf (2.3MB) [pdf] id:550e8400"),
    ("files", {"filename": "Docs", "is_directory": True, "size_bytes": 5},
     "Docs/ [folder] id:550e8400"),
    ("files", {"filename": "README", "name": "x.txt", "type": ["file"], "size_bytes": 812,
               "mime_type": "text/plain; charset=a/b"},
     "README (812B) [plain] id:550e8400"),
    ("files", {"filename": ".env", "size_bytes": 0}, ".env (0B) [file] id:550e8400"),
    ("files", {"filename": "Minutes v1.2 final", "size_bytes": None, "mime_type": "text/markdown"},
     "Minutes v1.2 final [markdown] id:550e8400"),
    ("files", {"filename": "IMG.JPEG", "mime_type": "image/jpeg"}, "IMG.JPEG [jpeg] id:550e8400"),
    ("diary", {"entry_date": "2026-02-18", "mood": "great", "content": "Rain.",
               "tags": ["home", "rest"]},
     '2026-02-18 😊 "Rain." (home, rest) id:550e8400'),
    ("diary", {"entry_date": "2026-02-18T21:00:00Z", "mood": "wistful", "content": ""},
     "2026-02-18 wistful id:550e8400"),
    ("diary", {"entry_date": "2026-02-18", "mood": None, "content": "x" * 61},
     f'2026-02-18 "{"x" * 60}..." id:550e8400'),
    ("diary", {}, "(empty) id:550e8400"),
    ("search", {"domain": "note", "title": "Budget", "snippet": "the Q3 budget is due on Friday"},
     '[note] "Budget" — "the Q3 budget is due on Friday" id:550e8400'),
    ("search", {"domain": "note", "title": "Budget", "snippet": None},
     '[note] "Budget" id:550e8400'),
    ("search", {"title": None}, '"(untitled)" id:550e8400'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "record", "line"), [*(("events", *row) for row in EVENTS), *OTHERS]
)
def test_the_line_of_a_record(domain: str, record: dict[str, Any], line: str) -> None:
    assert write_line(domain, record) == line


def test_the_bundled_records_have_their_recorded_lines() -> None:
    """``lines.txt`` was recorded when each domain had a function for its lines."""
    lines = []
    for domain in DOMAINS:
        page = add_changes(domain, bundled(domain, 12))
        lines += [f"# {domain}", *compact(page, domain, now=SAMPLE_NOW)["lines"]]
        if domain == "events":
            zone = zone_of("America/New_York")
            lines += ["# events, by the clocks of America/New_York"]
            lines += compact(page, domain, now=SAMPLE_NOW, zone=zone)["lines"]
            lines += ["# events of one day", *compact(page[:3], domain, now=SAMPLE_NOW)["lines"]]

    assert lines == Path(__file__).with_name("lines.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("name", "token"),
    [(ID, " id:550e8400"), ("a", " id:a"), (12345678901, " id:12345678"),
     ("abcdefg hij", " id:abcdefg"),
     (None, ""), ([], ""), ("\n", "")],
)  # fmt: skip
def test_the_short_id_ends_the_line(name: Any, token: str) -> None:
    assert write_lines("events", {"id": name, "title": "Standup"}) == ["Standup" + token]


NAMES = sorted({"id", *(name for domain in DOMAINS.values() for name in domain.shows)})
hostile = st.one_of(
    values, strings, st.text(), st.booleans(), st.floats(),
    st.sampled_from(["2026-02-18", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
                     "2026-13-40T99:99:99Z", [{"name": ["x"]}], "a\x85b\x0bc\u2029d\x1ce\x9bf"]),
)  # fmt: skip
records = st.lists(st.one_of(values, st.dictionaries(st.sampled_from(NAMES), hostile)), max_size=5)


@pytest.mark.rest
@given(records, st.sampled_from(list(DOMAINS)), st.sampled_from([None, "Asia/Tokyo"]))
def test_any_record_gives_one_line(records: list[Any], domain: str, tz: str | None) -> None:
    envelope = compact(records, domain, now=NOW, zone=zone_of(tz))

    assert len(envelope["lines"]) == len(envelope["ids"]) == len(records)
    for line in envelope["lines"]:
        assert line == line.strip() != ""
        assert len(line.splitlines()) == 1
        assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in line)
