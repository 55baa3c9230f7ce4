"""The bundled records of every domain, as many as asked for, and what half an hour changes."""

from __future__ import annotations

import functools
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

from toon.compact.domains import domain_named
from toon.compact.lines import Record
from toon.compact.relative import is_date, read_time, utc_text

_FOLDER: Final = Path(__file__).parents[2] / "samples" / "domains"

#: The clock of the bundled records. In the half hour before, only ``later`` changes any.
SAMPLE_NOW: Final = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)

#: Records of a domain that can be queried.
STORED: Final = 100

#: How far back the records go with every lap.
_LAP: Final = timedelta(days=14)

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

#: What an update changes.
_EDITS: Final[dict[str, Record]] = {
    "events": {"location": "Room 4", "start_at": "2026-02-18T11:00:00Z"},
    "notes": {"pinned": True, "tags": ["work", "launch"]},
    "emails": {"is_read": True, "folder": "ARCHIVE"},
    "contacts": {"company": "Depot Süd"},
    "files": {"size_bytes": 51_204, "version": 2},
    "diary": {"mood": "great"},
    "search": {"snippet": "Both have signed it. The strip along the brook stays out."},
}


def records(domain: str, count: int) -> list[Record]:
    """``count`` records of a domain, the same every time; none is deleted.

    First the bundled ones but the last, which arrives later. After them they come again, two weeks
    earlier every lap and with ids of their own, so that each lap costs about as much as the first.
    """
    *bundled, _ = json.loads(_text(domain))
    laps = (divmod(number, len(bundled)) for number in range(count))
    return [_again(bundled[place], lap) for lap, place in laps]


def later(domain: str, before: list[Record]) -> list[Record]:
    """What became of two records or more in the quarter of an hour before ``SAMPLE_NOW``.

    The second was updated, the last deleted, and a new one stands at the end.
    """
    updated, deleted = (utc_text(SAMPLE_NOW - timedelta(minutes=ago)) for ago in (7, 4))
    after = [dict(record) for record in before]
    after[1] |= _EDITS[domain] | {"updated_at": updated}
    after[-1] |= {"updated_at": deleted, "deleted_at": deleted}
    return [*after, json.loads(_text(domain))[-1]]


@functools.cache
def store(domain: str) -> list[Record]:
    """The records that queries are answered from, at ``SAMPLE_NOW``; shared, not to be changed."""
    return later(domain, records(domain, STORED))


@functools.cache
def _text(domain: str) -> str:
    return (_FOLDER / f"{domain_named(domain).name}.json").read_text(encoding="utf-8")


def _again(record: Record, lap: int) -> Record:
    """``record`` as it is in a lap; a result scores less in each, so that the laps stay apart."""
    varied: Record = _varied(record, lap)
    if "score" in varied:
        varied["score"] = round(varied["score"] * 0.4**lap, 6)
    return varied


def _varied(value: Any, lap: int) -> Any:
    """``value`` with its times moved back by laps and its UUIDs replaced, but in lap 0."""
    if isinstance(value, dict):
        return {name: _varied(item, lap) for name, item in value.items()}
    if isinstance(value, list):
        return [_varied(item, lap) for item in value]
    if not isinstance(value, str) or lap == 0:
        return value
    if _UUID.fullmatch(value):
        return str(uuid5(UUID(value), str(lap)))
    time = read_time(value)
    if time is None:
        return value
    text = utc_text(time - lap * _LAP)
    return text[:10] if is_date(value) else text
