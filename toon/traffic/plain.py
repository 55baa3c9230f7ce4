"""Records that are payloads, or hold one at the payload's path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toon.traffic.har import is_entry, is_log, read_entries, refuse_traffic
from toon.traffic.json_stream import RawRecord
from toon.traffic.payload import Payload, Record
from toon.traffic.records import (
    Origin,
    find_group,
    find_time,
    find_value,
    locate,
    name_group,
    parse,
    unwrap,
)


def read_plain(origin: Origin, record: RawRecord) -> Iterator[Record]:
    """The payload of a JSON text that may name its own group and time."""
    text, value = record.text, parse(record.text)
    if isinstance(value, str):
        text, value = unwrap(value)
    if is_entry(value) or is_log(value):
        yield from read_entries(origin, RawRecord(record.number, text))
        return
    group = origin.group
    if origin.group_path is not None:
        group = name_group(find_value(value, origin.group_path))
    elif not origin.whole:
        group = find_group(value) or group
    payload = locate(text, value, origin.payload_path or ())
    yield from make_payloads(origin, record, group, payload, find_time(value))


def make_payloads(
    origin: Origin, record: RawRecord, group: str, payload: tuple[str, Any], time: float | None
) -> Iterator[Record]:
    """The payload, given as text and value, that was found in ``record``.

    If it is an entry of a HAR, only the response is kept.

    Raises:
        TextError: The record is a damaged HAR.
    """
    text, value = payload
    if is_entry(value) or is_log(value):
        yield from read_entries(origin, RawRecord(record.number, text))
    else:
        refuse_traffic(record.text)
        yield Payload(origin.name, record.number, group, text, time)
