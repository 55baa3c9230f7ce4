"""The domains of records: their names, their lines, and the fields that identify a record.

Pages of their records are written as lines in an envelope.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from toon.compact.context import DEFAULT_LIMIT, Envelope, JsonObject, Place
from toon.compact.inline import one_line
from toon.compact.relative import is_date
from toon.compact.templates import Template, parse
from toon.compact.templates.formatters import Args
from toon.compact.templates.template import Nodes, values_in


@dataclass(frozen=True)
class Domain:
    """A kind of record, such as events. ``lines/NAME.txt`` is the template of its lines.

    Attributes:
        name: its key in ``DOMAINS``.
        marks: groups of fields; a record of the domain has at least one field of each group.
        date: the field that ``date=`` filters by, and that records are ordered by.
        fallbacks: pairs of a field and the one that it stands in for when that is empty.
    """

    name: str
    marks: tuple[tuple[str, ...], ...]
    date: str = "updated_at"
    fallbacks: tuple[tuple[str, str], ...] = ()

    @cached_property
    def text(self) -> str:
        return (Path(__file__).with_name("lines") / f"{self.name}.txt").read_text(encoding="utf-8")

    @cached_property
    def template(self) -> Template:
        return parse(self.text)

    @cached_property
    def shows(self) -> tuple[str, ...]:
        """The names of the fields that the line of a record of this kind shows, besides ``id``."""
        roots = (str(value.path[0]) for value in values_in(self.template.pattern))
        return tuple(name for name in dict.fromkeys(roots) if name != "id")

    @cached_property
    def ages(self) -> list[str]:
        """The names of the fields that a line of this kind shows as ages, as in ``3d ago``."""
        return [field for field, _ in _calls_of("ago", self.template.pattern)]

    @cached_property
    def previews(self) -> list[tuple[str, int]]:
        """Pairs of the fields whose start a line of this kind shows, and the most characters."""
        calls = _calls_of("preview", self.template.pattern)
        return [(field, int(args[0])) for field, args in calls]

    def noun(self, count: int) -> str:
        """Return the noun for so many records of this kind, as in ``event`` or ``events``."""
        ((_, nouns),) = _calls_of("plural", self.template.summary or ())
        return str(nouns[count != 1])

    def recognises(self, record: JsonObject) -> bool:
        """Return whether a record has the fields that mark one of this kind, such as events."""
        return all(any(name in record for name in group) for group in self.marks)


def _calls_of(name: str, pattern: Nodes) -> list[tuple[str, Args]]:
    """Return the field and the arguments of each use of the formatter ``name`` in a pattern."""
    calls = ((str(value.path[0]), *call) for value in values_in(pattern) for call in value.calls)
    return [(field, args) for field, formatter, args in calls if formatter.name == name]


#: name -> domain.
DOMAINS: Final = {domain.name: domain for domain in (
    Domain("events", (("start_at",), ("title", "end_at", "all_day")), "start_at"),
    Domain(
        "notes",
        (("content",), ("tags", "pinned", "is_pinned", "archived", "is_archived")),
        fallbacks=(("content", "title"), ("created_at", "updated_at")),
    ),
    Domain(
        "emails",
        (("subject",), ("from_name", "from_address")), "received_at",
        (("from_address", "from_name"),),
    ),
    Domain(
        "contacts",
        (("display_name", "name", "first_name", "last_name"), ("emails", "email"),
         ("display_name", "emails", "company", "organization")),
        fallbacks=(("first_name", "display_name"), ("last_name", "display_name")),
    ),
    Domain(
        "files",
        (("filename", "name"), ("size_bytes", "size", "mime_type"), ("filename", "mime_type")),
    ),
    Domain("diary", (("entry_date",),), "entry_date"),
    Domain("search", (("domain",), ("title",), ("snippet",))),
)}  # fmt: skip

#: The order in which the domains of a record are tried: the more specific marks first.
_ORDER: Final = ("search", "emails", "diary", "events", "files", "contacts", "notes")


def domain_of(records: Any) -> str | None:
    """Return what kind of records a list of JSON objects holds, such as ``events``, by their
    fields.

    At least half of the objects have the fields that mark this kind, and none those of another;
    otherwise return None.
    """
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        return None
    names = (next((n for n in _ORDER if DOMAINS[n].recognises(r)), None) for r in records)
    domains = [name for name in names if name]
    clear = len(set(domains)) == 1 and 2 * len(domains) >= len(records)
    return domains[0] if clear else None


def lasts_all_day(record: JsonObject) -> bool:
    """Return whether an event, by its record, lasts all day or starts without a time of day."""
    return record.get("all_day") is True or is_date(record.get("start_at"))


def compact(
    records: list[Any],
    domain: str,
    *,
    now: datetime,
    zone: tzinfo | None = None,
    filters: Sequence[tuple[str, str]] = (),
    total: int | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Envelope:
    """Return a page of records as compact lines in their envelope, a line for each record.

    Args:
        records: the records of this page.
        domain: a key of ``DOMAINS``.
        now: the time that ages are counted to; without an offset it is in ``zone`` or UTC.
        zone: the zone in which the times of events are shown; None shows them as written.
        filters: parameters of the query and their values; shown at the end of the summary.
        total: the number of records on all pages; None for those up to the end of this page.
        limit: the most records a page may hold; None for 20, or more if this page has more.
        offset: the number of records before this page.

    Raises:
        QueryError: The lines together have more than ``TEMPLATE_CHARACTERS``.
    """
    kind = DOMAINS[domain]
    count, end = len(records), offset + len(records)
    total = end if total is None else total
    counted = f"{total}"
    if count != total:
        counted = f"{offset + 1}-{end} of {total}" if count else f"0 of {total}"
    words = []
    for name, value in filters:
        text, key = one_line(value), one_line(name)
        shown = f'q:"{text}"' if name in ("q", "search") else f"{key}:{text}"
        words.append(text if name == "date" else shown)
    summary = f"{counted} {kind.noun(total)}" + (f" ({', '.join(words)})" if words else "")
    limit = max(DEFAULT_LIMIT, count) if limit is None else limit
    place: Place = {"total": total, "limit": limit, "offset": offset, "has_more": end < total}
    return kind.template.page(records, kind.template.context(records, now, zone), summary, place)
