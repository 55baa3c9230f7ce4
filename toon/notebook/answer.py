"""The answer about a value, printed or shown as a card: its costs, and what to send instead."""

from __future__ import annotations

from functools import cached_property
from html import escape

from toon.costs import models
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, Nothing, headline
from toon.costs.models import verdict_for
from toon.costs.prices import at_prices_of
from toon.costs.verdict import Verdict, ladder_line
from toon.drawing.card import card
from toon.services.comparing import Counts, count_texts, texts_of
from toon.services.endpoint import endpoint_of
from toon.values.json_text import parse_json


class Answer:
    """The one answer about a payload. ``print`` shows its words, a notebook its card.

    Both begin with the notices about the payload's text.

    Attributes:
        counts: The counts of a service, if one was asked.
    """

    counts: Counts | None = None

    def __init__(
        self, document: Document, model: str, together: int | None, explained_cached: float
    ) -> None:
        self._document = document
        self._choice = models.choose(model) if model else models.choices([], [])[0]
        explaining = Explaining(together, cached=explained_cached)
        self._explaining = at_prices_of(self._choice.model, explaining)

    def ask(self, service: str, service_model: str) -> None:
        """Have a service count too; see :func:`toon.stats`."""
        endpoint = endpoint_of(service, self._choice.model, service_model)
        tokenizer = self._choice.tokenizer
        best = self.verdict["format"] if self._choice.counted else None
        self.counts = count_texts(endpoint, texts_of(self._document, tokenizer, best), tokenizer)

    @cached_property
    def verdict(self) -> Verdict:
        """The answer as plain data, as ``toon stats --json`` prints it."""
        return verdict_for(self._choice, self._document, self._explaining)

    @cached_property
    def headline(self) -> Headline | Nothing:
        """The answer as the app draws it."""
        return headline(self._document, self._choice, self._explaining)

    def __repr__(self) -> str:
        lines = [*map(str, self._document.notices)]
        if not self._is_of_service_alone:
            verdict = self.verdict
            lines.append(f"{self._choice.title}; {self._explaining.assumption}")
            if not verdict["nothing"]:
                lines.append(ladder_line(verdict["ladder"]))
            lines.append(verdict["sentence"])
        return "\n".join([*lines, *self._counted])

    def _repr_html_(self) -> str:
        drawn = ""
        if not self._is_of_service_alone:
            title = self._choice.title
            drawn = card(self.headline, self._explaining.assumption, title)
        blocks = (
            "".join(f"<p>{escape(str(line))}</p>" for line in lines)
            for lines in (self._document.notices, self._counted)
        )
        return drawn.join(blocks)

    @property
    def _is_of_service_alone(self) -> bool:
        """Whether nothing counts here for the model, and its service did."""
        return self.counts is not None and not self._choice.counted

    @property
    def _counted(self) -> list[str]:
        """What a service counts, in words."""
        if self.counts is None:
            return []
        rows = ("  ".join(filter(None, row)) for row in self.counts.table())
        return [f"Tokens {self.counts.about}", *rows]


def stats_of_text(
    text: str, model: str = "", together: int | None = 1, explained_cached: float = 0.0
) -> Answer:
    """Return the answer about a JSON text, which is measured as typed too; see :func:`toon.stats`.

    Raises:
        JsonDecodeError: The text is not JSON.
    """
    parsed = parse_json(text)
    document = Document(parsed.value, Typed(text), parsed.notices)
    return Answer(document, model, together, explained_cached)
