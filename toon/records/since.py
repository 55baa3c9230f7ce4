"""What changed since a moment: by the records' own timestamps, or between two snapshots."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from toon.compact.errors import QueryError, objects
from toon.compact.lines import Record, first_of
from toon.compact.relative import instant, read_time, utc_now, utc_text
from toon.formats.json import JSON_COMPACT
from toon.values.equality import differences

#: The fields that name a record for a person, whatever its domain.
_LABELS: Final = ("title", "subject", "display_name", "filename", "entry_date")


def since(
    records: list[Record], moment: str | datetime, *, now: datetime | None = None
) -> dict[str, Any]:
    """``{"data": {"created", "updated", "deleted"}, "meta": {...}}``.

    A record is in one list at most. A change at ``moment`` itself counts: the next call passes on
    the ``response_timestamp`` of this one, and may hear of a change twice but of none too late.

    - ``created``: whole, created then or later, and not deleted.
    - ``updated``: without its null fields; created before (or no one knows when), updated since.
    - ``deleted``: ``id`` and ``deleted_at`` alone, even if it was also created since.

    Args:
        records: The records, deleted ones included. A time without an offset is UTC, and one that
            cannot be read is as missing.
        moment: A timestamp, or the same as text.
        now: When the records were asked for, taken before; the clock's time if None.

    Raises:
        QueryError: ``moment`` is no timestamp, or a record no object.
    """
    start = moment_of(moment)
    asked = now or utc_now()
    created, updated, deleted = [], [], []
    for record in objects(records):
        gone = _time(record, "deleted_at")
        if gone is not None:
            if gone >= start:
                deleted.append({name: record.get(name) for name in ("id", "deleted_at")})
        elif _is_since(record, "created_at", start):
            created.append(record)
        elif _is_since(record, "updated_at", start):
            updated.append({name: value for name, value in record.items() if value is not None})
    return _envelope(created, updated, deleted, asked)


def diff(old: list[Record], new: list[Record], *, now: datetime | None = None) -> dict[str, Any]:
    """The same envelope from two snapshots, told apart by ``id``.

    ``created`` are the whole records; ``updated`` are ``id``, the field that names the record (its
    title, subject, ...) and what changed, a field that is gone as null; ``deleted`` is ``id``. A
    record without an id is created unless the old snapshot has an equal one.

    Raises:
        QueryError: a record is no object.
    """
    before = {_key(record): record for record in objects(old)}
    created, updated = [], []
    for record in objects(new):
        was = before.get(_key(record))
        if was is None:
            created.append(record)
        elif changes := _changes(was, record):
            updated.append(changes)
    left = {_key(record) for record in new}
    gone = [record for key, record in before.items() if key not in left]
    ids = [record["id"] for record in gone if record.get("id") is not None]
    return _envelope(created, updated, [{"id": name} for name in ids], now or utc_now())


def moment_of(moment: str | datetime) -> datetime:
    """The timestamp of ``since``, UTC if it has no offset.

    Raises:
        QueryError: it is none.
    """
    time = moment if isinstance(moment, datetime) else read_time(moment)
    if time is not None:
        return instant(time)
    hint = "write it as 2026-02-18T14:00:00Z"
    if " " in str(moment):
        hint += "; in a URL the + of an offset is written as %2B"
    raise QueryError(
        f"since is not a timestamp: {moment!r}",
        details={"parameter": "since", "value": moment},
        hint=hint,
    )


def _time(record: Record, name: str) -> datetime | None:
    time = read_time(record.get(name))
    return None if time is None else instant(time)


def _is_since(record: Record, name: str, start: datetime) -> bool:
    time = _time(record, name)
    return time is not None and time >= start


def _key(record: Record) -> str:
    """What a record is told by: its id, or without one all of it."""
    name = record.get("id")
    return JSON_COMPACT.dumps(record if name is None else name)


def _changes(was: Record, record: Record) -> Record:
    """The fields of an update, or none if nothing changed."""
    changed = {
        name: record[name]
        for name in record
        if name not in was or not differences(was[name], record[name]).same
    }
    changed |= {name: None for name in was if name not in record and was[name] is not None}
    if not changed:
        return {}
    label = next((name for name in _LABELS if first_of(record, name) is not None), "id")
    kept = {"id", label, *changed}
    return {name: record.get(name) for name in (*record, *changed) if name in kept}


def _envelope(
    created: list[Record], updated: list[Record], deleted: list[Record], now: datetime
) -> dict[str, Any]:
    return {
        "data": {"created": created, "updated": updated, "deleted": deleted},
        "meta": {
            "response_timestamp": utc_text(now),
            "total_changes": len(created) + len(updated) + len(deleted),
        },
    }
