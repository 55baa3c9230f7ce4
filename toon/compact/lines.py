"""Writes the line of a record, for each domain.

Every record has a line: a field that is missing, null or of the wrong type is left out together
with its brackets. All texts pass :mod:`toon.compact.inline`, so none of them breaks a line.

The templates in ``samples/templates`` write nearly the same lines, but take two to three times as
long, and cannot express ``+1d``, dates only on pages that span several, or names such as ``.env``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from toon.compact.inline import as_text, preview, size
from toon.compact.relative import in_zone, instant, is_date, read_date, read_time, relative

#: A record of a list: a JSON object.
JsonObject = dict[str, Any]

#: Characters of a preview: of a note without a title, a diary entry, a search snippet.
NOTE_PREVIEW: Final = 40
DIARY_PREVIEW: Final = 60
SNIPPET_PREVIEW: Final = 80

_MOODS: Final = {"great": "😊", "good": "🙂", "neutral": "😐", "bad": "😟", "terrible": "😢"}
_FOLDER_TYPES: Final = ("directory", "folder")
_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class Context:
    """What a line depends on besides its record.

    Attributes:
        now: the time that ages are counted to; it has an offset.
        zone: the zone in which times are shown; None shows them as written.
        dated: whether each event starts with its date.
    """

    now: datetime
    zone: tzinfo | None = None
    dated: bool = False

    def age(self, value: Any) -> str:
        """How long ago a timestamp was; "" if ``value`` is not a timestamp."""
        time = read_time(value)
        return "" if time is None else relative(instant(time, self.zone), self.now)


def write_line(record: Any, write: Callable[[JsonObject, Context], str], context: Context) -> str:
    """The line of a record, which ends with its short id; a value other than an object is empty."""
    record = record if isinstance(record, dict) else {}
    return join(write(record, context), short_id(record))


def page_context(records: Iterable[Any], now: datetime, zone: tzinfo | None) -> Context:
    """The context of a page's lines; events show their dates if they start on different ones."""
    dates = {event_date(record, zone) for record in records} - {None}
    return Context(instant(now, zone), zone, len(dates) > 1)


def short_id(record: JsonObject) -> str:
    """``id:`` and the first eight characters of the record's id; "" if it has no id."""
    name = as_text(record.get("id"))
    return f"id:{name[:_ID_LENGTH].rstrip()}" if name else ""


# -- domains ---------------------------------------------------------------------------------


def write_event(record: JsonObject, context: Context) -> str:
    """``09:00-09:30 Standup [Discord] 🔁``, or ``📅 all-day: Birthday``.

    An event that starts without a time of day is an all-day event, whatever ``all_day`` says.
    """
    date = str(event_date(record, context.zone) or "") if context.dated else ""
    whole_day = all_day(record)
    return join(
        "📅" if whole_day else "",
        date,
        "all-day:" if whole_day else _clock(record, context.zone),
        as_text(record.get("title")) or "(untitled)",
        in_brackets(as_text(record.get("location"))),
        "🔁" if record.get("recurrence") else "",
    )


def write_note(record: JsonObject, context: Context) -> str:
    """``📌 "Meeting notes" (work) [2w ago] [archived]``."""
    title = as_text(record.get("title"))
    title = title or preview(as_text(record.get("content")), NOTE_PREVIEW)
    age = context.age(record.get("updated_at")) or context.age(record.get("created_at"))
    return join(
        "📌" if flag(record, "pinned", "is_pinned") else "",
        in_quotes(title or "(untitled)"),
        tags(record),
        in_brackets(age),
        "[archived]" if flag(record, "archived", "is_archived") else "",
    )


def write_email(record: JsonObject, context: Context) -> str:
    """``Juan: "Budget" [INBOX] unread ⭐ 📎 3h ago``."""
    sender = first_text(record, "from_name", "from_address") or "(unknown)"
    return join(
        f"{sender}:",
        in_quotes(as_text(record.get("subject")) or "(no subject)"),
        in_brackets(as_text(record.get("folder")) or "INBOX"),
        "read" if flag(record, "is_read") else "unread",
        "⭐" if flag(record, "is_starred") else "",
        "📎" if flag(record, "has_attachments") else "",
        context.age(record.get("received_at")),
    )


def write_contact(record: JsonObject, context: Context) -> str:
    """``Ana García — TechCorp — ana@example.com``."""
    names = (first_text(record, "first_name"), first_text(record, "last_name"))
    name = first_text(record, "display_name", "name") or join(*names)
    company = first_text(record, "company", "organization")
    segments = (name, company, main_address(record))
    return " — ".join(filter(None, segments)) or "(unknown)"


