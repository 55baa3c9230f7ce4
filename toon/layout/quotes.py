"""Where quoted strings start and end, for a whole JSON or TOON text at once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Places: TypeAlias = NDArray[np.intp]


def quote_pairs(encoded: bytes) -> tuple[Places, Places]:
    """Return the places of opening and closing quotes; the last string may lack its closing one.

    A quote after an odd run of backslashes is escaped inside a string, and opens a string outside,
    where a backslash escapes nothing.
    """
    raw = np.frombuffer(encoded, np.uint8)
    quotes = np.flatnonzero(raw == ord('"'))
    if b"\\" not in encoded:
        return quotes[0::2], quotes[1::2]
    return _pair_escaped(quotes, _after_odd_backslashes(raw)[quotes])


def is_quoted(encoded: bytes, places: Places) -> NDArray[np.bool_]:
    """Return, for every place, whether it lies inside a quoted string of the text."""
    opening, closing = quote_pairs(encoded)
    inside: NDArray[np.bool_] = np.searchsorted(opening, places) != np.searchsorted(closing, places)
    return inside


def _after_odd_backslashes(raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return, for every byte and the end, whether an odd run of backslashes ends right before it.

    It is true within a run too, at every second backslash; only the values at quotes are used.
    """
    backslashes = np.flatnonzero(raw == ord("\\"))
    order = np.arange(backslashes.size)
    starts_run = np.diff(backslashes, prepend=-2) != 1
    place_in_run = order - np.maximum.accumulate(np.where(starts_run, order, 0))
    odd = np.zeros(raw.size + 1, np.bool_)
    odd[backslashes[place_in_run % 2 == 0] + 1] = True
    return odd


def _pair_escaped(quotes: Places, odd: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Pair quotes of which some follow an odd run of backslashes.

    The text after such a quote is always inside a string. The other quotes toggle between inside
    and outside from there on.
    """
    order = np.arange(quotes.size)
    last_set = np.maximum.accumulate(np.where(odd, order, -1))
    inside_after = ((order - last_set) % 2 == 1) ^ (last_set >= 0)
    inside_before = np.concatenate(([False], inside_after[:-1]))[: quotes.size]
    return quotes[~inside_before], quotes[~inside_after]
