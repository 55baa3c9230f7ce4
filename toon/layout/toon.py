"""The kind of each byte of a TOON text: name, punctuation, whitespace or value.

The text may be broken: what cannot be read is laid out as far as it makes sense (SPEC 4.4 §5-§9).
Quotes, brackets, braces, lengths, delimiters, colons and hyphens are punctuation. So are comments,
because they carry no data.

All lines are read at once with arrays. Quoted text is masked before, so that every colon, bracket
and delimiter has its meaning. Only headers, which are few, are read one by one.
"""

import re
from bisect import bisect_left
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toon.layout.spans import (
    NAMES,
    PUNCTUATION,
    VALUES,
    WHITESPACE,
    Layout,
    Places,
    quote_pairs,
    tabulate_kinds,
)

#: Behind the text, so that a search for a line break, a word or a mark always finds one.
_TAIL: Final = b"\n\n:["
_BOM: Final = "\ufeff".encode()
_BLANKS: Final = b" \r\n"  # a tab may be a delimiter
_SOLID: Final = tabulate_kinds(1, (_BLANKS, 0))
_SOLID_NO_TAB: Final = tabulate_kinds(1, (_BLANKS + b"\t", 0))
_STRING: Final = re.compile(rb'"(?:[^"\\\n]|\\[^\n])*+("?)')
_HEADER: Final = re.compile(rb"\[[0-9]++(:?)([\t|]?)\](\{[^:\n]*\})?:")
_KINDS_IN_FIELDS: Final = tabulate_kinds(NAMES, (b"{},|\t", PUNCTUATION), (b" ", WHITESPACE))
# The kinds of a line's parts: indentation; hyphen or comment; spaces; key; bracket, fields and
# colon; spaces; value or cells; spaces and line break.
_KINDS: Final = np.array(
    [WHITESPACE, PUNCTUATION, WHITESPACE, NAMES, PUNCTUATION, WHITESPACE, VALUES, WHITESPACE],
    np.uint8,
)


def toon_layout(text: str, comments: bool = True) -> Layout:
    """Return the kind of every UTF-8 byte of a TOON text, maybe broken, by index into ``KINDS``.

    ``comments`` False reads TOON 3.3, where a line that starts with ``#`` is not a comment.
    """
    data = text.encode()
    layout = np.full(len(data), WHITESPACE, np.uint8)
    start = len(_BOM) * data.startswith(_BOM)
    data = data[start:]
    if not data.strip(_BLANKS + b"\t"):
        return layout
    masked = np.frombuffer(bytearray(data + _TAIL), np.uint8)
    opening, closing = _find_strings(data)
    if opening.size:
        edges = np.column_stack((opening, closing)).ravel()
        is_inside = np.arange(edges.size) % 2 == 1
        np.putmask(masked[: edges[-1]], is_inside.repeat(np.diff(edges, prepend=0)), ord("x"))
    layout[start:] = _Lines(masked, comments).layout()
    layout[start:][opening] = PUNCTUATION
    if opening.size:
        np.putmask(layout[start:], masked[: len(data)] == ord('"'), PUNCTUATION)  # closing ones
    return layout


def _find_strings(data: bytes) -> tuple[Places, Places]:
    """Return the offsets at which the quoted strings of a TOON text open, and at which they close.

    A string closes at the latest where its line ends.
    """
    pairs = opening, closing = quote_pairs(data)
    if not opening.size:
        return pairs
    breaks = (np.frombuffer(data, np.uint8) == ord("\n")).nonzero()[0]
    if np.array_equal(breaks.searchsorted(opening), breaks.searchsorted(closing)):
        return pairs
    strings = [(match.start(), match.start(1)) for match in _STRING.finditer(data)]
    opening, closing = np.array(strings, np.intp).T
    return opening, closing


_Words: TypeAlias = tuple[NDArray[np.bool_], Places]


def _words(data: bytes, table: bytes) -> _Words:
    """Return for each byte of a TOON text whether it is no blank, and where words begin.

    ``table`` has 0 for the bytes that are blanks, and 1 for all others.
    """
    solid = np.frombuffer(data.translate(table), np.bool_)
    return solid, (solid[1:] > solid[:-1]).nonzero()[0] + 1


