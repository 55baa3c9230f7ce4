"""JSON texts: an array of records, or documents that are one record each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toon.corpus.readers.json_stream import Flaw, JsonStream, RawRecord
from toon.corpus.readers.kinds import SplitKind
from toon.corpus.readers.streams import Chunks


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


ITEMS: Final = SplitKind(
    name="array", label="JSON array", records="each item is a record", split=read_items
)
DOCUMENTS: Final = SplitKind(
    name="json",
    label="JSON document",
    records="the whole is one payload",
    split=lambda chunks: JsonStream(chunks).values(),
)
