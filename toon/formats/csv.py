"""CSV: a header row and a row per object. For flat rows alone, and types are lost.

Cells are quoted only where they must be, lines end with a line feed, and there is none at the end.
Numbers and booleans are written as in JSON; null is an empty cell, as the empty string is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from toon.formats.base import NotApplicable, SpansFromLayout, plain_text, shown
from toon.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE, Layout


@dataclass(frozen=True, slots=True)
class CsvFormat(SpansFromLayout):
    """CSV with commas."""

    name: str = "csv"
    label: str = "CSV"
    lossless: bool = False

    def dumps(self, value: Any) -> str:
        """The rows of ``value``: an array of flat objects with the same keys, or an object whose
        one key holds such an array. CSV has no place for that key: it is lost.
        """
        rows, names = _rows(value)
        cells = ([_cell(row[name]) for name in names] for row in rows)
        lines: list[str] = []
        # With this line end the writer quotes both its characters, as any reader needs it.
        csv.writer(_Lines(lines.append), lineterminator="\r\n").writerows([names, *cells])
        return "\n".join(line[:-2] for line in lines)

    def loads(self, text: str) -> list[dict[str, str]]:
        """The rows of ``text``, every cell a string.

        Raises:
            ValueError: a row has not as many cells as the header, or a quote is out of place.
        """
        if len(text) > csv.field_size_limit():  # raised alone, so no other thread can mind
            csv.field_size_limit(len(text))
        try:
            names, *rows = [*csv.reader(io.StringIO(text, newline=""), strict=True)] or [[]]
        except csv.Error as error:
            raise ValueError(f"not CSV: {error}") from None
        for number, row in enumerate(rows, 1):
            if len(row) != len(names):
                raise ValueError(f"row {number} has {len(row)} cells, the header {len(names)}")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def layout(self, text: str) -> Layout:
        return csv_layout(text)


# -- writing ---------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """What a CSV writer writes to: one call of ``write`` a row."""

    write: Callable[[str], None]


def _rows(value: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of ``value`` and their keys, or NotApplicable."""
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if not isinstance(value, list):
        raise NotApplicable("CSV holds one array of rows: this is another shape")
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
                kind = "an object" if isinstance(item, dict) else "an array"
                raise NotApplicable(f"row {number} has {kind} under {shown(name)}")
    return value, names


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else plain_text(value)


# -- layout ----------------------------------------------------------------------------------


def _kinds_outside_quotes() -> bytes:
    kinds = bytearray([VALUES]) * 256
    kinds[ord(",")] = kinds[ord('"')] = PUNCTUATION
    kinds[ord("\n")] = kinds[ord("\r")] = WHITESPACE
    return bytes(kinds)


_KINDS_OUTSIDE_QUOTES: Final = _kinds_outside_quotes()


def csv_layout(text: str) -> Layout:
    """One kind code per UTF-8 byte of ``text``; never raises on text that UTF-8 can carry.

    The cells of the first row are names, of the others values; so is what stands between quotes,
    the doubled quotes in there included. Commas and the other quotes are punctuation, line ends
    whitespace.
    """
    data = text.encode()
    layout = np.frombuffer(bytearray(data.translate(_KINDS_OUTSIDE_QUOTES)), np.uint8)
    quotes = np.frombuffer(data, np.uint8) == ord('"')
    if quotes.any():
        inside = np.bitwise_xor.accumulate(quotes)  # from each opening quote to before its end
        layout[inside & ~quotes] = VALUES
        closed = np.flatnonzero(quotes & ~inside)
        doubled = closed[np.append(quotes, False)[closed + 1]]
        layout[doubled] = layout[doubled + 1] = VALUES
    header = layout[: np.append(np.flatnonzero(layout == WHITESPACE), layout.size)[0]]
    header[header == VALUES] = NAMES
    return layout


CSV: Final = CsvFormat()
