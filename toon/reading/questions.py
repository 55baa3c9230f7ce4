"""Questions out of a payload, each with the one answer that the data give.

The same payload and seed give the same questions, and more of them begin with the fewer. They are
balanced over kinds, and those about one record over places: the first third of the records, the
second, and the last.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from toon.reading import makers
from toon.reading.collections import Found, find
from toon.reading.grading import Type
from toon.reading.makers import PLACES, Asked, Draw, Nothing, Place
from toon.wording import plural

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


class Kind(NamedTuple):
    """A kind of question: what pages and commands call it, and what makes one."""

    label: str
    ask: Callable[[Draw], Asked]


#: The kinds of questions, in the order of asking.
KINDS: Final = {
    "field": Kind("a field of the record that an identifier names", makers.ask_field),
    "key": Kind("a field of the entry that a key names", makers.ask_key),
    "nested": Kind("a value at a path", makers.ask_nested),
    "count": Kind("how many different values, or items", makers.ask_count),
    "sum": Kind("a sum", makers.ask_sum),
    "extreme": Kind("the smallest or largest", makers.ask_extreme),
    "filter": Kind("records that meet a condition", partial(makers.ask_filter, count=1)),
    "two filters": Kind("records that meet two conditions", partial(makers.ask_filter, count=2)),
    "structure": Kind("how many records, which fields, the first or last", makers.ask_structure),
}


def make_questions(value: Any, count: int, seed: int) -> list[Question]:
    """``count`` questions about a payload, or as many as it gives.

    Raises:
        TooSmall: It gives fewer than ``FEWEST``.
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
    kinds = [_of_kind(name, found, seed, seen) for name in KINDS]
    while kinds:
        for kind in list(kinds):
            question = next(kind, None)
            if question is None:
                kinds.remove(kind)
            else:
                seen.add(question.text)
                yield question


def _of_kind(name: str, found: Found, seed: int, seen: Container[str]) -> Iterator[Question]:
    """The unseen questions of a kind, each from the third of the data that has had the fewest."""
    chance = random.Random(f"{seed} {name}")
    used: Counter[Place] = Counter()
    while True:
        # Ties are drawn, or every kind would begin at the start.
        places = sorted(PLACES, key=lambda place: (used[place], chance.random()))
        for draw in (Draw(found, chance, place) for place in places for _ in range(_PATIENCE)):
            with suppress(Nothing):
                asked = KINDS[name].ask(draw)
                if asked.text not in seen:
                    used[draw.place] += 1
                    yield Question(name, *asked)
                    break
        else:
            return
