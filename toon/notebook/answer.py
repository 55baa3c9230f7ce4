"""What a value costs a model and what to send instead, to be printed or shown as a card."""

from __future__ import annotations

from functools import cached_property
from html import escape

from toon.costs import models
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, headline
from toon.costs.models import verdict_for
from toon.costs.prices import at_prices_of
from toon.costs.sentences import ladder_line
from toon.costs.typed import Typed
from toon.costs.verdict import Verdict
from toon.drawing.card import card
from toon.values.json_text import parse_json


class Answer:
    """The one answer about a payload. ``print`` shows its words, a notebook its card.

    Both begin with what reading the payload changed.
    """

    def __init__(
        self, document: Document, model: str, together: int | None, explained_cached: float
    ) -> None:
        self._document = document
        self._choice = models.choose(model) if model else models.choices([], [])[0]
        explaining = Explaining(together, cached=explained_cached)
        self._explaining = at_prices_of(self._choice.model, explaining)

    @cached_property
    def verdict(self) -> Verdict:
        """The answer as plain data, as ``toon stats --json`` prints it."""
        return verdict_for(self._choice, self._document, self._explaining)

    @cached_property
    def headline(self) -> Headline:
        """The answer as the app draws it."""
        return headline(self._document, self._choice, self._explaining)

    def __repr__(self) -> str:
        verdict = self.verdict
        title = self._choice.title
        lines = [*map(str, self._document.notices), f"{title}; {self._explaining.assumption}"]
        if not verdict["nothing"]:
            lines.append(ladder_line(verdict["ladder"]))
        return "\n".join([*lines, verdict["sentence"]])

    def _repr_html_(self) -> str:
        title = self._choice.title
        notices = "".join(f"<p>{escape(str(each))}</p>" for each in self._document.notices)
        return notices + card(self.headline, self._explaining.assumption, title)


def stats_of_text(
    text: str, model: str = "", together: int | None = 1, explained_cached: float = 0.0
) -> Answer:
    """The answer about a JSON text, which is measured as typed too; as :func:`toon.stats`.

    Raises:
        JsonDecodeError: The text is not JSON.
    """
    parsed = parse_json(text)
    document = Document(parsed.value, Typed(text), parsed.notices)
    return Answer(document, model, together, explained_cached)
