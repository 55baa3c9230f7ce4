"""OpenAI's encodings counted by splintr, several times as fast as by tiktoken, with its figures.

The two were compared on every code point of Unicode in a dozen surroundings, and on 1.4 million
random texts: they cut alike, but for ``'ſ``, which is an ``'s`` to tiktoken alone. A text with that
letter, or with the start of a special token, is counted by tiktoken itself.
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
def quick(name: str) -> Tokenizer:
    """The tokenizer of that name, or one that gives the same figures sooner.

    Raises:
        ValueError: There is none of that name.
    """
    tokenizer = tokenizers.get(name)
    return _Quick(tokenizer) if isinstance(tokenizer, OpenAITokenizer) else tokenizer


class _Quick:
    """One of OpenAI's encodings, by whichever library may be trusted with a text."""

    exact = True

    def __init__(self, reference: OpenAITokenizer) -> None:
        self.name = reference.name
        self.label = reference.label
        self._reference = reference
        self._quick = OpenModelTokenizer(reference.name, reference.label)

    def count(self, text: str) -> int:
        return self._for(text).count(text)

    def pieces(self, text: str) -> list[bytes]:
        return self._for(text).pieces(text)

    def lengths(self, text: str) -> NDArray[np.int64]:
        return self._for(text).lengths(text)

    def _for(self, text: str) -> Tokenizer:
        return self._reference if "ſ" in text or "<|" in text else self._quick