def _skip(words: _Words, places: Places) -> Places:
    """Move offsets of blanks in a TOON text on to the next byte that is no blank; keep others."""
    solid, starts = words
    return np.where(solid[places], places, starts[starts.searchsorted(places)])


class _Lines:
    """The lines of a TOON text, in which quoted strings are masked. ``_TAIL`` is behind it.

    Attributes:
        solid: for each byte, whether it is not a blank.
        words: ``solid``, and the places where solid bytes begin after a blank.
        word_ends: the places where blanks begin after solid bytes.
        fields: the field lists of tables, by their starts and ends.

    The other attributes have one item a line; all but ``delimiters`` are places in the text.

        starts, ends: the line without its line break.
        firsts, lasts: its content, without indentation and the spaces behind it.
        marks: the end of the hyphen or the comment that it starts with, if any.
        contents: the text after the hyphen.
        key_ends, colons: the end of its key, and the colon; ``contents`` if it has none.
        delimiters: the delimiter of its cells or values; 0 if it has none.
    """

    def __init__(self, masked: NDArray[np.uint8], comments: bool) -> None:
        self.raw, self.data = masked, masked.tobytes()
        self.words = _words(self.data, _SOLID)
        self.solid = self.words[0]
        self.word_ends = (self.solid[:-1] > self.solid[1:]).nonzero()[0] + 1
        self.ends = (masked == ord("\n")).nonzero()[0][:-1]
        self.starts = np.concatenate(([0], self.ends[:-1] + 1))
        self.firsts = np.minimum(_skip(self.words, self.starts), self.ends)
        if b"\t" in self.data:  # in indentation it is blank
            words = _words(self.data, _SOLID_NO_TAB)
            self.firsts = np.minimum(_skip(words, self.starts), self.ends)
        self.lasts = self.find_word_end(self.ends)
        is_blank = (self.lasts < self.firsts) | (self.lasts > self.ends)
        self.lasts = np.where(is_blank, self.firsts, self.lasts)
        heads = masked[self.firsts]
        self.marks = self.firsts + ((heads == ord("-")) & ~self.solid[self.firsts + 1])
        if comments and b"#" in self.data:
            self.marks = np.where(heads == ord("#"), self.lasts, self.marks)
        self.contents = np.minimum(_skip(self.words, self.marks), self.lasts)
        self.colons = self.find_first(":", self.lasts)
        self.key_ends = self.colons.copy()
        self.delimiters = np.zeros(self.starts.size, np.uint8)
        self.fields: list[tuple[int, int]] = []
        if b"[" in self.data:
            self.read_headers()

    def find_word_end(self, places: Places) -> Places:
        """Return for each place in a TOON text the end of the last word before it."""
        return np.asarray(self.word_ends[self.word_ends.searchsorted(places, "right") - 1])

    def find_first(self, mark: str, limits: Places) -> Places:
        """Return the place of the first ``mark`` in each line's content, or the content's start."""
        marks = (self.raw == ord(mark)).nonzero()[0]
        places = marks[marks.searchsorted(self.contents)]
        return np.where(places < limits, places, self.contents)

    def read_headers(self) -> None:
        """Find the array headers of a TOON text; set what they say of their lines and rows (§6)."""
        brackets = self.find_first("[", self.colons)
        is_header = self.raw[brackets] == ord("[")
        indents = self.firsts - self.starts
        blank = self.firsts == self.ends
        comment = (self.marks > self.firsts) & (self.raw[self.firsts] == ord("#"))
        first = ((indents > 0) & ~blank & ~comment).nonzero()[0][:1]
        self.indent_size = int(indents[first].sum())
        self.indents = [*np.where(blank, self.raw.size, indents).tolist(), -1]
        has_key = (self.colons > self.contents) | (self.marks > self.firsts)
        self.unlike_rows = (has_key & (self.contents < self.lasts)).nonzero()[0].tolist()
        end, keyed = 0, False  # of the rows found last
        for line in is_header.nonzero()[0].tolist():
            header = _HEADER.match(self.data, brackets[line])
            if header is None or (line < end and (keyed or not self.is_field(line))):
                continue
            self.key_ends[line], self.colons[line] = header.start(), header.end() - 1
            self.delimiters[line] = (header[2] or b",")[0]
            if header[3]:
                self.fields.append(header.span(3))
                keyed = bool(header[1])
                end = self.read_rows(line, keyed)

    def read_rows(self, header: int, keyed: bool) -> int:
        """Set the delimiters of the rows below a header (§9.3, §9.5); return the line after them.

        ``keyed`` rows are entries with keys. No other row has a key or a hyphen.
        """
        is_item = self.marks[header] > self.firsts[header]
        floor = self.indents[header] + self.indent_size * is_item
        end = header + 1
        while self.indents[end] > floor:
            end += 1
        self.delimiters[header + 1 : end] = self.delimiters[header]
        bounds = (bisect_left(self.unlike_rows, line) for line in (header + 1, end))
        for line in () if keyed else self.unlike_rows[slice(*bounds)]:
            if self.is_field(line):
                self.delimiters[line] = 0
            else:
                for places in (self.marks, self.contents, self.key_ends, self.colons):
                    places[line] = self.firsts[line]
        return end

    def is_field(self, line: int) -> bool:
        """Return whether a line below a header is a field: it has a colon before a delimiter."""
        start, colon = self.firsts[line], self.colons[line]
        before = self.data.find(self.delimiters[line], start, colon)
        return bool(before < 0 and colon > self.contents[line])

    def layout(self) -> Layout:
        """Return the kind of each byte of a TOON text; its quotes are still names and values."""
        raw = self.raw
        has_colon = (raw[self.colons] == ord(":")) & (self.colons < self.lasts)
        has_colon &= (self.colons > self.contents) | (self.delimiters == 0)
        spaced = (~self.solid[self.key_ends - 1] & (self.key_ends > self.contents)).nonzero()[0]
        for line in spaced.tolist():
            key = self.data[self.contents[line] : self.key_ends[line]].rstrip(_BLANKS)
            self.key_ends[line] = self.contents[line] + len(key)
        values = np.minimum(_skip(self.words, self.colons + has_colon), self.lasts)
        edges = [self.starts, self.firsts, self.marks, self.contents, self.key_ends]
        edges += [self.colons + has_colon, values, self.lasts, self.ends + 1]
        lengths = np.diff(np.array(edges), axis=0).T.ravel()
        layout = _KINDS[np.newaxis].repeat(self.starts.size, axis=0).ravel().repeat(lengths)[:-1]
        for line in spaced.tolist():
            layout[self.key_ends[line] : self.colons[line]] = WHITESPACE
        for start, end in self.fields:
            kinds = self.data[start:end].translate(_KINDS_IN_FIELDS)
            layout[start:end] = np.frombuffer(kinds, np.uint8)
        pair = values[(self.lasts - values == 2) & (self.delimiters == 0)]
        empty = pair[(raw[pair] == ord("[")) & (raw[pair + 1] == ord("]"))]
        layout[empty] = layout[empty + 1] = PUNCTUATION  # §9.1: the empty array
        self.mark_delimiters(layout)
        return layout

    def mark_delimiters(self, layout: Layout) -> None:
        """Set the kind of the cells' delimiters, and spaces around them, in a TOON layout (§11)."""
        if not self.delimiters.any():
            return
        raw = self.raw[: layout.size]
        delimiters = self.delimiters.repeat(self.ends + 1 - self.starts)[:-1]
        in_cells = layout == VALUES
        np.putmask(layout, (raw == delimiters) & in_cells, PUNCTUATION)
        spaces = ((raw == ord(" ")) & in_cells & (delimiters > 0)).nonzero()[0]
        if not spaces.size:
            return
        around = self.find_word_end(spaces) - 1, np.minimum(_skip(self.words, spaces), raw.size - 1)
        layout[spaces[(layout[np.array(around)] == PUNCTUATION).any(axis=0)]] = WHITESPACE
