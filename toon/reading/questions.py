"""Questions out of a payload, each with the one answer that the data give.

The same payload and seed give the same questions, and more of them begin with the fewer. They are
balanced over kinds, and those about one record over places: the first third of the records, the
second, and the last.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from toon.reading.collections import Found, find
from toon.reading.grading import Type
from toon.reading.makers import MAKERS, PLACES, Draw, Nothing, Place
from toon.wording import plural

#: The kinds of questions, with what pages and commands call them.
KINDS: Final = {
    "field": "a field of the record that an identifier names",
    "key": "a field of the entry that a key names",
    "nested": "a value at a path",
    "count": "how many different values, or items",
    "sum": "a sum",
    "extreme": "the smallest or largest",
    "filter": "records that meet a condition",
    "two filters": "records that meet two conditions",
    "structure": "how many records, which fields, the first or last",
}

#: Fewer questions tell no difference from chance.
FEWEST: Final = 20
#: How often in a row a kind may fail in each third before it is given up.
_PATIENCE: Final = 12


class TooSmall(ValueError):
    """The payload does not give enough questions."""


class Question(NamedTuple):
    """A question with its answer.

    Attributes:
        kind: A key of ``KINDS``.
        text: The question, as the model reads it.
        answer: What is right.
        type: How answers are graded.
        place: Where in the collection the answer stands.
    """

    kind: str
    text: str
    answer: str
    type: Type
    place: Place


def make_questions(value: Any, count: int, seed: int) -> list[Question]:
    """``count`` questions about a payload, or as many as it gives.

    Raises:
        TooSmall: it gives fewer than ``FEWEST``.
    """
    found = list(islice(each_question(value, seed), count))
    if len(found) < min(FEWEST, count):
        raise TooSmall(
            f"This payload gives {plural(len(found), 'question')} with one clear answer, and "
            f"{FEWEST} are needed. Lists of records, with a field that names each, give many."
        )
    return found


def each_question(value: Any, seed: int) -> Iterator[Question]:
    """One question of each kind in turn, until no kind has another."""
    found = find(value)
    seen: set[str] = set()
    kinds = [_Kind(name, found, seed) for name in MAKERS]
    while kinds:
        for kind in list(kinds):
            question = kind.fresh(seen)
            if question is None:
                kinds.remove(kind)
            else:
                seen.add(question.text)
                yield question


class _Kind:
    """Makes the questions of one kind, from the third of the data that has had the fewest."""

    def __init__(self, name: str, found: Found, seed: int) -> None:
        self._name = name
        self._found = found
        self._chance = random.Random(f"{seed} {name}")
        self._used: Counter[Place] = Counter()

    def fresh(self, seen: Container[str]) -> Question | None:
        """A question that was not seen, or None if chance finds no other."""
        # Ties are drawn, or every kind would begin at the start.
        order = sorted(PLACES, key=lambda place: (self._used[place], self._chance.random()))
        for place in order:
            for _ in range(_PATIENCE):
                try:
                    asked = MAKERS[self._name](Draw(self._found, self._chance, place))
                except Nothing:
                    continue
                if asked.text not in seen:
                    self._used[place] += 1
                    return Question(self._name, *asked)
        return None
