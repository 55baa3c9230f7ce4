"""Estimates for models whose tokenizer is not public; their labels say so.

An estimate gives the number of tokens, not where they end. Its pieces are that many runs of bytes:
of nearly equal size, or spread as the tokens of the tokenizer that the estimate stands on. So a
breakdown by them is an estimate too, whose error nobody has measured. An estimate is at most the
number of bytes: a piece without a byte would have no kind. A text that comes near that has no
estimate, nor has a payload that reaches it in another format, so the bound never changes how two
texts compare.
"""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.facts import UNMEASURED, Error, Estimated
from toon.tokenizers.strange import too_strange

#: Tokens a byte, above which a text is unlike any that was estimated: JSON has 0.3 to 0.5.
MOST_TOKENS: Final = 0.8

_DELIMITER: Final = re.compile(r"(?<=\S)[\t|]")


class Estimator(Estimated):
    """The base class of estimators; a subclass estimates the number of tokens.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate.
    """

    def __init__(self, name: str, label: str, evidence: str, error: Error | None) -> None:
        self.name = name
        self.label = label
        self.evidence = evidence
        self.error = error

    def no_estimate(self, text: str, others: Iterable[str] = ()) -> str | None:
        """Return why the estimate does not hold for a text like this, or None.

        The reason names what makes the text unlike those that the error was measured on.
        """
        unlike = self._unlike(text) or self._unlike_beside(list(others))
        within = f" within {self.error.within}" if self.error else ""
        return unlike and f"No estimate{within} for this text: {unlike}"

    def _unlike(self, text: str) -> str | None:
        if unlike := too_strange(text):
            return unlike
        is_dense = self._density(text) > MOST_TOKENS
        return "it has a token for nearly every byte" if is_dense else None

    def _unlike_beside(self, others: list[str]) -> str | None:
        if any(self._density(other) > 1 for other in others):
            return "in another format it would have a token for every byte"
        return None

    def _density(self, text: str) -> float:
        """Return the tokens a byte, of which there may be more than one."""
        return self._estimated(text) / max(1, len(text.encode()))

    def count(self, text: str) -> int:
        """Return the estimated number of tokens."""
        return self._capped(text, len(text.encode()))

    def pieces(self, text: str) -> list[bytes]:
        """Return the text's bytes in as many runs as the estimate has tokens."""
        raw = text.encode()
        ends = np.cumsum(self.lengths(text)).tolist()
        return [raw[start:end] for start, end in pairwise([0, *ends])]

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return the number of bytes of every piece; any two differ by at most one."""
        size = len(text.encode())
        return _spread(self._capped(text, size), np.ones(1), np.array([size]))

    def ids(self, text: str) -> None:
        """Return None: an estimate has no tokens of its own."""

    def _capped(self, text: str, size: int) -> int:
        return min(size, max(1, self._estimated(text))) if text else 0

    def _estimated(self, text: str) -> int:
        raise NotImplementedError


def _spread(
    count: int, weights: NDArray[np.float64], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the lengths of ``count`` pieces of at least a byte.

    A run of ``sizes`` bytes gets as large a share of the pieces as its weight has of all weights.
    """
    if not count:
        return np.zeros(0, np.int64)
    number = np.arange(1, count + 1)
    shares = np.cumsum(weights) / weights.sum() * count
    ends = np.interp(number, np.append(0, shares), np.append(0, np.cumsum(sizes)))
    before = np.maximum.accumulate(np.maximum(np.rint(ends).astype(np.int64) - number, 0))
    whole: NDArray[np.int64] = np.minimum(before, sizes.sum() - count) + number
    whole[-1] = sizes.sum()  # floats may have lost its last byte
    return np.diff(whole, prepend=0)


