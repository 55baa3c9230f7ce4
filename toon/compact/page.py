"""A page of records as lines, in an envelope."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from toon.compact.context import DEFAULT_LIMIT, Envelope
from toon.compact.domains import DOMAINS, Domain
from toon.compact.inline import id_text, one_line

#: Pairs of a parameter and its value, in the order of the query.
Filters = Sequence[tuple[str, str]]


def compact(
    records: list[Any],
    domain: str,
    *,
    now: datetime,
    zone: tzinfo | None = None,
    filters: Filters = (),
    total: int | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> Envelope:
    """Return the envelope of a page of records, with a line for each of them.

    Args:
        records: the records of this page.
        domain: a key of ``DOMAINS``.
        now: the time that ages are counted to; without an offset it is in ``zone`` or UTC.
        zone: the zone in which the times of events are shown; None shows them as written.
        filters: what the page was filtered by; shown at the end of the summary.
        total: the number of records on all pages; None for those up to the end of this page.
        limit: the most records a page may hold; None for 20, or more if this page has more.
        offset: the number of records before this page.

    Raises:
        QueryError: The lines together have more than ``TEMPLATE_CHARACTERS``.
    """
    kind = DOMAINS[domain]
    template = kind.template
    count, end = len(records), offset + len(records)
    total = end if total is None else total
    return {
        "format": "compact",
        "summary": summary(kind, count, total, offset, filters),
        "lines": template.write(records, template.context(records, now, zone)),
        "ids": [
            id_text(record.get("id") if isinstance(record, dict) else None) for record in records
        ],
        "meta": {
            "total": total,
            "limit": max(DEFAULT_LIMIT, count) if limit is None else limit,
            "offset": offset,
            "has_more": end < total,
        },
    }


def summary(kind: Domain, count: int, total: int, offset: int, filters: Filters) -> str:
    """Write ``3 events (today)``, or ``41-60 of 87 notes (tag:work)`` if there are more pages."""
    counted = f"{total}"
    if count != total:
        counted = f"{offset + 1}-{offset + count} of {total}" if count else f"0 of {total}"
    named = []
    for name, value in filters:
        text, key = one_line(value), one_line(name)
        shown = f'q:"{text}"' if name in ("q", "search") else f"{key}:{text}"
        named.append(text if name == "date" else shown)
    return f"{counted} {kind.noun(total)}" + (f" ({', '.join(named)})" if named else "")
