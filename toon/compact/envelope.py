"""A page of records as lines, and the envelope they travel in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from typing import Any, Final

from toon.compact.domains import Domain, domain_named
from toon.compact.lines import line, page_context
from toon.compact.relative import utc_now, zone_of
from toon.compact.text import as_text, one_line

#: Records of a page where nothing else is asked.
DEFAULT_LIMIT: Final = 20

#: Parameters that shape an answer and so are no filters of what is in it.
_NO_FILTERS: Final = {"limit", "offset", "sort", "order", "format", "tz"}

Filters = Mapping[str, Any] | Iterable[tuple[str, Any]]


def compact(
    records: Any,
    domain: str,
    *,
    now: datetime | None = None,
    tz: str | tzinfo | None = None,
    filters: Filters = (),
    total: int | None = None,
    limit: int | None = None,
    offset: int = 0,
    preview_len: int | None = None,
) -> Any:
    """The envelope of one page: ``format, summary, lines, ids, meta``, in this order.

    ``lines`` and ``ids`` map one to one. An id is the record's own, in full; "" where it has none.
    Only lists are compacted: a single record, an error or anything else comes back as it is.

    Args:
        records: The records of this page. Whatever they hold, each gives one line.
        domain: A name in ``DOMAINS``.
        now: What ages are told from; the clock's time if None, UTC if it has no offset.
        tz: An IANA name or a zone for the times of events; None leaves them as written.
        filters: What the page was asked for, in that order, as pairs or as a mapping whose values
            may be lists. They end the summary; parameters of paging and order are left out.
        total: Records on all pages; those up to the end of this one if None.
        limit: Records a page may hold; 20, or as many as there are, if None.
        offset: Records before this page.
        preview_len: Characters of a preview, instead of the domain's own 40, 60 or 80.

    Raises:
        QueryError: ``tz`` names no zone.
        ValueError: no domain has that name.
    """
    kind = domain_named(domain)
    if not isinstance(records, list):
        return records
    context = page_context(records, now or utc_now(), zone_of(tz), preview_len)
    count, end = len(records), offset + len(records)
    total = end if total is None else total
    return {
        "format": "compact",
        "summary": summary(kind, count, total, offset, filters),
        "lines": [line(record, kind.line, context) for record in records],
        "ids": [full_id(record) for record in records],
        "meta": {
            "total": total,
            "limit": max(DEFAULT_LIMIT, count) if limit is None else limit,
            "offset": offset,
            "has_more": end < total,
        },
    }


def full_id(record: Any) -> str:
    """The id of a record as a string, unchanged if it is one; "" if there is none."""
    name = record.get("id") if isinstance(record, dict) else None
    return name if isinstance(name, str) else as_text(name)


def summary(kind: Domain, count: int, total: int, offset: int, filters: Filters) -> str:
    """``3 events (today)``, or ``41-60 of 87 notes (tag:work)`` where there is more than a page."""
    shown = f"{total}"
    if count != total:
        shown = f"{offset + 1}-{offset + count} of {total}" if count else f"0 of {total}"
    named = [_filter_text(name, value) for name, value in pairs(filters)]
    asked = f" ({', '.join(named)})" if named else ""
    return f"{shown} {kind.noun(total)}{asked}"


def pairs(filters: Filters) -> list[tuple[str, Any]]:
    """The filters one by one, without the parameters that are none."""
    items = filters.items() if isinstance(filters, Mapping) else filters
    return [
        (name, value)
        for name, values in items
        if name not in _NO_FILTERS
        for value in (values if isinstance(values, list | tuple) else [values])
    ]


def _filter_text(name: str, value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else one_line(str(value))
    if name == "date":
        return text
    return f'q:"{text}"' if name in ("q", "search") else f"{one_line(name)}:{text}"
