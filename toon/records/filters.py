"""Which records a query is about, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final

from toon.compact.domains import Domain
from toon.compact.errors import QueryError
from toon.compact.lines import Record, all_day
from toon.compact.relative import in_zone, instant, is_date, read_date, read_time
from toon.compact.text import as_text, number_of

_DAYS: Final = {"yesterday": -1, "today": 0, "tomorrow": 1}

#: What a domain is ordered by, where it is not the newest first by the domain's date.
_USUAL: Final = {"events": ("start_at", "asc"), "search": ("score", "desc")}


@dataclass(frozen=True, slots=True)
class Filtering:
    """What filters are read against: the domain, the fields there are, the clock and its zone."""

    kind: Domain
    known: list[str]
    now: datetime
    zone: tzinfo | None


def filtered(
    records: list[Record], filters: list[tuple[str, str]], context: Filtering
) -> list[Record]:
    """The records that every filter holds for.

    ``date`` is a day or ``today``, ``yesterday``, ``tomorrow``; ``q`` and ``search`` are words
    that must all stand somewhere; the rest are root fields, a list by any of its items, and
    ``tag=`` may stand for ``tags=``. Letters may differ in case.

    Raises:
        QueryError: a date is none, or a field is unknown.
    """
    for name, value in filters:
        if name == "date":
            day = _day(value, context)
            records = [record for record in records if _is_on(record, day, context)]
        elif name in ("q", "search"):
            words = value.casefold().split()
            records = [record for record in records if _has_words(record, words)]
        else:
            field, text = _field(name, value, context.known), value.casefold()
            records = [record for record in records if _holds(record.get(field), text)]
    return records


def ordered(
    records: list[Record], kind: Domain, known: list[str], sort: str | None, order: str
) -> list[Record]:
    """The records by a field: numbers, then texts; those without it last, whichever the order.

    With no field named, events come by their start, results by their score, others newest first.

    Raises:
        QueryError: the field is unknown.
    """
    name, usual = _USUAL.get(kind.name, (kind.date, "desc")) if sort is None else (sort, "asc")
    if sort is not None and sort not in known:
        raise _unknown("sort", sort, known)
    filled = [record for record in records if _has_rank(record.get(name))]
    empty = [record for record in records if not _has_rank(record.get(name))]
    return sorted(filled, key=lambda r: _rank(r[name]), reverse=(order or usual) == "desc") + empty


def _has_rank(value: Any) -> bool:
    return isinstance(value, str) or number_of(value) is not None


def _rank(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def _day(value: str, context: Filtering) -> date:
    if value in _DAYS:
        return in_zone(context.now, context.zone).date() + timedelta(days=_DAYS[value])
    day = read_date(value) if is_date(value) else None
    if day is not None:
        return day
    raise QueryError(
        f"date is not a day: {value!r}",
        details={"parameter": "date", "value": value},
        hint="write it as 2026-02-18, or today, yesterday, tomorrow",
    )


def _is_on(record: Record, day: date, context: Filtering) -> bool:
    """Whether a record is of that day; an event is of every day it lasts."""
    zone = None if all_day(record) or is_date(record.get(context.kind.date)) else context.zone
    start = read_time(record.get(context.kind.date))
    if start is None:
        return False
    end = read_time(record.get("end_at")) if context.kind.name == "events" else None
    if end is None or instant(end) <= instant(start):
        return in_zone(start, zone).date() == day
    last = in_zone(end, zone) - timedelta(microseconds=1)  # midnight is of the day before
    return in_zone(start, zone).date() <= day <= last.date()


def _field(name: str, value: str, known: list[str]) -> str:
    for field in (name, f"{name}s"):
        if field in known:
            return field
    raise _unknown(name, value, known)


def _unknown(name: str, value: str, known: list[str]) -> QueryError:
    message = f"sort names no field: {value!r}" if name == "sort" else f"no field is named {name!r}"
    details = {"parameter": name, "value": value}
    return QueryError(message, details=details, hint=f"there are {', '.join(known)}")


def _holds(value: Any, text: str) -> bool:
    if isinstance(value, list | dict):
        items = value.values() if isinstance(value, dict) else value
        return any(_holds(item, text) for item in items)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value] == text
    return (value if isinstance(value, str) else as_text(value)).casefold() == text


def _has_words(record: Record, words: list[str]) -> bool:
    there = " ".join(_texts(record)).casefold()
    return all(word in there for word in words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
