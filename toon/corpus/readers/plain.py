"""Records that are a payload, or hold one at the payload's path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from toon.corpus.paths import value_at
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.har import HarEntries, is_entry, is_log, refuse_traffic
from toon.corpus.readers.json_stream import Record
from toon.corpus.readers.records import Source, group_text, load, located, time_of, unwrap


@dataclass(frozen=True, slots=True)
class PlainRecords:
    """JSON texts, with the group and the time they name in themselves."""

    source: Source

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        source = self.source
        text, value = record.text, load(record.text)
        if isinstance(value, str):
            text, value = unwrap(value)
        if is_entry(value) or is_log(value):
            yield from HarEntries(source).payloads(Record(record.number, text))
            return
        group = source.group
        if source.group_path is not None:
            group = group_text(value_at(value, source.group_path))
        payload = located(text, value, source.payload_path or ())
        yield from payloads(source, record, group, payload, time_of(value))


def payloads(
    source: Source, record: Record, group: str, payload: tuple[str, Any], time: float | None
) -> Iterator[Payload | BadRecord]:
    """A payload as text and value, taken out of ``record``; of an entry of a HAR, wherever it
    lies, only the response.

    Raises:
        TextError: the record is a damaged HAR.
    """
    text, value = payload
    if is_entry(value) or is_log(value):
        yield from HarEntries(source).payloads(Record(record.number, text))
    else:
        refuse_traffic(record.text)
        yield Payload(source.name, record.number, group, text, time)
