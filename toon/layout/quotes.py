"""The places of quoted strings, for a whole JSON or TOON text at once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Places: TypeAlias = NDArray[np.intp]


def quote_pairs(encoded: bytes) -> tuple[Places, Places]:
    """Return the places of opening and of closing quotes; the last string may lack its closing one.

    Inside a string, a quote after an odd run of backslashes is escaped. Outside, it opens a string,
    since a backslash escapes nothing there.
    """
    raw = np.frombuffer(encoded, np.uint8)
    quotes = (raw == ord('"')).nonzero()[0]
    if b"\\" in encoded:
        # Backslashes in pairs escape each other: a quote is escaped by the one that is left over.
        unpaired = encoded.replace(b"\\\\", b"--")
        if b'\\"' in unpaired:
            before = np.frombuffer(b" " + unpaired, np.uint8)
            return _pair_escaped(quotes, before[quotes] == ord("\\"))
    return quotes[0::2], quotes[1::2]


def inside_strings(encoded: bytes) -> NDArray[np.bool_]:
    """Return for each byte whether a string is open after it."""
    if b"\\" not in encoded:
        marks = np.frombuffer(encoded, np.uint8) == ord('"')
    else:
        marks = np.zeros(len(encoded), np.bool_)
        for places in quote_pairs(encoded):
            marks[places] = True
    return (np.cumsum(marks, dtype=np.uint8) & 1).view(np.bool_)


def is_quoted(encoded: bytes, places: Places) -> NDArray[np.bool_]:
    """Return for each place whether it lies inside a quoted string of the text."""
    opening, closing = quote_pairs(encoded)
    inside: NDArray[np.bool_] = np.searchsorted(opening, places) != np.searchsorted(closing, places)
    return inside


def _pair_escaped(quotes: Places, odd: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Pair quotes where some follow an odd run of backslashes.

    The text after such a quote is always inside a string, as it is after the first one. The other
    quotes toggle between inside and outside from there on.
    """
    order = np.arange(quotes.size)
    last_set = np.maximum.accumulate(order * odd)
    inside_after = (order - last_set) % 2 == 0
    inside_before = np.concatenate(([False], inside_after[:-1]))[: quotes.size]
    return quotes[~inside_before], quotes[~inside_after]
