"""CSV with a header: one column holds JSON texts, others may hold the group and the time.

It is read row by row; a row's number is the line it starts in. The delimiter is the one that occurs
most often in the header.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from toon.corpus.payload import Record
from toon.corpus.readers.json_stream import Flaw, RawRecord
from toon.corpus.readers.kinds import WholeKind
from toon.corpus.readers.plain import make_payloads
from toon.corpus.readers.records import (
    TIME_KEYS,
    Origin,
    find_value,
    locate,
    name_group,
    parse,
    parse_time,
    unwrap,
)
from toon.corpus.readers.streams import HEAD, MAX_RECORD, TOO_LONG, Chunks, split_lines
from toon.corpus.readers.tools import find_payloads
from toon.errors import TextError
from toon.values.paths import Step
from toon.wording import plural

#: Rows examined to find the column of payloads.
SAMPLE: Final = 20

_DELIMITERS: Final = ",;\t|"


class Columns:
    """The header of a CSV text, and its columns of payload, group and time."""

    def __init__(self, header: str, origin: Origin) -> None:
        self.delimiter = max(_DELIMITERS, key=header.count)
        self.names = self.cells(header)
        self.origin = origin
        self.payload, self.inside = self._column(origin.payload_path)
        self.group, self.group_inside = self._column(origin.group_path)
        self.time = next((self.names.index(key) for key in TIME_KEYS if key in self.names), None)

    def cells(self, row: str) -> list[str]:
        """The cells of one row.

        Raises:
            TextError: A quote is out of place.
        """
        if len(row) > csv.field_size_limit():  # only ever raised, so other threads are safe
            csv.field_size_limit(len(row))
        try:
            rows = list(csv.reader([row], delimiter=self.delimiter, strict=True))
        except csv.Error as error:
            raise TextError(f"not CSV: {error}") from None
        return rows[0] if rows else []

    def _column(self, path: tuple[Step, ...] | None) -> tuple[int | None, tuple[Step, ...]]:
        """The column that a path names, and the rest of the path; a column's name may hold dots."""
        path = path or ()
        for size in range(len(path), 0, -1):
            name = _column_name(path[:size])
            if name in self.names:
                return self.names.index(name), path[size:]
        return None, ()

    def choose_payload(self, rows: Sequence[str]) -> None:
        """Sets the column of payloads: the one with most JSON objects and arrays in ``rows``."""
        counts = [0] * len(self.names)
        for row in rows:
            try:
                cells = self.cells(row)
            except TextError:
                continue
            for index, cell in enumerate(cells[: len(counts)]):
                is_json = cell.lstrip()[:1] in ("{", "[") and find_payloads(cell) != []
                counts[index] += is_json
        if any(counts):
            self.payload = counts.index(max(counts))

    def payloads(self, record: RawRecord) -> Iterator[Record]:
        """The payload of a row.

        Raises:
            TextError: The row or its cell cannot be read.
        """
        cells = self.cells(record.text)
        if len(cells) != len(self.names):
            raise TextError(f"{plural(len(cells), 'cell')}, but the header has {len(self.names)}")
        assert self.payload is not None
        text, value = unwrap(cells[self.payload])
        payload = locate(text, value, self.inside)
        group = self.origin.group if self.group is None else self._group(cells[self.group])
        time = None if self.time is None else parse_time(cells[self.time])
        yield from make_payloads(self.origin, record, group, payload, time)

    def _group(self, cell: str) -> str:
        if not self.group_inside:
            return name_group(cell or None)
        try:
            return name_group(find_value(parse(cell), self.group_inside))
        except TextError:
            return name_group(None)


def _column_name(path: tuple[Step, ...]) -> str:
    """The name that these steps would be a path of: ``a.b``, ``items[0].name``."""
    steps = (
        f".{step}" if isinstance(step, str) else f"[{'' if step is None else step}]"
        for step in path
    )
    return "".join(steps).removeprefix(".")


def read_payloads(chunks: Chunks, origin: Origin) -> Iterator[Record]:
    """The payloads of a CSV text in UTF-8 ``chunks``."""
    columns = find_columns(chunks.peek(HEAD), origin)
    if columns is None:
        raise TextError("no column of the CSV holds JSON objects or arrays")
    seen_header = False
    for row in split_rows(chunks):
        if isinstance(row, Flaw):
            yield origin.bad(row.number, row.reason)
            continue
        if not seen_header:
            seen_header = True
            continue
        try:
            yield from columns.payloads(row)
        except TextError as error:
            yield origin.bad(row.number, str(error))


def find_columns(head: bytes, origin: Origin) -> Columns | None:
    """The columns of a CSV text that starts with ``head``; None without a column of payloads."""
    texts = [row.text for row in split_rows(iter([head])) if isinstance(row, RawRecord)]
    try:
        columns = Columns(texts[0], origin) if len(texts) > 1 else None
    except TextError:
        return None
    if columns is None or len(set(columns.names)) != len(columns.names):
        return None
    if columns.payload is None:
        columns.choose_payload(texts[1 : SAMPLE + 1])
    return None if columns.payload is None else columns


def split_rows(chunks: Iterator[bytes]) -> Iterator[RawRecord | Flaw]:
    """The rows of a CSV text. A quoted cell may contain line breaks.

    A quote that is never closed makes only its own line bad: the lines after it are read again.
    """
    held: list[str] = []
    start, size, open_quote = 1, 0, False
    for number, line in split_lines(chunks):
        try:
            text = None if line is None else line.decode().removesuffix("\r")
        except UnicodeDecodeError:
            yield Flaw(number, "not UTF-8")
            continue
        if text is None:
            yield Flaw(number, TOO_LONG)
            continue
        if not held:
            start, size = number, 0
            if not text:
                continue
        held.append(text)
        size += len(text)
        open_quote ^= text.count('"') % 2 == 1
        if not open_quote:
            yield RawRecord(start, "\n".join(held))
            held = []
        elif size > MAX_RECORD:
            yield from _leftover(held, start)
            held, open_quote = [], False
    yield from _leftover(held, start)


def _leftover(held: list[str], start: int) -> Iterator[RawRecord | Flaw]:
    if held:
        yield Flaw(start, "a quote is not closed")
        again = iter([f"{line}\n".encode() for line in held[1:]])
        for row in split_rows(again):
            yield replace(row, number=start + row.number)


KIND: Final = WholeKind(
    name="csv",
    label="CSV",
    records="the column that holds JSON, a payload a row",
    read=read_payloads,
)
