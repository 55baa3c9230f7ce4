"""Tokenizers behind one protocol, and the table of them all.

Importing this package loads no vocabulary and no tokenizer library; a tokenizer loads what it needs
when it first counts. A new family is one file here and its lines in the table.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.estimates import ClassEstimator, QuarterEstimator, ScaledEstimator
from toon.tokenizers.gemma import GemmaTokenizer
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import OpenAITokenizer
from toon.tokenizers.rewriting import NFC


class Tokenizer(Protocol):
    """How one family of models splits text into tokens.

    Laws: the joined pieces are the text's UTF-8 bytes, and no piece is empty. Every text that
    encodes to UTF-8 can be counted. Text that looks like a special token is ordinary text. Threads
    may share a tokenizer.
    """

    @property
    def name(self) -> str:
        """The key in ``TOKENIZERS``, such as ``o200k_base``."""

    @property
    def label(self) -> str:
        """The name for people: the models that use it."""

    @property
    def exact(self) -> bool:
        """False for an estimate, True for the model's own tokens."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def pieces(self, text: str) -> list[bytes]:
        """Return every token's bytes, in order; a token may be part of a character."""

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return every token's number of bytes, in order; faster than ``pieces``."""


_O200K: Final = OpenAITokenizer("o200k_base", "OpenAI, GPT-4o and later")

TOKENIZERS: Final[dict[str, Tokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        _O200K,
        OpenAITokenizer("cl100k_base", "OpenAI, GPT-4 and GPT-3.5"),
        OpenModelTokenizer("llama3", "Llama 3"),
        OpenModelTokenizer("qwen3", "Qwen 3", NFC),
        OpenModelTokenizer("deepseek_v3", "DeepSeek V3"),
        OpenModelTokenizer("mistral_v3", "Mistral (v3 tokenizer, Tekken)"),
        GemmaTokenizer("gemma3", "Gemma 3"),
        OpenModelTokenizer("glm4", "GLM-4"),
        OpenModelTokenizer("kimi_k2", "Kimi K2"),
        QuarterEstimator("chars4", "≈ Characters / 4"),
        ClassEstimator("estimate", "≈ Estimate by character classes"),
        # Claude's tokenizer is not public. The factor for Opus 4.7 and later is from issue 65 of
        # sammcj/ingest, measured on prose and code (1.18 for earlier models).
        ScaledEstimator("claude", "≈ Claude (o200k × 1.53)", _O200K, 1.53),
    )
}


def get(name: str) -> Tokenizer:
    """Return the tokenizer of that name.

    Raises:
        ValueError: There is none; the message lists all names.
    """
    if name not in TOKENIZERS:
        raise ValueError(f"No tokenizer is named {name!r}. There are: {', '.join(TOKENIZERS)}")
    return TOKENIZERS[name]


def unusable() -> dict[str, str]:
    """Return why, by name, for each tokenizer that cannot count here; loads all others."""
    reasons = {}
    for name, tokenizer in TOKENIZERS.items():
        try:
            tokenizer.count("")
        except (RuntimeError, ImportError) as error:
            reasons[name] = str(error)
    return reasons
