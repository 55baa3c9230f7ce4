"""Explanations of formats to a model, their cost, and the payloads that share it.

Models read JSON, YAML, XML and CSV unexplained; one sentence names them. TOON is young, and few
models know its dialects: a few sentences belong into the prompt and into the bill. Payloads in one
prompt share them. Text before the payloads in every prompt is often read from the provider's cache,
at a part of the price of input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from toon import formats, tokenizers
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.text import whole_number
from toon.wording import percent

#: The word, in options and queries, for a model that needs no explanation.
NEEDS_NONE: Final = "none"
_FRACTION: Final = re.compile(r"0(\.\d{1,9})?|1(\.0{1,9})?", re.ASCII)
_SHARE: Final = "the share of prompts that read the note from the cache must be 0 to 1"
#: The most payloads that one prompt may share.
MOST_TOGETHER: Final = 10**9


@dataclass(frozen=True, slots=True)
class Explaining:
    """The user's setting of how notes explain formats to a model, and of what they cost.

    Attributes:
        together: How many payloads one prompt or session explains together, at least 1. None: the
            model needs no explanation.
        wordings: The user's own explanations by format, in place of ours.
        cached: The share of prompts, 0 to 1, in which the explanation is read from the provider's
            cache. 0 unless set: no cache holds a short text that stands alone.
        rate: The price of a token read from the cache, where one of input costs 1, with the model
            asked about (:func:`toon.costs.prices.use_prices`); 1 if unknown.

    Raises:
        ValueError: ``together`` is not 1 to MOST_TOGETHER, ``cached`` or ``rate`` not 0 to 1, or a
            wording is empty or for a format that is unknown or JSON.
    """

    together: int | None = 1
    wordings: tuple[tuple[str, str], ...] = ()
    cached: float = 0.0
    rate: float = 1.0

    def __post_init__(self) -> None:
        if not (0 <= self.cached <= 1 and 0 <= self.rate <= 1):
            raise ValueError(_SHARE)
        if self.together is not None and self.together < 1:
            raise ValueError("payloads in a prompt must be 1 or more")
        if self.together is not None and self.together > MOST_TOGETHER:
            raise ValueError(f"payloads in a prompt must be at most {MOST_TOGETHER:,}")
        for name, text in self.wordings:
            if isinstance(formats.get(name), JsonFormat):
                raise ValueError(f"{FORMATS[name].label} is JSON, which needs no note")
            if not text.strip():
                raise ValueError(f"the note for {FORMATS[name].label} is empty")

    @classmethod
    def parse(cls, together: str, wordings: Iterable[str] = (), cached: str = "0") -> Explaining:
        """Make the setting of notes from texts: ``3`` or ``none`` payloads in a prompt,
        ``toon=TEXT`` notes, and ``0.9``, the share of prompts that read them from a cache.

        Raises:
            ValueError: A part is not of that form.
        """
        number = whole_number(together, 0, 10**19 - 1)
        if together != NEEDS_NONE and number is None:
            raise ValueError(f"payloads in a prompt must be 1 or more, or {NEEDS_NONE}")
        pairs = [wording.partition("=") for wording in wordings]
        if bad := next((name for name, equals, _ in pairs if not equals), None):
            raise ValueError(f"a note is written FORMAT=TEXT, not {bad!r}")
        if not _FRACTION.fullmatch(cached):
            raise ValueError(_SHARE)
        return cls(number, tuple((name, text) for name, _, text in pairs), float(cached))

    def text(self, format: str, uses: frozenset[str]) -> str:
        """Return the note that explains a format to a model, for texts with constructs ``uses``."""
        own = dict(self.wordings).get(format)
        return FORMATS[format].explain(uses) if own is None else own

    def tokens(self, format: str, uses: frozenset[str], tokenizer: str) -> int:
        """Return the tokens by which explaining ``format`` once exceeds explaining JSON, or 0."""
        return _tokens(self, format, uses, tokenizer)

    @property
    def assumption(self) -> str:
        """How many payloads share a note to the model, in words that stand beside figures."""
        if self.together is None:
            return "the model needs no note"
        words = f"note to the model included, payloads in a prompt: {self.together:,}"
        return f"{words}, {self.cached_words}" if self.cached else words

    @property
    def cached_words(self) -> str:
        """How often a note to the model is read from the cache and at which price, in words."""
        read = f"{percent(self.cached)} read from the cache"
        if self.rate < 1:
            return f"{read} at {percent(self.rate)} of the price"
        return f"{read} at a price that is not known: counted in full"

    @property
    def payment(self) -> str:
        """The sentence beside money: the note to the model that a call pays for, and its price."""
        if self.together is None:
            return "No note is counted: the model needs none."
        words = "Every call pays for its note to the model"
        if self.together > 1:
            words = (
                f"A call pays its share of a note to the model, one for {self.together:,} payloads"
            )
        if self.cached:
            return f"{words}, {self.cached_words}."
        return f"{words}, in full: read from a cache, as in a long system prompt, it costs less."

    @property
    def price(self) -> float:
        """The price of a token of a note to the model, where a token of input costs 1."""
        return 1 - self.cached * (1 - self.rate)

    @property
    def is_whole(self) -> bool:
        """Whether a payload's share of a note to the model is a whole number of tokens."""
        return self.together in (None, 1) and self.price == 1

    def note_cost(self, tokens: float) -> float:
        """Return what a note of so many ``tokens`` costs, in tokens at the price of input."""
        return tokens if self.price == 1 else tokens * self.price

    def share(self, tokens: float) -> float:
        """Return a payload's share of a note of so many ``tokens``, in tokens at input's price."""
        return 0.0 if self.together is None else self.note_cost(tokens) / self.together


#: The default setting: every payload stands alone in its prompt.
ALONE: Final = Explaining()


@lru_cache(maxsize=1024)
def _tokens(explaining: Explaining, format: str, uses: frozenset[str], tokenizer: str) -> int:
    if isinstance(FORMATS[format], JsonFormat):
        return 0
    count = tokenizers.get(tokenizer).count
    return max(0, count(explaining.text(format, uses)) - count(JSON_COMPACT.explanation))
