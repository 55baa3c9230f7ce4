"""The table of all tokenizers.

Importing this package loads no vocabulary and no tokenizer library; a tokenizer loads what it needs
when it first counts. A new family is one file here and its lines in the table.
"""

from typing import Final

from toon.installed import require

require("tokens", "toon.tokenizers")

from toon.tokenizers.claude import ClaudeTokenizer
from toon.tokenizers.facts import QuarterRule, Tokenizer, Uncounted, UncountedError
from toon.tokenizers.gemma import GemmaTokenizer
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import OpenAITokenizer
from toon.tokenizers.rewriting import NFC

__all__ = ["EXACT", "TOKENIZERS", "Tokenizer", "UncountedError", "find_unusable", "get"]


_AS_TIKTOKEN: Final = "The same tokens as by tiktoken, OpenAI's own library, on 1.4 million texts."
_COMPARED: Final = "The same tokens on 12,000 texts as by the model's own file, read by {}."
_PUBLISHED: Final = "Vocabulary as published (in splintr-rs), not compared with the service."
_REBUILT: Final = "Reconstructed (ctok 1.3), not compared with the service here."

TOKENIZERS: Final[dict[str, Tokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        OpenAITokenizer("o200k_base", "OpenAI, GPT-4o and later", _AS_TIKTOKEN),
        OpenAITokenizer("cl100k_base", "OpenAI, GPT-4 and GPT-3.5", _AS_TIKTOKEN),
        ClaudeTokenizer("claude_4_8", "Claude Opus 4.8, Sonnet 5 and later", _REBUILT, "v4.8"),
        ClaudeTokenizer("claude_4_7", "Claude Opus 4.7", _REBUILT, "v4.7"),
        ClaudeTokenizer(
            "claude_3",
            "Claude 3 to 4.6",
            "Reconstructed (ctok 1.3); equal to 1,329 counts of Claude Haiku 4.5.",
            "v3",
        ),
        GemmaTokenizer("gemma3", "Gemini, Gemma 3", "Equal to 1,329 counts of Gemini 3.6 Flash."),
        OpenModelTokenizer("llama3", "Llama 3", _COMPARED.format("Hugging Face's tokenizers")),
        OpenModelTokenizer("qwen3", "Qwen 3", _COMPARED.format("Hugging Face's tokenizers"), NFC),
        OpenModelTokenizer(
            "deepseek_v3", "DeepSeek V3", _COMPARED.format("Hugging Face's tokenizers")
        ),
        OpenModelTokenizer("mistral_v3", "Mistral (Tekken)", _COMPARED.format("mistral-common")),
        OpenModelTokenizer("glm4", "GLM-4", _PUBLISHED),
        OpenModelTokenizer("kimi_k2", "Kimi K2", _PUBLISHED),
        OpenModelTokenizer("kimi_k3", "Kimi K3", _PUBLISHED),
        OpenModelTokenizer("phi4", "Phi-4", _PUBLISHED),
        OpenModelTokenizer("olmo2", "OLMo 2", _PUBLISHED),
        QuarterRule(),
    )
}

#: Stand-ins for the tokenizers of models that cannot be counted here: each count says why.
_UNCOUNTED: Final[dict[str, Tokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        Uncounted(
            "ask-service",
            "Only its service counts for this model: ask it in the app, or by toon stats --service",
        ),
        Uncounted("uncounted", "Nobody publishes the vocabulary of this model"),
    )
}


#: The names of the tokenizers that give a model's own tokens: all but the rule of thumb.
EXACT: Final = tuple(name for name, tokenizer in TOKENIZERS.items() if tokenizer.exact)


def get(name: str) -> Tokenizer:
    """Return a tokenizer by its name, such as ``o200k_base``.

    Raises:
        ValueError: No tokenizer has that name; the message lists all names.
    """
    tokenizer = TOKENIZERS.get(name) or _UNCOUNTED.get(name)
    if tokenizer is None:
        raise ValueError(f"No tokenizer is named {name!r}. There are: {', '.join(TOKENIZERS)}")
    return tokenizer


def find_unusable() -> dict[str, str]:
    """Load all tokenizers; return by name the reason why one cannot count on this machine."""
    reasons = {}
    for name, tokenizer in TOKENIZERS.items():
        try:
            tokenizer.count("")
        except (RuntimeError, ImportError) as error:
            reasons[name] = str(error)
    return reasons