class QuarterEstimator(Estimator):
    """One token for every four characters (code points), rounded up: the usual rule of thumb.

    It was made for English prose and gives half the cost of tables and compact lines.
    """

    def _estimated(self, text: str) -> int:
        return -(-len(text) // 4)


class Base(Protocol):
    """A tokenizer that an estimator stands on."""

    @property
    def name(self) -> str: ...
    def count(self, text: str) -> int: ...
    def ids(self, text: str) -> NDArray[Any]: ...
    def lengths(self, text: str) -> NDArray[np.int64]: ...


class BasedEstimator(Estimator):
    """An estimate from the tokens of another tokenizer."""

    def __init__(
        self, name: str, label: str, evidence: str, error: Error | None, base: Base
    ) -> None:
        super().__init__(name, label, evidence, error)
        self.base = base

    @property
    def kinds_caveat(self) -> str:
        return f"Estimated tokens are spread as those of {self.base.name}: {UNMEASURED}"

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return the number of bytes of every piece; they are spread as the base's tokens."""
        count = self._capped(text, len(text.encode()))
        read = self._read(text)
        return _spread(count, self._weights_of(read), self.base.lengths(read))

    def _read(self, text: str) -> str:
        """Return what the base reads in place of a text, of as many bytes."""
        return text

    def _weights_of(self, text: str) -> NDArray[np.float64]:
        """Return the weight of every token that the base finds in a text."""
        return np.ones(self.base.count(text))

    def on(self, base: Base) -> Self:
        """Return the same estimator on a tokenizer with the same tokens."""
        moved = copy.copy(self)
        moved.base = base
        return moved


class ScaledEstimator(BasedEstimator):
    """Another tokenizer's count times a factor, rounded; nobody has measured the error."""

    def __init__(self, name: str, label: str, evidence: str, base: Base, factor: float) -> None:
        super().__init__(name, label, evidence, None, base)
        self._factor = factor

    def _estimated(self, text: str) -> int:
        return int(self.base.count(text) * self._factor + 0.5)


class ClassEstimator(Estimator):
    """A sum of counts of character classes, weighted by ``WEIGHTS``.

    The weights were fitted to o200k_base on half of some payloads in JSON and TOON.
    ``tests/benchmarks/estimators.py`` fits them and prints their errors, on payloads they were not
    fitted to as well. Counts of other models differ from o200k_base's. By the weights alone a tab
    would cost less than a comma in a quarter of all tables, in more than by any public tokenizer.
    """

    def _estimated(self, text: str) -> int:
        features = class_features(with_commas(text))
        return int(sum(weight * features[name] for name, weight in WEIGHTS.items()) + 0.5)


def with_commas(text: str) -> str:
    """Return a text with commas for the other delimiters, which no estimate tells from them."""
    return _DELIMITER.sub(",", text) if "\t" in text or "|" in text else text


#: Tokens for one unit of each feature; see ``class_features``.
WEIGHTS: Final = {
    "words": 0.67,
    "letters beyond six": 0.17,
    "capitals": 1.54,
    "digit groups": 1.18,
    "blanks": 0.4,
    "line breaks": 1.55,
    "tabs": 0.88,
    "punctuation": 0.92,
    "punctuation beyond two": 0.4,
    "other letters": 0.46,
    "cjk": 0.54,
    "astral": 2.0,
}

_OTHER, _UPPER, _LOWER, _DIGIT, _BLANK, _BREAK, _TAB, _PUNCTUATION, _CJK, _ASTRAL = range(10)


def class_features(text: str) -> dict[str, int]:
    """Count the features of a text that encodes to UTF-8, which are mostly runs of one class.

    ``words``: runs of Latin lower-case letters with the capital before them, and single capitals.
    ``letters beyond six``: letters after the sixth of each word. ``capitals``: runs of at least two
    capitals. ``digit groups``: groups of up to three digits. ``blanks``: runs of blanks, without
    indentation. ``line breaks``: runs of line breaks. ``tabs``: runs of tabs. ``punctuation``: runs
    of ASCII punctuation and control characters; ``punctuation beyond two``: characters after the
    second of each. ``cjk``: Chinese, Japanese and Korean characters. ``astral``: characters beyond
    U+FFFF. ``other letters``: all other characters.
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
    """Return the number of letters of every word, and the number of runs of capitals."""
    upper = kinds == _UPPER
    lower = kinds == _LOWER
    led = upper[:-1] & lower[1:]  # the last capital belongs to the next word
    left = sizes.copy()
    left[:-1] -= led
    left[1:] += led
    alone = left[upper]
    words = np.concatenate((left[lower], alone[alone == 1]))
    return words, int(np.count_nonzero(alone > 1))


@functools.cache
def _class_table() -> NDArray[np.uint8]:
    """The class of every code point up to U+FFFF; the last item is that of all others."""
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
