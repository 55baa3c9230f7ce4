"""The domains of records: their names, their lines, and the fields that identify a record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toon.compact.inline import as_text, preview
from toon.compact.lines import (
    DIARY_PREVIEW,
    NOTE_PREVIEW,
    SNIPPET_PREVIEW,
    Context,
    JsonObject,
    write_contact,
    write_diary,
    write_email,
    write_event,
    write_file,
    write_note,
    write_search_result,
)


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of record.

    Attributes:
        name: its key in ``DOMAINS``.
        one, many: its noun in a summary, singular and plural.
        line: writes the line of a record, without its id.
        shows: the root fields that a line is made of, besides ``id``.
        marks: groups of fields; a record of the domain has at least one field of each group.
        date: the field that ``date=`` filters by, and that records are ordered by.
        ages: the fields that a line shows as ages.
        fallbacks: pairs of a field and the one that it stands in for when that is empty.
        previews: pairs of a field and the number of its characters that a line shows.
    """

    name: str
    one: str
    many: str
    line: Callable[[JsonObject, Context], str]
    shows: tuple[str, ...]
    marks: tuple[tuple[str, ...], ...]
    date: str
    ages: tuple[str, ...] = ()
    fallbacks: tuple[tuple[str, str], ...] = ()
    previews: tuple[tuple[str, int], ...] = ()

    def noun(self, count: int) -> str:
        return self.one if count == 1 else self.many

    def recognises(self, record: JsonObject) -> bool:
        """Whether ``record`` looks like one of this domain."""
        return all(any(name in record for name in group) for group in self.marks)

    def unused_fallbacks(self, record: JsonObject) -> list[str]:
        """The fallback fields that the line of ``record`` does not show."""
        return [
            name
            for name, first in self.fallbacks
            if record.get(name) is not None and as_text(record.get(first))
        ]

    def visible(self, record: JsonObject) -> JsonObject:
        """The fields that the line of ``record`` is made of, without nulls; previews are cut."""
        unused = self.unused_fallbacks(record)
        kept = {
            name: value
            for name, value in record.items()
            if name in ("id", *self.shows) and name not in unused and value is not None
        }
        cut = {n: preview(as_text(kept[n]), length) for n, length in self.previews if n in kept}
        return kept | cut


#: name -> domain.
DOMAINS: Final = {domain.name: domain for domain in (
    Domain(
        "events", "event", "events", write_event,
        ("title", "start_at", "end_at", "all_day", "location", "recurrence"),
        (("start_at",), ("title", "end_at", "all_day")),
        "start_at",
    ),
    Domain(
        "notes", "note", "notes", write_note,
        ("title", "content", "pinned", "is_pinned", "tags", "archived", "is_archived",
         "updated_at", "created_at"),
        (("content",), ("tags", "pinned", "is_pinned", "archived", "is_archived")),
        "updated_at", ("updated_at", "created_at"),
        (("content", "title"), ("created_at", "updated_at")), (("content", NOTE_PREVIEW),),
    ),
    Domain(
        "emails", "email", "emails", write_email,
        ("from_name", "from_address", "subject", "folder", "is_read", "is_starred",
         "has_attachments", "received_at"),
        (("subject",), ("from_name", "from_address")),
        "received_at", ("received_at",), (("from_address", "from_name"),),
    ),
    Domain(
        "contacts", "contact", "contacts", write_contact,
        ("display_name", "name", "first_name", "last_name", "company", "organization", "emails",
         "email"),
        (("display_name", "name", "first_name", "last_name"), ("emails", "email"),
         ("display_name", "emails", "company", "organization")),
        "updated_at",
        fallbacks=(("first_name", "display_name"), ("last_name", "display_name")),
    ),
    Domain(
        "files", "file", "files", write_file,
        ("filename", "name", "size_bytes", "size", "mime_type", "is_directory", "is_folder",
         "type"),
        (("filename", "name"), ("size_bytes", "size", "mime_type"), ("filename", "mime_type")),
        "updated_at",
    ),
    Domain(
        "diary", "diary entry", "diary entries", write_diary,
        ("entry_date", "mood", "content", "tags"), (("entry_date",),), "entry_date",
        previews=(("content", DIARY_PREVIEW),),
    ),
    Domain(
        "search", "result", "results", write_search_result,
        ("domain", "title", "snippet"), (("domain",), ("title",), ("snippet",)), "updated_at",
        previews=(("snippet", SNIPPET_PREVIEW),),
    ),
)}  # fmt: skip

#: The order in which the domains of a record are tried: the more specific marks first.
_TRIED: Final = ("search", "emails", "diary", "events", "files", "contacts", "notes")


def domain_of(records: Any) -> str | None:
    """The name of the domain that a list of objects belongs to, by their keys; None if unclear.

    At least half of the objects have the marks of that domain, and none those of another.
    """
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return None
    found = (next((n for n in _TRIED if DOMAINS[n].recognises(r)), None) for r in records)
    known = [name for name in found if name]
    clear = len(set(known)) == 1 and 2 * len(known) >= len(records)
    return known[0] if clear else None
