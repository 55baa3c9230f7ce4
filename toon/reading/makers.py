"""Functions that make one question each, out of a random draw from a payload.

A function asks about the draw's third of the records or values, or about all of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, TypeVar

from toon.reading.collections import (
    Collection,
    Found,
    Keys,
    Scalar,
    is_listable,
    is_plain,
)
from toon.reading.grading import Type
from toon.values.paths import pattern_text

#: The most matching records that an answer lists; more are counted.
_MOST_LISTED: Final = 6
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
)
_LIST: Final = "List all, with commas between them."

T = TypeVar("T")


class Nothing(Exception):
    """A payload without a question of this kind, or of this kind about the third drawn."""


class Asked(NamedTuple):
    """A question without its kind."""

    text: str
    answer: str
    type: Type


class Draw(NamedTuple):
    """A random draw from a payload, for a question about a ``third`` of it: 0, 1 or 2.

    Without anything to draw from, ``any`` and ``collection`` raise ``Nothing``.
    """

    found: Found
    chance: random.Random
    third: int

    def any(self, options: Sequence[T]) -> T:
        """Return a random option."""
        if not options:
            raise Nothing
        return self.chance.choice(options)

    def collection(self, is_usable: Callable[[Collection], object] = bool) -> Collection:
        """Return a random usable collection; larger ones come up more often."""
        options = [one for one in self.found.collections if is_usable(one)]
        if not options:
            raise Nothing
        return self.chance.choices(options, [len(one.rows) for one in options])[0]

    def number(self, of: Sequence[object]) -> int:
        """Return a random index of ``of`` in the third, or anywhere if the third is empty."""
        low, high = (-(-third * len(of) // 3) for third in (self.third, self.third + 1))
        return self.chance.randrange(*((low, high) if low < high else (len(of),)))


def ask_field(draw: Draw) -> Asked:
    """Ask for a field of the record that an identifier names, or the key of a map."""
    collection = draw.collection(lambda one: one.names or one.identifiers)
    number = draw.number(collection.rows)
    row, by = collection.rows[number], None
    if collection.names is not None:
        named = f"entry {_said(collection.names[number])} in {_where(collection)}"
    else:
        by = draw.any(collection.identifiers)
        named = f"record in {_where(collection)} whose {_name(by)} is {_said(row[by])}"
    return _field(draw, collection, number, named, by)


def _field(
    draw: Draw, collection: Collection, number: int, named: str, by: Keys | None = None
) -> Asked:
    """Ask for a random field, other than ``by``, of the record ``named`` in the sentence."""
    row = collection.rows[number]
    path = draw.any([path for path, leaf in row.items() if path != by and is_plain(leaf)])
    return Asked(f"What is {_name(path)} of the {named}?", *_typed(row[path]))


def ask_nested(draw: Draw) -> Asked:
    """Ask for the value at a path of keys, or for all items of the list there."""
    leaves, listable = draw.found.leaves, draw.found.listable
    if draw.chance.randrange(len(leaves) + len(listable) or 1) < len(listable):
        path, items = draw.any(listable)
        text = f"What are the items of the list at {_name(path)}, in their order? {_LIST}"
        return Asked(text, ",".join(map(_write, items)), "list")
    if not leaves:
        raise Nothing
    path, leaf = leaves[draw.number(leaves)]
    return Asked(f"What is the value at {_name(path)}?", *_typed(leaf))


def ask_sum(draw: Draw) -> Asked:
    """Ask for the sum, the smallest or the largest number of a column or of a list."""
    over = [
        (f"{_name(path)} over all {_all_of(one)}", values)
        for one in draw.found.collections
        for path, values in one.numeric.items()
    ]
    over += [
        (f"the numbers in the list at {_name(path)}", values) for path, values in draw.found.numeric
    ]
    words, values = draw.any(over)
    numbers = [Decimal(str(value)) for value in values]
    word = draw.any(["sum", "smallest", "largest"])
    smallest_or_largest = min if word == "smallest" else max
    answer = sum(numbers, Decimal(0)) if word == "sum" else smallest_or_largest(numbers)
    return Asked(f"What is the {word} of {words}?", *_typed(answer))


def ask_filter(draw: Draw) -> Asked:
    """Ask how many records meet a condition; if few do, sometimes ask which.

    The condition comes from a record of the third, so at least that record meets it.
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
    named = [by for by in collection.identifiers if by != path]
    if 1 < len(met) <= _MOST_LISTED and named and draw.chance.random() < 0.5:
        by = draw.any(named)
        values = [one[by] for one in met]
        if is_listable(values):
            text = f"What is {_name(by)} of the {_all_of(collection)} that have {words}? {_LIST}"
            return Asked(text, ",".join(map(_write, values)), "set")
    return Asked(f"How many {_all_of(collection)} have {words}?", str(len(met)), "integer")


def ask_structure(draw: Draw) -> Asked:
    """Ask how many records or items there are, or for the first or last of them."""
    collections, lists = draw.found.collections, draw.found.lists
    is_of_list = draw.chance.randrange(len(collections) + len(lists) or 1) >= len(collections)
    # The middle third has no end.
    end = {0: "first", 2: "last"}.get(draw.third) if draw.chance.random() < 0.5 else None
    at = 0 if end == "first" else -1
    if is_of_list:
        path, items = draw.any(lists)
        if end:
            text = f"What is the {end} item of the list at {_name(path)}?"
            return Asked(text, *_typed(items[at]))
        text = f"How many items does the list at {_name(path)} have?"
        return Asked(text, str(len(items)), "integer")
    collection = draw.any(collections)
    if end:
        return _field(draw, collection, at, f"{end} {_one_of(collection)}")
    what = "records" if collection.names is None else "entries"
    text = f"How many {what} does {_where(collection)} have?"
    return Asked(text, str(len(collection.rows)), "integer")


def _where(collection: Collection) -> str:
    """Say where a collection stands in the data."""
    return _name(collection.path) if collection.path else "the data"


def _all_of(collection: Collection) -> str:
    """Name the records of a collection in a sentence; a map's are its entries."""
    return f"{'records' if collection.names is None else 'entries'} in {_where(collection)}"


def _one_of(collection: Collection) -> str:
    """Name one record of a collection in a sentence."""
    return f"{'record' if collection.names is None else 'entry'} in {_where(collection)}"


def _name(path: Keys) -> str:
    """Write a path between backticks."""
    return f"`{pattern_text(path)}`"


def _said(value: Scalar | None) -> str:
    """Write a value for a sentence: texts stand in quotes."""
    return f'"{value}"' if isinstance(value, str) else _write(value)


def _write(value: Scalar | Decimal | None) -> str:
    """Write a value as an answer."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() | Decimal():
            figures = f"{Decimal(str(value)):f}"
            return figures.rstrip("0").rstrip(".") if "." in figures else figures
        case _:
            return str(value)


def _typed(value: Scalar | Decimal | None) -> tuple[str, Type]:
    """Write a value as an answer, and return the type of answer that it is graded as."""
    text = _write(value)
    match value:
        case bool():
            return text, "boolean"
        case int() | float() | Decimal():
            return text, "number" if "." in text else "integer"
        case _:
            return text, "date" if _DATE.fullmatch(text) else "string"
