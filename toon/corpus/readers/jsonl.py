"""JSON Lines (NDJSON): a record a line, read line by line. Blank lines are passed over."""

from __future__ import annotations

from collections.abc import Iterator

from toon.corpus.readers.json_stream import Flaw, Record
from toon.corpus.readers.streams import Chunks, lines, too_long


def records(chunks: Chunks) -> Iterator[Record | Flaw]:
    """The records of UTF-8 ``chunks``, numbered by their lines."""
    for number, line in lines(chunks):
        if line is None:
            yield Flaw(number, str(too_long()))
        elif line.strip():
            try:
                yield Record(number, line.decode())
            except UnicodeDecodeError:
                yield Flaw(number, "not UTF-8")
