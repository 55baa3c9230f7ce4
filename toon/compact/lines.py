"""One line per record: what each domain shows of one, and what it leaves out.

Every function here takes any record at all: what is missing, null or of the wrong type vanishes
from the line with its brackets. Texts come from :mod:`toon.compact.text`, so none breaks a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final

from toon.compact.relative import in_zone, instant, is_date, read_date, read_time, relative
from toon.compact.text import as_text, preview, size

Record = dict[str, Any]

#: Characters of a note's text where it has no title, of a diary entry and of a search snippet.
NOTE_PREVIEW: Final = 40
DIARY_PREVIEW: Final = 60
SNIPPET_PREVIEW: Final = 80

_MOODS: Final = {"great": "😊", "good": "🙂", "neutral": "😐", "bad": "😟", "terrible": "😢"}
_FOLDER_TYPES: Final = ("directory", "folder")
_ID_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class Context:
    """What a line depends on beside its record.

    ``now`` has an offset; ``zone`` None means times as written; ``dated`` puts the date before an
    event; ``preview_len`` replaces the length of a preview.
    """

    now: datetime
    zone: tzinfo | None = None
    dated: bool = False
    preview_len: int | None = None

    def preview(self, text: Any, length: int) -> str:
        return preview(as_text(text), self.preview_len or length)

    def age(self, value: Any) -> str:
        """How long ago a timestamp was, or "" if it is none."""
        time = read_time(value)
        return "" if time is None else relative(instant(time, self.zone), self.now)


def line(record: Any, template: Callable[[Record, Context], str], context: Context) -> str:
    """The line of ``record``, which ends in the short id. What is no object has nothing to show."""
    record = record if isinstance(record, dict) else {}
    return joined(template(record, context), short_id(record))


def page_context(
    records: Iterable[Any], now: datetime, zone: tzinfo | None, preview_len: int | None
) -> Context:
    """The context of the lines of one page; events are dated if they start on different dates."""
    dates = {event_date(record, zone) for record in records} - {None}
    return Context(instant(now, zone), zone, len(dates) > 1, preview_len)


def short_id(record: Record) -> str:
    """``id:`` and the first eight characters of the record's id, or "" if it has none."""
    name = as_text(record.get("id"))
    return f"id:{name[:_ID_LENGTH].rstrip()}" if name else ""


# -- the templates ---------------------------------------------------------------------------


def event(record: Record, context: Context) -> str:
    """``09:00-09:30 Standup [Discord] 🔁``, or ``📅 all-day: Birthday``.

    An event whose start has no time of day is an all-day one, whatever it says.
    """
    date = str(event_date(record, context.zone) or "") if context.dated else ""
    whole_day = all_day(record)
    return joined(
        "📅" if whole_day else "",
        date,
        "all-day:" if whole_day else _clock(record, context.zone),
        as_text(record.get("title")) or "(untitled)",
        bracketed(as_text(record.get("location"))),
        "🔁" if record.get("recurrence") else "",
    )


def note(record: Record, context: Context) -> str:
    """``📌 "Meeting notes" (work) [2w ago] [archived]``."""
    title = as_text(record.get("title")) or context.preview(record.get("content"), NOTE_PREVIEW)
    age = context.age(record.get("updated_at")) or context.age(record.get("created_at"))
    return joined(
        "📌" if flag(record, "pinned", "is_pinned") else "",
        quoted(title or "(untitled)"),
        tags(record),
        bracketed(age),
        "[archived]" if flag(record, "archived", "is_archived") else "",
    )


def email(record: Record, context: Context) -> str:
    """``Juan: "Budget" [INBOX] unread ⭐ 📎 3h ago``."""
    sender = first_text(record, "from_name", "from_address") or "(unknown)"
    return joined(
        f"{sender}:",
        quoted(as_text(record.get("subject")) or "(no subject)"),
        bracketed(as_text(record.get("folder")) or "INBOX"),
        "read" if flag(record, "is_read") else "unread",
        "⭐" if flag(record, "is_starred") else "",
        "📎" if flag(record, "has_attachments") else "",
        context.age(record.get("received_at")),
    )


def contact(record: Record, context: Context) -> str:
    """``Ana García — TechCorp — ana@example.com``."""
    names = (first_text(record, "first_name"), first_text(record, "last_name"))
    name = first_text(record, "display_name", "name") or joined(*names)
    company = first_text(record, "company", "organization")
    segments = (name, company, main_address(record))
    return " — ".join(filter(None, segments)) or "(unknown)"


