"""The records that a query of the sample API selects: which, in what order, what fields."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final

from toon.compact.context import JsonObject
from toon.compact.domains import Domain, lasts_all_day
from toon.compact.errors import refusal
from toon.compact.inline import as_text, number_of
from toon.compact.relative import instant, is_date, read_date, read_time, to_zone, utc_text
from toon.formats.base import plain_text

_DAYS: Final = {"yesterday": -1, "today": 0, "tomorrow": 1}

#: The field by which the records of a domain are sorted if it is not their date.
_SORTED_BY: Final = {"events": "start_at", "search": "score"}


def select_records(
    records: list[JsonObject],
    filters: list[tuple[str, str]],
    kind: Domain,
    known: list[str],
    now: datetime,
    zone: tzinfo | None,
) -> list[JsonObject]:
    """Return the records that match every filter, a pair of name and value, in any letter case.

    ``date`` is a day in ``zone``, or ``today``, ``yesterday``, ``tomorrow``. ``q`` and ``search``
    are words that must all occur in the record. Any other name is one of the ``known`` root fields,
    which must have this value, or a list with this item; ``tag=`` may stand for ``tags=``.

    Raises:
        QueryError: A value of ``date`` is not a day, or a field is unknown.
    """
    for name, value in filters:
        if name == "date":
            day = _read_day(value, now, zone)
            records = [record for record in records if _is_on(record, day, kind, zone)]
        elif name in ("q", "search"):
            for word in value.casefold().split():
                records = [r for r in records if word in " ".join(_texts(r)).casefold()]
        else:
            field = name if name in known else f"{name}s"
            if field not in known:
                message, hint = f"no field is named {name!r}", f"there are {', '.join(known)}"
                raise refusal(name, value, message, hint)
            text = value.casefold()
            records = [record for record in records if _holds(record.get(field), text)]
    return records


def sort_records(records: list[JsonObject], kind: Domain) -> list[JsonObject]:
    """Return records sorted: events by their start, results of a search from the highest score,
    others from newest to oldest. Records without that field are last.
    """
    name = _SORTED_BY.get(kind.name, kind.date)
    ranks = [record.get(name) for record in records]
    has_rank = [isinstance(rank, str) or number_of(rank) is not None for rank in ranks]
    filled = [record for record, has in zip(records, has_rank, strict=True) if has]
    filled.sort(
        key=lambda record: (isinstance(record[name], str), record[name]),
        reverse=kind.name != "events",
    )
    return filled + [record for record, has in zip(records, has_rank, strict=True) if not has]


def keep_fields(records: list[JsonObject], names: str, known: list[str]) -> list[JsonObject]:
    """Copy records with only ``id`` and the named fields, in the order of each record.

    ``names`` has commas between; blanks are ignored. If no field is ``known``, any name is one.

    Raises:
        QueryError: A name is empty or not a known field.
    """
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if not name or (known and name not in known and name != "id"):
            message = f"fields: no field is named {name!r}" if name else "fields has an empty name"
            hint = f"there are {', '.join(known)}" if known else None
            raise refusal("fields", names, message, hint)
    keys = {"id", *wanted}
    return [{name: record[name] for name in record if name in keys} for record in records]


def find_changes(records: list[JsonObject], moment: str, *, now: datetime) -> JsonObject:
    """Return, under ``data``, the records that were created, updated or deleted since a moment.

    ``meta`` says when that was asked (``response_timestamp``), and how many changes there are.

    A client passes the ``response_timestamp`` of one answer as ``since`` of its next query. Then it
    may see a change twice, but misses none.

    - ``created``: created since and not deleted; the whole record.
    - ``updated``: updated since, but created before or at an unknown time; without null fields.
    - ``deleted``: deleted since, even if also created since; only ``id`` and ``deleted_at``.

    Times without an offset are in UTC, and one that cannot be read counts as missing. ``now`` is
    the time at which the query came, before the records were read.

    Raises:
        QueryError: ``moment`` is not a timestamp.
    """
    time = read_time(moment)
    if time is None:
        hint = "write it as 2026-02-18T14:00:00Z"
        if " " in moment:
            hint += "; in a URL the + of an offset is written as %2B"
        raise refusal("since", moment, f"since is not a timestamp: {moment!r}", hint)
    start = instant(time)
    changes: dict[str, list[JsonObject]] = {"created": [], "updated": [], "deleted": []}
    for record in records:
        times = (read_time(record.get(f"{change}_at")) for change in changes)
        created, updated, deleted = (None if time is None else instant(time) for time in times)
        if deleted is not None:
            if deleted >= start:
                gone = {name: record.get(name) for name in ("id", "deleted_at")}
                changes["deleted"].append(gone)
        elif created is not None and created >= start:
            changes["created"].append(record)
        elif updated is not None and updated >= start:
            filled = {name: value for name, value in record.items() if value is not None}
            changes["updated"].append(filled)
    meta = {
        "response_timestamp": utc_text(now),
        "total_changes": sum(map(len, changes.values())),
    }
    return {"data": changes, "meta": meta}


def _read_day(value: str, now: datetime, zone: tzinfo | None) -> date:
    if value in _DAYS:
        return to_zone(now, zone).date() + timedelta(days=_DAYS[value])
    day = read_date(value) if is_date(value) else None
    if day is not None:
        return day
    hint = "write it as 2026-02-18, or today, yesterday, tomorrow"
    raise refusal("date", value, f"date is not a day: {value!r}", hint)


def _is_on(record: JsonObject, day: date, kind: Domain, zone: tzinfo | None) -> bool:
    """Return whether a record is on a day in ``zone``; an event is from its start to its end."""
    if lasts_all_day(record) or is_date(record.get(kind.date)):
        zone = None
    start = read_time(record.get(kind.date))
    if start is None:
        return False
    end = read_time(record.get("end_at")) if kind.name == "events" else None
    if end is None or instant(end) <= instant(start):
        return to_zone(start, zone).date() == day
    last = to_zone(end, zone) - timedelta(microseconds=1)  # an end at midnight is on the day before
    return to_zone(start, zone).date() <= day <= last.date()


def _holds(value: Any, text: str) -> bool:
    if isinstance(value, list | dict):
        items = value.values() if isinstance(value, dict) else value
        return any(_holds(item, text) for item in items)
    if value is None or isinstance(value, bool):
        return plain_text(value) == text
    return (value if isinstance(value, str) else as_text(value)).casefold() == text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
