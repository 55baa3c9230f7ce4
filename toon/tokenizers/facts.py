"""The facts that every tokenizer states, and the two tokenizers that count no model's tokens."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray


class Counter:
    """The base class of tokenizers, made for one that gives a model's own tokens."""

    exact = counted = True

    def __init__(self, name: str, label: str, evidence: str = "") -> None:
        self.name, self.label, self.evidence = name, label, evidence

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return the number of bytes of every token of a text, in order."""
        raise NotImplementedError

    def pieces(self, text: str) -> list[bytes]:
        """Return the bytes of every token of a text, in order."""
        raw, ends = text.encode(), np.cumsum(self.lengths(text)).tolist()
        return [raw[start:end] for start, end in pairwise([0, *ends])]


class QuarterRule(Counter):
    """The usual rule of thumb, a token for every four characters, rounded up: no model's tokens.

    Every method raises ``UnicodeEncodeError`` for a lone surrogate.
    """

    exact = False

    def __init__(self) -> None:
        super().__init__(
            "chars4",
            "Characters / 4, what other tools show",
            "A rule of thumb for English prose, shown for comparison; no model counts so.",
        )

    def count(self, text: str) -> int:
        return self.lengths(text).size

    def lengths(self, text: str) -> NDArray[np.int64]:
        size, count = len(text.encode()), -(-len(text) // 4)
        return np.diff(np.arange(count + 1) * size // max(1, count))

    def ids(self, text: str) -> None:
        """Return None: there are no tokens."""


class UncountedError(RuntimeError):
    """A model's tokens cannot be counted here; the message says why, and what to do."""


class Uncounted(Counter):
    """A stand-in for a tokenizer that nobody has published: every count raises UncountedError."""

    exact = counted = False

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, why, f"{why}.")

    def _refuse(self, text: str) -> NoReturn:
        raise UncountedError(self.evidence)

    count = pieces = lengths = _refuse

    def ids(self, text: str) -> NDArray[Any] | None:
        self._refuse(text)
