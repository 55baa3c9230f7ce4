"""The kind of each byte of a JSON text: field name, punctuation, whitespace or value.

It accepts broken text, so that an editor can colour it while someone types. There is no loop over
characters: quotes are found and classified as opening, closing or escaped, then the stretches
between them are filled in.
"""

from typing import Final

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

_OUTSIDE: Final = 255  # no kind: the byte lies outside every string
_BLANKS: Final = b" \t\n\r"  # RFC 8259 §2; any other blank is not JSON
_KINDS_OUTSIDE_STRINGS: Final = tabulate_kinds(
    VALUES, (b'"{}[]:,', PUNCTUATION), (_BLANKS, WHITESPACE)
)


def json_layout(text: str) -> Layout:
    """Return the kind of every UTF-8 byte of a JSON text, as an array of indexes into ``KINDS``.

    Quotes and ``{}[]:,`` are punctuation. The inside of a string, with its escapes, is a name if a
    colon follows the string (blanks allowed between) and a value otherwise. An unterminated string
    runs to the end of the text. Blanks outside strings are whitespace. The rest is values: numbers,
    literals, and characters that are not JSON.

    Raises:
        UnicodeEncodeError: The text holds a lone surrogate.
    """
    encoded = text.encode()
    raw = np.frombuffer(encoded, np.uint8)
    outside = np.frombuffer(encoded.translate(_KINDS_OUTSIDE_STRINGS), np.uint8)
    opening, closing = quote_pairs(encoded)
    edges = np.full(2 * opening.size + 2, raw.size)
    edges[0] = 0
    edges[1:-1:2] = opening + 1
    edges[2::2][: closing.size] = closing
    kinds = np.full(edges.size - 1, _OUTSIDE, np.uint8)
    kinds[1::2] = VALUES
    kinds[1::2][: closing.size][_find_names(raw, outside, closing)] = NAMES
    inside = kinds.repeat(edges[1:] - edges[:-1])
    return np.where(inside == _OUTSIDE, outside, inside)


def _find_names(
    raw: NDArray[np.uint8], outside: NDArray[np.uint8], closing: Places
) -> NDArray[np.bool_]:
    """Return for each closing quote of a JSON text whether a colon follows, behind any blanks."""
    # For a quote at the end of the text this is the quote itself, neither a colon nor a blank.
    following = np.minimum(closing + 1, raw.size - 1)
    colon: NDArray[np.bool_] = raw[following] == ord(":")
    unsure = (outside[following] == WHITESPACE).nonzero()[0]
    if unsure.size:
        dense = np.flatnonzero(outside != WHITESPACE)
        places = np.searchsorted(dense, following[unsure])
        colon[unsure] = raw[dense[np.minimum(places, dense.size - 1)]] == ord(":")
    return colon
