"""CSV: a header row and a row per object. Only flat rows fit, and types are lost.

Cells are quoted only where they must be. Line feeds separate the lines; the last line has none.
Numbers and booleans are written as in JSON. Null and the empty string both become an empty cell.
"""

import csv
import io
import itertools
from collections import Counter
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from toon.errors import FormatError
from toon.formats.base import Format, NotApplicable, plain_text
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout, tabulate_kinds
from toon.text import Source
from toon.values.walks import kind_of
from toon.wording import excerpt, plural

#: Characters of the longest cell that Python's csv reads by default (``csv.field_size_limit``).
_STOCK_LIMIT: Final = 131_072


class CsvFormat(Format):
    """CSV as a format, with commas or another delimiter between cells."""

    lossless = False
    public = True
    tested = True
    about = "A line for each record under one line of names. Types are lost."
    media_type = "text/csv; charset=utf-8; header=present"
    explanation = "The data is CSV; the first line names the columns."
    stock_reader = "Python's csv"

    def __init__(self, name: str = "csv", label: str = "CSV", delimiter: str = ",") -> None:
        self.name, self.label, self.delimiter = name, label, delimiter

    def dumps(self, value: Any) -> str:
        """Write an array of flat objects with the same keys as CSV: a header, then a line for each.

        An object with the array as its only value is written as the array; its key is lost.

        Raises:
            NotApplicable: The value is no such array; the message says why.
        """
        rows, names = _find_rows(value)
        cells = ([_cell(row[name]) for name in names] for row in rows)
        lines: list[str] = []
        # With this terminator the writer quotes cells that hold \r or \n; readers need the quotes.
        file = SimpleNamespace(write=lines.append)
        writer = csv.writer(file, delimiter=self.delimiter, lineterminator="\r\n")
        writer.writerows([names, *cells])
        return "\n".join(line[:-2] for line in lines)

    def loads(self, text: str) -> list[dict[str, str]]:
        """Read a CSV text into a list of dicts of strings, one for each row below the header.

        Raises:
            FormatError: The text is empty, a row and the header differ in length, two columns
                have one name, or a quote is misplaced.
        """
        if len(text) > csv.field_size_limit():  # only ever raised, so other threads are safe
            csv.field_size_limit(len(text))
        text = text.removeprefix("\ufeff")
        lines = io.StringIO(text, newline="")
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        rows: list[dict[str, str]] = []
        try:
            names = next(reader, None)
            if names is None:
                raise FormatError("no CSV here: the text is empty")
            if len(set(names)) < len(names):
                again = Counter(names).most_common(1)[0][0]
                message = f"two columns are named {excerpt(again, 40)}"
                raise Source(text).error_on(FormatError, message, 1, 1)
            before = reader.line_num
            for number, row in enumerate(reader, 1):
                if len(row) != len(names):
                    message = (
                        f"row {number} has {plural(len(row), 'cell')}, the header {len(names)}"
                    )
                    raise Source(text).error_on(FormatError, message, before + 1, 1)
                rows.append(dict(zip(names, row, strict=True)))
                before = reader.line_num
        except csv.Error as error:
            raise Source(text).error_on(
                FormatError, f"not CSV: {error}", reader.line_num, 1
            ) from None
        return rows

    def layout(self, text: str) -> Layout:
        """Return an array with the kind of each byte of a CSV text: cells of the first row are
        names, others values, delimiters and quotes punctuation, line ends whitespace.
        """
        data = text.encode()
        marks = f'{self.delimiter}"'.encode()
        kinds = tabulate_kinds(VALUES, (marks, PUNCTUATION), (b"\n\r", WHITESPACE))
        layout = np.frombuffer(bytearray(data.translate(kinds)), np.uint8)
        quotes = np.frombuffer(data, np.uint8) == ord('"')
        if quotes.any():
            # True from each opening quote up to the closing quote, which itself is False.
            inside = np.bitwise_xor.accumulate(quotes)
            layout[inside & ~quotes] = VALUES
            closed = np.flatnonzero(quotes & ~inside)
            doubled = closed[np.append(quotes, False)[closed + 1]]
            layout[doubled] = layout[doubled + 1] = VALUES
        header = layout[: np.append(np.flatnonzero(layout == WHITESPACE), layout.size)[0]]
        header[header == VALUES] = NAMES
        return layout

    def stock_changes(self, value: Any, text: str) -> str | None:
        if len(text) <= _STOCK_LIMIT:
            return None
        rows, names = _find_rows(value)
        cells = (_cell(cell) for row in rows for cell in row.values())
        if max(map(len, itertools.chain(names, cells))) <= _STOCK_LIMIT:
            return None
        return f"{self.stock_reader} refuses it: a cell of more than {_STOCK_LIMIT:,} characters"


def _find_rows(value: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Find the array of rows in a JSON value; return its flat objects, and the keys that all have.

    Raises:
        NotApplicable: The value is neither an array of such objects nor an object around one.
    """
    subject = "this is"
    if isinstance(value, dict):
        if len(value) != 1:
            raise NotApplicable(f"this is an object of {len(value)} keys, not one array of rows")
        ((key, value),) = value.items()
        subject = f"under {excerpt(key)} is"
    if not isinstance(value, list):
        raise NotApplicable(f"{subject} {kind_of(value)}, not an array of rows")
    if not value:
        raise NotApplicable("there is no row to take the header from")
    names: list[str] = []
    for number, row in enumerate(value, 1):
        if not isinstance(row, dict) or not row:
            raise NotApplicable(f"row {number} is not an object with keys")
        names = names or list(row)
        if len(row) != len(names) or not all(name in row for name in names):
            raise NotApplicable(f"row {number} has other keys than row 1")
        for name, item in row.items():
            if isinstance(item, dict | list):
                raise NotApplicable(f"row {number} has {kind_of(item)} under {excerpt(name)}")
    return value, names


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else plain_text(value)


CSV: Final = CsvFormat()
FORMATS: Final = (CSV,)
