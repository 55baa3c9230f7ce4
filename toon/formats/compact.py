"""Compact lines: a list of events, notes, emails, ... as lines to read. One way, and lossy.

The text is the envelope of :func:`toon.compact.compact` as compact JSON. Ages (``3d ago``) count
from the latest time that any line shows as an age, so a payload always gives the same text.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from toon.compact import QueryError, compact
from toon.compact.context import JsonObject
from toon.compact.domains import DOMAINS, Domain, domain_of
from toon.compact.losses import losses, outer_losses
from toon.compact.relative import instant, read_time
from toon.formats.base import Format, NotApplicable, OneWay
from toon.formats.json import JSON_COMPACT
from toon.layout.json import json_layout
from toon.layout.spans import Layout

#: The time that ages count from when no line shows an age.
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

#: Keys under which the records of an object may lie beside other keys.
_HOLDERS: Final = ("data", "items")
#: Keys of ``meta``, which say which page of all records a list is.
_PLACE: Final = ("total", "limit", "offset")
_START: Final = re.compile(r'\{\s*"format"\s*:\s*"compact"')


class Page(NamedTuple):
    """The records in a JSON value, the key they lie under (None if the value itself is their list),
    and their domain, such as events.
    """

    records: list[JsonObject]
    key: str | None
    kind: Domain


class CompactFormat(Format):
    """Compact lines as a format: a line of text for each record of a list, with no way back."""

    name = "compact"
    label = "Compact lines"
    lossless = False
    dialect = True
    beginning = _START
    about = "A line for each event, note or email, for a reader alone."
    media_type = "application/json"
    explanation = "The data is lines, one a record; ids has their full ids in the same order."

    def dumps(self, value: Any) -> str:
        """Write the records in a JSON value as JSON: a line of text for each, their ids, and the
        place of the list among all records.

        ``value`` is a list of records of one domain, or an object that holds one under ``data``,
        ``items`` or its only key. ``meta`` beside it may give the place: total, limit, offset.
        """
        page = find_page(value)
        meta = value.get("meta") if isinstance(value, dict) else None
        numbers = [meta.get(name) if isinstance(meta, dict) else None for name in _PLACE]
        total, limit, offset = (n if type(n) is int and n >= 0 else None for n in numbers)
        if total is not None and total < (offset or 0) + len(page.records):
            total = limit = offset = None
        kind, start, now = page.kind.name, offset or 0, _find_latest(page)
        with _check_length():
            lines = compact(page.records, kind, now=now, total=total, limit=limit, offset=start)
        return JSON_COMPACT.dumps(lines)

    def loads(self, text: str) -> Any:
        raise OneWay("one way: lines are written for a reader")

    def layout(self, text: str) -> Layout:
        return json_layout(text)

    def losses(self, value: Any) -> list[str]:
        page = find_page(value)
        with _check_length():
            lost = losses(page.records, page.kind, _find_latest(page))
        return lost + outer_losses(value, page.key)


@contextmanager
def _check_length() -> Iterator[None]:
    """Turn the QueryError of lines that grow too long into NotApplicable (a context manager)."""
    try:
        yield
    except QueryError as error:
        raise NotApplicable(error.message) from None


def find_page(value: Any) -> Page:
    """Return the records in a JSON value that can become compact lines, with their key and domain:
    the value itself, or the list under ``data``, ``items`` or its only key.

    Raises:
        NotApplicable: There is no such list, it is empty, or its records are not of one domain.
    """
    records, key = value, None
    if isinstance(value, dict):
        key = next((name for name in _HOLDERS if name in value), None)
        if key is None and len(value) == 1:
            (key,) = value
        if key is None:
            raise NotApplicable("this is one object: only lists of records become lines")
        records = value[key]
    if not isinstance(records, list):
        raise NotApplicable("only lists of records become lines")
    if not records:
        raise NotApplicable("an empty list does not say what its records are")
    domain = domain_of(records)
    if domain is None:
        raise NotApplicable(f"these are not records of one kind of {', '.join(DOMAINS)}")
    return Page(records, key, DOMAINS[domain])


def find_domain(value: Any) -> str:
    """Return the name of the domain of the records in a JSON value, such as ``events``.

    Raises:
        NotApplicable: There are no records, or not of one domain; the message says which.
    """
    return find_page(value).kind.name


def _find_latest(page: Page) -> datetime:
    """Return the latest time that the line of any record shows as an age; 1970 if there is none."""
    ages = page.kind.ages
    times = (read_time(record.get(name)) for record in page.records for name in ages)
    return max((instant(time) for time in times if time is not None), default=_EPOCH)


COMPACT_LINES: Final = CompactFormat()
FORMATS: Final = (COMPACT_LINES,)
