"""JSON texts: an array whose items are records, or documents that are one record each."""

from __future__ import annotations

from collections.abc import Iterator

from toon.corpus.readers.json_stream import Flaw, JsonStream, Record
from toon.corpus.readers.streams import Chunks


def items(chunks: Chunks) -> Iterator[Record | Flaw]:
    """The items of the one array in UTF-8 ``chunks``, numbered from 1."""
    stream = JsonStream(chunks)
    stream.enter(())
    number = 0
    for record in stream.items():
        number = record.number
        yield record
    if stream.finish():
        yield Flaw(number + 1, "text after the end of the array")


def documents(chunks: Chunks) -> Iterator[Record | Flaw]:
    """The JSON texts in UTF-8 ``chunks``: usually one."""
    yield from JsonStream(chunks).values()
