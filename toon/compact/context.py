"""The facts that a line depends on besides its record and its template."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from toon.compact.relative import instant, read_time, relative

#: A record of a list: a JSON object.
JsonObject = dict[str, Any]


@dataclass(slots=True)
class Context:
    """The facts that the lines of a page share.

    Attributes:
        now: the time that ages are counted to; it has an offset.
        zone: the zone in which times are shown; None shows them as written.
        record: the record whose line is being written.
        met: the texts that ``varying`` has met on the page; it shows them if there are several.
    """

    now: datetime
    zone: tzinfo | None = None
    record: Any = None
    met: set[str] = field(default_factory=set)

    def age(self, value: Any) -> str:
        """Return the age of a timestamp, as in ``3d ago``; "" if ``value`` is no timestamp."""
        time = read_time(value)
        return "" if time is None else relative(instant(time, self.zone), self.now)