def write_file(record: JsonObject, context: Context) -> str:
    """``report.pdf (2.3MB) [pdf]``, or ``Docs/ [folder]``."""
    name = _filename(record) or "(unnamed)"
    if flag(record, "is_directory", "is_folder") or record.get("type") in _FOLDER_TYPES:
        return f"{name.rstrip('/')}/ [folder]"
    subtype = as_text(record.get("mime_type")).partition("/")[2].partition(";")[0].strip()
    kind = extension_of(record) or subtype or "file"
    return join(name, in_parentheses(size_of(record)), in_brackets(kind))


def write_diary(record: JsonObject, context: Context) -> str:
    """``2026-02-18 😊 "Great day at the office..." (work)``."""
    written = as_text(record.get("entry_date"))
    mood = as_text(record.get("mood"))
    entry = join(
        str(read_date(written) or written),
        _MOODS.get(mood.lower(), mood),
        in_quotes(preview(as_text(record.get("content")), DIARY_PREVIEW)),
        tags(record),
    )
    return entry or "(empty)"


def write_search_result(record: JsonObject, context: Context) -> str:
    """``[note] "Budget" — "the Q3 budget is due"``."""
    snippet = in_quotes(preview(as_text(record.get("snippet")), SNIPPET_PREVIEW))
    return join(
        in_brackets(as_text(record.get("domain"))),
        in_quotes(as_text(record.get("title")) or "(untitled)"),
        f"— {snippet}" if snippet else "",
    )


# -- parts of events -------------------------------------------------------------------------


def all_day(record: JsonObject) -> bool:
    return record.get("all_day") is True or is_date(record.get("start_at"))


def event_date(record: Any, zone: tzinfo | None) -> Any:
    """The date on which an event starts, by the clocks of ``zone`` if it has a time of day."""
    start = read_time(record.get("start_at")) if isinstance(record, dict) else None
    if start is None:
        return None
    return (start if all_day(record) else in_zone(start, zone)).date()


def _clock(record: JsonObject, zone: tzinfo | None) -> str:
    """Start and end as in ``22:00-06:00+1d``; the days between them are left out if 0."""
    start, end = read_time(record.get("start_at")), read_time(record.get("end_at"))
    if start is None:
        return ""
    start = in_zone(start, zone)
    if end is None:
        return f"{start:%H:%M}"
    end = in_zone(end, zone)
    days = (end.date() - start.date()).days
    return f"{start:%H:%M}-{end:%H:%M}" + (f"{days:+}d" if days else "")


# -- parts of the others ---------------------------------------------------------------------


def main_address(record: JsonObject) -> str:
    """The primary address of a contact, or else its first; "" if it has no address."""
    entries = record.get("emails")
    entries = entries if isinstance(entries, list) else [record.get("email")]
    primary = (e for e in entries if isinstance(e, dict) and flag(e, "primary", "is_primary"))
    return next(filter(None, map(_address, (*primary, *entries))), "")


def _address(entry: Any) -> str:
    if isinstance(entry, dict):
        return first_text(entry, "address", "email", "value")
    return as_text(entry)


def _filename(record: JsonObject) -> str:
    return first_text(record, "filename", "name")


def extension_of(record: JsonObject) -> str:
    """The part of a file's name after its last dot, in lower case; "" if it is no extension.

    An extension has at most ten letters and digits. A dot at the start does not begin one.
    """
    name = _filename(record)
    stem, _, extension = name.rpartition(".")
    is_one = stem and not name.startswith(".") and extension.isalnum() and len(extension) <= 10
    return extension.lower() if is_one else ""


def size_of(record: JsonObject) -> str:
    """The size of a file, rounded; "" if it has no size."""
    sizes = (record.get(name) for name in ("size_bytes", "size"))
    return size(next((value for value in sizes if value is not None), None))


def tags(record: JsonObject) -> str:
    """The tags as in ``(work, dev)``; "" if there are none."""
    names = record.get("tags")
    names = names if isinstance(names, list) else [names]
    return in_parentheses(", ".join(filter(None, map(as_text, names))))


def flag(record: JsonObject, *names: str) -> bool:
    """Whether one of these fields is ``true``."""
    return any(record.get(name) is True for name in names)


def first_text(record: JsonObject, *names: str) -> str:
    """The text of the first of these fields that has one."""
    return next(filter(None, (as_text(record.get(name)) for name in names)), "")


def join(*parts: str) -> str:
    return " ".join(filter(None, parts))


def in_brackets(text: str) -> str:
    return text and f"[{text}]"


def in_parentheses(text: str) -> str:
    return text and f"({text})"


def in_quotes(text: str) -> str:
    """``text`` in quotes. Quotes inside are not escaped: nobody parses a line."""
    return text and f'"{text}"'
