"""Tokenizers behind one protocol, and the table of them all.

Importing this loads no vocabulary and none of the libraries behind it: a tokenizer loads what it
needs when it first counts. A new family is one file here and its lines in the table.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.openai import OpenAITokenizer


class Tokenizer(Protocol):
    """How one family of models cuts text into tokens.

    Laws: the pieces joined are the text's UTF-8 bytes, and none of them is empty. Any text that
    encodes to UTF-8 can be counted: what looks like a special token is ordinary text, never the
    token itself. Tokenizers may be shared by threads.
    """

    @property
    def name(self) -> str:
        """The key in ``TOKENIZERS``, such as ``o200k_base``."""

    @property
    def label(self) -> str:
        """What people know it by: the models that use it."""

    @property
    def exact(self) -> bool:
        """Whether these are the model's own tokens, not an estimate."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def pieces(self, text: str) -> list[bytes]:
        """Return every token's bytes, in order; a token may hold part of a character."""

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return every token's number of bytes, in order, faster than ``pieces`` would."""


TOKENIZERS: Final[dict[str, Tokenizer]] = {
    "o200k_base": OpenAITokenizer("o200k_base", "OpenAI, GPT-4o and later"),
    "cl100k_base": OpenAITokenizer("cl100k_base", "OpenAI, GPT-4 and GPT-3.5"),
}


def get(name: str) -> Tokenizer:
    """Return the tokenizer of that name.

    Raises:
        ValueError: There is none; the message lists those there are.
    """
    if name not in TOKENIZERS:
        raise ValueError(f"No tokenizer is named {name!r}. There are: {', '.join(TOKENIZERS)}")
    return TOKENIZERS[name]
