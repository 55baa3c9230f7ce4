"""Counts OpenAI's encodings with splintr: the same figures as tiktoken, several times as fast.

The two were compared on every Unicode code point in a dozen contexts and on 1.4 million random
texts. They differ only on ``'ſ``, which tiktoken treats as ``'s``. tiktoken therefore counts a text
with ``ſ``, and one with ``<|``, the start of a special token.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from toon import tokenizers
from toon.tokenizers import Tokenizer
from toon.tokenizers.facts import Counter
from toon.tokenizers.open_models import OpenModelTokenizer, ordinary_tokens
from toon.tokenizers.openai import OpenAITokenizer

_ID_BYTES: Final = np.dtype(np.uint32).itemsize


@functools.cache
def get_fast(name: str) -> Tokenizer:
    """Return the tokenizer ``name``, or a faster one with the same figures.

    OpenAI's encodings have one.

    Raises:
        ValueError: No tokenizer has that name.
    """
    tokenizer = tokenizers.get(name)
    if isinstance(tokenizer, OpenAITokenizer):
        return _FastTokenizer(tokenizer)
    return tokenizer


class _FastTokenizer(Counter):
    """One of OpenAI's encodings; splintr counts every text for which it is exact."""

    def __init__(self, reference: OpenAITokenizer) -> None:
        super().__init__(reference.name, reference.label, reference.evidence)
        self._reference = reference
        self._fast = OpenModelTokenizer(reference.name, reference.label)

    def count(self, text: str) -> int:
        if self._for(text) is self._reference:
            return self._reference.count(text)
        # Every special token starts with "<|", so none is found: the ids alone tell the number.
        return len(self._fast.load().encoder.encode_flat(text)) // _ID_BYTES

    def pieces(self, text: str) -> list[bytes]:
        return self._for(text).pieces(text)

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._for(text).lengths(text)

    def ids(self, text: str) -> NDArray[Any]:
        if self._for(text) is self._reference:
            return self._reference.ids(text)
        return ordinary_tokens(self._fast.load(), text)[0]

    def _for(self, text: str) -> Tokenizer:
        return self._reference if "ſ" in text or "<|" in text else self._fast
