"""Tokens and kinds as runs of UTF-16 code units, which is how a browser counts text.

Runs are lengths rather than positions: the lists are shorter to send, and the editor walks a text
only once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toon.layout.spans import Layout, characters_of, run_starts, starts_character
from toon.tokenizers import Tokenizer

_FOUR_BYTES = 0xF0  # at least this: the first of four bytes, of a character of two UTF-16 units


def utf16_runs_of_tokens(text: str, tokenizer: Tokenizer) -> list[int]:
    """Return the length of every token in UTF-16 code units, in order.

    A token that ends inside a character is joined with the tokens after it up to one that ends with
    a character, so there may be fewer runs than tokens. The runs add up to the text.

    Raises:
        ValueError: The text has no UTF-8 form.
    """
    return list(utf16_runs_of_lengths(text, tokenizer.lengths(text))[0].tolist())


def utf16_runs_of_lengths(
    text: str, lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the runs of tokens whose bytes are ``lengths``, and the tokens in each run.

    A run is as in :func:`utf16_runs_of_tokens`.
    """
    if text.isascii():
        return lengths, np.ones_like(lengths)
    ends = np.cumsum(lengths)
    raw = np.frombuffer(text.encode(), np.uint8)
    starts = starts_character(raw)
    units = starts.astype(np.int64) + (raw >= _FOUR_BYTES)
    units_before = np.concatenate(([0], np.cumsum(units)))
    whole = np.append(starts, True)[ends]
    counts = np.diff(np.flatnonzero(whole), prepend=-1)
    return np.diff(units_before[ends[whole]], prepend=0), counts


def utf16_runs_of_kinds(text: str, layout: Layout) -> list[int]:
    """Return the longest runs of one kind, in order: length and kind of each in one number.

    ``run >> 2`` is the length in UTF-16 code units, ``run & 3`` the index into ``KINDS``.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    first_bytes, kinds = characters_of(text, layout)
    starts = run_starts(kinds)
    lengths = np.add.reduceat(1 + (first_bytes >= _FOUR_BYTES), starts, dtype=np.int64)
    return list((lengths << 2 | kinds[starts]).tolist())


def utf16_offsets(text: str, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Convert offsets in a text, its end included, to UTF-16 code units."""
    if text.isascii():
        return offsets
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    units_before = np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF))))
    return np.asarray(units_before[offsets])
