"""What explaining a format to a model costs, and from how many payloads on a format is worth it.

Models read JSON, YAML, XML and CSV unexplained; one sentence names them. TOON is young, and few
models know its dialects: a few sentences belong into the prompt and into the bill. Payloads that
share a prompt share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from toon import formats
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.text import whole_number
from toon.tokenizers.fast_openai import get_fast

#: What stands in options and queries for a model that needs no explanation.
NEEDS_NONE: Final = "none"
#: The most payloads that one prompt can be said to hold.
MOST_TOGETHER: Final = 10**9


@dataclass(frozen=True, slots=True)
class Explaining:
    """How formats are explained; the one setting of every figure that recommends.

    Attributes:
        together: How many payloads one prompt or session explains together, at least 1. None: the
            model needs no explanation.
        wordings: The user's own explanations by format, in place of ours.

    Raises:
        ValueError: ``together`` is not 1 to MOST_TOGETHER, or a wording is empty or for a format
            that is unknown or JSON.
    """

    together: int | None = 1
    wordings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
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
    def parse(cls, together: str, wordings: Iterable[str] = ()) -> Explaining:
        """The setting as options and queries spell it: ``3`` or ``none``, and ``toon=TEXT``.

        Raises:
            ValueError: A part is not of that form.
        """
        number = whole_number(together, 0, 10**19 - 1)
        if together != NEEDS_NONE and number is None:
            raise ValueError(f"payloads in a prompt must be 1 or more, or {NEEDS_NONE}")
        pairs = [wording.partition("=") for wording in wordings]
        if bad := next((name for name, equals, _ in pairs if not equals), None):
            raise ValueError(f"a note is written FORMAT=TEXT, not {bad!r}")
        return cls(number, tuple((name, text) for name, _, text in pairs))

    def text(self, format: str, uses: frozenset[str]) -> str:
        """What explains ``format`` to a model, for texts with the constructs ``uses``."""
        own = dict(self.wordings).get(format)
        return FORMATS[format].explain(uses) if own is None else own

    def tokens(self, format: str, uses: frozenset[str], tokenizer: str) -> int:
        """The tokens by which that text exceeds the explanation of JSON, once; none for JSON."""
        return _tokens(self, format, uses, tokenizer)

    def counted(self, format: str, uses: frozenset[str], count: Callable[[str], int]) -> int:
        """As :meth:`tokens`, where ``count`` gives the tokens of a text."""
        if isinstance(FORMATS[format], JsonFormat):
            return 0
        return max(0, count(self.text(format, uses)) - count(JSON_COMPACT.explanation))

    @property
    def assumption(self) -> str:
        """What stands beside every figure that depends on this setting."""
        if self.together is None:
            return "the model needs no note"
        return f"note to the model included, payloads in a prompt: {self.together:,}"

    def share(self, tokens: float) -> float:
        """The part of an explanation's ``tokens`` that one payload bears."""
        return 0.0 if self.together is None else tokens / self.together


#: Every payload stands alone in its prompt: what holds where nothing is chosen.
ALONE: Final = Explaining()


@lru_cache(maxsize=1024)
def _tokens(explaining: Explaining, format: str, uses: frozenset[str], tokenizer: str) -> int:
    return explaining.counted(format, uses, partial(_count, tokenizer))


@lru_cache(maxsize=1024)
def _count(tokenizer: str, text: str) -> int:
    return get_fast(tokenizer).count(text)
