"""Compact lines: what a line depends on besides its record and template, and a page of them."""

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any, Final, Literal, TypedDict

from toon.compact.relative import instant, read_time, write_age

#: A record of a list: a JSON object.
JsonObject = dict[str, Any]


@dataclass(slots=True)
class Context:
    """The facts on which the compact lines of one page of records depend.

    Attributes:
        now: the time that ages are counted to; it has an offset.
        zone: the zone in which times are shown; None shows them as written.
        record: the record whose line is being written.
        seen: the texts that ``varying`` has met on the page; it shows them if there are several.
    """

    now: datetime
    zone: tzinfo | None = None
    record: Any = None
    seen: set[str] = field(default_factory=set)

    def age(self, value: Any) -> str:
        """Return the age of an ISO 8601 timestamp, as in ``3d ago``; "" for other values."""
        time = read_time(value)
        return "" if time is None else write_age(instant(time, self.zone), self.now)


#: Records per page if a query does not say.
DEFAULT_LIMIT: Final = 20


class Place(TypedDict):
    """The place of a page in a list of records: up to ``limit`` from ``offset``, of ``total``."""

    total: int
    limit: int
    offset: int
    has_more: bool


class Envelope(TypedDict):
    """A page of records as compact lines, with their full ids, a summary and the page's place."""

    format: Literal["compact"]
    summary: str
    lines: list[str]
    ids: list[str]
    meta: Place
