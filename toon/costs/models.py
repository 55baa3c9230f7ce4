"""Models to choose from: each has its tokenizer, the evidence for it, and its price.

Prices and context windows are not here: ``toon.costs.prices`` has them by ``Model.price``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, NamedTuple

from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Verdict
from toon.formats import RECOMMENDED
from toon.limits import DEFAULT_MODEL, DEFAULT_TOKENIZER
from toon.wording import capitalised, plural


class Grade(StrEnum):
    """An enum of how well it is known which tokenizer a model has; the values say it in words."""

    EQUAL = "equal to 1,329 counts of the service"
    LIBRARY = "the maker's library counts it so"
    PUBLISHED = "published vocabulary"
    REBUILT_EQUAL = "reconstructed, equal to 1,329 counts of the service"
    REBUILT = "reconstructed, unchecked"
    PREDECESSOR = "as its predecessor, unchecked"
    SERVICE = "ask the service"
    UNKNOWN = "no vocabulary is published"

    @property
    def short(self) -> str:
        """How well a tokenizer is known, up to the first comma; "" if the maker counts so."""
        return "" if self in _BY_THE_MAKER else self.value.partition(",")[0]


_BY_THE_MAKER: Final = (Grade.EQUAL, Grade.LIBRARY)


@dataclass(frozen=True, slots=True)
class Model:
    """A model, and the evidence for its counts.

    Attributes:
        name: The key in ``MODELS``, such as ``gpt-5``.
        label: The name for people.
        provider: The company that makes it.
        tokenizer: A name that ``toon.tokenizers.get`` knows.
        grade: How well the tokenizer is known.
        source: The evidence that the tokenizer is the model's.
        price: A key of ``toon.costs.prices.offers``, or None where no price fits.
        frame: The tokens that a call has besides its text, or None if unknown.
    """

    name: str
    label: str
    provider: str
    tokenizer: str
    grade: Grade = Grade.PUBLISHED
    source: str = ""
    price: str | None = None
    frame: int | None = None

    @property
    def evidence(self) -> str:
        """How it is known that the model counts tokens as its tokenizer here does: a sentence."""
        return self.source or tokenizers.get(self.tokenizer).evidence


class Rule(NamedTuple):
    """A rule that gives a tokenizer to those models of a maker whose whole name matches a pattern.

    ``pattern`` is a regular expression, ``tokenizer`` a name. ``grade`` says how well that is known
    and ``source`` from where. ``frame`` is the number of tokens around a message; None if unknown.
    """

    pattern: str
    tokenizer: str
    grade: Grade
    source: str
    frame: int | None = None


class Maker(NamedTuple):
    """A maker of models: its name, its key in the prices, and its rules; the first match holds."""

    name: str
    prices: str
    rules: tuple[Rule, ...]


_BENCHMARK: Final = "1,329 of 1,329 prompts of toon-format's benchmark (f06ddca)"
_TIKTOKEN: Final = "tiktoken 0.14, OpenAI's own library, counts it with {}."
_GENAI: Final = "google-genai 3.6, Google's own library, counts it with {} (its LocalTokenizer)."
_CTOK: Final = "ctok 1.3 rebuilt it from counts of the service; not compared with the service here."
_SPLINTR: Final = "The vocabulary that {} published, as splintr-rs 0.22 carries it."

#: Makers whose models are offered. A model without a rule reads no text, or is retired.
MAKERS: Final = (
    Maker("OpenAI", "openai", (
        Rule(r"gpt-5\.4-nano", "o200k_base", Grade.EQUAL,
             f"gpt-5.4-nano reported this count for {_BENCHMARK}, but for six tokens a call.", 6),
        Rule(r"gpt-(3\.5-turbo|4(-turbo|-32k)?)", "cl100k_base", Grade.LIBRARY,
             _TIKTOKEN.format("cl100k_base")),
        Rule(r"gpt-oss-\d+b", "o200k_base", Grade.LIBRARY,
             _TIKTOKEN.format("o200k_harmony, which is o200k_base but for its special tokens")),
        Rule(r"gpt-(4o|4\.1|5(\.\d)?)(-mini|-nano|-pro|-codex|-luna|-sol|-terra)?|o[134](-mini|-pro)?",
             "o200k_base", Grade.LIBRARY, _TIKTOKEN.format("o200k_base")),
        Rule(r"gpt-[6-9](\.\d)?(-\w+)?", "o200k_base", Grade.PREDECESSOR,
             "tiktoken 0.14 names no tokenizer for it; ttok 1.0 counts GPT-6 with o200k_base."),
    )),
    Maker("Anthropic", "anthropic", (
        Rule(r"claude-haiku-4-5", "claude_3", Grade.REBUILT_EQUAL,
             f"ctok 1.3 rebuilt it; Haiku 4.5 reported this count for {_BENCHMARK}, but for seven"
             " tokens a call.", 7),
        Rule(r"claude-3-.*|claude-(opus|sonnet)-4-[0-6]", "claude_3", Grade.REBUILT, _CTOK, 7),
        Rule(r"claude-opus-4-7", "claude_4_7", Grade.REBUILT, _CTOK, 11),
        Rule(r"claude-opus-4-8|claude-(sonnet|fable)-5", "claude_4_8", Grade.REBUILT, _CTOK, 6),
        Rule(r"claude-opus-5", "claude_4_8", Grade.REBUILT,
             f"{_CTOK} White space at the end of a message is free to it, and is counted here.", 6),
        Rule(r"claude-\w+-[5-9](-\d)?", "claude_4_8", Grade.PREDECESSOR,
             "Nobody has compared it with the tokenizer of Claude Opus 4.8 and Sonnet 5.", 6),
    )),
    Maker("Google", "google", (
        Rule(r"gemini-3\.6-flash", "gemma3", Grade.EQUAL,
             f"gemini-3.6-flash reported this count for {_BENCHMARK}, but for one token a call.",
             1),
        Rule(r"gemini-2\.[05]-(pro|flash|flash-lite)|gemini-3-(pro|flash)-preview", "gemma3",
             Grade.LIBRARY, _GENAI.format("gemma3")),
        Rule(r"gemini-3\.(1-flash-lite|1-pro-preview|5-flash)", "gemma3", Grade.LIBRARY,
             _GENAI.format("gemma4, which counted 30,102 of 30,102 texts as gemma3 does")),
        Rule(r"gemini-(3\.[5-9]|[4-9])-(pro|flash|flash-lite|argon)", "gemma3", Grade.PREDECESSOR,
             "google-genai 3.6 names no tokenizer for it; Gemini 3.6 Flash counts with gemma3."),
    )),
    Maker("xAI", "x-ai", (
        Rule(r"grok-[3-9].*", "ask-service", Grade.SERVICE,
             "xAI publishes no vocabulary; its endpoint tokenize-text counts."),
    )),
    Maker("DeepSeek", "deepseek", (
        Rule(r"deepseek-(chat|reasoner|v3.*)", "deepseek_v3", Grade.PUBLISHED,
             _SPLINTR.format("DeepSeek")),
        Rule(r"deepseek-(v[4-9].*|flash)", "uncounted", Grade.UNKNOWN,
             "DeepSeek V4 has another vocabulary than V3, which no package carries."),
    )),
    Maker("Mistral", "mistral", (
        Rule(r"mistral-nemo", "mistral_v3", Grade.LIBRARY,
             "mistral-common, Mistral's own library, counted 12,000 of 12,000 texts so."),
        Rule(r"(codestral|devstral|magistral|ministral|mistral-(large|medium|small)|pixtral)-"
             r"(?!embed|2312).*", "mistral_v3", Grade.PREDECESSOR,
             "Later versions of Tekken, the vocabulary of Mistral NeMo, were not compared."),
    )),
    Maker("Moonshot AI", "moonshotai", (
        Rule(r"kimi-k2.*", "kimi_k2", Grade.PUBLISHED, _SPLINTR.format("Moonshot AI")),
        Rule(r"kimi-k3", "kimi_k3", Grade.PUBLISHED, _SPLINTR.format("Moonshot AI")),
        Rule(r"kimi-k3\.\d.*", "kimi_k3", Grade.PREDECESSOR, "Not compared with Kimi K3."),
    )),
    Maker("Z.ai", "zai", (
        Rule(r"GLM-4-.*|GLM-4\.[5-7](-\w+)?", "glm4", Grade.PUBLISHED, _SPLINTR.format("Z.ai")),
        Rule(r"GLM-[5-9].*", "uncounted", Grade.UNKNOWN, "No package carries its vocabulary."),
    )),
    Maker("Microsoft", "azure", (
        Rule(r"phi-4", "phi4", Grade.PUBLISHED, _SPLINTR.format("Microsoft")),
    )),
)  # fmt: skip

#: Models without a known price of their maker's own.
_UNPRICED: Final = (
    Model("llama-3", "Llama 3", "Meta", "llama3", Grade.PUBLISHED, _SPLINTR.format("Meta")),
    Model("qwen-3", "Qwen 3", "Alibaba", "qwen3", Grade.PUBLISHED, _SPLINTR.format("Alibaba")),
    Model("olmo-2", "OLMo 2", "Ai2", "olmo2", Grade.PUBLISHED, _SPLINTR.format("Ai2")),
)

#: A version in a name, neither a size in billions nor a date.
_VERSION: Final = re.compile(r"(?<!\d)\d{1,2}(?:\.\d+)?(?![\d.]*b|\d)")
_VERSION_IN_NAME: Final = re.compile(r"(?<=\d)-(?=\d\b)")


class _Models(Mapping[str, Model]):
    """A mapping of names to all models, read from the price table at the first access."""

    @cached_property
    def _models(self) -> dict[str, Model]:
        from genai_prices.data_snapshot import get_snapshot

        infos = {provider.id: provider.models for provider in get_snapshot().providers}
        priced = [model for maker in MAKERS for model in _models_of(maker, infos[maker.prices])]
        return {model.name: model for model in (*priced, *_UNPRICED)}

    @cached_property
    def by_spelling(self) -> dict[str, Model]:
        """All models, by their names as services write them: ``claude-haiku-4-5``."""
        return {name.replace(".", "-"): model for name, model in self.items()}

    def __getitem__(self, name: str) -> Model:
        return self._models[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._models)

    def __len__(self) -> int:
        return len(self._models)


def _models_of(maker: Maker, infos: Sequence[Any]) -> list[Model]:
    """Return the models of a maker that are priced and that a rule matches, the newest first."""
    models = []
    for info in infos:
        rules = (rule for rule in maker.rules if re.fullmatch(rule.pattern, info.id))
        rule = next(rules, None)
        # Its name finds no other model, and its input has a price.
        is_own = next((other for other in infos if other.is_match(info.id)), None) is info
        if rule and is_own and info.get_prices(datetime.now(UTC), None).input_mtok is not None:
            name = _VERSION_IN_NAME.sub(".", info.id.lower())
            facts = rule.tokenizer, rule.grade, rule.source
            price = f"{maker.prices}/{info.id}"
            label = _label(info.id, info.name)
            models.append(Model(name, label, maker.name, *facts, price, rule.frame))
    return sorted(
        models,
        key=lambda model: float(version[0]) if (version := _VERSION.search(model.name)) else 0.0,
        reverse=True,
    )


def _label(id: str, name: str | None) -> str:
    """Return a model's name for people: the price table's if it is one, else made of its id."""
    if name and name[0].isupper() and (name != id or not id.islower()):
        return name
    family, *words = id.split("-")
    if family == "gpt" and words:
        return " ".join([f"GPT-{words[0]}", *words[1:]])
    return id if family[:1] == "o" else " ".join(word.capitalize() for word in (family, *words))


MODELS: Final = _Models()


def get(name: str) -> Model:
    """Return the model of a name, in any case, also with hyphens for points as services write it.

    Raises:
        ValueError: There is none; the message lists near names, or all if none is near.
    """
    model = MODELS.by_spelling.get(name.strip().lower().replace(".", "-"))
    if model is None:
        near = get_close_matches(name.lower(), MODELS, 5)
        names = f"Near it: {', '.join(near)}" if near else f"There are: {', '.join(MODELS)}"
        raise ValueError(f"No model is named {name!r}. {names}")
    return model


def default_model() -> Model:
    """Return the default model, which holds until the user chooses another."""
    return MODELS[DEFAULT_MODEL]


class Choice(NamedTuple):
    """The tokenizer to count by, and the model that brings it, if one was chosen."""

    tokenizer: str
    model: Model | None = None

    @property
    def name(self) -> str:
        """The chosen model's name for people; without a model the tokenizer's name."""
        return self.model.label if self.model else self.tokenizer

    @property
    def counted(self) -> bool:
        """Whether the chosen tokenizer can count here; :meth:`evidence` tells why not."""
        return tokenizers.get(self.tokenizer).counted

    @property
    def title(self) -> str:
        """A model's name, with how its tokenizer is known unless by the maker; or a tokenizer's."""
        if self.model is None:
            counter = tokenizers.get(self.tokenizer)
            return self.name if counter.exact else f"{self.name}: {counter.label}"
        if self.model.grade in _BY_THE_MAKER:
            return self.name
        return f"{self.name}, {self.model.grade}"

    def evidence(self) -> str:
        """Return sentences on the tokenizer, the evidence for its counts, and what a call adds."""
        counter = tokenizers.get(self.tokenizer)
        if self.model is None:
            return f"Tokenizer {self.tokenizer}. {counter.evidence}"
        sentences = f"{capitalised(self.model.grade)}. {self.model.evidence}"
        if self.model.frame is not None:
            sentences += f" A call has {plural(self.model.frame, 'token')} more, its frame."
        return f"Tokenizer {self.tokenizer}. {sentences}"


def choose(name: str) -> Choice:
    """Return the tokenizer to count by, with its model if ``name`` is a model's.

    Raises:
        ValueError: Neither has that name.
    """
    return Choice(name) if name in tokenizers.TOKENIZERS else Choice(get(name).tokenizer, get(name))


def choices(models: Iterable[str], others: Iterable[str]) -> list[Choice]:
    """Return a Choice, tokenizer and model, for each model's name and tokenizer, or the default."""
    chosen = [choose(name) for name in dict.fromkeys([*models, *others])]
    return chosen or [Choice(DEFAULT_TOKENIZER)]


def tokenizers_of(choices: Iterable[Choice]) -> list[str]:
    """Return the names of the tokenizers of chosen models, each once."""
    return list(dict.fromkeys(choice.tokenizer for choice in choices))


def verdict_for(
    choice: Choice,
    document: Document,
    explaining: Explaining = ALONE,
    formats: Iterable[str] = RECOMMENDED,
) -> Verdict:
    """Return the verdict on a payload by a chosen tokenizer, with the name of its model, if any."""
    verdict = answer(document, choice.tokenizer, explaining, tuple(formats))
    return verdict if choice.model is None else {**verdict, "model": choice.model.name}
