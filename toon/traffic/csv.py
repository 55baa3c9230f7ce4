"""CSV with a header: one column holds JSON texts, others may hold the group and the time.

Each row becomes a JSON object from column names to cells, numbered by the line it starts in. The
delimiter is the most frequent candidate in the header.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

import orjson

from toon.errors import TextError
from toon.traffic import json_texts
from toon.traffic.json_stream import Flaw, RawRecord
from toon.traffic.kinds import Cut, Origin
from toon.traffic.locate import is_unicode, name_group, parse
from toon.traffic.payload import Record
from toon.traffic.streams import MAX_RECORD, NOT_UTF8, TOO_LONG, Damaged, split_lines
from toon.traffic.tools import is_json
from toon.values.paths import Step, pattern_text
from toon.wording import plural

#: Rows examined to find the column of payloads.
SAMPLE: Final = 20

_DELIMITERS: Final = ",;\t|"
#: Columns that name a row's group where no path does; the first present counts.
_GROUPS: Final = ("endpoint", "path", "url", "uri", "tool", "tool_name", "name")
_METHODS: Final = ("method", "http_method", "verb")
_METHOD: Final = re.compile(r"[A-Za-z]{3,10}\Z")
#: Names of tools. A person's name, which has capitals or blanks, is no group.
_TOOL: Final = re.compile(r"[a-z][\w.:/-]*\Z")
_RESPONSE: Final = re.compile(r"resp|result|output|answer|reply", re.IGNORECASE)


def split(chunks: Iterator[bytes]) -> Iterator[RawRecord | Flaw]:
    """Yield each row of a CSV text in UTF-8, a JSON object from column names to cells, or a Flaw.

    Raises:
        TextError: The header is not CSV.
    """
    rows = Rows(chunks)
    for row in rows:
        if isinstance(row, RawRecord):
            yield from Columns(row.text).records(rows)
        else:
            yield row


class Table(NamedTuple):
    """The columns in a CSV log's header, and a sample: its first readable rows as JSON objects."""

    columns: Columns
    sample: list[RawRecord]


def find_rows(head: bytes) -> Table | None:
    """Return columns and first rows of a CSV that begins with ``head``; None if no cell is JSON."""
    rows = Rows(iter([head]))
    header = next((row for row in rows if isinstance(row, RawRecord)), None)
    try:
        columns = Columns(header.text) if header else None
    except TextError:
        return None
    if columns is None or len(set(columns.names)) != len(columns.names):
        return None
    sample = [r for r in islice(columns.records(rows), SAMPLE) if isinstance(r, RawRecord)]
    table = Table(columns, sample)
    return table if columns.fullest(sample) else None


