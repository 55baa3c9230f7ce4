"""Estimates for models whose tokenizer is not public, or not at hand. All are labelled as such.

An estimate knows how many tokens, not where they end. Its pieces are as many runs of nearly equal
numbers of bytes, so a breakdown by them is one by bytes, and an estimate too. No estimate exceeds
the text's bytes: no tokenizer here cuts finer, and a piece without a byte would be of no kind.
"""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.openai import OpenAITokenizer


class Estimator:
    """What all estimates share; a subclass says how many tokens a text may have.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate.
    """

    exact = False

    def __init__(self, name: str, label: str) -> None:
        self.name = name
        self.label = label

    def count(self, text: str) -> int:
        """Return the estimated number of tokens."""
        return self._capped(text, len(text.encode()))

    def pieces(self, text: str) -> list[bytes]:
        """Return the text's bytes in as many runs as there may be tokens; see the module."""
        raw = text.encode()
        ends = np.cumsum(self._lengths(text, len(raw))).tolist()
        return [raw[start:end] for start, end in pairwise([0, *ends])]

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return the number of bytes of every run of ``pieces``; any two differ by one at most."""
        return self._lengths(text, len(text.encode()))

    def _lengths(self, text: str, size: int) -> NDArray[np.int64]:
        count = self._capped(text, size)
        ends = np.arange(1, count + 1) * size // max(count, 1)
        return np.diff(ends, prepend=0)

    def _capped(self, text: str, size: int) -> int:
        return min(size, max(1, self._estimated(text))) if text else 0

    def _estimated(self, text: str) -> int:
        raise NotImplementedError


class QuarterEstimator(Estimator):
    """A token for every four characters (code points), rounded up: the usual rule of thumb.

    It was made for English prose. For tables and compact lines it says half of what they cost.
    """

    def _estimated(self, text: str) -> int:
        return -(-len(text) // 4)


class ScaledEstimator(Estimator):
    """Another tokenizer's count times a factor, rounded."""

    def __init__(self, name: str, label: str, base: OpenAITokenizer, factor: float) -> None:
        super().__init__(name, label)
        self._base = base
        self._factor = factor

    def _estimated(self, text: str) -> int:
        return int(self._base.count(text) * self._factor + 0.5)


class ClassEstimator(Estimator):
    """A weighted sum over runs of characters of one class; ``WEIGHTS`` for what and how much.

    The weights were fitted to o200k_base on one half of some payloads in JSON and TOON and tested
    on the other: within 15 % for 96 % of its texts. ``tests/benchmarks/estimators.py`` is how, and
    prints how well they do. Other models' counts differ from o200k_base's, and so from these.
    """

    def _estimated(self, text: str) -> int:
        features = class_features(text)
        return int(sum(weight * features[name] for name, weight in WEIGHTS.items()) + 0.5)


#: Tokens for one of each, see ``class_features``.
WEIGHTS: Final = {
    "words": 0.68,
    "letters beyond six": 0.16,
    "capitals": 1.54,
    "digit groups": 1.19,
    "blanks": 0.4,
    "line breaks": 1.54,
    "tabs": 0.88,
    "punctuation": 0.92,
    "punctuation beyond two": 0.39,
    "other letters": 0.45,
    "cjk": 0.54,
    "astral": 2.0,
}

_OTHER, _UPPER, _LOWER, _DIGIT, _BLANK, _BREAK, _TAB, _PUNCTUATION, _CJK, _ASTRAL = range(10)


def class_features(text: str) -> dict[str, int]:
    """Count the runs of characters of one class in a text that encodes to UTF-8.

    ``words``: Latin lower-case letters, with the capital before them if there is one, or a single
    capital. ``letters beyond six``: of all words, the letters past the sixth. ``capitals``: runs of
    two and more capitals. ``digit groups``: every run in groups of three, the last may be shorter.
    ``blanks``: runs of blanks, not those that indent a line. ``line breaks``: runs of line breaks,
    with the indentation after. ``tabs``: runs. ``punctuation``: runs of ASCII's signs and controls;
    ``punctuation beyond two``: of each, the signs past the second. ``cjk``: characters of Chinese,
    Japanese and Korean. ``astral``: characters beyond U+FFFF. ``other letters``: all others.
    """
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    classes = _class_table()[np.minimum(codes, 0x10000)]
    starts = np.flatnonzero(np.diff(classes, prepend=255))
    kinds = classes[starts]
    sizes = np.diff(starts, append=classes.size)

    def runs(kind: int) -> NDArray[np.int64]:
        chosen: NDArray[np.int64] = sizes[kinds == kind]
        return chosen

    words, capitals = _words(kinds, sizes)
    signs = runs(_PUNCTUATION)
    indents = np.count_nonzero((kinds[1:] == _BLANK) & (kinds[:-1] == _BREAK))
    return {
        "words": words.size,
        "letters beyond six": int(np.maximum(words - 6, 0).sum()),
        "capitals": capitals,
        "digit groups": int((-(-runs(_DIGIT) // 3)).sum()),
        "blanks": runs(_BLANK).size - int(indents),
        "line breaks": runs(_BREAK).size,
        "tabs": runs(_TAB).size,
        "punctuation": signs.size,
        "punctuation beyond two": int(np.maximum(signs - 2, 0).sum()),
        "other letters": int(runs(_OTHER).sum()),
        "cjk": int(runs(_CJK).sum()),
        "astral": int(runs(_ASTRAL).sum()),
    }


def _words(kinds: NDArray[np.uint8], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the number of letters of every word, and how many runs of capitals there are."""
    upper = kinds == _UPPER
    lower = kinds == _LOWER
    led = upper[:-1] & lower[1:]  # the last capital belongs to the word after
    left = sizes.copy()
    left[:-1] -= led
    left[1:] += led
    alone = left[upper]
    words = np.concatenate((left[lower], alone[alone == 1]))
    return words, int(np.count_nonzero(alone > 1))


@functools.cache
def _class_table() -> NDArray[np.uint8]:
    """The class of every code point of the BMP, and of all beyond at the end."""
    table = np.full(0x10001, _OTHER, np.uint8)
    table[:0x80] = _PUNCTUATION
    for first, last in ((0x41, 0x5B), (0x61, 0x7B), (0xC0, 0x250), (0x1E00, 0x1F00)):
        for code in range(first, last):
            if chr(code).isalpha():
                table[code] = _UPPER if chr(code).isupper() else _LOWER
    table[0x30:0x3A] = _DIGIT
    table[[0x0A, 0x0D]] = _BREAK
    table[0x09], table[0x20] = _TAB, _BLANK
    for first, last in ((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7A4), (0xF900, 0xFB00)):
        table[first:last] = _CJK
    table[0x10000] = _ASTRAL
    return table
