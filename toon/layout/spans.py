"""The four kinds of text in a payload, as layouts and as runs for a browser; quoted strings.

A layout has one kind per UTF-8 byte. It therefore tiles the text, and it can be added up by token,
because tokens are bytes too. Runs are in UTF-16 code units, as a browser counts text, and are
lengths: shorter to send than positions.

Tokens do not end where kinds do: in indented JSON a quarter of them hold, say, a quote and part of
a name. Such a token is divided by its bytes, so the costs of the four kinds always add up to the
tokens of the text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from operator import mul
from typing import TYPE_CHECKING, Final, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from toon.tokenizers import Tokenizer

KINDS: Final = ("names", "punctuation", "whitespace", "values")
NAMES, PUNCTUATION, WHITESPACE, VALUES = range(4)

Layout: TypeAlias = NDArray[np.uint8]
Places: TypeAlias = NDArray[np.intp]

# Shares are rounded to this part of a token. It is a power of two, so that floats hold the shares
# exactly and add them without a rounding error.
_GRAIN: Final = 1024

_FOUR_BYTES: Final = 0xF0  # at least this: the first of four bytes, of two UTF-16 code units


class UnusualText(Exception):
    """Raised for a text that a fast reader cannot handle; the slower reader of its format can."""


def require(condition: object) -> None:
    """Raise :class:`UnusualText`, so that a slower reader is asked, unless a condition holds."""
    if not condition:
        raise UnusualText


def tabulate_kinds(default: int, *groups: tuple[bytes, int]) -> bytes:
    """Return a table for ``bytes.translate``: each group's kind for its bytes, else ``default``."""
    table = bytearray([default]) * 256
    for members, kind in groups:
        for byte in members:
            table[byte] = kind
    return bytes(table)


def lay_out_groups(matches: list[tuple[bytes, ...]], kinds: Layout) -> Layout:
    """Return the kind of every byte of a text from all matches of a pattern.

    ``matches`` are the groups of each match, as ``findall`` gives them for the UTF-8 bytes. There
    are at least two, none inside another, and they leave out no byte. ``kinds`` has the kind of
    each group.
    """
    # 0xFF never occurs in UTF-8. Joining the groups with it is faster than measuring each.
    joined = np.frombuffer(b"\xff".join([*chain.from_iterable(matches), b""]), np.uint8)
    ends = np.flatnonzero(joined == 0xFF)
    return np.repeat(np.tile(kinds, len(matches)), np.diff(ends, prepend=-1) - 1)


# -- runs for a browser ------------------------------------------------------------------------


def utf16_runs_of_kinds(text: str, layout: Layout) -> list[int]:
    """Return a text's runs of one kind by its layout: an int for each, with its length and kind.

    ``run >> 2`` is the length in UTF-16 code units, ``run & 3`` the index into ``KINDS``.
    """
    raw = np.frombuffer(text.encode(), np.uint8)
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
    """Convert the ``lengths`` of a text's tokens from bytes to UTF-16 code units, as runs.

    Return the length of each run, and how many tokens it has. Most have one: a token that ends
    inside a character is joined with the next ones, up to one that ends with a character.
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
    """Convert character offsets in a text, which may be its end, to UTF-16 code units."""
    if text.isascii():
        return offsets
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    units_before = np.concatenate(([0], np.cumsum(1 + (codes > 0xFFFF))))
    return np.asarray(units_before[offsets])


# -- quoted strings ----------------------------------------------------------------------------


def quote_pairs(encoded: bytes) -> tuple[Places, Places]:
    """Find the quoted strings of a JSON or TOON text.

    Return the offsets of their opening and of their closing quotes; the last may lack its closing
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


def mask_strings(encoded: bytes) -> NDArray[np.bool_]:
    """Return for each byte of a JSON or TOON text whether a string is open after it."""
    if b"\\" not in encoded:
        marks = np.frombuffer(encoded, np.uint8) == ord('"')
    else:
        marks = np.zeros(len(encoded), np.bool_)
        for places in quote_pairs(encoded):
            marks[places] = True
    return (np.cumsum(marks, dtype=np.uint8) & 1).view(np.bool_)


