"""How many tokens each kind of text costs: names, punctuation, whitespace, values.

Tokens do not end where kinds do: in indented JSON a quarter of them hold, say, a quote and part of
a name. Such a token is divided by its bytes, so the four costs always add up to the tokens of the
text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
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
    """What each kind of text costs, in tokens.

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
    starts = np.cumsum(lengths) - lengths
    check_length(layout, int(lengths.sum()))
    mixed = _mixed(layout, starts)
    whole = np.bincount(np.delete(layout[starts], mixed), minlength=len(KINDS))
    shares = _shares_of_mixed(layout, starts[mixed], lengths[mixed])
    exact = [int(count) + share for count, share in zip(whole, shares, strict=True)]
    return Breakdown(lengths.size, mixed.size, *round_shares(exact, lengths.size))


def _mixed(layout: Layout, starts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the indices of tokens within which the kind changes, ascending."""
    changes = np.zeros(layout.size, np.bool_)
    np.not_equal(layout[1:], layout[:-1], out=changes[1:])
    changes[starts] = False
    owners = np.searchsorted(starts, np.flatnonzero(changes), side="right") - 1
    mixed: NDArray[np.intp] = owners[np.diff(owners, prepend=-1) != 0]
    return mixed


def _shares_of_mixed(
    layout: Layout, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> list[Fraction]:
    """Return every kind's exact share of the tokens at the given bytes.

    There may be a million tokens, but they have only some dozens of lengths. The bytes of each kind
    are counted by the length of their token, which leaves few fractions to add.
    """
    first_of_each = np.cumsum(lengths) - lengths
    places = np.repeat(starts - first_of_each, lengths) + np.arange(lengths.sum())
    bins = np.repeat(lengths * len(KINDS), lengths) + layout[places]
    counts = np.bincount(bins, minlength=len(KINDS))
    counts = np.pad(counts, (0, -counts.size % len(KINDS))).reshape(-1, len(KINDS))
    shares = [Fraction(0)] * len(KINDS)
    for length in np.unique(lengths).tolist():
        for kind, count in enumerate(counts[length].tolist()):
            shares[kind] += Fraction(count, length)
    return shares


def round_shares(shares: Iterable[Fraction], total: int) -> list[float]:
    """Round shares to 1/1024 and keep their sum: those with the largest remainders go up."""
    grains = [divmod(share * _GRAIN, 1) for share in shares]
    whole = [int(floor) for floor, _ in grains]
    missing = total * _GRAIN - sum(whole)
    by_remainder = sorted(range(len(grains)), key=lambda kind: grains[kind][1], reverse=True)
    for kind in by_remainder[:missing]:
        whole[kind] += 1
    return [count / _GRAIN for count in whole]
