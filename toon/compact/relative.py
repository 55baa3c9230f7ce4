"""Timestamps: reads them, converts them to a zone, and writes them as ages."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from toon.compact.errors import refusal

#: Less than ``datetime.fromisoformat`` takes: no weeks, no text without separators, no 24:00.
_TIMESTAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:[Tt ](?:[01]\d|2[0-3]):\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
    r"(?:[Zz]|[+-]\d\d:?\d\d)?)?",
    re.ASCII,
)


def read_time(value: Any) -> datetime | None:
    """Return the time that an ISO 8601 text gives; None for any other value.

    A text without an offset gives a datetime without one. A date alone means its first moment.
    Digits beyond microseconds are dropped.
    """
    text = value.strip() if isinstance(value, str) else ""
    if not _TIMESTAMP.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:  # month 13, an offset of a day or more
        return None


def is_date(value: Any) -> bool:
    """Return whether a JSON value is an ISO 8601 date without a time of day."""
    return isinstance(value, str) and len(value.strip()) == 10 and read_time(value) is not None


def read_date(value: Any) -> date | None:
    """Return the date of an ISO 8601 text as written there, or None if it is no timestamp."""
    time = read_time(value)
    return None if time is None else time.date()


def zone_of(tz: str | None) -> tzinfo | None:
    """Return the zone of an IANA name such as ``Europe/Madrid``; None if ``tz`` is None.

    Raises:
        QueryError: No zone has that name.
    """
    if tz is None:
        return None
    try:
        return ZoneInfo(tz)
    except (LookupError, ValueError, OSError):  # unknown, not a name, or a folder of zones
        hint = "write an IANA name such as Europe/Madrid or UTC"
        raise refusal("tz", tz, f"tz is not a time zone: {tz!r}", hint) from None


def to_zone(time: datetime, zone: tzinfo | None) -> datetime:
    """Return a time by the clocks of a zone; unchanged without a zone or an offset of its own."""
    if zone is None or time.tzinfo is None:
        return time
    try:
        return time.astimezone(zone)
    except OverflowError:  # the first or last hours of the calendar
        return time


def instant(time: datetime, zone: tzinfo | None = None) -> datetime:
    """Give a time an offset from UTC: its own, or else that of ``zone``, or else zero."""
    return time if time.tzinfo is not None else time.replace(tzinfo=zone or UTC)


def utc_text(time: datetime) -> str:
    """Write a time in UTC as ``2026-02-18T14:30:00Z``, without fractions of a second."""
    return instant(time).astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def write_age(time: datetime, now: datetime) -> str:
    """Write the distance from ``now`` to ``time`` in the largest whole unit: ``3d ago``, ``in 2h``.

    Both must have an offset. A distance below a minute is ``just now``.
    """
    distance = abs(now - time)
    minutes, days = distance // timedelta(minutes=1), distance.days
    if not minutes:
        return "just now"
    if days < 30:
        units = (days // 7, "w"), (days, "d"), (minutes // 60, "h"), (minutes, "m")
        age = next(f"{count}{unit}" for count, unit in units if count)
    else:
        age = f"{min(11, days // 30)}mo" if days < 365 else f"{days // 365}y"
    return f"{age} ago" if time <= now else f"in {age}"
