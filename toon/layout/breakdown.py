"""The tokens that each kind of text costs: names, punctuation, whitespace, values.

Tokens do not end where kinds do: in indented JSON a quarter of them hold, say, a quote and part of
a name. Such a token is divided by its bytes, so the four costs always add up to the tokens of the
text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.layout.spans import KINDS, Layout, check_length
from toon.tokenizers import Tokenizer

# Shares are rounded to this part of a token. It is a power of two, so that floats hold the shares
# exactly and add them without a rounding error.
_GRAIN: Final = 1024


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The costs of each kind of text, in tokens.

    The shares of the four kinds are multiples of 1/1024 of a token and add up to ``tokens``
    exactly. ``mixed_tokens`` is the number of tokens with bytes of several kinds.
    """

    tokens: int
    mixed_tokens: int
    names: float
    punctuation: float
    whitespace: float
    values: float

    @property
    def shares(self) -> tuple[float, float, float, float]:
        """The shares in the order of ``KINDS``."""
        return self.names, self.punctuation, self.whitespace, self.values


def breakdown(text: str, layout: Layout, tokenizer: Tokenizer) -> Breakdown:
    """Count a text's tokens by kind; k of a token's n bytes count as k/n of a token.

    Raises:
        ValueError: The layout is not as long as the text, or the text has no UTF-8 form.
    """
    lengths = tokenizer.lengths(text)
    ends = lengths.cumsum()
    check_length(layout, int(ends[-1]) if ends.size else 0)
    if not ends.size:
        return Breakdown(0, 0, 0.0, 0.0, 0.0, 0.0)
    parts, whole = _parts(layout, lengths)
    tokens, pieces = count_of(text, lengths, tokenizer), lengths.size
    shares = _round([part * tokens for part in parts], whole * pieces, tokens)
    return Breakdown(tokens, _mixed(layout, ends, lengths), *shares)


def count_of(text: str, lengths: NDArray[np.int64], tokenizer: Tokenizer) -> int:
    """Return the number of tokens of ``text``: that of ``lengths``, unless it has fewer bytes."""
    return int(lengths.size) if (lengths > 1).any() else tokenizer.count(text)


def _mixed(layout: Layout, ends: NDArray[np.int64], lengths: NDArray[np.int64]) -> int:
    """Return the number of tokens whose bytes are of several kinds."""
    changes = np.zeros(layout.size, np.int64)
    np.add.accumulate(layout[1:] != layout[:-1], out=changes[1:])
    return int(np.count_nonzero(changes[ends - 1] > changes[ends - lengths]))


def _parts(layout: Layout, lengths: NDArray[np.int64]) -> tuple[list[int], int]:
    """Return the exact share of each kind, as numerators over one denominator.

    There may be a million tokens, but they have only some dozens of lengths: the bytes of each kind
    are counted by the length of their token.
    """
    by_length = np.bincount(lengths)
    by_length[0] = 0  # these have no bytes to divide
    used = by_length.nonzero()[0].tolist()
    bins = (lengths * len(KINDS)).repeat(lengths) + layout
    size = by_length.size * len(KINDS)
    counts = np.bincount(bins, minlength=size).reshape(-1, len(KINDS))
    whole = math.lcm(*used)
    factors = [whole // length for length in used]
    return [sum(map(mul, kind, factors)) for kind in counts[used].T.tolist()], whole


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
