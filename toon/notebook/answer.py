"""The answer about a value, printed or shown as a card, and the magic ``%%toon_stats``."""

import argparse
import re
from functools import cached_property
from html import escape
from inspect import cleandoc
from typing import Any, Final

from toon.codec.default import default
from toon.codec.normalise import normalise
from toon.costs import models
from toon.costs.document import Document, Typed
from toon.costs.explanation import Explaining
from toon.costs.headline import Headline, Nothing, headline
from toon.costs.models import verdict_for
from toon.costs.prices import use_prices
from toon.costs.verdict import Verdict, ladder_line
from toon.drawing.card import card
from toon.errors import JsonDecodeError
from toon.services.comparing import Counts, count_texts, list_texts
from toon.services.endpoint import make_endpoint
from toon.values.json_text import parse_json


class Answer:
    """What a payload costs a model and in which format to send it; ``print`` shows sentences, a
    notebook draws a card. Both begin with the notices about the payload's text.

    Attributes:
        counts: The token counts of a model maker's service, or None if none was asked.
    """

    counts: Counts | None = None

    def __init__(
        self, document: Document, model: str, together: int | None, explained_cached: float
    ) -> None:
        self._document = document
        self._choice = models.choose(model) if model else models.choices([], [])[0]
        explaining = Explaining(together, cached=explained_cached)
        self._explaining = use_prices(self._choice.model, explaining)

    def ask(self, service: str, service_model: str) -> None:
        """Have a model maker's service count the tokens of the payload's texts; set ``counts``."""
        endpoint = make_endpoint(service, self._choice.model, service_model)
        tokenizer = self._choice.tokenizer
        best = self.verdict["format"] if self._choice.counted else None
        self.counts = count_texts(endpoint, list_texts(self._document, tokenizer, best), tokenizer)

    @cached_property
    def verdict(self) -> Verdict:
        """The format to send the payload in to the chosen model, and why: the dict that ``toon
        stats --json`` prints as its verdict.
        """
        return verdict_for(self._choice, self._document, self._explaining)

    @cached_property
    def headline(self) -> Headline | Nothing:
        """The words and figures of the app's card on the payload, or why there are none."""
        return headline(self._document, self._choice, self._explaining)

    def __repr__(self) -> str:
        lines = [*map(str, self._document.notices)]
        if not self._is_of_service_alone:
            verdict = self.verdict
            lines.append(f"{self._choice.title}; {self._explaining.assumption}")
            if not verdict["nothing"]:
                lines.append(ladder_line(verdict["ladder"]))
            lines.append(verdict["sentence"])
        return "\n".join([*lines, *self._count_lines])

    def _repr_html_(self) -> str:
        picture = ""
        if not self._is_of_service_alone:
            title = self._choice.title
            picture = card(self.headline, self._explaining.assumption, title)
        blocks = (
            "".join(f"<p>{escape(str(line))}</p>" for line in lines)
            for lines in (self._document.notices, self._count_lines)
        )
        return picture.join(blocks)

    @property
    def _is_of_service_alone(self) -> bool:
        """Whether a model maker's service counted, and no tokenizer here can for that model."""
        return self.counts is not None and not self._choice.counted

    @property
    def _count_lines(self) -> list[str]:
        """The lines with the token counts of a model maker's service; [] if none was asked."""
        if self.counts is None:
            return []
        rows = ("  ".join(filter(None, row)) for row in self.counts.table())
        return [f"Tokens {self.counts.basis}", *rows]


def measure_text(
    text: str, model: str = "", together: int | None = 1, explained_cached: float = 0.0
) -> Answer:
    """Return an Answer on what a JSON text costs a model, also as typed; see :func:`toon.stats`.

    Raises:
        JsonDecodeError: The text is not JSON.
    """
    parsed = parse_json(text)
    document = Document(parsed.value, Typed(text), parsed.notices)
    return Answer(document, model, together, explained_cached)


# -- the magic of notebooks ----------------------------------------------------------------------

#: The options of a line, and what stands behind them.
_OPTIONS: Final = re.compile(r"((?:\s*--[\w-]+[= ]\S+)*)(.*)", re.DOTALL)


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"%%toon_stats: {message}")


def register(shell: Any) -> None:
    """Register the magic ``%%toon_stats``, for a line or a cell, in an IPython shell."""

    def toon_stats(line: str, cell: str | None = None) -> Answer | None:
        """%%toon_stats [--model NAME] [--together N] [--explained-cached SHARE]

        Shows what a cell of JSON, or of one expression, costs a model.

        --model             as in gpt-5; it brings its tokenizer and its prices
        --together          payloads in a prompt, which share the note to the model (1), or none
        --explained-cached  share of the prompts, 0 to 1, that read the note from the cache (0)
        """
        if line.split()[:1] in (["-h"], ["--help"]):
            print(cleandoc(str(toon_stats.__doc__)))
            return None
        match = _OPTIONS.fullmatch(line)
        assert match is not None
        arguments, source = (match[1], match[2]) if cell is None else (line, cell)
        parser = _Options(prog="%%toon_stats", add_help=False)
        parser.add_argument("--model", default="")
        together = parser.add_argument("--together", default=1)
        together.type = lambda text: None if text == "none" else int(text)
        parser.add_argument("--explained-cached", type=float, default=0.0)
        options = vars(parser.parse_args(arguments.split()))
        try:
            return measure_text(source, **options)
        except JsonDecodeError as error:
            try:
                value = shell.ev(source.strip())
            except (NameError, SyntaxError):  # JSON that is damaged, more often than Python
                if source.lstrip()[:1] in ("{", "["):
                    raise error from None
                raise
            return Answer(Document(normalise(value, default)), **options)

    shell.register_magic_function(toon_stats, "line_cell")