def find_columns(table: Table, origin: Origin) -> Origin:
    """Return a copy of a CSV log's ``origin`` with the paths of the columns of payloads and groups.

    Unless a path is given, payloads are in the column with most JSON objects and arrays; columns
    named like a response go first.

    Raises:
        TextError: A path names no column.
    """
    columns = table.columns
    if origin.payload_path is None:
        payload_path = columns.fullest(table.sample)
    else:
        payload_path = columns.named(origin.payload_path)
    group_path = None if origin.group_path is None else columns.named(origin.group_path)
    return replace(origin, payload_path=payload_path, group_path=group_path, whole=True)


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield the payload of a CSV row, which comes as a JSON object of column names and cells.

    Its group is the endpoint or tool that a column names.
    """
    if origin.group_path is None and (group := _group(parse(record.text))):
        origin = replace(origin, group=group)
    yield from json_texts.read(record, origin)


def _group(row: Any) -> str | None:
    cells = {key.strip().lower(): value for key, value in row.items()}
    key = next((key for key in _GROUPS if cells.get(key, "").strip()), None)
    named = cells[key].strip() if key else ""
    if not named or (key in _GROUPS[4:] and not _TOOL.match(named)):
        return None
    method = next((cells[key].strip() for key in _METHODS if key in cells), "")
    name = name_group(named)
    return f"{method.upper()} {name}" if _METHOD.match(method) else name


class Columns:
    """The delimiter and column names of a CSV header, given as its line; it reads rows by them."""

    def __init__(self, header: str) -> None:
        header = header.encode(errors="surrogateescape").decode(errors="replace")
        self.delimiter = max(_DELIMITERS, key=header.count)
        self.names = self._cells(header)

    def records(self, rows: Rows) -> Iterator[RawRecord | Flaw]:
        """Yield CSV rows as JSON objects of column names and cells.

        A row with wrong quotes or another number of cells gives a Flaw; only its first line is
        lost, and the others are read again.
        """
        for row in rows:
            if isinstance(row, Flaw):
                yield row
                continue
            try:
                cells = self._cells(row.text)
                if len(cells) != len(self.names):
                    found = plural(len(cells), "cell")
                    raise TextError(f"{found}, but the header has {len(self.names)}")
            except TextError as error:
                rows.read_again(row)
                yield Flaw(row.number, str(error))
                continue
            if is_unicode(row.text):
                by_name = dict(zip(self.names, cells, strict=True))
                yield RawRecord(row.number, orjson.dumps(by_name).decode())
            else:
                yield Flaw(row.number, NOT_UTF8)

    def named(self, path: tuple[Step, ...]) -> tuple[Step, ...]:
        """Find the CSV column that the first steps of ``path`` name, also with dots, as ``a.b``.

        Return the path with that name as its first step.

        Raises:
            TextError: The path names no column.
        """
        for size in range(len(path), 0, -1):
            steps = (
                f".{step}" if isinstance(step, str) else f"[{'' if step is None else step}]"
                for step in path[:size]
            )
            name = "".join(steps).removeprefix(".")  # such as a.b or items[0].name
            if name in self.names:
                return name, *path[size:]
        names = ", ".join(self.names)
        raise TextError(f"no column is called {pattern_text(path)!r}: the columns are {names}")

    def fullest(self, sample: list[RawRecord]) -> tuple[Step, ...] | None:
        """Return the path of the CSV column with most JSON cells in the sample rows, or None.

        Columns named like a response go first: JSON in others is the request.
        """
        rows = [parse(row.text) for row in sample]
        counts = {name: sum(is_json(row[name]) for row in rows) for name in self.names}
        answers = [name for name in self.names if counts[name] and _RESPONSE.search(name)]
        fullest = max(answers or self.names, key=counts.__getitem__)
        return (fullest,) if counts[fullest] else None

    def _cells(self, row: str) -> list[str]:
        """Split one CSV row into its cells; raise TextError if a quote is out of place."""
        if len(row) > csv.field_size_limit():  # only ever raised, so other threads are safe
            csv.field_size_limit(len(row))
        try:
            rows = list(csv.reader([row], delimiter=self.delimiter, strict=True))
        except csv.Error as error:
            lone = "new-line" in str(error)
            reason = "a lone carriage return outside quotes" if lone else error
            raise TextError(f"not CSV: {reason}") from None
        return rows[0] if rows else []


class Rows:
    """An iterator over the rows of a CSV text in UTF-8. A quoted cell may contain line breaks.

    A quote that is never closed makes only its own line bad: the lines after it are read again.
    Invalid UTF-8 becomes surrogates, for which the row will be refused.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._fresh = split_lines(chunks)
        self._again: deque[tuple[int, str | None]] = deque()
        self._damage: Damaged | None = None

    def __iter__(self) -> Iterator[RawRecord | Flaw]:
        """Yield the rows of a CSV text, bad ones as Flaws; raise Damaged if the bytes break off."""
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
        """Put the lines of a CSV row, but for its first, back to be read as rows of their own."""
        _, *lines = row.text.split("\n")
        self._again.extendleft(reversed(list(enumerate(lines, row.number + 1))))

    def _line(self) -> tuple[int, str | None] | None:
        """Return the number and the text of the next line of a CSV file, or None at its end.

        The text of a line that is too long is None.
        """
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


KIND: Final = Cut(
    "csv", "CSV", "a record a row", "an export of a database, a spreadsheet or a log search",
    split=split, read=read,
)  # fmt: skip
