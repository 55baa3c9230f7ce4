"""The tokens that each kind of text costs: names, punctuation, whitespace, values.

Tokens do not end where kinds do: in indented JSON a quarter of them hold, say, a quote and part of
a name. Such a token is divided by its bytes, so the four costs always add up to the tokens of the
text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from operator import mul
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from toon.layout.spans import KINDS, Layout, check_length
from toon.tokenizers import Tokenizer

# Shares are rounded to this part of a token. It is a power of two, so that floats hold the shares
# exactly and add them without a rounding error.
_GRAIN: Final = 1024


class Kinds(TypedDict):
    """The tokens of a text by kind, and in ``mixed_tokens`` the number of tokens of several kinds.

    The four are multiples of 1/1024 of a token, and add up to the tokens of the text exactly.
    """

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


def breakdown(text: str, layout: Layout, tokenizer: Tokenizer) -> tuple[int, Kinds]:
    """Return the tokens of a text, and how many of them each kind of text takes.

    Of a token of n bytes, k bytes of a kind count as k/n of a token.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    lengths = tokenizer.lengths(text)
    ends = lengths.cumsum()
    check_length(layout, int(ends[-1]) if ends.size else 0)
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
    """Return the tokens of ``text``, where its pieces have the ``lengths`` in bytes."""
    return int(lengths.size) if (lengths > 1).any() else tokenizer.count(text)


def round_shares(shares: Iterable[Fraction], total: int) -> list[float]:
    """Round shares to 1/1024 and keep their sum: those with the largest remainders go up."""
    shares = list(shares)
    whole = math.lcm(*(share.denominator for share in shares))
    return _round([int(share * whole) for share in shares], whole, total)


def _round(parts: Iterable[int], whole: int, total: int) -> list[float]:
    """Round shares of ``part`` / ``whole`` so that they add up to ``total``."""
    grains = [divmod(part * _GRAIN, whole) for part in parts]
    rounded = [floor for floor, _ in grains]
    missing = total * _GRAIN - sum(rounded)
    by_remainder = sorted(range(len(grains)), key=lambda kind: grains[kind][1], reverse=True)
    for kind in by_remainder[:missing]:
        rounded[kind] += 1
    return [count / _GRAIN for count in rounded]
