"""The domains: what each is called, which line it has, and what its records are told by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toon.compact.lines import (
    DIARY_PREVIEW,
    NOTE_PREVIEW,
    SNIPPET_PREVIEW,
    Context,
    Record,
    contact,
    diary,
    email,
    event,
    file,
    hit,
    note,
)
from toon.compact.text import as_text, preview


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of record.

    ``one`` and ``many`` name it in a summary; ``shows`` are the root fields a line is made of,
    besides ``id``; ``marks`` are what tells such a record: of each group it has one field at least.
    ``date`` is the field that ``date=`` and the usual order look at, ``ages`` those a line turns
    into an age. ``instead`` pairs a field with the one it is shown for want of, ``previews`` one
    with the characters that are shown of it.
    """

    name: str
    one: str
    many: str
    line: Callable[[Record, Context], str]
    shows: tuple[str, ...]
    marks: tuple[tuple[str, ...], ...]
    date: str
    ages: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    previews: tuple[tuple[str, int], ...] = ()

    def noun(self, count: int) -> str:
        return self.one if count == 1 else self.many

    def recognises(self, record: Record) -> bool:
        """Whether ``record`` looks like one of this domain."""
        return all(any(name in record for name in group) for group in self.marks)

    def unused(self, record: Record) -> list[str]:
        """The fields of ``instead`` that this record's line has no use for."""
        return [
            name
            for name, first in self.instead
            if record.get(name) is not None and as_text(record.get(first))
        ]

    def shown(self, record: Record) -> Record:
        """What the line of ``record`` is made of: its fields that are not null, texts cut alike."""
        unused = self.unused(record)
        kept = {
            name: value
            for name, value in record.items()
            if name in ("id", *self.shows) and name not in unused and value is not None
        }
        cut = {n: preview(as_text(kept[n]), length) for n, length in self.previews if n in kept}
        return kept | cut


def _table(*domains: Domain) -> dict[str, Domain]:
    return {domain.name: domain for domain in domains}


#: name -> domain.
DOMAINS: Final = _table(
    Domain(
        "events", "event", "events", event,
        ("title", "start_at", "end_at", "all_day", "location", "recurrence"),
        (("start_at",), ("title", "end_at", "all_day")),
        "start_at",
    ),
    Domain(
        "notes", "note", "notes", note,
        ("title", "content", "pinned", "is_pinned", "tags", "archived", "is_archived",
         "updated_at", "created_at"),
        (("content",), ("tags", "pinned", "is_pinned", "archived", "is_archived")),
        "updated_at", ("updated_at", "created_at"),
        (("content", "title"), ("created_at", "updated_at")), (("content", NOTE_PREVIEW),),
    ),
    Domain(
        "emails", "email", "emails", email,
        ("from_name", "from_address", "subject", "folder", "is_read", "is_starred",
         "has_attachments", "received_at"),
        (("subject",), ("from_name", "from_address")),
        "received_at", ("received_at",), (("from_address", "from_name"),),
    ),
    Domain(
        "contacts", "contact", "contacts", contact,
        ("display_name", "name", "first_name", "last_name", "company", "organization", "emails",
         "email"),
        (("display_name", "name", "first_name", "last_name"), ("emails", "email"),
         ("display_name", "emails", "company", "organization")),
        "updated_at",
        instead=(("first_name", "display_name"), ("last_name", "display_name")),
    ),
    Domain(
        "files", "file", "files", file,
        ("filename", "name", "size_bytes", "size", "mime_type", "is_directory", "is_folder",
         "type"),
        (("filename", "name"), ("size_bytes", "size", "mime_type"), ("filename", "mime_type")),
        "updated_at",
    ),
    Domain(
        "diary", "diary entry", "diary entries", diary,
        ("entry_date", "mood", "content", "tags"), (("entry_date",),), "entry_date",
        previews=(("content", DIARY_PREVIEW),),
    ),
    Domain(
        "search", "result", "results", hit,
        ("domain", "title", "snippet"), (("domain",), ("title",), ("snippet",)), "updated_at",
        previews=(("snippet", SNIPPET_PREVIEW),),
    ),
)  # fmt: skip

#: The order in which a record is tried: the more particular marks before the more general.
_TRIED: Final = ("search", "emails", "diary", "events", "files", "contacts", "notes")


def domain_of(records: Any) -> str | None:
    """The domain of a list of objects by their keys; None if it is not clear.

    At least half of them have the marks of that domain, and none those of another.
    """
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return None
    known = [name for record in records if (name := _domain_of_one(record))]
    clear = len(set(known)) == 1 and 2 * len(known) >= len(records)
    return known[0] if clear else None


def _domain_of_one(record: Record) -> str | None:
    return next((name for name in _TRIED if DOMAINS[name].recognises(record)), None)


def domain_named(name: str) -> Domain:
    """The domain of that name.

    Raises:
        ValueError: there is none; the message lists those there are.
    """
    if name not in DOMAINS:
        raise ValueError(f"no domain is named {name!r}; there are {', '.join(DOMAINS)}")
    return DOMAINS[name]
