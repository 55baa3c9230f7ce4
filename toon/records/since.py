"""``since=``: what changed since a moment, by the timestamps of the records."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from toon.compact.errors import invalid
from toon.compact.lines import JsonObject
from toon.compact.relative import instant, read_time, utc_text


class Changes(TypedDict):
    """The records that changed; each is in one list at most."""

    created: list[JsonObject]
    updated: list[JsonObject]
    deleted: list[JsonObject]


class ChangesMeta(TypedDict):
    """When the changes were asked for, and how many there are."""

    response_timestamp: str
    total_changes: int


class ChangesAnswer(TypedDict):
    """The answer to ``since=``."""

    data: Changes
    meta: ChangesMeta


def since(records: list[JsonObject], moment: str, *, now: datetime) -> ChangesAnswer:
    """The records that were created, updated or deleted at ``moment`` or later.

    A client passes the ``response_timestamp`` of one answer as ``since`` of its next query. Then it
    may see a change twice, but misses none.

    - ``created``: created since and not deleted; the whole record.
    - ``updated``: updated since, but created before or at an unknown time; without null fields.
    - ``deleted``: deleted since, even if also created since; only ``id`` and ``deleted_at``.

    Args:
        records: the records, including deleted ones. A time without an offset is in UTC; a time
            that cannot be read counts as missing.
        moment: a timestamp; without an offset it is in UTC.
        now: the time at which the query came, before the records were read.

    Raises:
        QueryError: ``moment`` is not a timestamp.
    """
    start = _start(moment)
    changes: Changes = {"created": [], "updated": [], "deleted": []}
    for record in records:
        deleted = _time(record, "deleted_at")
        if deleted is not None:
            if deleted >= start:
                gone = {name: record.get(name) for name in ("id", "deleted_at")}
                changes["deleted"].append(gone)
        elif _is_since(record, "created_at", start):
            changes["created"].append(record)
        elif _is_since(record, "updated_at", start):
            filled = {name: value for name, value in record.items() if value is not None}
            changes["updated"].append(filled)
    total = len(changes["created"]) + len(changes["updated"]) + len(changes["deleted"])
    return {
        "data": changes,
        "meta": {"response_timestamp": utc_text(now), "total_changes": total},
    }


def _start(moment: str) -> datetime:
    time = read_time(moment)
    if time is not None:
        return instant(time)
    hint = "write it as 2026-02-18T14:00:00Z"
    if " " in moment:
        hint += "; in a URL the + of an offset is written as %2B"
    raise invalid("since", moment, f"since is not a timestamp: {moment!r}", hint)


def _time(record: JsonObject, name: str) -> datetime | None:
    time = read_time(record.get(name))
    return None if time is None else instant(time)


def _is_since(record: JsonObject, name: str, start: datetime) -> bool:
    time = _time(record, name)
    return time is not None and time >= start
