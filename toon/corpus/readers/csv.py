"""CSV with a header: one column holds JSON texts, others may hold the group and the time.

Read row by row; a row's place is the line it starts in. The delimiter is the one that the header
has most of.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Final

from toon.corpus.paths import value_at
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.json_stream import Flaw, Record
from toon.corpus.readers.plain import payloads as plain_payloads
from toon.corpus.readers.records import (
    TIME_KEYS,
    Source,
    group_text,
    load,
    located,
    seconds,
    unwrap,
)
from toon.corpus.readers.streams import MAX_RECORD, Chunks, lines, too_long
from toon.errors import TextError
from toon.values.paths import Step

#: Rows looked at to find the column of payloads.
SAMPLE: Final = 20

_DELIMITERS: Final = ",;\t|"


class Table:
    """The header of a CSV text, and where payload, group and time stand in its rows."""

    def __init__(self, header: str, source: Source) -> None:
        self.delimiter = max(_DELIMITERS, key=header.count)
        self.names = self.cells(header)
        self.source = source
        self.payload, self.inside = self._column(source.payload_path)
        self.group, self.group_inside = self._column(source.group_path)
        self.time = next((self.names.index(key) for key in TIME_KEYS if key in self.names), None)

    def cells(self, row: str) -> list[str]:
        """The cells of one row.

        Raises:
            TextError: a quote is out of place.
        """
        if len(row) > csv.field_size_limit():  # raised alone, so no other thread can mind
            csv.field_size_limit(len(row))
        try:
            rows = list(csv.reader([row], delimiter=self.delimiter, strict=True))
        except csv.Error as error:
            raise TextError(f"not CSV: {error}") from None
        return rows[0] if rows else []

    def _column(self, path: tuple[Step, ...] | None) -> tuple[int | None, tuple[Step, ...]]:
        """The column a path names and the path inside its cells; a name may hold dots."""
        path = path or ()
        for size in range(len(path), 0, -1):
            name = _column_name(path[:size])
            if name in self.names:
                return self.names.index(name), path[size:]
        return None, ()

    def find_payloads(self, rows: Sequence[str]) -> None:
        """Takes the first column with a JSON object or array in one of ``rows``.

        Most such cells decide; of equals the first.
        """
        counts = [0] * len(self.names)
        for row in rows:
            try:
                cells = self.cells(row)
            except TextError:
                continue
            for index, cell in enumerate(cells[: len(counts)]):
                counts[index] += _is_json(cell)
        if any(counts):
            self.payload = counts.index(max(counts))

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        """The payload of a row.

        Raises:
            TextError: the row or its cell cannot be read.
        """
        cells = self.cells(record.text)
        if len(cells) != len(self.names):
            has = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            raise TextError(f"{has}, but the header has {len(self.names)}")
        assert self.payload is not None
        text, value = unwrap(cells[self.payload])
        found = located(text, value, self.inside)
        group = self.source.group if self.group is None else self._group(cells[self.group])
        time = None if self.time is None else seconds(cells[self.time])
        yield from plain_payloads(self.source, record, group, found, time)

    def _group(self, cell: str) -> str:
        if not self.group_inside:
            return group_text(cell or None)
        try:
            return group_text(value_at(load(cell), self.group_inside))
        except TextError:
            return group_text(None)


def _column_name(path: tuple[Step, ...]) -> str:
    """The name that these steps would be a path of: ``a.b``, ``items[0].name``."""
    steps = (
        f".{step}" if isinstance(step, str) else f"[{'' if step is None else step}]"
        for step in path
    )
    return "".join(steps).removeprefix(".")


def payloads(chunks: Chunks, source: Source) -> Iterator[Payload | BadRecord]:
    """The payloads of a CSV text in UTF-8 ``chunks``."""
    head = [row.text for row in rows(iter([chunks.peek(1 << 20)])) if isinstance(row, Record)]
    table = Table(head[0], source)
    if table.payload is None:
        table.find_payloads(head[1 : SAMPLE + 1])
    if table.payload is None:
        raise TextError("no column of the CSV holds JSON objects or arrays")
    seen_header = False
    for row in rows(chunks):
        if isinstance(row, Flaw):
            yield source.bad(row.number, row.reason)
            continue
        if not seen_header:
            seen_header = True
            continue
        try:
            yield from table.payloads(row)
        except TextError as error:
            yield source.bad(row.number, str(error))


def looks_like(head: bytes, source: Source) -> bool:
    """Whether a text that starts with ``head`` is CSV with a column of payloads."""
    texts = [row.text for row in rows(iter([head])) if isinstance(row, Record)]
    try:
        table = Table(texts[0], source) if len(texts) > 1 else None
    except TextError:
        return False
    if table is None or len(set(table.names)) != len(table.names):
        return False
    if table.payload is None:
        table.find_payloads(texts[1 : SAMPLE + 1])
    return table.payload is not None


def rows(chunks: Iterator[bytes]) -> Iterator[Record | Flaw]:
    """The rows of a CSV text: a quoted cell may run over several lines.

    A quote that is never closed costs its own line alone: the lines after it are read anew.
    """
    held: list[str] = []
    start, size, open_quote = 1, 0, False
    for number, line in lines(chunks):
        try:
            text = None if line is None else line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            yield Flaw(number, "not UTF-8")
            continue
        if text is None:
            yield Flaw(number, str(too_long()))
            continue
        if not held:
            start, size = number, 0
            if not text:
                continue
        held.append(text)
        size += len(text)
        open_quote ^= text.count('"') % 2 == 1
        if not open_quote:
            yield Record(start, "\n".join(held))
            held = []
        elif size > MAX_RECORD:
            yield from _leftover(held, start)
            held, open_quote = [], False
    yield from _leftover(held, start)


def _leftover(held: list[str], start: int) -> Iterator[Record | Flaw]:
    if held:
        yield Flaw(start, "a quote is not closed")
        again = iter([f"{line}\n".encode() for line in held[1:]])
        for row in rows(again):
            yield (
                Record(start + row.number, row.text)
                if isinstance(row, Record)
                else Flaw(start + row.number, row.reason)
            )


def _is_json(cell: str) -> bool:
    if cell.lstrip()[:1] not in ("{", "["):
        return False
    try:
        unwrap(cell)
    except TextError:
        return False
    return True
