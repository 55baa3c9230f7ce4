"""What explaining a format to a model costs, and from how many payloads on a format is worth it.

Models read JSON, YAML, XML and CSV unexplained; one sentence names them. TOON is young, and few
models know its dialects: a few sentences belong into the prompt and into the bill. Payloads that
share a prompt share them. What stands before the payloads in every prompt is often read from the
provider's cache, at a part of the price of input.
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

#: What stands in options and queries for a model that needs no explanation.
NEEDS_NONE: Final = "none"
_FRACTION: Final = re.compile(r"0(\.\d{1,9})?|1(\.0{1,9})?", re.ASCII)
_SHARE: Final = "the share of prompts that read the note from the cache must be 0 to 1"
#: The most payloads that one prompt can be said to hold.
MOST_TOGETHER: Final = 10**9


@dataclass(frozen=True, slots=True)
class Explaining:
    """How formats are explained; the one setting of every figure that recommends.

    Attributes:
        together: How many payloads one prompt or session explains together, at least 1. None: the
            model needs no explanation.
        wordings: The user's own explanations by format, in place of ours.
        cached: The share of prompts in which the explanation is read from the provider's cache, 0
            to 1. None of it is, unless somebody says so: a cache holds nothing that stands alone
            and is short.
        rate: What a token read from there costs where one of input costs 1, for the model that is
            asked about (:func:`toon.costs.prices.at_prices_of`); 1 where that is not known.

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
        """The setting as options and queries spell it: ``3`` or ``none``, ``toon=TEXT``, ``0.9``.

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
        """What explains ``format`` to a model, for texts with the constructs ``uses``."""
        own = dict(self.wordings).get(format)
        return FORMATS[format].explain(uses) if own is None else own

    def tokens(self, format: str, uses: frozenset[str], tokenizer: str) -> int:
        """The tokens by which that text exceeds the explanation of JSON, once; none for JSON."""
        return _tokens(self, format, uses, tokenizer)

    @property
    def assumption(self) -> str:
        """What stands beside every figure that depends on this setting."""
        if self.together is None:
            return "the model needs no note"
        words = f"note to the model included, payloads in a prompt: {self.together:,}"
        return f"{words}, {self.cached_words}" if self.cached else words

    @property
    def cached_words(self) -> str:
        """How often the explanation is read from the cache, and at which price."""
        read = f"{percent(self.cached)} read from the cache"
        if self.rate < 1:
            return f"{read} at {percent(self.rate)} of the price"
        return f"{read} at a price that is not known: counted in full"

    @property
    def paid(self) -> str:
        """What stands beside money: which explanation a call pays for, and at which price."""
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
        """What a token of an explanation costs where one of input costs 1."""
        return 1 - self.cached * (1 - self.rate)

    @property
    def is_whole(self) -> bool:
        """Whether what a payload bears of an explanation is a whole number."""
        return self.together in (None, 1) and self.price == 1

    def priced(self, tokens: float) -> float:
        """What an explanation of so many ``tokens`` costs, in tokens at the price of input."""
        return tokens if self.price == 1 else tokens * self.price

    def share(self, tokens: float) -> float:
        """The part of that which one payload bears, for an explanation of so many ``tokens``."""
        return 0.0 if self.together is None else self.priced(tokens) / self.together


#: Every payload stands alone in its prompt: what holds where nothing is chosen.
ALONE: Final = Explaining()


@lru_cache(maxsize=1024)
def _tokens(explaining: Explaining, format: str, uses: frozenset[str], tokenizer: str) -> int:
    if isinstance(FORMATS[format], JsonFormat):
        return 0
    told, of_json = explaining.text(format, uses), JSON_COMPACT.explanation
    return max(0, _count(tokenizer, told) - _count(tokenizer, of_json))


@lru_cache(maxsize=1024)
def _count(tokenizer: str, text: str) -> int:
    return tokenizers.get(tokenizer).count(text)
