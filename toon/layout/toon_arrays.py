"""The layout of a TOON text as an encoder writes it, read all at once with arrays.

First the quotes, colons and brackets of all lines are found. A line is a header if a bracket comes
before its first colon. Then the parts between these places get their kinds. Headers are few, so
the line reader reads them. Texts with comments, tabs, blank lines, stray spaces, or quotes that do
not enclose a whole token are left to :mod:`toon.layout.toon_lines`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from toon.layout.quotes import Places, quote_pairs
from toon.layout.spans import (
    NAMES,
    PUNCTUATION,
    VALUES,
    WHITESPACE,
    Layout,
    UnusualText,
    require,
)
from toon.layout.toon_lines import Reader, indent_size_of

# What an encoder never writes, and the arrays cannot handle (§12).
_UNUSUAL: Final = (b"\r", b" \n", b"\n\n", b"\xef\xbb\xbf")

# The kinds of a line's parts: indentation, hyphen, spaces, key, colon, space, value, line break.
_CODES: Final = np.array(
    [WHITESPACE, PUNCTUATION, WHITESPACE, NAMES, PUNCTUATION, WHITESPACE, VALUES, WHITESPACE],
    np.uint8,
)


def read_layout(data: bytes, comments: bool = True) -> Layout:
    """One kind code per byte of ``data``.

    Raises:
        UnusualText: the text is not as an encoder writes it.
    """
    if not data or data[-1] in b" \n" or any(mark in data for mark in _UNUSUAL):
        raise UnusualText
    return _Arrays(data, comments).layout()


@dataclass(slots=True)
class _Arrays:
    """One text. The attributes from ``starts`` on have one item per line.

    All but ``delimiters`` are places in the text.
    """

    data: bytes
    comments: bool
    raw: NDArray[np.uint8] = field(init=False)  # the text and two line breaks, to look past ends
    opening: Places = field(init=False)
    closing: Places = field(init=False)
    starts: Places = field(init=False)
    ends: Places = field(init=False)  # the line break is not counted
    firsts: Places = field(init=False)  # after the indentation
    contents: Places = field(init=False)  # after the indentation and the hyphen of a list item
    key_ends: Places = field(init=False)  # the colon after the key; contents if there is no key
    values: Places = field(init=False)  # where the value, item or row starts
    delimiters: NDArray[np.uint8] = field(init=False)  # of the row's table; 0 for other lines

    def layout(self) -> Layout:
        """The layout; raises UnusualText."""
        self.raw = np.frombuffer(self.data + b"\n\n", np.uint8)
        self.opening, self.closing = quote_pairs(self.data)
        require(self.opening.size == self.closing.size)
        self._find_lines()
        colons = self._first_unquoted(":")
        headers = np.flatnonzero(self._first_unquoted("[") < colons)
        kinds, keyed = self._read_headers(headers)
        self._find_values(colons, headers, keyed)
        layout = self._filled()
        self._mark_quotes(layout, headers)
        self._mark_delimiters(layout)
        for line, content in zip(headers.tolist(), kinds, strict=True):
            start = self.contents[line]
            layout[start : start + len(content)] = np.frombuffer(content, np.uint8)
        return layout

    def _find_lines(self) -> None:
        raw = self.raw
        breaks = np.flatnonzero(raw[:-2] == ord("\n"))
        opened, closed = (np.searchsorted(breaks, x) for x in (self.opening, self.closing))
        require((opened == closed).all())  # no quoted string spans a line break
        self.starts = np.append(0, breaks + 1)
        self.ends = np.append(breaks, len(self.data))
        solid = np.flatnonzero((raw != ord(" ")) & (raw != ord("\n")))
        require(solid.size)
        first = np.minimum(np.searchsorted(solid, self.starts), solid.size - 1)
        self.firsts = solid[first]
        require(((self.starts <= self.firsts) & (self.firsts < self.ends)).all())
        unusual = b"#\t" if self.comments else b"\t"
        require(not np.isin(raw[self.firsts], list(unusual)).any())
        following = raw[self.firsts + 1]
        dash = raw[self.firsts] == ord("-")
        after = solid[np.minimum(first + 1, solid.size - 1)]
        self.contents = np.where(dash & (following == ord(" ")), after, self.firsts)
        bare = dash & (following == ord("\n"))
        self.contents[bare] += 1

    def _first_unquoted(self, character: str) -> Places:
        """The first ``character`` outside quotes in each line's content; the line's end if none."""
        places = self._unquoted(np.flatnonzero(self.raw == ord(character)))
        if not places.size:
            return self.ends
        index = np.searchsorted(places, self.contents)
        found: Places = places[np.minimum(index, places.size - 1)]
        return np.where((index < places.size) & (found < self.ends), found, self.ends)

    def _unquoted(self, places: Places) -> Places:
        opened, closed = (np.searchsorted(x, places) for x in (self.opening, self.closing))
        return np.asarray(places[opened == closed])

    def _line_of(self, places: Places) -> Places:
        return np.asarray(np.searchsorted(self.starts, places, side="right") - 1)

    def _read_headers(self, headers: Places) -> tuple[list[bytes], NDArray[np.bool_]]:
        """The kinds of each header's content, and which lines are rows of keyed tables.

        Sets ``delimiters``.
        """
        size = indent_size_of(self.data[:10_000].split(b"\n"), self.comments)
        reader = Reader(size, self.comments)
        indents = (self.firsts - self.starts).tolist()
        items = (self.contents > self.firsts).tolist()
        keyed = np.zeros(len(indents), np.bool_)
        self.delimiters = np.zeros(len(indents), np.uint8)
        kinds: list[bytes] = []
        table_end = 0  # the line after the current table
        for line in headers.tolist():
            require(line >= table_end)  # no row looks like a header
            content = self.data[self.contents[line] : self.ends[line]]
            reader.floor = None
            kinds.append(reader.field(content, indents[line] + reader.indent_size * items[line]))
            floor = cast(int | None, reader.floor)
            if floor is not None:
                table_end = line + 1
                while table_end < len(indents) and indents[table_end] > floor:
                    table_end += 1
                self.delimiters[line + 1 : table_end] = reader.delimiter[0]
                keyed[line + 1 : table_end] = reader.keyed
        return kinds, keyed

    def _find_values(self, colons: Places, headers: Places, keyed: NDArray[np.bool_]) -> None:
        rows = self.delimiters > 0
        has_colon = colons < self.ends
        require((has_colon == keyed)[rows].all() and not (self.contents > self.firsts)[rows].any())
        has_colon[headers] = False
        self.key_ends = np.where(has_colon, colons, self.contents)
        self.values = np.minimum(self.key_ends + 2 * has_colon, self.ends)
        before, behind = self.raw[self.key_ends - 1], self.raw[self.key_ends + 1]
        filled = has_colon & (colons + 1 < self.ends)
        require((before[has_colon] != ord(" ")).all() and (behind[filled] == ord(" ")).all())
        require((self.raw[self.values[filled]] != ord(" ")).all())

    def _filled(self) -> Layout:
        """The layout in which quotes and delimiters are still marked as names and values."""
        item = self.contents > self.firsts
        colon = self.key_ends > self.contents
        colon |= (self.raw[self.key_ends] == ord(":")) & (self.values > self.key_ends)
        columns = (
            self.starts,
            self.firsts,
            self.firsts + item,
            self.contents,
            self.key_ends,
            np.minimum(self.key_ends + colon, self.values),
            self.values,
            self.ends,
        )
        edges = np.append(np.column_stack(columns).ravel(), len(self.data))
        layout = np.repeat(np.tile(_CODES, self.starts.size), np.diff(edges))
        pair = self.values[(self.ends - self.values == 2) & (self.delimiters == 0)]
        empty = pair[(self.raw[pair] == ord("[")) & (self.raw[pair + 1] == ord("]"))]
        layout[empty] = layout[empty + 1] = PUNCTUATION  # §9.1: the empty array
        return layout

    def _mark_quotes(self, layout: Layout, headers: Places) -> None:
        """Marks quotes as punctuation; raises UnusualText if a pair is not around a whole token."""
        if not self.opening.size:
            return
        line = self._line_of(self.opening)
        plain = np.isin(line, headers, invert=True)
        line, opening, closing = line[plain], self.opening[plain], self.closing[plain]
        delimiter = self.delimiters[line]
        starts = (opening == self.contents[line]) | (opening == self.values[line])
        starts |= (self.raw[opening - 1] == delimiter) & (opening > self.values[line])
        ends = (closing + 1 == self.ends[line]) | (closing + 1 == self.key_ends[line])
        ends |= self.raw[closing + 1] == delimiter
        require(starts.all() and ends.all())
        layout[opening] = layout[closing] = PUNCTUATION

    def _mark_delimiters(self, layout: Layout) -> None:
        """Marks the delimiters of rows; raises UnusualText if spaces stand beside one."""
        for delimiter in set(self.delimiters.tolist()) - {0}:
            places = self._unquoted(np.flatnonzero(self.raw == delimiter))
            line = self._line_of(places)
            in_cells = (self.delimiters[line] == delimiter) & (places >= self.values[line])
            places = places[in_cells]
            around = self.raw[np.concatenate((places - 1, places + 1))]
            require((around != ord(" ")).all() or not places.size)
            layout[places] = PUNCTUATION
