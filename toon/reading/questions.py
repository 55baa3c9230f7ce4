"""Questions about a payload, each with the one answer that the data give.

The same payload and seed give the same questions; a longer list begins with the shorter one.
Questions take turns over kinds, and over the thirds of the records or values.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import cycle, islice
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from toon.reading.collections import Collection, Found, Keys, Scalar, find, is_listable, is_plain
from toon.reading.grading import Type
from toon.values.paths import pattern_text
from toon.wording import plural

#: The fewest questions that can tell a difference from chance.
FEWEST: Final = 20
#: How often in a row a kind may fail in each third before it is given up.
_PATIENCE: Final = 12
#: The most matching records that an answer lists; more are counted.
_MOST_LISTED: Final = 6
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
)
_LIST: Final = "List all, with commas between them."

T = TypeVar("T")
#: The text of a question, its answer, and how answers are graded.
Asked: TypeAlias = tuple[str, str, Type]


class TooSmall(ValueError):
    """The error of a payload that does not give enough questions."""


class Nothing(Exception):
    """Raised if a payload gives no question of a kind, or none about the third that was drawn."""


class Question(NamedTuple):
    """A question about a payload: its kind (in ``KINDS``), text, answer, and the answer's type."""

    kind: str
    text: str
    answer: str
    type: Type


