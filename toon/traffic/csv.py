"""CSV with a header: one column holds JSON texts, others may hold the group and the time.

It is read row by row; a row's number is the line it starts in. The delimiter is the one that occurs
most often in the header.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from toon.errors import TextError
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.kinds import WholeKind
from toon.traffic.payload import Record
from toon.traffic.plain import make_payloads
from toon.traffic.records import (
    TIME_KEYS,
    Origin,
    find_value,
    is_unicode,
    locate,
    name_group,
    parse,
    parse_time,
    unwrap,
)
from toon.traffic.streams import (
    HEAD,
    MAX_RECORD,
    NOT_UTF8,
    TOO_LONG,
    Chunks,
    Damaged,
    split_lines,
)
from toon.traffic.tools import find_payloads
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
            lone = "new-line" in str(error)
            reason = "a lone carriage return outside quotes" if lone else error
            raise TextError(f"not CSV: {reason}") from None
        return rows[0] if rows else []

    def split(self, rows: Rows) -> Iterator[tuple[RawRecord, list[str]] | Flaw]:
        """The rows with their cells. Of a row whose quotes are wrong only the first line is bad."""
        for row in rows:
            if isinstance(row, Flaw):
                yield row
                continue
            try:
                cells = self.cells(row.text)
                if len(cells) != len(self.names):
                    found = plural(len(cells), "cell")
                    raise TextError(f"{found}, but the header has {len(self.names)}")
            except TextError as error:
                rows.read_again(row)
                yield Flaw(row.number, str(error))
            else:
                yield row, cells

    def _column(self, path: tuple[Step, ...] | None) -> tuple[int | None, tuple[Step, ...]]:
        """The column that a path names, and the rest of the path; a column's name may hold dots."""
        path = path or ()
        for size in range(len(path), 0, -1):
            name = _column_name(path[:size])
            if name in self.names:
                return self.names.index(name), path[size:]
        return None, ()

    def choose_payload(self, rows: list[list[str]]) -> None:
        """Sets the column of payloads: the one with most JSON objects and arrays in ``rows``."""
        counts = [
            sum(cell.lstrip()[:1] in ("{", "[") and find_payloads(cell) != [] for cell in column)
            for column in zip(*rows, strict=True)
        ]
        if any(counts):
            self.payload = counts.index(max(counts))

    def payloads(self, record: RawRecord, cells: list[str]) -> Iterator[Record]:
        """The payload of a row.

        Raises:
            TextError: The row or its cell cannot be read.
        """
        if not is_unicode(record.text):
            raise TextError(NOT_UTF8)
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
    rows = Rows(chunks)
    for row in rows:
        if isinstance(row, RawRecord):
            break  # the header
        yield origin.bad(row.number, row.reason)
    for found in columns.split(rows):
        if isinstance(found, Flaw):
            yield origin.bad(found.number, found.reason)
            continue
        try:
            yield from columns.payloads(*found)
        except TextError as error:
            yield origin.bad(found[0].number, str(error))


def find_columns(head: bytes, origin: Origin) -> Columns | None:
    """The columns of a CSV text that starts with ``head``; None without a column of payloads."""
    rows = Rows(iter([head]))
    header = next((row for row in rows if isinstance(row, RawRecord)), None)
    try:
        columns = Columns(header.text, origin) if header else None
    except TextError:
        return None
    if columns is None or len(set(columns.names)) != len(columns.names):
        return None
    sample = list(islice(columns.split(rows), SAMPLE))
    if sample and columns.payload is None:
        columns.choose_payload([row[1] for row in sample if not isinstance(row, Flaw)])
    return columns if sample and columns.payload is not None else None


class Rows:
    """The rows of a CSV text in UTF-8. A quoted cell may contain line breaks.

    A quote that is never closed makes only its own line bad: the lines after it are read again.
    Invalid UTF-8 becomes surrogates, for which the row will be refused.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._fresh = split_lines(chunks)
        self._again: deque[tuple[int, str | None]] = deque()
        self._damage: Damaged | None = None

    def __iter__(self) -> Iterator[RawRecord | Flaw]:
        """The rows from here on.

        Raises:
            Damaged: The stream breaks off, after the last good row.
        """
        held: list[str] = []
        start, size, is_open = 1, 0, False
        while (line := self._line()) or held:
            number, text = line or (0, None)
            if text is not None:
                if not held:
                    start, size, is_open = number, 0, False
                held += [text] if text or held else []
                size += len(text)
                is_open ^= text.count('"') % 2 == 1
                if not is_open and held:
                    yield RawRecord(start, "\n".join(held))
                    held = []
                if not is_open or size <= MAX_RECORD:
                    continue
            elif line and not held:
                yield Flaw(number, TOO_LONG)
                continue
            elif line:
                self._again.appendleft(line)
            self.read_again(RawRecord(start, "\n".join(held)))
            yield Flaw(start, "a quote is not closed")
            held = []
        if self._damage:
            raise self._damage

    def read_again(self, row: RawRecord) -> None:
        """Has the lines after the first one of a row read as rows of their own."""
        _, *lines = row.text.split("\n")
        self._again.extendleft(reversed(list(enumerate(lines, row.number + 1))))

    def _line(self) -> tuple[int, str | None] | None:
        """The next line and its number; None for one that is too long, and at the end."""
        if self._again:
            return self._again.popleft()
        try:
            number, line = next(self._fresh)
        except StopIteration:
            return None
        except Damaged as damage:
            self._damage = damage
            return None
        text = None if line is None else line.decode(errors="surrogateescape").removesuffix("\r")
        return number, text


KIND: Final = WholeKind(
    name="csv",
    label="CSV",
    records="the column that holds JSON, a payload a row",
    read=read_payloads,
)
