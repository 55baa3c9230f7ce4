"""What would be asked, and what it costs at most, before anything is sent.

A prompt is one message of the user: what explains the format, the data, the question, and how to
answer. The data come first and the question last, so that services that keep the beginning of a
prompt work it out once for all questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple

from toon import formats as table
from toon import tokenizers
from toon.costs.models import Choice
from toon.costs.prices import call_price, price_of
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.reading.grading import Type
from toon.reading.questions import Question, make_questions
from toon.wording import plural

#: What the other formats are compared with.
BASELINE: Final = JSON_COMPACT.name
#: Tokens that an answer may have, unless another bound is chosen.
ANSWER_TOKENS: Final = 256


#: The prompt, with its parts by name; a run is recorded with it.
TEMPLATE: Final = """\
{explanation}Here is the data.

{fence}
{data}
{fence}

Answer this question from the data alone: {question}

Write {answer}, and nothing else: no sentence, no reason, no unit."""

#: What is to be written, by the type of the answer.
_ANSWERS: Final[dict[Type, str]] = {
    "integer": "a whole number in digits, without separators",
    "number": "a number in digits, with a point before its decimals and without separators",
    "boolean": "true or false",
    "date": "the date exactly as it stands in the data",
    "string": "the text exactly as it stands in the data",
    "list": "the items in their order, in one line with commas between them",
    "set": "the items in one line with commas between them",
}

# The question begins its line: no tokenizer joins the end of one part with the start of the other.
_HEAD, _, _TAIL = TEMPLATE.partition("Answer this")
_TAIL = f"Answer this{_TAIL}"


class Part(NamedTuple):
    """A part of prompts, with its tokens as this project counts for the chosen model."""

    text: str
    tokens: int
    bytes: int


class Prompt(NamedTuple):
    """One prompt to send.

    Attributes:
        number: The question's place in the plan.
        format: The name of the format.
        head: What all prompts of the format begin with; it may be large.
        end: The question, and how to answer it.
    """

    number: int
    format: str
    head: Part
    end: Part

    @property
    def text(self) -> str:
        """The message."""
        return self.head.text + self.end.text

    @property
    def tokens(self) -> int:
        """How many the message has: the tokens of the parts are those of the whole."""
        return self.head.tokens + self.end.tokens

    @property
    def bytes(self) -> int:
        """How many the message has."""
        return self.head.bytes + self.end.bytes


@dataclass(frozen=True)
class Plan:
    """Questions in several formats.

    Attributes:
        questions: What is asked.
        formats: Names of formats, the baseline first.
        texts: The payload in each format.
        is_explained: Whether the prompts explain their format.
        seed: What the questions were drawn by.
        model: The model, as the endpoint names it.
        lab_model: What tokens and dollars are counted by.
        answer_tokens: The most tokens of an answer.
        refused: Formats that cannot carry the payload, each with the reason.
    """

    questions: tuple[Question, ...]
    formats: tuple[str, ...]
    texts: dict[str, str]
    is_explained: bool
    seed: int
    model: str
    lab_model: Choice
    answer_tokens: int
    refused: dict[str, str]

    def prompts(self) -> Iterator[Prompt]:
        """The prompts in the order of sending: those of one question stand side by side."""
        for number, end in enumerate(self._ends):
            for format, head in self._heads.items():
                yield Prompt(number, format, head, end)

    @cached_property
    def _heads(self) -> dict[str, Part]:
        """What the prompts of each format begin with; its tokens hold those of a call."""
        model = self.lab_model.model
        frame = (model.frame or 0) if model else 0
        return {
            name: self._part(write_head(name, self.texts[name], self.is_explained), frame)
            for name in self.formats
        }

    @cached_property
    def _ends(self) -> list[Part]:
        return [self._part(write_tail(question)) for question in self.questions]

    def _part(self, text: str, frame: int = 0) -> Part:
        tokens = tokenizers.get(self.lab_model.tokenizer).count(text)
        return Part(text, tokens + frame, len(text.encode(errors="surrogatepass")))

    @property
    def requests(self) -> int:
        """How many prompts there are."""
        return len(self.questions) * len(self.formats)

    @property
    def tokens(self) -> dict[str, int]:
        """The input tokens of each format's prompts together."""
        ends = sum(end.tokens for end in self._ends)
        return {
            name: len(self.questions) * head.tokens + ends for name, head in self._heads.items()
        }

    @property
    def input_tokens(self) -> int:
        """The input tokens of all prompts."""
        return sum(self.tokens.values())

    @property
    def output_bound(self) -> int:
        """The most tokens of all answers together."""
        return self.requests * self.answer_tokens

    @property
    def is_exact(self) -> bool:
        """Whether the input is counted exactly by the chosen model's tokenizer."""
        return tokenizers.get(self.lab_model.tokenizer).exact

    @property
    def no_estimate(self) -> str | None:
        """Why the tokens of this payload cannot be estimated, or None."""
        return tokenizers.get(self.lab_model.tokenizer).no_estimate(self.texts[BASELINE])

    @cached_property
    def prices(self) -> dict[str, Decimal | None]:
        """US dollars of each format if every answer is as long as it may be; None: not known."""
        asked = len(self.questions)
        calls = {
            name: self.price_of(-(-tokens // asked), self.answer_tokens)
            for name, tokens in self.tokens.items()
        }
        return {name: price if price is None else asked * price for name, price in calls.items()}

    @property
    def price(self) -> Decimal | None:
        """US dollars of all formats; None: no price is known."""
        known = [price for price in self.prices.values() if price is not None]
        return sum(known, Decimal()) if len(known) == len(self.formats) else None

    def price_of(self, input_tokens: int, output_tokens: int) -> Decimal | None:
        """US dollars of one call to the chosen model; None: no price is known."""
        return price_of_call(self.lab_model, input_tokens, output_tokens)

    @cached_property
    def payload_hash(self) -> str:
        """What the payload is known by."""
        return _hash_of_text(self.texts[BASELINE])


def write_head(format: str, text: str, is_explained: bool) -> str:
    """What the prompts of a format share: all up to the question."""
    about = table.FORMATS[format]
    explanation = about.explain(about.uses(text)) if is_explained else ""
    return _HEAD.format(
        explanation=f"{explanation}\n\n" if explanation else "", fence=_fence(text), data=text
    )


def write_tail(question: Question) -> str:
    """The question, and how to answer it."""
    return _TAIL.format(question=question.text, answer=_ANSWERS[question.type])


def _fence(text: str) -> str:
    """More backticks than stand in a row anywhere in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(3, longest + 1)


def hash_of(value: Any) -> str:
    """What a payload is known by in a run.

    Raises:
        ValueError: It is nested deeper than 256 levels.
    """
    return _hash_of_text(JSON_COMPACT.dumps(value))


def _hash_of_text(compact: str) -> str:
    return sha256(compact.encode(errors="surrogatepass")).hexdigest()


def price_of_call(choice: Choice, input_tokens: int, output_tokens: int) -> Decimal | None:
    """US dollars of one call to a model; None: no price is known."""
    if choice.model is None or choice.model.price is None:
        return None
    return call_price(choice.model.price, input_tokens, output_tokens=output_tokens)


def make_plan(
    value: Any,
    formats: Iterable[str],
    count: int,
    seed: int,
    *,
    is_explained: bool,
    model: str,
    lab_model: Choice,
    answer_tokens: int = ANSWER_TOKENS,
) -> Plan:
    """``count`` questions about a payload, in each format that carries it.

    Raises:
        TooSmall: The payload gives too few questions.
        ValueError: There is no format of a name, no format beside the baseline carries the payload,
            or a prompt is longer than what the chosen model reads.
    """
    wanted = [table.get(name) for name in dict.fromkeys([BASELINE, *formats])]
    texts, refused = {}, {}
    for format in wanted:
        try:
            texts[format.name] = format.dumps(value)
        except NotApplicable as reason:
            refused[format.name] = str(reason)
    plan = Plan(
        tuple(make_questions(value, count, seed)),
        tuple(texts),
        texts,
        is_explained,
        seed,
        model,
        lab_model,
        answer_tokens,
        refused,
    )
    _check_window(plan)
    return plan


def _check_window(plan: Plan) -> None:
    # Counted in any case, so that whoever makes plans apart gets their tokens along.
    longest, format = max((prompt.tokens, prompt.format) for prompt in plan.prompts())
    model = plan.lab_model.model
    offer = price_of(model) if model else None
    if model is None or offer is None or offer.context_window is None:
        return
    if longest + plan.answer_tokens > offer.context_window:
        raise ValueError(
            f"A prompt in {table.label(format)} has {plural(longest, 'token')}, and "
            f"{model.label} reads at most {offer.context_window:,}: ask about a part of it."
        )
