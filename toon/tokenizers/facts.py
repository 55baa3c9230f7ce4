"""The base class of tokenizers, and the two that count no model's tokens."""

from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray


class Tokenizer:
    """The way in which one family of models splits a text into tokens; a base class.

    Laws: the joined pieces are the text's UTF-8 bytes, and no piece is empty. Every text that
    encodes to UTF-8 can be counted. Text that looks like a special token is ordinary text. Threads
    may share a tokenizer.

    Attributes:
        name: The key in ``TOKENIZERS``, such as ``o200k_base``.
        label: The name for people: the models that use it.
        evidence: A sentence on what its counts were compared with, or where its vocabulary is from.
        exact: Whether its tokens are a model's own; False for a rule of thumb and for a stand-in.
        counted: Whether it can count; False for a stand-in of a tokenizer that nobody published.
    """

    exact = counted = True

    def __init__(self, name: str, label: str, evidence: str = "") -> None:
        self.name, self.label, self.evidence = name, label, evidence

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self.lengths(text).size

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return the number of bytes of every token of a text, in order."""
        raise NotImplementedError

    def pieces(self, text: str) -> list[bytes]:
        """Return the bytes of every token of a text, in order; some are part of a character."""
        raw, ends = text.encode(), np.cumsum(self.lengths(text)).tolist()
        return [raw[start:end] for start, end in pairwise([0, *ends])]

    def ids(self, text: str) -> NDArray[Any] | None:
        """Return the id of every token of a text, in order; None where nobody knows them."""
        return None


class QuarterRule(Tokenizer):
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

    def lengths(self, text: str) -> NDArray[np.int64]:
        size, count = len(text.encode()), -(-len(text) // 4)
        return np.diff(np.arange(count + 1) * size // max(1, count))


class UncountedError(RuntimeError):
    """Raised where a model's tokens cannot be counted here; the message says why and what to do."""


class Uncounted(Tokenizer):
    """A stand-in for a tokenizer that nobody has published: every count raises UncountedError."""

    exact = counted = False

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason, f"{reason}.")

    def _refuse(self, text: str) -> NoReturn:
        raise UncountedError(self.evidence)

    count = lengths = pieces = ids = _refuse
