"""Tokens divided among the kinds, compared with a simple reference that walks the bytes."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from toon.layout.spans import breakdown
from toon.tokenizers.facts import Tokenizer

N, P, W, V = range(4)


class CutAt(Tokenizer):
    """A tokenizer whose tokens have the given lengths."""

    def __init__(self, *lengths: int) -> None:
        super().__init__("cut", "Cut")
        self._lengths = lengths

    def lengths(self, text: str) -> NDArray[np.int64]:
        return np.array(self._lengths, np.int64)


def plain_shares(lengths: list[int], layout: list[int]) -> tuple[list[Fraction], int]:
    """The exact shares and the number of mixed tokens, byte by byte."""
    shares, mixed, at = [Fraction(0)] * 4, 0, 0
    for length in lengths:
        for kind in layout[at : at + length]:
            shares[kind] += Fraction(1, length)
        mixed += len(set(layout[at : at + length])) > 1
        at += length
    return shares, mixed


@given(st.lists(st.integers(1, 40), max_size=30), st.data())
def test_any_tokens_over_any_layout_are_divided_exactly(lengths: list[int], data: Any) -> None:
    kinds = st.lists(st.integers(0, 3), min_size=sum(lengths), max_size=sum(lengths))
    runs = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 50)), max_size=12).map(
        lambda pairs: [kind for kind, count in pairs for _ in range(count)]
    )
    layout = data.draw(kinds | runs.map(lambda run: (run + [V] * sum(lengths))[: sum(lengths)]))
    text = "x" * sum(lengths)

    tokens, kinds = breakdown(text, np.array(layout, np.uint8), CutAt(*lengths))

    exact, mixed = plain_shares(lengths, layout)
    *shares, mixed_tokens = kinds.values()
    assert (tokens, mixed_tokens) == (len(lengths), mixed)
    for order in itertools.permutations(shares):
        assert sum(order) == tokens
    for share, exact_share in zip(shares, exact, strict=True):
        assert abs(Fraction(share) - exact_share) < Fraction(1, 1024)
        assert (share == 0) <= (exact_share < Fraction(1, 1024))
        assert (exact_share == 0) <= (share == 0)


@pytest.mark.parametrize(
    ("layout", "lengths", "shares", "mixed"),
    [
        ([], [], (0, 0, 0, 0), 0),
        ([V], [1], (0, 0, 0, 1), 0),
        ([P, N, N, P], [4], (0.5, 0.5, 0, 0), 1),
        ([P, N, N, P], [1, 2, 1], (1, 2, 0, 0), 0),
        ([P, N, N, P, W, V], [2, 4], (0.75, 0.75, 0.25, 0.25), 2),
        ([N, N, V, V], [2, 2], (1, 0, 0, 1), 0),
        ([N, P, W], [3], (342 / 1024, 341 / 1024, 341 / 1024, 0), 1),
        ([N, P, P], [3], (341 / 1024, 683 / 1024, 0, 0), 1),
    ],
)
def test_shares_by_example(
    layout: list[int], lengths: list[int], shares: tuple[float, ...], mixed: int
) -> None:
    tokens, kinds = breakdown("x" * len(layout), np.array(layout, np.uint8), CutAt(*lengths))

    assert (tokens, *kinds.values()) == (len(lengths), *shares, mixed)


def test_many_tokens_of_one_length_do_not_overflow() -> None:
    """Millions of bytes of one kind, while kinds are stored in single bytes."""
    layout = np.tile(np.array([P, V, V], np.uint8), 300_000)

    _, kinds = breakdown("x" * 900_000, layout, CutAt(*[3] * 300_000))

    assert [*kinds.values()] == [0, 100_000, 0, 200_000, 300_000]
