"""Tokenizers behind one protocol, and the table of them all.

Importing this package loads no vocabulary and no tokenizer library; a tokenizer loads what it needs
when it first counts. A new family is one file here and its lines in the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Protocol, Self

from toon.installed import require

require("tokens", "toon.tokenizers")

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.claude import ClaudeTokenizer
from toon.tokenizers.estimates import ClassEstimator, QuarterEstimator, ScaledEstimator
from toon.tokenizers.facts import Error
from toon.tokenizers.fitted import FEWEST, FittedEstimator
from toon.tokenizers.gemma import GemmaTokenizer
from toon.tokenizers.open_models import OpenModelTokenizer, PublishedTokenizer
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

    @property
    def error(self) -> Error | None:
        """The measured error of an estimate; None if it is unknown, and for an exact tokenizer."""

    @property
    def band(self) -> str:
        """What to say beside a figure: ``exact``, ``≈ ±5 %`` or ``≈, error unknown``.

        The per cent is the 95th percentile of the measured errors.
        """

    @property
    def caveat(self) -> str:
        """What to say beside many figures: the band of tokens and of savings; "" if exact."""

    @property
    def kinds_caveat(self) -> str:
        """What to say beside tokens by kind of text; "" if exact."""

    @property
    def witnesses(self) -> tuple[str, ...]:
        """The public tokenizers that a recommendation by an estimate must agree with."""

    @property
    def evidence(self) -> str:
        """A sentence on what the figures were compared with, or where they come from."""

    def no_estimate(self, text: str, others: Iterable[str] = ()) -> str | None:
        """Return why the estimate does not hold for this text, or None; None if exact.

        ``others`` are the same payload in formats that it is compared with.
        """

    def at(self, tokens: float) -> Self:
        """Return what is known of a text of so many tokens: of short ones less may be."""

    def count(self, text: str) -> int:
        """Return the number of tokens."""

    def pieces(self, text: str) -> list[bytes]:
        """Return every token's bytes, in order; a token may be part of a character."""

    def lengths(self, text: str) -> NDArray[np.int64]:
        """Return every token's number of bytes, in order; faster than ``pieces``."""

    def ids(self, text: str) -> NDArray[Any] | None:
        """Return the id of every piece, in order; None where there are none or they are unknown."""


_BENCHMARK: Final = "for 1,329 of 1,329 prompts of toon-format's benchmark (f06ddca)"
_COMPARED: Final = "The same tokens on 12,000 texts as by the model's own file, read by {}."
_PUBLISHED: Final = "Vocabulary as published (in splintr-rs), not compared with the service."

_RECONSTRUCTED: Final = "Reconstructed (ctok), not compared with the service here."

_O200K: Final = OpenAITokenizer(
    "o200k_base",
    "OpenAI, GPT-4o and later",
    f"The count that gpt-5.4-nano reported {_BENCHMARK}, but for six tokens a call.",
)

_LLAMA: Final = OpenModelTokenizer(
    "llama3", "Llama 3", _COMPARED.format("Hugging Face's tokenizers")
)
_DEEPSEEK: Final = OpenModelTokenizer(
    "deepseek_v3", "DeepSeek V3", _COMPARED.format("Hugging Face's tokenizers")
)
_MISTRAL: Final = OpenModelTokenizer(
    "mistral_v3", "Mistral (v3 tokenizer, Tekken)", _COMPARED.format("mistral-common")
)

#: Of three families, the fastest first: they differ in how they cut numbers, words and signs.
_WITNESSES: Final = (_LLAMA, _MISTRAL, _DEEPSEEK)

_HAIKU: Final = FittedEstimator.read("claude_haiku_4_5", "≈ Claude Haiku 4.5", _O200K, _WITNESSES)

TOKENIZERS: Final[dict[str, Tokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        _O200K,
        OpenAITokenizer(
            "cl100k_base",
            "OpenAI, GPT-4 and GPT-3.5",
            "Counted by tiktoken, OpenAI's own library.",
        ),
        _LLAMA,
        OpenModelTokenizer("qwen3", "Qwen 3", _COMPARED.format("Hugging Face's tokenizers"), NFC),
        _DEEPSEEK,
        _MISTRAL,
        GemmaTokenizer(
            "gemma3",
            "Gemma 3",
            f"The count that gemini-3.6-flash reported {_BENCHMARK}, but for one token a call.",
        ),
        PublishedTokenizer("glm4", "GLM-4", _PUBLISHED),
        PublishedTokenizer("kimi_k2", "Kimi K2", _PUBLISHED),
        ClaudeTokenizer(
            "claude_3",
            "Claude 3 to 4.6",
            f"Reconstructed (ctok): the count that Claude Haiku 4.5 reported {_BENCHMARK}, but for"
            " seven tokens a call.",
            "v3",
        ),
        ClaudeTokenizer("claude_4_7", "Claude Opus 4.7", _RECONSTRUCTED, "v4.7"),
        ClaudeTokenizer("claude_4_8", "Claude Opus 4.8 and later", _RECONSTRUCTED, "v4.8"),
        QuarterEstimator(
            "chars4",
            "≈ Characters / 4",
            "The usual rule of thumb, compared with o200k_base on payloads of 31 kinds.",
            Error(0.348, 0.748, 0.449, 2610, "o200k_base on payloads of 31 kinds", FEWEST),
        ),
        ClassEstimator(
            "estimate",
            "≈ Estimate by character classes",
            "Fitted to o200k_base on half of the samples, compared on payloads of 30 kinds.",
            Error(0.056, 0.328, 0.198, 2455, "o200k_base on payloads of 30 kinds", FEWEST),
        ),
        _HAIKU,
        _HAIKU.unmeasured(
            "claude_4_6",
            "≈ Claude Sonnet and Opus up to 4.6",
            "Estimated as Claude Haiku 4.5: Anthropic's notes name a new tokenizer only from Opus"
            " 4.7 on. The error is unknown.",
        ),
        FittedEstimator.read("grok_4_5", "≈ Grok 4.5", _O200K, _WITNESSES),
        ScaledEstimator(
            "claude",
            "≈ Claude Opus 4.7 and later, one user's factor (o200k × 1.53)",
            "One user's factor from prose and code (issue 65 of sammcj/ingest; 1.18 for earlier"
            " models); Claude's tokenizer is not public, and the error is unknown.",
            _O200K,
            1.53,
        ),
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


#: A text that no estimate refuses for what it holds, so that its witnesses are asked too.
_WITNESSED: Final = '[{"id":1,"name":"Ada"},{"id":2,"name":"Max"}]'


def unusable() -> dict[str, str]:
    """Return why, by name, for each tokenizer that cannot count here; loads all others."""
    reasons = {}
    for name, tokenizer in TOKENIZERS.items():
        try:
            tokenizer.count("")
            tokenizer.no_estimate(_WITNESSED)
        except (RuntimeError, ImportError) as error:
            reasons[name] = str(error)
    return reasons
