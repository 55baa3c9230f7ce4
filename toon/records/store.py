"""The bundled records of each domain, in any number, and the changes of half an hour."""

import functools
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

from toon.compact.context import JsonObject
from toon.compact.relative import is_date, read_time, utc_text
from toon.installed import HOME

#: The folder of samples.
SAMPLES: Final = Path(HOME, "samples")

#: The clock of the bundled records. In the half hour before it, only ``add_changes`` changes any.
SAMPLE_NOW: Final = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)

#: Records of each domain that queries are answered from.
STORED: Final = 100

#: The time by which the records of each lap are earlier.
_LAP: Final = timedelta(days=14)

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

#: The fields that an update changes, by domain.
_EDITS: Final[dict[str, JsonObject]] = {
    "events": {"location": "Room 4", "start_at": "2026-02-18T11:00:00Z"},
    "notes": {"pinned": True, "tags": ["work", "launch"]},
    "emails": {"is_read": True, "folder": "ARCHIVE"},
    "contacts": {"company": "Depot Süd"},
    "files": {"size_bytes": 51_204, "version": 2},
    "diary": {"mood": "great"},
    "search": {"snippet": "Both have signed it. The strip along the brook stays out."},
}


def records(domain: str, count: int) -> list[JsonObject]:
    """Return ``count`` sample records of a domain, none of them deleted; always the same ones.

    They are the bundled ones without the last, which arrives later. If those are too few, they are
    repeated in laps, each two weeks earlier and with new ids, so each lap costs about the same.
    """
    *bundled, _ = json.loads(_text(domain))
    rows = []
    for number in range(count):
        lap, place = divmod(number, len(bundled))
        record: JsonObject = _vary(bundled[place], lap)
        if "score" in record:  # less in each lap, so that laps do not mix
            record["score"] = round(record["score"] * 0.4**lap, 6)
        rows.append(record)
    return rows


def add_changes(domain: str, before: list[JsonObject]) -> list[JsonObject]:
    """Copy two or more sample records with the changes of the half hour before ``SAMPLE_NOW``.

    The second was updated, the last was deleted, and a new one is appended.
    """
    updated, deleted = (utc_text(SAMPLE_NOW - timedelta(minutes=ago)) for ago in (7, 4))
    after = [dict(record) for record in before]
    after[1] |= _EDITS[domain] | {"updated_at": updated}
    after[-1] |= {"updated_at": deleted, "deleted_at": deleted}
    return [*after, json.loads(_text(domain))[-1]]


@functools.cache
def store(domain: str) -> list[JsonObject]:
    """Return the sample records of a domain that the API serves, cached: do not change them."""
    return add_changes(domain, records(domain, STORED))


@functools.cache
def _text(domain: str) -> str:
    return (SAMPLES / "domains" / f"{domain}.json").read_text(encoding="utf-8")


def _vary(value: Any, lap: int) -> Any:
    """Copy a JSON value with its times ``lap`` times two weeks earlier, and with new UUIDs."""
    if isinstance(value, dict):
        return {name: _vary(item, lap) for name, item in value.items()}
    if isinstance(value, list):
        return [_vary(item, lap) for item in value]
    if not isinstance(value, str) or lap == 0:
        return value
    if _UUID.fullmatch(value):
        return str(uuid5(UUID(value), str(lap)))
    time = read_time(value)
    if time is None:
        return value
    text = utc_text(time - lap * _LAP)
    return text[:10] if is_date(value) else text
