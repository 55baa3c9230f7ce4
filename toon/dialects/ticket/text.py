"""Texts and times as TOON/1 writes them: one home for both directions."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from toon.codec import text as toon_text

#: The strings that stand without quotes.
BARE: Final = re.compile(r'[^\s\x00-\x1f\x7f"\\,:{}\[\]]++')
IDENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
#: A time: a date, or one with a time of day, seconds, a fraction and a zone as far as known.
WHEN: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
_MINUTE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}")

_ORKESTRA_SPECIAL: Final = re.compile(r'[ :{},"\\\n]')
_ORKESTRA_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n"})


def is_bare(text: str) -> bool:
    """True if ``text`` stands without quotes."""
    return BARE.fullmatch(text) is not None


def is_typed(text: str) -> bool:
    """True if ``text``, bare, would be read as a literal or might be as a number."""
    return text in toon_text.LITERALS or toon_text.NUMERIC_LIKE.match(text) is not None


def quote(text: str) -> str:
    """``text`` in quotes; control characters become escapes."""
    return toon_text.quote(text).replace("\x7f", "\\u007f")


def text_token(text: str) -> str:
    """``text`` where only texts stand: ``007`` and ``null`` need no quotes there."""
    return text if is_bare(text) else quote(text)


def scalar_token(value: Any) -> str:
    """A value of the generic form that is neither object nor array; its type can be read back."""
    if not isinstance(value, str):
        return _number_or_literal(value)
    return quote(value) if is_typed(value) else text_token(value)


def orkestra_token(value: Any) -> str:
    """A scalar as the public encoder writes it: brackets, tabs and look-alikes stay bare."""
    if not isinstance(value, str):
        return _number_or_literal(value)
    if value and not _ORKESTRA_SPECIAL.search(value):
        return value
    return f'"{value.translate(_ORKESTRA_ESCAPES)}"'


def _number_or_literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return toon_text.int_text(value)
    return (toon_text.decimal_text if isinstance(value, Decimal) else toon_text.float_text)(value)


def shown(text: str) -> str:
    """A text, in quotes, short enough for a sentence."""
    return repr(text if len(text) <= 40 else f"{text[:40]}…")


# -- times -----------------------------------------------------------------------------------


def when_read(when: str, kind: str) -> str:
    """What a written time is read as: a comment's ``2024-01-15T10:10`` is UTC, on the minute."""
    return f"{when}:00Z" if kind == "minute" and _MINUTE.fullmatch(when) else when


def utc_date(when: str) -> str | None:
    """The UTC date of a time, None if it is none; a time without a zone counts as UTC.

    >>> utc_date("2024-01-15T23:30:00-05:00")
    '2024-01-16'
    """
    moment = _utc(when)
    return None if moment is None else moment.isoformat()[:10]


def utc_minute(when: str) -> str | None:
    """The UTC date and minute of a time, as in ``2024-01-15T10:10``; None if it is none."""
    moment = _utc(when)
    return None if moment is None else moment.isoformat()[:16]


def utc_exact(when: str) -> str | None:
    """A time in UTC with no needless zeros, as the public encoder writes an etag; None if none."""
    moment, match = _utc(when), WHEN.fullmatch(when)
    if moment is None or match is None:
        return None
    fraction = (match[5] or "").rstrip("0")
    return f"{moment.isoformat()[:16]}:{match[4] or '00'}{'.' * bool(fraction)}{fraction}Z"


def _utc(when: str) -> datetime | None:
    """The minute of a time in UTC: zones are whole minutes, so seconds never carry."""
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
            away = timedelta(hours=hours, minutes=minutes)
            moment += -away if zone[0] == "+" else away
    except (ValueError, OverflowError):
        return None
    return moment