def is_quoted(encoded: bytes, places: Places) -> NDArray[np.bool_]:
    """Return for each offset in a JSON or TOON text whether it lies inside a quoted string."""
    opening, closing = quote_pairs(encoded)
    inside: NDArray[np.bool_] = np.searchsorted(opening, places) != np.searchsorted(closing, places)
    return inside


# -- the tokens of each kind -------------------------------------------------------------------


class Kinds(TypedDict):
    """The tokens that names, punctuation, whitespace and values take of a text.

    The four are multiples of 1/1024 of a token, and add up to the tokens of the text exactly.
    ``mixed_tokens`` is the number of tokens that hold several kinds.
    """

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


def breakdown(text: str, layout: Layout, tokenizer: Tokenizer) -> tuple[int, Kinds]:
    """Count the tokens of a text in all, and of its names, punctuation, whitespace and values.

    Of a token of n bytes, k bytes of a kind count as k/n of a token. ``layout`` has the kind of
    each byte of the text.
    """
    lengths = tokenizer.lengths(text)
    ends = lengths.cumsum()
    tokens, mixed, shares = 0, 0, [0.0] * len(KINDS)
    if ends.size:
        # There may be a million tokens, but they have only some dozens of lengths: the bytes of
        # each kind are counted by the length of their token, as numerators over one denominator.
        by_length = np.bincount(lengths)
        by_length[0] = 0  # these have no bytes to divide
        used = by_length.nonzero()[0].tolist()
        bins = (lengths * len(KINDS)).repeat(lengths) + layout
        counts = np.bincount(bins, minlength=by_length.size * len(KINDS)).reshape(-1, len(KINDS))
        whole = math.lcm(*used)
        factors = [whole // length for length in used]
        parts = [sum(map(mul, kind, factors)) for kind in counts[used].T.tolist()]
        tokens = count_of(text, lengths, tokenizer)
        shares = _round([part * tokens for part in parts], whole * lengths.size, tokens)
        changes = np.zeros(layout.size, np.int64)
        np.add.accumulate(layout[1:] != layout[:-1], out=changes[1:])
        mixed = int(np.count_nonzero(changes[ends - 1] > changes[ends - lengths]))
    names, punctuation, whitespace, values = shares
    return tokens, {
        "names": names,
        "punctuation": punctuation,
        "whitespace": whitespace,
        "values": values,
        "mixed_tokens": mixed,
    }


def count_of(text: str, lengths: NDArray[np.int64], tokenizer: Tokenizer) -> int:
    """Return how many tokens a text has, given the ``lengths`` in bytes of its tokens as shown.

    Where all have one byte, a tokenizer may count more tokens than bytes, which are not shown.
    """
    return int(lengths.size) if (lengths > 1).any() else tokenizer.count(text)


def round_shares(shares: Iterable[Fraction], total: int) -> list[float]:
    """Round fractional tokens that add up to ``total`` to 1/1024 of a token; keep their sum.

    Those with the largest remainders are rounded up.
    """
    shares = list(shares)
    whole = math.lcm(*(share.denominator for share in shares))
    return _round([int(share * whole) for share in shares], whole, total)


def _round(parts: Iterable[int], whole: int, total: int) -> list[float]:
    """Round tokens, given as parts of ``whole``, to 1/1024 so that they add up to ``total``."""
    grains = [divmod(part * _GRAIN, whole) for part in parts]
    rounded = [floor for floor, _ in grains]
    missing = total * _GRAIN - sum(rounded)
    by_remainder = sorted(range(len(grains)), key=lambda kind: grains[kind][1], reverse=True)
    for kind in by_remainder[:missing]:
        rounded[kind] += 1
    return [count / _GRAIN for count in rounded]
