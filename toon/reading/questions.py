"""Questions about a payload, each with the one answer that the data give.

The same payload and seed give the same questions; a longer list begins with the shorter one.
Questions take turns over kinds, and over the thirds of the records or values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from typing import Any, Final, NamedTuple

from toon.reading import makers
from toon.reading.collections import Found, find
from toon.reading.grading import Type
from toon.reading.makers import Asked, Draw, Nothing
from toon.wording import plural

#: The fewest questions that can tell a difference from chance.
FEWEST: Final = 20
#: How often in a row a kind may fail in each third before it is given up.
_PATIENCE: Final = 12


class TooSmall(ValueError):
    """A payload that does not give enough questions."""


class Question(NamedTuple):
    """A question with its answer.

    Attributes:
        kind: A key of ``KINDS``.
        text: The question, as the model reads it.
        answer: The right answer.
        type: How answers are graded.
    """

    kind: str
    text: str
    answer: str
    type: Type


class Kind(NamedTuple):
    """A kind of question: its label, and the function that makes one."""

    label: str
    ask: Callable[[Draw], Asked]


#: The kinds of questions, in the order of asking.
KINDS: Final = {
    "field": Kind("a field of the record that an identifier or a key names", makers.ask_field),
    "nested": Kind("a value at a path", makers.ask_nested),
    "sum": Kind("a sum, the smallest or the largest", makers.ask_sum),
    "filter": Kind("records that meet a condition", makers.ask_filter),
    "structure": Kind("how many, the first or the last", makers.ask_structure),
}


def make_questions(value: Any, count: int, seed: int) -> list[Question]:
    """Return ``count`` questions about a payload, or as many as it gives.

    Raises:
        TooSmall: The payload gives fewer than ``FEWEST``.
    """
    found = list(islice(each_question(value, seed), count))
    if len(found) < min(FEWEST, count):
        raise TooSmall(
            f"This payload gives {plural(len(found), 'question')} with one clear answer, and "
            f"{FEWEST} are needed. Lists of records, with a field that names each, give many."
        )
    return found


def each_question(value: Any, seed: int) -> Iterator[Question]:
    """Yield one question of each kind in turn, until no kind has another."""
    found = find(value)
    kinds = [_of_kind(name, found, seed) for name in KINDS]
    while kinds:
        for kind in list(kinds):
            question = next(kind, None)
            if question is None:
                kinds.remove(kind)
            else:
                yield question


def _of_kind(name: str, found: Found, seed: int) -> Iterator[Question]:
    """Yield the questions of a kind, each about the next third of the data that gives one."""
    chance = random.Random(f"{seed} {name}")
    seen: set[str] = set()
    failed = 0
    # In a random order, or every kind would begin with the first third.
    for third in cycle(chance.sample(range(3), 3)):
        for _ in range(_PATIENCE):
            try:
                asked = KINDS[name].ask(Draw(found, chance, third))
            except Nothing:
                continue
            if asked.text not in seen:
                seen.add(asked.text)
                yield Question(name, *asked)
                failed = 0
                break
        else:
            failed += 1
            if failed == 3:
                return
