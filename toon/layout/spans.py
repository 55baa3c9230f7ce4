"""The four kinds of text in a payload, as layouts and as runs for a browser; quoted strings.

A layout has one kind per UTF-8 byte. It therefore tiles the text, and it can be added up by token,
because tokens are bytes too. Runs are in UTF-16 code units, as a browser counts text, and are
lengths: shorter to send than positions.
"""

from __future__ import annotations

from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

KINDS: Final = ("names", "punctuation", "whitespace", "values")
NAMES, PUNCTUATION, WHITESPACE, VALUES = range(4)

Layout: TypeAlias = NDArray[np.uint8]


Places: TypeAlias = NDArray[np.intp]

_FOUR_BYTES: Final = 0xF0  # at least this: the first of four bytes, of two UTF-16 code units


class UnusualText(Exception):
    """A text that only the slower reader of its format can lay out or read."""


def require(condition: object) -> None:
    """Raise :class:`UnusualText` unless the condition holds."""
    if not condition:
        raise UnusualText


def tabulate_kinds(others: int, *groups: tuple[bytes, int]) -> bytes:
    """Return a table for ``bytes.translate``: each group's kind for its bytes, else ``others``."""
    table = bytearray([others]) * 256
    for members, kind in groups:
        for byte in members:
            table[byte] = kind
    return bytes(table)


def lay_out_groups(matches: list[tuple[bytes, ...]], kinds: Layout) -> Layout:
    """Build the layout of a text from a pattern whose groups leave no gap in it.

    Args:
        matches: the groups of all matches, as ``findall`` gives them for the UTF-8 bytes.
        kinds: the kind of each group of a match.
    """
    # 0xFF never occurs in UTF-8. Joining the groups with it is faster than measuring each.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(matches), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    return np.repeat(np.tile(kinds, len(matches)), np.diff(ends, prepend=-1) - 1)


def check_length(layout: Layout, byte_count: int) -> None:
    """Raise ``ValueError`` unless the layout has one code for each of ``byte_count`` bytes."""
    if layout.size != byte_count:
        raise ValueError(f"The layout covers {layout.size} bytes, but the text has {byte_count}")


# -- runs for a browser ------------------------------------------------------------------------


def utf16_runs_of_kinds(text: str, layout: Layout) -> list[int]:
    """Return the longest runs of one kind, in order: length and kind of each in one number.

    ``run >> 2`` is the length in UTF-16 code units, ``run & 3`` the index into ``KINDS``.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    raw = np.frombuffer(text.encode(), np.uint8)
    check_length(layout, raw.size)
    if raw.size != len(text):  # else every byte is a character
        first = (raw & 0xC0) != 0x80
        raw, layout = raw[first], layout[first]
    changes = np.flatnonzero(layout[1:] != layout[:-1]) + 1
    starts = np.insert(changes, 0, 0) if layout.size else changes
    lengths = np.add.reduceat(1 + (raw >= _FOUR_BYTES), starts, dtype=np.int64)
    return list((lengths << 2 | layout[starts]).tolist())


def utf16_runs_of_tokens(
    text: str, lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return runs of the tokens of a text, whose bytes are ``lengths``, and the tokens in each run.

    A run is in UTF-16 code units. Most are one token: one that ends inside a character is joined
    with the tokens after it up to one that ends with a character. The runs add up to the text.

    Raises:
        ValueError: The text has no UTF-8 form.
    """
    if text.isascii():
        return lengths, np.ones_like(lengths)
    ends = np.cumsum(lengths)
    raw = np.frombuffer(text.encode(), np.uint8)
    starts = (raw & 0xC0) != 0x80
    units = starts.astype(np.int64) + (raw >= _FOUR_BYTES)
    units_before = np.concatenate(([0], np.cumsum(units)))
    whole = np.append(starts, True)[ends]
    counts = np.diff(np.flatnonzero(whole), prepend=-1)
    return np.diff(units_before[ends[whole]], prepend=0), counts


def utf16_offsets(text: str, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Convert offsets in a text, its end included, to UTF-16 code units."""
    if text.isascii():
        return offsets
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    units_before = np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF))))
    return np.asarray(units_before[offsets])


# -- quoted strings ----------------------------------------------------------------------------


def quote_pairs(encoded: bytes) -> tuple[Places, Places]:
    """Find the quoted strings of a JSON or TOON text.

    Return the places of their opening and of their closing quotes; the last may lack its closing
    one. Inside a string, a quote after an odd run of backslashes is escaped. Outside, it opens a
    string, since a backslash escapes nothing there.
    """
    raw = np.frombuffer(encoded, np.uint8)
    quotes = (raw == ord('"')).nonzero()[0]
    # Backslashes in pairs escape each other: a quote is escaped by the one that is left over.
    unpaired = encoded.replace(b"\\\\", b"--") if b"\\" in encoded else b""
    if b'\\"' not in unpaired:
        return quotes[0::2], quotes[1::2]
    before = np.frombuffer(b" " + unpaired, np.uint8)
    # The text after a quote that follows an odd run is always inside a string, as it is after the
    # first one. The other quotes toggle between inside and outside from there on.
    order = np.arange(quotes.size)
    last_set = np.maximum.accumulate(order * (before[quotes] == ord("\\")))
    inside_after = (order - last_set) % 2 == 0
    inside_before = np.concatenate(([False], inside_after[:-1]))[: quotes.size]
    return quotes[~inside_before], quotes[~inside_after]


def inside_strings(encoded: bytes) -> NDArray[np.bool_]:
    """Return for each byte of a JSON or TOON text whether a string is open after it."""
    if b"\\" not in encoded:
        marks = np.frombuffer(encoded, np.uint8) == ord('"')
    else:
        marks = np.zeros(len(encoded), np.bool_)
        for places in quote_pairs(encoded):
            marks[places] = True
    return (np.cumsum(marks, dtype=np.uint8) & 1).view(np.bool_)


def is_quoted(encoded: bytes, places: Places) -> NDArray[np.bool_]:
    """Return for each place of a JSON or TOON text whether it lies inside a quoted string."""
    opening, closing = quote_pairs(encoded)
    inside: NDArray[np.bool_] = np.searchsorted(opening, places) != np.searchsorted(closing, places)
    return inside
