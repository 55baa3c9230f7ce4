"""Questions out of a payload, each with the one answer that the data give.

The same payload and seed give the same questions. They are balanced over kinds, and those about
one record over places: the first third of the records, the second, and the last.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from itertools import cycle
from typing import Any, Final, Literal, NamedTuple, TypeVar

from toon.reading.collections import (
    Collection,
    Keys,
    Scalar,
    find_collections,
    find_leaves,
    is_plain,
)
from toon.reading.grading import Type
from toon.values.paths import pattern_text
from toon.wording import plural

Place = Literal["start", "middle", "end", "all"]
PLACES: Final[tuple[Place, ...]] = ("start", "middle", "end")

#: Fewer questions tell no difference from chance.
FEWEST: Final = 20
#: How often in a row a kind may fail to make a new question before it is given up.
_PATIENCE: Final = 12

_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
)

#: The kinds of questions, with what pages and commands call them.
KINDS: Final = {
    "field": "a field of the record that an identifier names",
    "key": "a field of the entry that a key names",
    "nested": "a value inside objects",
    "count": "how many different values, or items",
    "sum": "a sum",
    "extreme": "the smallest or largest",
    "filter": "records that meet a condition",
    "two filters": "records that meet two conditions",
    "structure": "how many records, which fields, the last one",
}

T = TypeVar("T")


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
    makers = _Maker(value, random.Random(seed)).kinds()
    found: dict[str, Question] = {}
    failed = dict.fromkeys(makers, 0)
    while makers and len(found) < count:
        for kind in list(makers):
            question = makers[kind]()
            is_new = question is not None and found.setdefault(question.text, question) is question
            failed[kind] = 0 if is_new else failed[kind] + 1
            if failed[kind] > _PATIENCE:
                del makers[kind]
            if len(found) == count:
                break
    if len(found) < min(FEWEST, count):
        raise TooSmall(
            f"This payload gives {plural(len(found), 'question')} with one clear answer, and "
            f"{FEWEST} are needed. Lists of records, with a field that names each, give many."
        )
    return list(found.values())


class Asked(NamedTuple):
    """A question without its kind."""

    text: str
    answer: str
    type: Type
    place: Place


class Condition(NamedTuple):
    """What records must have: a value, or a number greater than another."""

    path: Keys
    words: str
    value: Scalar | None
    above: float | None

    def holds(self, row: dict[Keys, Scalar | None]) -> bool:
        found = row.get(self.path)
        if self.above is not None:
            return isinstance(found, int | float) and found > self.above
        return found == self.value and isinstance(found, bool) == isinstance(self.value, bool)


class _Maker:
    """Makes questions one by one; what the payload has none of gives None."""

    def __init__(self, value: Any, chance: random.Random) -> None:
        self._collections = find_collections(value)
        self._leaves = [(path, leaf) for path, leaf in find_leaves(value).items() if is_plain(leaf)]
        self._chance = chance
        self._places = cycle(PLACES)

    def kinds(self) -> dict[str, Callable[[], Question | None]]:
        """What makes a question of each kind."""
        about_records = {
            "field": self._field,
            "sum": self._sum,
            "extreme": self._extreme,
            "filter": self._filter,
            "two filters": self._two_filters,
            "structure": self._structure,
        }
        makers = {kind: partial(self._about, kind, make) for kind, make in about_records.items()}
        return {**makers, "nested": self._nested}

    def _about(self, kind: str, make: Callable[[Collection], Asked | None]) -> Question | None:
        """A question about any collection; larger ones come up more often."""
        if not self._collections:
            return None
        sizes = [len(one.records) for one in self._collections]
        (collection,) = self._chance.choices(self._collections, sizes)
        asked = make(collection)
        return None if asked is None else Question(kind, *asked)

    def _row(self, collection: Collection) -> tuple[int, Place]:
        """A record of the third whose turn it is."""
        place = next(self._places)
        third = PLACES.index(place)
        size = len(collection.records)
        return self._chance.randrange(third * size // 3, (third + 1) * size // 3), place

    def _one_of(self, options: Sequence[T]) -> T | None:
        return self._chance.choice(list(options)) if options else None

    def _field(self, collection: Collection) -> Asked | None:
        """A field of the record that a key or an identifier names."""
        number, place = self._row(collection)
        row = collection.rows[number]
        told = self._named(collection, number)
        if told is None:
            return None
        named, by = told
        fields = [path for path, leaf in row.items() if path != by and leaf is not None]
        path = self._one_of([path for path in fields if is_plain(row[path])])
        if path is None:
            return None
        text = f"What is {_name(path)} of the {named}?"
        return Asked(text, *_answer(row[path]), place)

    def _named(self, collection: Collection, number: int) -> tuple[str, Keys | None] | None:
        """How a question names a record, and the field that it is named by."""
        if collection.names is not None:
            return f"entry {_said(collection.names[number])} in {collection.where}", None
        by = self._one_of(collection.identifiers)
        if by is None:
            return None
        value = collection.rows[number][by]
        return f"record in {collection.where} whose {_name(by)} is {_said(value)}", by

    def _sum(self, collection: Collection) -> Asked | None:
        path = self._one_of(collection.numeric)
        if path is None:
            return None
        total = sum(Decimal(str(row[path])) for row in collection.rows)
        text = f"What is the sum of {_name(path)} over all records in {collection.where}?"
        return Asked(text, f"{total:f}", _type_of(total), "all")

    def _extreme(self, collection: Collection) -> Asked | None:
        path = self._one_of(collection.numeric)
        if path is None:
            return None
        word, choose = self._chance.choice([("smallest", min), ("largest", max)])
        found = choose(Decimal(str(row[path])) for row in collection.rows)
        text = f"What is the {word} {_name(path)} of all records in {collection.where}?"
        return Asked(text, f"{found:f}", _type_of(found), "all")

    def _filter(self, collection: Collection) -> Asked | None:
        return self._counted(collection, [self._condition(collection)])

    def _two_filters(self, collection: Collection) -> Asked | None:
        return self._counted(collection, [self._condition(collection) for _ in range(2)])

    def _counted(self, collection: Collection, conditions: list[Condition | None]) -> Asked | None:
        given = [condition for condition in conditions if condition is not None]
        if len({condition.path for condition in given}) < len(conditions):
            return None
        matching = [
            row for row in collection.rows if all(condition.holds(row) for condition in given)
        ]
        text = (
            f"How many records in {collection.where} have "
            f"{' and '.join(condition.words for condition in given)}?"
        )
        return Asked(text, str(len(matching)), "integer", "all")

    def _condition(self, collection: Collection) -> Condition | None:
        """One that some records meet, and others do not."""
        paths = [*collection.groups, *collection.numeric]
        path = self._one_of(paths)
        if path is None:
            return None
        if path in collection.groups:
            value = self._chance.choice(list(collection.groups[path]))
            return Condition(path, f"{_name(path)} equal to {_said(value)}", value, None)
        found = (row[path] for row in collection.rows)
        values = sorted({value for value in found if isinstance(value, int | float)})
        least = self._chance.choice(values[:-1])
        return Condition(path, f"{_name(path)} greater than {_said(least)}", None, least)

    def _structure(self, collection: Collection) -> Asked | None:
        """How many records there are, which fields one has, which is the last."""
        make = self._chance.choice(
            [self._size, self._fields_of, self._number_of_fields, self._at_the_end]
        )
        return make(collection)

    def _size(self, collection: Collection) -> Asked:
        what = "records" if collection.names is None else "entries"
        text = f"How many {what} are in {collection.where}?"
        return Asked(text, str(len(collection.records)), "integer", "all")

    def _fields_of(self, collection: Collection) -> Asked | None:
        number, place = self._row(collection)
        fields = list(collection.records[number])
        if not all(map(is_plain, fields)):
            return None
        text = f"Which fields does {_ordinal(collection, number)} have, in their order?"
        return Asked(text, ",".join(fields), "list", place)

    def _number_of_fields(self, collection: Collection) -> Asked:
        number, place = self._row(collection)
        record = _ordinal(collection, number)
        text = f"How many fields does {record} have, without those inside fields?"
        return Asked(text, str(len(collection.records[number])), "integer", place)

    def _at_the_end(self, collection: Collection) -> Asked | None:
        by = self._one_of(collection.identifiers)
        if by is None:
            return None
        number, place = self._chance.choice([(0, PLACES[0]), (-1, PLACES[-1])])
        text = f"What is {_name(by)} of {_ordinal(collection, number)}?"
        return Asked(text, *_answer(collection.rows[number][by]), place)

    def _nested(self) -> Question | None:
        """A value inside objects, by its whole path."""
        if not self._leaves:
            return None
        number = self._chance.randrange(len(self._leaves))
        path, leaf = self._leaves[number]
        place = PLACES[3 * number // len(self._leaves)]
        return Question("nested", f"What is the value at {_name(path)}?", *_answer(leaf), place)


def _name(path: Keys) -> str:
    return f"`{pattern_text(path)}`"


def _said(value: Scalar | None) -> str:
    """A value for a sentence: texts stand in quotes."""
    return f'"{value}"' if isinstance(value, str) else _text(value)


def _text(value: Scalar | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{Decimal(str(value)):f}" if isinstance(value, float) else str(value)


def _answer(value: Scalar | None) -> tuple[str, Type]:
    assert value is not None
    return _text(value), _type_of(value)


def _type_of(value: Scalar | Decimal) -> Type:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case Decimal():
            return "integer" if value == value.to_integral_value() else "number"
        case _:
            return "date" if _DATE.fullmatch(value) else "string"


def _ordinal(collection: Collection, number: int) -> str:
    """A record by its place, from the nearer end."""
    what = "record" if collection.names is None else "entry"
    size = len(collection.records)
    number %= size
    if number == size - 1:
        return f"the last {what} in {collection.where}"
    return f"{what} number {number + 1:,} in {collection.where}"
