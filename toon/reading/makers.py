"""One function for each kind of question: what chance draws from a payload in, one question out.

A maker asks about the third of the records or values that the draw is about, or about all of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import islice
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeVar

from toon.reading.collections import (
    Collection,
    Found,
    Keys,
    Row,
    Scalar,
    is_listable,
    is_plain,
)
from toon.reading.grading import Type
from toon.values.paths import pattern_text

Place = Literal["start", "middle", "end", "all"]
PLACES: Final[tuple[Place, ...]] = ("start", "middle", "end")

#: More matching records are counted, not listed.
_MOST_LISTED: Final = 6
_ENDS: Final[dict[Place, tuple[str, int]]] = {"start": ("first", 0), "end": ("last", -1)}
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
)
_LIST: Final = "List all, with commas between them."
_OUTER: Final = "Leave out the fields inside of fields."

T = TypeVar("T")


class Nothing(Exception):
    """The payload offers no question of this kind, or none about the place that was drawn."""


class Asked(NamedTuple):
    """A question without its kind."""

    text: str
    answer: str
    type: Type
    place: Place


class Draw(NamedTuple):
    """What chance draws from a payload, for a question about a third of it.

    Where there is nothing to draw from, ``any`` and ``collection`` raise ``Nothing``.
    """

    found: Found
    chance: random.Random
    place: Place

    def any(self, options: Sequence[T]) -> T:
        """Any of the options."""
        if not options:
            raise Nothing
        return self.chance.choice(options)

    def collection(self, is_usable: Callable[[Collection], object] = bool) -> Collection:
        """Any of the usable collections; larger ones come up more often."""
        options = [one for one in self.found.collections if is_usable(one)]
        if not options:
            raise Nothing
        return self.chance.choices(options, [len(one.records) for one in options])[0]

    def number(self, of: Sequence[object]) -> tuple[int, Place]:
        """The number of one in the third, or elsewhere if that is empty, and where it is."""
        size, third = len(of), PLACES.index(self.place)
        low, high = -(-third * size // 3), -(-(third + 1) * size // 3)
        number = self.chance.randrange(*((low, high) if low < high else (size,)))
        return number, PLACES[3 * number // size]


class Condition(NamedTuple):
    """What records must have: ``value``, or a number greater than it."""

    path: Keys
    value: Scalar
    is_above: bool

    @property
    def words(self) -> str:
        relation = "greater than" if self.is_above else "equal to"
        return f"{_name(self.path)} {relation} {_said(self.value)}"

    def holds(self, row: Row) -> bool:
        found, value = row.get(self.path), self.value
        if self.is_above:
            return isinstance(found, int | float) and not isinstance(value, str) and found > value
        return type(found) is type(value) and found == value


def ask_field(draw: Draw) -> Asked:
    """A field of the record that an identifier names."""
    collection = draw.collection(lambda one: one.identifiers)
    number, place = draw.number(collection.rows)
    by = draw.any(collection.identifiers)
    return _field(draw, collection, number, _by_field(collection, number, by), place, by)


def ask_key(draw: Draw) -> Asked:
    """A field of the entry that the key of a map names."""
    collection = draw.collection(lambda one: one.names is not None)
    number, place = draw.number(collection.rows)
    return _field(draw, collection, number, _by_key(collection, number), place)


def _field(
    draw: Draw,
    collection: Collection,
    number: int,
    named: str,
    place: Place,
    by: Keys | None = None,
) -> Asked:
    """Any other field of a record that is named already."""
    row = collection.rows[number]
    fields = [path for path, leaf in row.items() if path != by and is_plain(leaf)]
    path = draw.any([path for path in fields if path in collection.columns])
    return Asked(f"What is {_name(path)} of the {named}?", *_typed(row[path]), place)


def ask_nested(draw: Draw) -> Asked:
    """A value at a path of keys, or all items of the list there."""
    listable, leaves = draw.found.listable, draw.found.leaves
    number = draw.chance.randrange(len(leaves) + len(listable) or 1)
    if number < len(listable):
        path, items = listable[number]
        text = f"What are the items of the list at {_name(path)}, in their order? {_LIST}"
        return Asked(text, ",".join(map(_write, items)), "list", "all")
    if not leaves:
        raise Nothing
    number, place = draw.number(leaves)
    path, leaf = leaves[number]
    return Asked(f"What is the value at {_name(path)}?", *_typed(leaf), place)


def ask_count(draw: Draw) -> Asked:
    """How many different values a field has, or how many items a list has."""
    return draw.any([_different_values, _items_of_record, _items_of_list])(draw)


def _different_values(draw: Draw) -> Asked:
    collection = draw.collection(_groups)
    path = draw.any(_groups(collection))
    text = f"How many different values does {_name(path)} have over all {_all_of(collection)}?"
    return Asked(text, str(len(collection.groups[path])), "integer", "all")


def _groups(collection: Collection) -> list[Keys]:
    """The fields of few values that every record has."""
    return [
        path
        for path, values in collection.groups.items()
        if path in collection.full and None not in values
    ]


def _items_of_record(draw: Draw) -> Asked:
    collection = draw.collection(lambda one: one.identifiers)
    number, place = draw.number(collection.rows)
    record = collection.records[number]
    lists = [key for key, value in record.items() if isinstance(value, list) and is_plain(key)]
    key = draw.any(lists)
    named = _by_field(collection, number, draw.any(collection.identifiers))
    text = f"How many items does the list {_name((key,))} of the {named} have?"
    return Asked(text, str(len(record[key])), "integer", place)


def _items_of_list(draw: Draw) -> Asked:
    path, items = draw.any(draw.found.lists)
    text = f"How many items does the list at {_name(path)} have?"
    return Asked(text, str(len(items)), "integer", "all")


def ask_sum(draw: Draw) -> Asked:
    """The sum of a number over all records, or of a list of numbers."""
    words, values = _numbers(draw)
    total = sum((Decimal(str(value)) for value in values), Decimal(0))
    return Asked(f"What is the sum of {words}?", *_typed(total), "all")


def ask_extreme(draw: Draw) -> Asked:
    """The smallest or largest number over all records, or of a list."""
    words, values = _numbers(draw)
    word = draw.any(["smallest", "largest"])
    value = min(values) if word == "smallest" else max(values)
    return Asked(f"What is the {word} of {words}?", *_typed(value), "all")


def _numbers(draw: Draw) -> tuple[str, list[int | float]]:
    """The numbers of a list or of a field, and what a sentence calls them."""
    lists, has_fields = draw.found.numeric, any(one.numeric for one in draw.found.collections)
    collection = draw.collection(lambda one: one.numeric) if has_fields else None
    if collection is None or (lists and draw.chance.random() < 0.5):
        path, values = draw.any(lists)
        return f"the numbers in the list at {_name(path)}", values
    path = draw.any(list(collection.numeric))
    return f"{_name(path)} over all {_all_of(collection)}", collection.numeric[path]


def ask_filter(draw: Draw, count: int) -> Asked:
    """How many records meet ``count`` conditions at once; if few do, sometimes which.

    The conditions are those of one record of the third, so that at least one meets them.
    """
    collection = draw.collection(lambda one: len({*one.groups, *one.numeric}) >= count)
    number, _ = draw.number(collection.rows)
    chosen = _conditions(draw.chance, collection, collection.rows[number], count)
    rows = [row for row in collection.rows if all(one.holds(row) for one in chosen)]
    words = " and ".join(condition.words for condition in chosen)
    named = [path for path in collection.identifiers if path not in {one.path for one in chosen}]
    if 1 < len(rows) <= _MOST_LISTED and named and draw.chance.random() < 0.5:
        by = draw.any(named)
        values = [row[by] for row in rows]
        if is_listable(values):
            text = f"What is {_name(by)} of the {_all_of(collection)} that have {words}? {_LIST}"
            return Asked(text, ",".join(map(_write, values)), "set", "all")
    text = f"How many {_all_of(collection)} have {words}?"
    return Asked(text, str(len(rows)), "integer", "all")


def _conditions(
    chance: random.Random, collection: Collection, row: Row, count: int
) -> list[Condition]:
    """``count`` conditions, each of another field, that the record meets and others do not.

    Raises:
        Nothing: The record does not give ``count`` of them.
    """
    paths = list(dict.fromkeys([*collection.groups, *collection.numeric]))
    chance.shuffle(paths)
    every = (_condition(chance, collection, path, row.get(path)) for path in paths)
    found = list(islice((one for one in every if one is not None), count))
    if len(found) < count:
        raise Nothing
    # In one order, or "a and b" would be another question than "b and a".
    return sorted(found, key=itemgetter(0))


def _condition(
    chance: random.Random, collection: Collection, path: Keys, value: Scalar | None
) -> Condition | None:
    if value is None:
        return None
    if isinstance(value, str) or path in collection.groups:
        return Condition(path, value, False)
    below = sorted({one for one in collection.numeric[path] if one < value})
    return Condition(path, chance.choice(below), True) if below else None


def ask_structure(draw: Draw) -> Asked:
    """How many records there are, which fields one has, what stands first or last."""
    found = draw.found
    makers = [_size, _fields_of_record, _at_an_end] if found.collections else []
    makers += [_fields_of_object] if found.objects else []
    makers += [_end_of_list] if found.lists else []
    return draw.any(makers)(draw)


def _size(draw: Draw) -> Asked:
    collection = draw.any(draw.found.collections)
    what = "records" if collection.names is None else "entries"
    text = f"How many {what} does {_where(collection)} have?"
    return Asked(text, str(len(collection.records)), "integer", "all")


def _fields_of_record(draw: Draw) -> Asked:
    collection = draw.collection()
    number, place = draw.number(collection.rows)
    fields = list(collection.records[number])
    if not is_listable(fields):
        raise Nothing
    if all(record.keys() == set(fields) for record in collection.records):
        whose, place = f"do all {_all_of(collection)}", "all"
    elif collection.names is not None:
        whose = f"does the {_by_key(collection, number)}"
    else:
        by = draw.any(collection.identifiers)
        whose = f"does the {_by_field(collection, number, by)}"
    text = f"Which fields {whose} have? {_OUTER} {_LIST}"
    return Asked(text, ",".join(fields), "set", place)


def _at_an_end(draw: Draw) -> Asked:
    collection = draw.collection()
    end, number = _end(draw)
    return _field(draw, collection, number, f"{end} {_one_of(collection)}", draw.place)


def _end(draw: Draw) -> tuple[str, int]:
    """What the third is an end of: its name and number there."""
    if draw.place not in _ENDS:
        raise Nothing
    return _ENDS[draw.place]


def _fields_of_object(draw: Draw) -> Asked:
    number, place = draw.number(draw.found.objects)
    path, fields = draw.found.objects[number]
    text = f"Which fields does the object at {_name(path)} have? {_OUTER} {_LIST}"
    return Asked(text, ",".join(fields), "set", place)


def _end_of_list(draw: Draw) -> Asked:
    end, number = _end(draw)
    path, items = draw.any(draw.found.lists)
    text = f"What is the {end} item of the list at {_name(path)}?"
    return Asked(text, *_typed(items[number]), draw.place)


def _where(collection: Collection) -> str:
    """The place of a collection."""
    return f"`{pattern_text(collection.path)}`" if collection.path else "the data"


def _all_of(collection: Collection) -> str:
    """The records of a collection, which are the entries of a map."""
    return f"{'records' if collection.names is None else 'entries'} in {_where(collection)}"


def _one_of(collection: Collection) -> str:
    """A record of a collection."""
    return f"{'record' if collection.names is None else 'entry'} in {_where(collection)}"


def _by_field(collection: Collection, number: int, by: Keys) -> str:
    """A record named by an identifier."""
    value = _said(collection.rows[number][by])
    return f"{_one_of(collection)} whose {_name(by)} is {value}"


def _by_key(collection: Collection, number: int) -> str:
    """A record named by its key in a map."""
    assert collection.names is not None
    return f"entry {_said(collection.names[number])} in {_where(collection)}"


def _name(path: Keys) -> str:
    """A path in the signs that set it off."""
    return f"`{pattern_text(path)}`"


def _said(value: Scalar | None) -> str:
    """A value for a sentence: texts stand in quotes."""
    return f'"{value}"' if isinstance(value, str) else _write(value)


def _write(value: Scalar | Decimal | None) -> str:
    """A value as an answer."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() | Decimal():
            figures = f"{Decimal(str(value)):f}"
            return figures.rstrip("0").rstrip(".") if "." in figures else figures
        case _:
            return str(value)


def _typed(value: Scalar | Decimal | None) -> tuple[str, Type]:
    """A value as an answer, with how it is graded."""
    text = _write(value)
    match value:
        case bool():
            return text, "boolean"
        case int() | float() | Decimal():
            return text, "number" if "." in text else "integer"
        case _:
            return text, "date" if _DATE.fullmatch(text) else "string"
