"""What it costs to explain a format to a model, and from how many rows that pays back.

Models read JSON, YAML, XML and CSV unexplained; one sentence names them. TOON is young, and few
models know its dialects: until one surely does, a few sentences belong into the prompt and into
the bill. The sentences themselves are each format's ``explanation``.
"""

from __future__ import annotations

import math

from toon import tokenizers
from toon.formats import FORMATS


def explanation_tokens(format: str, tokenizer: str) -> int:
    """The tokens by which explaining ``format`` exceeds explaining compact JSON."""
    count = tokenizers.get(tokenizer).count
    return count(FORMATS[format].explanation) - count(FORMATS["json-compact"].explanation)


def pays_back_from(rows: int, saved: int, extra: int) -> int | None:
    """The rows from which a saving covers the ``extra`` tokens of an explanation; None for never.

    ``saved`` tokens were saved on ``rows`` rows; the saving is taken to grow in proportion.
    """
    if rows <= 0 or saved <= 0:
        return None
    return math.ceil(max(0, extra) * rows / saved)


from dataclasses import dataclass  # noqa: E402


@dataclass(frozen=True, slots=True)
class Explaining:
    """Provisional: the shape of the shared setting, replaced on merge."""

    together: int | None = 1
    wordings: tuple[tuple[str, str], ...] = ()

    def share(self, tokens: float) -> float:
        return tokens / self.together if self.together else 0.0

    def text(self, format: str, uses: frozenset[str]) -> str:
        return FORMATS[format].explanation

    def tokens(self, format: str, uses: frozenset[str], tokenizer: str) -> int:
        return explanation_tokens(format, tokenizer)
