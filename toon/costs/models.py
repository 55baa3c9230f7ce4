"""The models people choose: each brings its tokenizer, its evidence and its price.

Prices and context windows are not here: ``toon.costs.prices`` has them by ``Model.price``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple

from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Verdict
from toon.formats import RECOMMENDED
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers.fitted import read_fits
from toon.wording import marked, plural


@dataclass(frozen=True, slots=True)
class Model:
    """A model, and what is known of its counts.

    Attributes:
        name: The key in ``MODELS``, such as ``gpt-5``.
        label: The name for people.
        provider: The company that makes it.
        tokenizer: A key of ``toon.tokenizers.TOKENIZERS``; it says how exact the figures are.
        price: A key of ``toon.costs.prices.offers``, or None where no price fits.
        frame: The tokens that a call has besides its text, as its service reported;
            None: unknown. Of an estimate it was fitted, and is one too.
        source: Why the tokenizer is right for it; "": the tokenizer's evidence says so.
    """

    name: str
    label: str
    provider: str
    tokenizer: str
    price: str | None = None
    frame: int | None = None
    source: str = ""

    @property
    def evidence(self) -> str:
        """What the counts were compared with, or where they come from."""
        return self.source or tokenizers.get(self.tokenizer).evidence

    @property
    def band(self) -> str:
        """What to say beside a figure: that of the tokenizer."""
        return tokenizers.get(self.tokenizer).band

    @property
    def frame_words(self) -> str:
        """What a call has besides its text, as a sentence; "" where that is unknown."""
        if self.frame is None:
            return ""
        exact = tokenizers.get(self.tokenizer).exact
        return f"A call has {marked(plural(self.frame, 'token'), exact=exact)} more, its frame."


_TIKTOKEN: Final = "tiktoken, OpenAI's own library, counts it with {}."
_GENAI: Final = "google-genai, Google's own library, counts it with gemma3 (its LocalTokenizer)."


def _openai(
    name: str, label: str, tokenizer: str = "o200k_base", frame: int | None = None
) -> Model:
    source = _TIKTOKEN.format(tokenizer) if frame is None else ""
    return Model(name, label, "OpenAI", tokenizer, f"openai/{name}", frame, source)


def _google(name: str, label: str, frame: int | None = None) -> Model:
    source = _GENAI if frame is None else ""
    return Model(name, label, "Google", "gemma3", f"google/{name}", frame, source)


def _anthropic(name: str, label: str, tokenizer: str) -> Model:
    return Model(name, label, "Anthropic", tokenizer, f"anthropic/{name.replace('.', '-')}")


MODELS: Final[dict[str, Model]] = {
    model.name: model
    for model in (
        _openai("gpt-5", "GPT-5"),
        _openai("gpt-5-mini", "GPT-5 mini"),
        _openai("gpt-5-nano", "GPT-5 nano"),
        _openai("gpt-5.2", "GPT-5.2"),
        _openai("gpt-5.4", "GPT-5.4"),
        _openai("gpt-5.4-mini", "GPT-5.4 mini"),
        _openai("gpt-5.4-nano", "GPT-5.4 nano", frame=6),
        _openai("gpt-5.5", "GPT-5.5"),
        _openai("o3", "o3"),
        _openai("o4-mini", "o4-mini"),
        _openai("gpt-4.1", "GPT-4.1"),
        _openai("gpt-4.1-mini", "GPT-4.1 mini"),
        _openai("gpt-4o", "GPT-4o"),
        _openai("gpt-4o-mini", "GPT-4o mini"),
        _openai("gpt-4", "GPT-4", "cl100k_base"),
        _openai("gpt-3.5-turbo", "GPT-3.5 Turbo", "cl100k_base"),
        _google("gemini-3.6-flash", "Gemini 3.6 Flash", frame=1),
        _google("gemini-2.5-pro", "Gemini 2.5 Pro"),
        _google("gemini-2.5-flash", "Gemini 2.5 Flash"),
        _anthropic("claude-haiku-4.5", "Claude Haiku 4.5", "claude_haiku_4_5"),
        _anthropic("claude-sonnet-4.6", "Claude Sonnet 4.6", "claude_4_6"),
        _anthropic("claude-opus-4.6", "Claude Opus 4.6", "claude_4_6"),
        _anthropic("claude-opus-4.7", "Claude Opus 4.7", "claude"),
        _anthropic("claude-opus-4.8", "Claude Opus 4.8", "claude"),
        Model(
            "grok-4.5", "Grok 4.5", "xAI", "grok_4_5", "x-ai/grok-4.5",
            frame=round(read_fits()["grok_4_5"]["frame"]),
        ),
        Model("llama-3", "Llama 3", "Meta", "llama3"),
        Model("qwen-3", "Qwen 3", "Alibaba", "qwen3"),
        Model("deepseek-v3", "DeepSeek V3", "DeepSeek", "deepseek_v3", "deepseek/deepseek-chat"),
        Model(
            "mistral-nemo", "Mistral Nemo (Tekken)", "Mistral", "mistral_v3",
            "mistral/mistral-nemo",
        ),
        Model("glm-4", "GLM-4", "Z.ai", "glm4", "zai/GLM-4-32B-0414-128K"),
        Model(
            "kimi-k2", "Kimi K2", "Moonshot AI", "kimi_k2", "moonshotai/kimi-k2-0905-preview"
        ),
    )
}  # fmt: skip


def get(name: str) -> Model:
    """The model of that name, in any case and with hyphens for points, as services write it.

    Raises:
        ValueError: There is none; the message lists near names, or all if none is near.
    """
    key = _key(name)
    model = next((model for model in MODELS.values() if _key(model.name) == key), None)
    if model is None:
        raise ValueError(f"No model is named {name!r}. {near_names(name)}")
    return model


def _key(name: str) -> str:
    return name.strip().lower().replace(".", "-")


def near_names(name: str) -> str:
    """The names near an unknown one in words, or all names if none is near."""
    near = get_close_matches(name.lower(), MODELS, 5)
    return f"Near it: {', '.join(near)}" if near else f"There are: {', '.join(MODELS)}"


def default() -> Model:
    """The model that holds until another is chosen."""
    return MODELS["gpt-5"]


def refusal(reason: str) -> str:
    """Why there are no figures (``no_estimate`` of a verdict), and what to do, as sentences."""
    return f"{reason}. Choose a model whose tokens are counted, such as {default().label}."


class Choice(NamedTuple):
    """What to count by: a tokenizer, for the model that brings it if one was chosen."""

    tokenizer: str
    model: Model | None = None

    @property
    def name(self) -> str:
        """The model's name for people; without a model the tokenizer's."""
        return self.model.label if self.model else self.tokenizer

    def title(self, band: str | None = None) -> str:
        """The name and the band, the tokenizer's or another; an exact one's name alone."""
        band = band or tokenizers.get(self.tokenizer).band
        return self.name if self.model is None and band == "exact" else f"{self.name}, {band}"

    def evidence(self) -> str:
        """What counts, what it was compared with, and what a call has besides its text.

        The error of an estimate is not in it: the counter's ``band`` and ``caveat`` say it.
        """
        counter = tokenizers.get(self.tokenizer)
        exact = ", exact" if counter.band == "exact" else ""
        known = self.model.evidence if self.model else counter.evidence
        frame = self.model.frame_words if self.model else ""
        return " ".join(filter(None, [f"Tokenizer {self.tokenizer}{exact}.", known, frame]))


def choose(name: str) -> Choice:
    """The choice of a model, or of a tokenizer, by its name.

    Raises:
        ValueError: Neither has that name.
    """
    return Choice(name) if name in tokenizers.TOKENIZERS else Choice(get(name).tokenizer, get(name))


def choices(models: Iterable[str], others: Iterable[str]) -> list[Choice]:
    """The models, then the other tokenizers, each once; the default tokenizer for none."""
    chosen = [choose(name) for name in dict.fromkeys([*models, *others])]
    return chosen or [Choice(DEFAULT_TOKENIZER)]


def tokenizers_of(choices: Iterable[Choice]) -> list[str]:
    """The tokenizers to count by, each once."""
    return list(dict.fromkeys(choice.tokenizer for choice in choices))


def verdict_for(
    choice: Choice,
    document: Document,
    explaining: Explaining = ALONE,
    formats: Iterable[str] = RECOMMENDED,
) -> Verdict:
    """The answer of :func:`toon.costs.answer.answer`, for the model if one was chosen."""
    found = answer(document, choice.tokenizer, explaining, tuple(formats))
    return found if choice.model is None else {**found, "model": choice.model.name}
