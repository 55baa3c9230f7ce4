"""The rules for strings and times in TOON/1, shared by encoder and decoder."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, Final

from toon.codec import text as toon_text
from toon.dialects.writing import scalar_text

#: A bare string: one that needs no quotes in a field of strings.
BARE: Final = re.compile(r'[^\s\x00-\x1f\x7f"\\,:{}\[\]]++')
IDENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
#: A date, then optionally a time of day. Seconds, their fraction and a zone are optional too.
WHEN: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
_MINUTE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")


def is_bare(text: str) -> bool:
    """Whether ``text`` needs no quotes in a field of strings."""
    return BARE.fullmatch(text) is not None


def is_typed(text: str) -> bool:
    """Whether ``text`` without quotes would be read as a literal or a number."""
    return text in toon_text.LITERALS or toon_text.NUMERIC_LIKE.match(text) is not None


def quote(text: str) -> str:
    """``text`` in quotes, with its control characters escaped."""
    return toon_text.quote(text).replace("\x7f", "\\u007f")


def text_token(text: str) -> str:
    """``text`` in a field that holds only strings; there ``007`` and ``null`` need no quotes."""
    return text if is_bare(text) else quote(text)


def typed_token(value: Any) -> str:
    """A scalar of the generic form, written so that its type can be read back."""
    if not isinstance(value, str):
        return scalar_text(value)
    return quote(value) if is_typed(value) else text_token(value)


# -- times -----------------------------------------------------------------------------------


def read_when(when: str, kind: str) -> str:
    """The time that ``when`` stands for.

    In a field of the kind ``minute``, ``2024-01-15T10:10`` stands for ``2024-01-15T10:10:00Z``.
    """
    return f"{when}:00Z" if kind == "minute" and _MINUTE.fullmatch(when) else when


def utc_date(when: str) -> str | None:
    """The UTC date of a time, or None if no such time exists. A time without a zone is UTC.

    >>> utc_date("2024-01-15T23:30:00-05:00")
    '2024-01-16'
    """
    moment = _utc(when)
    return None if moment is None else moment.isoformat()[:10]


def utc_minute(when: str) -> str | None:
    """The UTC date and minute of a time, as ``2024-01-15T10:10``; None if no such time exists."""
    moment = _utc(when)
    return None if moment is None else moment.isoformat()[:16]


def _utc(when: str) -> datetime | None:
    """The UTC minute of a time. Zones are whole minutes, so seconds cannot change the minute."""
    match = WHEN.fullmatch(when)
    if match is None or int(match[4] or 0) > 60:  # 60 is a leap second
        return None
    zone = match[6] or "Z"
    try:
        moment = datetime.fromisoformat(f"{match[1]}T{match[2] or '00'}:{match[3] or '00'}")
        if zone != "Z":
            hours, minutes = int(zone[1:3]), int(zone[4:])
            if hours > 23 or minutes > 59:
                return None
            offset = timedelta(hours=hours, minutes=minutes)
            moment += -offset if zone[0] == "+" else offset
    except (ValueError, OverflowError):
        return None
    return moment
