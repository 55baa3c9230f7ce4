"""OpenAI's encodings counted by splintr: tiktoken's figures, several times as fast.

Both were compared on every Unicode code point in a dozen contexts and on 1.4 million random texts.
They differ only on ``'ſ``, which tiktoken treats as ``'s``. A text with that letter, or with the
start of a special token, is counted by tiktoken.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from toon import tokenizers
from toon.tokenizers import Tokenizer
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import OpenAITokenizer


@functools.cache
def get_fast(name: str) -> Tokenizer:
    """Return the tokenizer of that name, or a faster one with the same figures.

    Raises:
        ValueError: There is none of that name.
    """
    tokenizer = tokenizers.get(name)
    return _FastTokenizer(tokenizer) if isinstance(tokenizer, OpenAITokenizer) else tokenizer


class _FastTokenizer:
    """One of OpenAI's encodings; counts each text with the fastest library that is exact for it."""

    exact = True

    def __init__(self, reference: OpenAITokenizer) -> None:
        self.name = reference.name
        self.label = reference.label
        self._reference = reference
        self._fast = OpenModelTokenizer(reference.name, reference.label)

    def count(self, text: str) -> int:
        return self._for(text).count(text)

    def pieces(self, text: str) -> list[bytes]:
        return self._for(text).pieces(text)

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._for(text).lengths(text)

    def _for(self, text: str) -> Tokenizer:
        return self._reference if "ſ" in text or "<|" in text else self._fast