class Draw(NamedTuple):
    """Random choices in a payload for a question about its ``third`` 0, 1 or 2.

    ``any`` and ``collection`` raise ``Nothing`` where there is no choice.
    """

    found: Found
    chance: random.Random
    third: int

    def any(self, options: Sequence[T]) -> T:
        """Return one of ``options`` at random; raise ``Nothing`` if there are none."""
        if not options:
            raise Nothing
        return self.chance.choice(options)

    def collection(self, is_usable: Callable[[Collection], object] = bool) -> Collection:
        """Return a random collection that the function ``is_usable`` accepts: rather a larger one.

        Raises:
            Nothing: No collection is usable.
        """
        options = [one for one in self.found.collections if is_usable(one)]
        if not options:
            raise Nothing
        return self.chance.choices(options, [len(one.rows) for one in options])[0]

    def number(self, of: Sequence[object]) -> int:
        """Return a random index of a sequence within this draw's third, else of all of it."""
        low, high = (-(-third * len(of) // 3) for third in (self.third, self.third + 1))
        return self.chance.randrange(*((low, high) if low < high else (len(of),)))


def ask_field(draw: Draw) -> Asked:
    """Make a question, with answer, for a field of the record that an identifier or a key names."""
    collection = draw.collection(lambda one: one.names or one.identifiers)
    number = draw.number(collection.rows)
    if collection.names is not None:
        named = f"entry {_said(collection.names[number])} in {collection.place}"
        return _field(draw, collection, number, named)
    by = draw.any(collection.identifiers)
    value = _said(collection.rows[number][by])
    named = f"record in {collection.place} whose {_name(by)} is {value}"
    return _field(draw, collection, number, named, by)


def _field(
    draw: Draw, collection: Collection, number: int, named: str, by: Keys | None = None
) -> Asked:
    """Make a question for a random field, but not ``by``, of record ``number`` (``named``)."""
    row = collection.rows[number]
    path = draw.any([path for path, leaf in row.items() if path != by and is_plain(leaf)])
    return f"What is {_name(path)} of the {named}?", *_typed(row[path])


def ask_nested(draw: Draw) -> Asked:
    """Make a question, with answer, for the value at a path of keys, or a list's items there."""
    leaves, listable = draw.found.leaves, draw.found.listable
    if draw.chance.randrange(len(leaves) + len(listable) or 1) < len(listable):
        path, items = draw.any(listable)
        text = f"What are the items of the list at {_name(path)}, in their order? {_LIST}"
        return text, ",".join(map(_write, items)), "list"
    if not leaves:
        raise Nothing
    path, leaf = leaves[draw.number(leaves)]
    return f"What is the value at {_name(path)}?", *_typed(leaf)


def ask_sum(draw: Draw) -> Asked:
    """Make a question, with answer, for the sum, least or largest number of a field or a list."""
    over = [
        (f"{_name(path)} over all {one.records} in {one.place}", values)
        for one in draw.found.collections
        for path, values in one.numeric.items()
    ]
    over += [
        (f"the numbers in the list at {_name(path)}", values) for path, values in draw.found.numeric
    ]
    words, values = draw.any(over)
    numbers = [Decimal(str(value)) for value in values]
    answers = {"sum": sum(numbers, Decimal(0)), "smallest": min(numbers), "largest": max(numbers)}
    word = draw.any(list(answers))
    return f"What is the {word} of {words}?", *_typed(answers[word])


def ask_filter(draw: Draw) -> Asked:
    """Make a question, with answer, for how many records meet a condition; if few, maybe which.

    The condition comes from a record of the draw's third, so at least that record meets it.
    """
    collection = draw.collection(lambda one: one.groups or one.numeric)
    rows, groups = collection.rows, collection.groups
    number = draw.number(rows)
    row = rows[number]
    paths = [path for path in row if path in groups or path in collection.numeric]
    path = draw.any([path for path in paths if row[path] is not None])
    value = row[path]
    if path in groups:
        words = f"{_name(path)} equal to {_said(value)}"
        met = [one for one in rows if type(one.get(path)) is type(value) and one[path] == value]
    else:
        numbers = collection.numeric[path]
        least = draw.any(sorted({one for one in numbers if one < numbers[number]}))
        words = f"{_name(path)} greater than {_said(least)}"
        met = [one for one, size in zip(rows, numbers, strict=True) if size > least]
    all_of = f"{collection.records} in {collection.place}"
    named = [by for by in collection.identifiers if by != path]
    if 1 < len(met) <= _MOST_LISTED and named and draw.chance.random() < 0.5:
        by = draw.any(named)
        values = [one[by] for one in met]
        if is_listable(values):
            text = f"What is {_name(by)} of the {all_of} that have {words}? {_LIST}"
            return text, ",".join(map(_write, values)), "set"
    return f"How many {all_of} have {words}?", str(len(met)), "integer"


def ask_structure(draw: Draw) -> Asked:
    """Make a question, with answer, for how many records or items, or the first or last one."""
    collections, lists = draw.found.collections, draw.found.lists
    is_of_list = draw.chance.randrange(len(collections) + len(lists) or 1) >= len(collections)
    # The middle third has no end.
    end = {0: "first", 2: "last"}.get(draw.third) if draw.chance.random() < 0.5 else None
    at = 0 if end == "first" else -1
    if is_of_list:
        path, items = draw.any(lists)
        if end:
            return f"What is the {end} item of the list at {_name(path)}?", *_typed(items[at])
        return f"How many items does the list at {_name(path)} have?", str(len(items)), "integer"
    one = draw.any(collections)
    if end:
        record = "record" if one.names is None else "entry"
        return _field(draw, one, at, f"{end} {record} in {one.place}")
    return f"How many {one.records} does {one.place} have?", str(len(one.rows)), "integer"


def _name(path: Keys) -> str:
    """Write a path between backticks, as a question names a field."""
    return f"`{pattern_text(path)}`"


def _said(value: Scalar | None) -> str:
    """Write a value as a question names it: a text in quotes."""
    return f'"{value}"' if isinstance(value, str) else _write(value)


def _write(value: Scalar | Decimal | None) -> str:
    """Write a payload's scalar as the text of an answer, such as ``true``; a number in full."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() | Decimal():
            figures = f"{Decimal(str(value)):f}"
            return figures.rstrip("0").rstrip(".") if "." in figures else figures
        case _:
            return str(value)


def _typed(value: Scalar | Decimal | None) -> tuple[str, Type]:
    """Return the text of a scalar as an answer, and the type by which answers are graded."""
    text = _write(value)
    match value:
        case bool():
            return text, "boolean"
        case int() | float() | Decimal():
            return text, "number" if "." in text else "integer"
        case _:
            return text, "date" if _DATE.fullmatch(text) else "string"


class Kind(NamedTuple):
    """A kind of question: its label, and the function that draws one."""

    label: str
    ask: Callable[[Draw], Asked]


#: The kinds of questions, in the order of asking.
KINDS: Final = {
    "field": Kind("a field of the record that an identifier or a key names", ask_field),
    "nested": Kind("a value at a path", ask_nested),
    "sum": Kind("a sum, the smallest or the largest", ask_sum),
    "filter": Kind("records that meet a condition", ask_filter),
    "structure": Kind("how many, the first or the last", ask_structure),
}


def make_questions(value: Any, count: int, seed: int) -> list[Question]:
    """Return ``count`` questions about a payload, drawn by ``seed``, or as many as it gives.

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
    """Yield one question of each kind about a payload in turn, until no kind has a new one."""
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
    """Yield the questions of one kind about a payload, in turn on its thirds, until none is new."""
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
            if asked[0] not in seen:
                seen.add(asked[0])
                yield Question(name, *asked)
                failed = 0
                break
        else:
            failed += 1
            if failed == 3:
                return
