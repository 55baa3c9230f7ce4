"""What every surface is asked, and what it may say."""

from __future__ import annotations

from typing import Any, NamedTuple

from toon.costs.compare import Row, compare
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.models import choose
from toon.costs.prices import use_prices
from toon.formats import add_baselines
from toon.playground.panes import Options, Pane, Side


class Said(NamedTuple):
    """What a surface says of a payload; None for what it does not say.

    ``today`` and ``compact`` are tokens as typed and as compact JSON. ``format`` is recommended,
    ``tokens`` and ``cost`` (explanation included) are of it. ``send`` is the format, or "as-typed"
    where a change is not worth it. ``payloads`` is the break-even; ``vs_today`` the change of cost.
    """

    today: float | None = None
    compact: float | None = None
    format: str | None = None
    tokens: int | None = None
    cost: float | None = None
    send: str | None = None
    payloads: int | None = None
    vs_today: float | None = None


class Question(NamedTuple):
    """A payload as typed, who counts, how formats are explained, and the formats that are named.

    ``model`` is the one that brings the tokenizer and the price of the cache, if one was chosen.
    """

    text: str
    tokenizer: str
    explaining: Explaining
    side: Side = "json"
    formats: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def of(cls, text: str, who: str, explaining: Explaining, **more: Any) -> Question:
        """The question for a model or a tokenizer, with the setting at its prices."""
        choice = choose(who)
        model = choice.model.name if choice.model else ""
        priced = use_prices(choice.model, explaining)
        return cls(text, choice.tokenizer, priced, model=model, **more)

    @property
    def who(self) -> tuple[str, str]:
        """Who counts, as options and queries spell it."""
        return ("model", self.model) if self.model else ("tokenizer", self.tokenizer)

    @property
    def value(self) -> Any:
        return self.document.value

    @property
    def document(self) -> Document:
        return Pane(self.side, self.text, Options()).document

    @property
    def rows(self) -> list[Row]:
        return compare(self.document, add_baselines(self.formats), [self.tokenizer])

    @property
    def options(self) -> list[tuple[str, str]]:
        """The setting as options and queries spell it."""
        together = self.explaining.together
        wordings = [("explain", f"{name}={text}") for name, text in self.explaining.wordings]
        cached = ("explained_cached", str(self.explaining.cached))
        return [("together", "none" if together is None else str(together)), *wordings, cached]
