"""JSON records: lines (NDJSON), items of an array, or documents that are one record each.

A record is a payload, or holds one at the payload's path.
"""

import codecs
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import orjson

from toon.traffic import har
from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.kinds import Cut, Entry, Origin
from toon.traffic.locate import find_group, find_model, group_at, locate, read_record
from toon.traffic.payload import Record
from toon.traffic.slices import NotJson, find_end, skip_blank
from toon.traffic.streams import MAX_RECORD, NOT_UTF8, TOO_LONG, Chunks, split_lines
from toon.traffic.times import find_time


def read_lines(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield each line of a JSON Lines log as a record, numbered by lines; blank lines are skipped.

    A line that is too long or not UTF-8 is a Flaw. A byte-order mark may start any line.
    """
    for number, line in split_lines(chunks):
        if line is None:
            yield Flaw(number, TOO_LONG)
        elif (line := line.removeprefix(codecs.BOM_UTF8).removesuffix(b"\r")).strip():
            try:
                yield RawRecord(number, line.decode())
            except UnicodeDecodeError:
                yield Flaw(number, NOT_UTF8)


def read_items(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield each item of a log that is one JSON array, numbered from 1, as a record or a Flaw."""
    stream = JsonStream(chunks)
    stream.enter(())
    number = 0
    for record in stream.items():
        number = record.number
        yield record
    if stream.finish():
        yield Flaw(number + 1, "text after the end of the array")


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield the payload of one JSON record of a log, with the group and time that the record names.

    A payload that is text, not JSON, is skipped. Of a HAR in the record only the responses are
    kept.

    Raises:
        TextError: The record cannot be read, or is a damaged HAR.
    """
    node = read_record(record.text).opened()
    path = origin.payload_path or ()
    payloads = [node] if har.is_traffic(node.value) else list(locate(node, path))
    group = origin.group
    if origin.group_path is not None:
        group = group_at(node, origin.group_path)
    elif not origin.whole:
        group = find_group(node.value) or group
    time, model = find_time(node.value), find_model(node.value)
    entry = Entry(origin, record.number, time, model)
    for payload in payloads:
        if isinstance(payload.value, str):
            yield entry.skip(group, payload.value)
        elif har.is_traffic(payload.value):
            yield from har.responses(payload.value, record.number, origin)
        else:
            har.refuse_traffic(record.text)
            yield entry.payload(group, payload)


def read_documents(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """Yield each JSON document of a log as a record, blanks around a single one included.

    A damaged document is a Flaw, and the last.
    """
    data = chunks.peek(MAX_RECORD + 1)
    if len(data) <= MAX_RECORD and chunks.damage is None:
        with suppress(UnicodeDecodeError, NotJson, RecursionError):
            text = data.decode()
            is_one = False
            with suppress(ValueError):  # the slower reader takes more
                orjson.loads(data)
                is_one = True
            if is_one or skip_blank(text, find_end(text, skip_blank(text, 0))) == len(text):
                yield RawRecord(1, text)
                return
    yield from JsonStream(chunks).values()


LINES: Final = Cut(
    "jsonl", "JSON Lines", "a record a line", "logs and exports of programs",
    split=read_lines, read=read,
)  # fmt: skip
ITEMS: Final = Cut(
    "array", "JSON array", "each item is a record", "exports of programs",
    split=read_items, read=read,
)  # fmt: skip
DOCUMENTS: Final = Cut(
    "json", "JSON document", "the whole is one payload", "an answer of an API, saved",
    split=read_documents, read=read,
)  # fmt: skip
