"""The models people choose: each brings its tokenizer, its evidence and its price.

Prices and context windows are not here: ``toon.costs.prices`` reads them by ``Model.price``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from toon import tokenizers
from toon.costs.answer import Verdict, verdict
from toon.costs.compare import Row
from toon.costs.explanation import ALONE, Explaining
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import facts


@dataclass(frozen=True, slots=True)
class Model:
    """A model, and what is known of its counts.

    Attributes:
        name: The key in ``MODELS``, such as ``gpt-5``.
        label: The name for people.
        provider: The company that makes it.
        tokenizer: A key of ``toon.tokenizers.TOKENIZERS``.
        price: A key of ``toon.costs.prices.models``, or None where no price fits.
        compared: Whether the counts were compared with those that its service reported.
        frame: The tokens that a call has besides its text, as its service reported; None: unknown.
        source: Why the tokenizer is right for it, or the nearest; "": the tokenizer's evidence.
    """

    name: str
    label: str
    provider: str
    tokenizer: str
    price: str | None = None
    compared: bool = False
    frame: int | None = None
    source: str = ""

    @property
    def exact(self) -> bool:
        """Whether the counts are the tokens of its own vocabulary, and not an estimate."""
        return tokenizers.get(self.tokenizer).exact

    @property
    def error(self) -> facts.Error | None:
        """The error measured on this model; None if it is unknown, and for an exact count."""
        return tokenizers.get(self.tokenizer).error if self.compared else None

    @property
    def evidence(self) -> str:
        """What the counts were compared with, or where they come from."""
        known = self.source or tokenizers.get(self.tokenizer).evidence
        return known if self.compared else f"{known} Not compared with the counts of a service."

    @property
    def band(self) -> str:
        """What to say beside a figure, as :func:`toon.tokenizers.facts.band` does."""
        if self.exact and not self.compared:
            return "published vocabulary, service not compared"
        return facts.band(self)


_TIKTOKEN: Final = "tiktoken, OpenAI's own library, counts it with {}."
_GENAI: Final = "Google's own library google-genai counts it with gemma3 (its LocalTokenizer)."
_AS_HAIKU: Final = (
    "Estimated as Claude Haiku 4.5: Anthropic's notes name a new tokenizer only from Opus 4.7 on."
)
_SPLINTR: Final = "Vocabulary as published (in splintr-rs)."


def _openai(name: str, label: str, tokenizer: str = "o200k_base") -> Model:
    price = f"openai/{name}"
    return Model(name, label, "OpenAI", tokenizer, price, source=_TIKTOKEN.format(tokenizer))


def _gemini(name: str, label: str) -> Model:
    return Model(name, label, "Google", "gemma3", f"google/{name}", source=_GENAI)


MODELS: Final[dict[str, Model]] = {
    model.name: model
    for model in (
        _openai("gpt-5", "GPT-5"),
        _openai("gpt-5-mini", "GPT-5 mini"),
        _openai("gpt-5.4", "GPT-5.4"),
        Model(
            "gpt-5.4-nano", "GPT-5.4 nano", "OpenAI", "o200k_base", "openai/gpt-5.4-nano", True, 6
        ),
        _openai("gpt-5.5", "GPT-5.5"),
        _openai("gpt-4.1", "GPT-4.1"),
        _openai("gpt-4o", "GPT-4o"),
        _openai("gpt-4o-mini", "GPT-4o mini"),
        _openai("gpt-4", "GPT-4", "cl100k_base"),
        _openai("gpt-3.5-turbo", "GPT-3.5 Turbo", "cl100k_base"),
        Model(
            "gemini-3.6-flash", "Gemini 3.6 Flash", "Google", "gemma3", "google/gemini-3.6-flash",
            True, 1,
        ),
        _gemini("gemini-2.5-pro", "Gemini 2.5 Pro"),
        _gemini("gemini-2.5-flash", "Gemini 2.5 Flash"),
        Model(
            "claude-haiku-4.5", "Claude Haiku 4.5", "Anthropic", "claude_haiku_4_5",
            "anthropic/claude-haiku-4-5", True,
        ),
        Model(
            "claude-sonnet-4.6", "Claude Sonnet 4.6", "Anthropic", "claude_haiku_4_5",
            "anthropic/claude-sonnet-4-6", source=_AS_HAIKU,
        ),
        Model(
            "claude-opus-4.7", "Claude Opus 4.7 and later", "Anthropic", "claude",
            "anthropic/claude-opus-4-7",
        ),
        Model("grok-4.5", "Grok 4.5", "xAI", "grok_4_5", "x-ai/grok-4.5", True),
        Model("llama-3", "Llama 3", "Meta", "llama3"),
        Model("qwen-3", "Qwen 3", "Alibaba", "qwen3"),
        Model(
            "deepseek-v3", "DeepSeek V3", "DeepSeek", "deepseek_v3", "novita/deepseek/deepseek_v3"
        ),
        Model(
            "mistral-nemo", "Mistral Nemo (Tekken)", "Mistral", "mistral_v3",
            "mistral/mistral-nemo",
        ),
        Model(
            "glm-4", "GLM-4", "Z.ai", "glm4", "zai/GLM-4-32B-0414-128K", source=_SPLINTR
        ),
        Model(
            "kimi-k2", "Kimi K2", "Moonshot AI", "kimi_k2", "moonshotai/kimi-k2-0905-preview",
            source=_SPLINTR,
        ),
    )
}  # fmt: skip


class ModelVerdict(Verdict):
    """A verdict for a model: ``model`` is its name, ``band`` what to say beside its figures."""

    model: str
    band: str


def get(name: str) -> Model:
    """Return the model of that name.

    Raises:
        ValueError: There is none; the message lists near names, or all if none is near.
    """
    if name not in MODELS:
        raise ValueError(f"No model is named {name!r}. {near_names(name)}")
    return MODELS[name]


def near_names(name: str) -> str:
    """Return the names near an unknown one in words, or all names if none is near."""
    near = get_close_matches(name.lower(), MODELS, 5)
    return f"Near it: {', '.join(near)}" if near else f"There are: {', '.join(MODELS)}"


def default() -> Model:
    """Return the model that holds until another is chosen."""
    return MODELS["gpt-5"]


def sold_as(key: str) -> Model | None:
    """Return the model whose price is that key of ``toon.costs.prices.models``; None: unknown."""
    return next((model for model in MODELS.values() if model.price == key), None)


class Choice(NamedTuple):
    """What to count by: a tokenizer, for the model that brings it if one was chosen."""

    tokenizer: str
    model: Model | None = None

    def band(self, text: str = "") -> str:
        """Return what to say beside figures of ``text``: the band, or why there is no estimate."""
        tokenizer = tokenizers.get(self.tokenizer)
        known = self.model.band if self.model else facts.band(tokenizer)
        return tokenizer.no_estimate(text) or known

    def title(self, text: str = "") -> str:
        """Return the name for people and the band; an exact tokenizer's name alone."""
        name = self.model.label if self.model else self.tokenizer
        band = self.band(text)
        return name if self.model is None and band == "exact" else f"{name}, {band}"


def choices(models: Iterable[str], others: Iterable[str]) -> list[Choice]:
    """Return the models, then the other tokenizers, each once; the default tokenizer for none."""
    chosen = [
        *(Choice(model.tokenizer, model) for model in map(get, dict.fromkeys(models))),
        *map(Choice, dict.fromkeys(others)),
    ]
    return chosen or [Choice(DEFAULT_TOKENIZER)]


def tokenizers_of(choices: Iterable[Choice]) -> list[str]:
    """Return the tokenizers to count by, each once."""
    return list(dict.fromkeys(choice.tokenizer for choice in choices))


def verdict_for(
    choice: Choice, typed: str, value: Any, rows: Iterable[Row], explaining: Explaining = ALONE
) -> Verdict | ModelVerdict:
    """Return :func:`toon.costs.answer.verdict`, for the model if one was chosen.

    ``typed`` is the text of ``value``, which an estimate may not hold for.
    """
    found = verdict(value, rows, choice.tokenizer, explaining)
    if choice.model is None:
        return found
    return {**found, "model": choice.model.name, "band": choice.band(typed)}
