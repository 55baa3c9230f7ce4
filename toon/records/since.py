"""``since=``: what changed since a moment, by the timestamps of the records."""

from __future__ import annotations

from datetime import datetime

from toon.compact.context import JsonObject
from toon.compact.errors import invalid
from toon.compact.relative import instant, read_time, utc_text


def since(records: list[JsonObject], moment: str, *, now: datetime) -> JsonObject:
    """Return the records that were created, updated or deleted at ``moment`` or later, as ``data``.

    ``meta`` says when that was asked (``response_timestamp``), and how many changes there are.

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
    changes: dict[str, list[JsonObject]] = {"created": [], "updated": [], "deleted": []}
    for record in records:
        created, updated, deleted = (_time(record, f"{change}_at") for change in changes)
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
