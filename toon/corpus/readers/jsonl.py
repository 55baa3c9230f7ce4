"""JSON Lines (NDJSON): one record per line. Blank lines are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toon.corpus.readers.json_stream import Flaw, RawRecord
from toon.corpus.readers.kinds import SplitKind
from toon.corpus.readers.streams import TOO_LONG, Chunks, split_lines


def read_lines(chunks: Chunks) -> Iterator[RawRecord | Flaw]:
    """The records in UTF-8 ``chunks``, numbered by their lines."""
    for number, line in split_lines(chunks):
        if line is None:
            yield Flaw(number, TOO_LONG)
        elif line.strip():
            try:
                yield RawRecord(number, line.decode())
            except UnicodeDecodeError:
                yield Flaw(number, "not UTF-8")


KIND: Final = SplitKind(
    name="jsonl", label="JSON Lines", records="a record a line", split=read_lines
)