def file(record: Record, context: Context) -> str:
    """``report.pdf (2.3MB) [pdf]``, or ``Docs/ [folder]``."""
    name = _filename(record) or "(unnamed)"
    if _is_folder(record):
        return f"{name.rstrip('/')}/ [folder]"
    kind = extension_of(record) or _subtype(as_text(record.get("mime_type"))) or "file"
    return joined(name, parenthesized(size_of(record)), bracketed(kind))


def diary(record: Record, context: Context) -> str:
    """``2026-02-18 😊 "Great day at the office..." (work)``."""
    written = as_text(record.get("entry_date"))
    mood = as_text(record.get("mood"))
    entry = joined(
        str(read_date(written) or written),
        _MOODS.get(mood.lower(), mood),
        quoted(context.preview(record.get("content"), DIARY_PREVIEW)),
        tags(record),
    )
    return entry or "(empty)"


def hit(record: Record, context: Context) -> str:
    """``[note] "Budget" — "the Q3 budget is due"``."""
    snippet = quoted(context.preview(record.get("snippet"), SNIPPET_PREVIEW))
    return joined(
        bracketed(as_text(record.get("domain"))),
        quoted(as_text(record.get("title")) or "(untitled)"),
        f"— {snippet}" if snippet else "",
    )


# -- parts of events -------------------------------------------------------------------------


def all_day(record: Record) -> bool:
    return record.get("all_day") is True or is_date(record.get("start_at"))


def event_date(record: Any, zone: tzinfo | None) -> Any:
    """The date an event starts on: in ``zone`` for one with a time of day, else as written."""
    start = read_time(record.get("start_at")) if isinstance(record, dict) else None
    if start is None:
        return None
    return (start if all_day(record) else in_zone(start, zone)).date()


def _clock(record: Record, zone: tzinfo | None) -> str:
    """``22:00-06:00+1d``: the days are those between the two dates, none on the same."""
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


def main_address(record: Record) -> str:
    """The primary address of a contact, else its first; "" if it has none."""
    entries = record.get("emails")
    entries = entries if isinstance(entries, list) else [record.get("email")]
    primary = (e for e in entries if isinstance(e, dict) and flag(e, "primary", "is_primary"))
    return next(filter(None, map(_address, (*primary, *entries))), "")


def _address(entry: Any) -> str:
    if isinstance(entry, dict):
        return first_text(entry, "address", "email", "value")
    return as_text(entry)


def _is_folder(record: Record) -> bool:
    return flag(record, "is_directory", "is_folder") or record.get("type") in _FOLDER_TYPES


def _filename(record: Record) -> str:
    return first_text(record, "filename", "name")


def extension_of(record: Record) -> str:
    """What follows the last dot of a file's name, in lower case; "" for a name led by a dot.

    More than ten characters, or others than letters and digits, are no extension.
    """
    name = _filename(record)
    stem, _, extension = name.rpartition(".")
    is_one = stem and not name.startswith(".") and extension.isalnum() and len(extension) <= 10
    return extension.lower() if is_one else ""


def size_of(record: Record) -> str:
    """The size of a file, rounded, or "" if there is none."""
    return size(first_of(record, "size_bytes", "size"))


def _subtype(mime: str) -> str:
    return mime.partition("/")[2].partition(";")[0].strip()


def tags(record: Record) -> str:
    """``(work, dev)``, or "" for none."""
    names = record.get("tags")
    names = names if isinstance(names, list) else [names]
    return parenthesized(", ".join(filter(None, map(as_text, names))))


def flag(record: Record, *names: str) -> bool:
    """Whether one of these fields is true; anything else but ``true`` is not."""
    return any(record.get(name) is True for name in names)


def first_of(record: Record, *names: str) -> Any:
    """The first of these fields that is not null or missing."""
    return next((record[name] for name in names if record.get(name) is not None), None)


def first_text(record: Record, *names: str) -> str:
    """The text of the first of these fields that has any."""
    return next(filter(None, (as_text(record.get(name)) for name in names)), "")


def joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def bracketed(text: str) -> str:
    return text and f"[{text}]"


def parenthesized(text: str) -> str:
    return text and f"({text})"


def quoted(text: str) -> str:
    """``text`` between quotes; quotes inside stay as they are, a line is not parsed."""
    return text and f'"{text}"'
