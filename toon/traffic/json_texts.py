"""JSON records: lines (NDJSON), items of an array, or documents that are one record each."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Final

from toon.traffic.json_stream import Flaw, JsonStream, RawRecord
from toon.traffic.kinds import Cut
from toon.traffic.plain import read
from toon.traffic.streams import NOT_UTF8, TOO_LONG, Chunks, split_lines


def read_lines(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The records in UTF-8 ``chunks``, numbered by their lines. Blank lines are skipped.

    A byte-order mark may start any line, as in files that were joined.
    """
    for number, line in split_lines(chunks):
        if line is None:
            yield Flaw(number, TOO_LONG)
        elif (line := line.removeprefix(codecs.BOM_UTF8)).strip():
            try:
                yield RawRecord(number, line.decode())
            except UnicodeDecodeError:
                yield Flaw(number, NOT_UTF8)


def read_items(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The items of the array in UTF-8 ``chunks``, numbered from 1."""
    stream = JsonStream(chunks)
    stream.enter(())
    number = 0
    for record in stream.items():
        number = record.number
        yield record
    if stream.finish():
        yield Flaw(number + 1, "text after the end of the array")


LINES: Final = Cut(
    name="jsonl", label="JSON Lines", records="a record a line", split=read_lines, read=read
)
ITEMS: Final = Cut(
    name="array", label="JSON array", records="each item is a record", split=read_items, read=read
)
DOCUMENTS: Final = Cut(
    name="json",
    label="JSON document",
    records="the whole is one payload",
    split=lambda chunks: JsonStream(chunks).values(),
    read=read,
)
