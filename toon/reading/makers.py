"""One function for each kind of question: what a payload offers, chance and a place in, one out.

``place`` is the third of the records or values that the question shall be about; a maker may give
one about all of them. None says that the payload offers nothing, there or at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
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
from toon.reading.phrases import (
    all_of,
    by_field,
    by_key,
    name,
    one_of,
    said,
    typed,
    where,
    write,
)

Place = Literal["start", "middle", "end", "all"]
PLACES: Final[tuple[Place, ...]] = ("start", "middle", "end")

#: More matching records are counted, not listed.
_MOST_LISTED: Final = 6
_ENDS: Final[dict[Place, tuple[str, int]]] = {"start": ("first", 0), "end": ("last", -1)}
_LIST: Final = "List all, with commas between them."
_OUTER: Final = "Leave out the fields inside of fields."

T = TypeVar("T")


class Asked(NamedTuple):
    """A question without its kind."""

    text: str
    answer: str
    type: Type
    place: Place


class Condition(NamedTuple):
    """What records must have: ``value``, or a number greater than it."""

    path: Keys
    value: Scalar
    is_above: bool

    @property
    def words(self) -> str:
        relation = "greater than" if self.is_above else "equal to"
        return f"{name(self.path)} {relation} {said(self.value)}"

    def holds(self, row: Row) -> bool:
        found, value = row.get(self.path), self.value
        if self.is_above:
            return isinstance(found, int | float) and not isinstance(value, str) and found > value
        return type(found) is type(value) and found == value


Maker = Callable[[Found, random.Random, Place], Asked | None]


def ask_field(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """A field of the record that an identifier names."""
    collection = _any(chance, (one for one in found.collections if one.identifiers))
    if collection is None:
        return None
    number, place = _third(chance, len(collection.rows), place)
    by = chance.choice(collection.identifiers)
    return _field(collection, number, by_field(collection, number, by), chance, place, by)


def ask_key(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """A field of the entry that the key of a map names."""
    collection = _any(chance, (one for one in found.collections if one.names is not None))
    if collection is None:
        return None
    number, place = _third(chance, len(collection.rows), place)
    return _field(collection, number, by_key(collection, number), chance, place)


def ask_nested(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """A value at a path of keys, or all items of the list there."""
    number = chance.randrange(len(found.leaves) + len(found.listable) or 1)
    if number < len(found.listable):
        path, items = found.listable[number]
        text = f"What are the items of the list at {name(path)}, in their order? {_LIST}"
        return Asked(text, ",".join(map(write, items)), "list", "all")
    if not found.leaves:
        return None
    number, place = _third(chance, len(found.leaves), place)
    path, leaf = found.leaves[number]
    return Asked(f"What is the value at {name(path)}?", *typed(leaf), place)


def ask_count(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """How many different values a field has, or how many items a list has."""
    make = _one_of(chance, [_different_values, _items_of_record, _items_of_list])
    return make(found, chance, place) if make else None


def _different_values(found: Found, chance: random.Random, place: Place) -> Asked | None:
    collection = _any(chance, (one for one in found.collections if _groups(one)))
    if collection is None:
        return None
    path = chance.choice(_groups(collection))
    text = f"How many different values does {name(path)} have over all {all_of(collection)}?"
    return Asked(text, str(len(collection.groups[path])), "integer", "all")


def _groups(collection: Collection) -> list[Keys]:
    """The fields of few values that every record has."""
    return [
        path
        for path, values in collection.groups.items()
        if path in collection.full and None not in values
    ]


def _items_of_record(found: Found, chance: random.Random, place: Place) -> Asked | None:
    collection = _any(chance, (one for one in found.collections if one.identifiers))
    if collection is None:
        return None
    number, place = _third(chance, len(collection.rows), place)
    record = collection.records[number]
    lists = [key for key, value in record.items() if isinstance(value, list) and is_plain(key)]
    if not lists:
        return None
    key = chance.choice(lists)
    named = by_field(collection, number, chance.choice(collection.identifiers))
    text = f"How many items does the list {name((key,))} of the {named} have?"
    return Asked(text, str(len(record[key])), "integer", place)


def _items_of_list(found: Found, chance: random.Random, place: Place) -> Asked | None:
    if not found.lists:
        return None
    path, items = chance.choice(found.lists)
    text = f"How many items does the list at {name(path)} have?"
    return Asked(text, str(len(items)), "integer", "all")


def ask_sum(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """The sum of a number over all records, or of a list of numbers."""
    of = _numbers(found, chance)
    if of is None:
        return None
    total = sum((Decimal(str(value)) for value in of.values), Decimal(0))
    return Asked(f"What is the sum of {of.words}?", *typed(total), "all")


def ask_extreme(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """The smallest or largest number over all records, or of a list."""
    of = _numbers(found, chance)
    if of is None:
        return None
    word = chance.choice(["smallest", "largest"])
    value = min(of.values) if word == "smallest" else max(of.values)
    return Asked(f"What is the {word} of {of.words}?", *typed(value), "all")


class _Numbers(NamedTuple):
    words: str
    values: list[int | float]


def _numbers(found: Found, chance: random.Random) -> _Numbers | None:
    collection = _any(chance, (one for one in found.collections if one.numeric))
    if found.numeric and (collection is None or chance.random() < 0.5):
        path, values = chance.choice(found.numeric)
        return _Numbers(f"the numbers in the list at {name(path)}", values)
    if collection is None:
        return None
    path = chance.choice(list(collection.numeric))
    words = f"{name(path)} over all {all_of(collection)}"
    return _Numbers(words, collection.numeric[path])


def ask_filter(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """How many records meet a condition; if few do, which."""
    return _filtered(found, chance, place, 1)


def ask_two_filters(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """How many records meet two conditions at once; if few do, which."""
    return _filtered(found, chance, place, 2)


def _filtered(found: Found, chance: random.Random, place: Place, count: int) -> Asked | None:
    """The conditions are those of one record of the third, so that at least one meets them."""
    usable = (one for one in found.collections if len({*one.groups, *one.numeric}) >= count)
    collection = _any(chance, usable)
    if collection is None:
        return None
    number, _ = _third(chance, len(collection.rows), place)
    chosen = _conditions(collection, collection.rows[number], chance, count)
    if len(chosen) < count:
        return None
    rows = [row for row in collection.rows if all(one.holds(row) for one in chosen)]
    words = " and ".join(condition.words for condition in chosen)
    named = [path for path in collection.identifiers if path not in {one.path for one in chosen}]
    if 1 < len(rows) <= _MOST_LISTED and named and chance.random() < 0.5:
        by = chance.choice(named)
        values = [row[by] for row in rows]
        if is_listable(values):
            text = f"What is {name(by)} of the {all_of(collection)} that have {words}? {_LIST}"
            return Asked(text, ",".join(map(write, values)), "set", "all")
    text = f"How many {all_of(collection)} have {words}?"
    return Asked(text, str(len(rows)), "integer", "all")


def _conditions(
    collection: Collection, row: Row, chance: random.Random, count: int
) -> list[Condition]:
    """At most ``count``, each of another field, that the record meets and others do not."""
    paths = list(dict.fromkeys([*collection.groups, *collection.numeric]))
    chance.shuffle(paths)
    found = (_condition(collection, path, row.get(path), chance) for path in paths)
    # In one order, or "a and b" would be another question than "b and a".
    return sorted(islice((one for one in found if one is not None), count), key=itemgetter(0))


def _condition(
    collection: Collection, path: Keys, value: Scalar | None, chance: random.Random
) -> Condition | None:
    if value is None:
        return None
    if isinstance(value, str) or path in collection.groups:
        return Condition(path, value, False)
    below = sorted({one for one in collection.numeric[path] if one < value})
    return Condition(path, chance.choice(below), True) if below else None


def ask_structure(found: Found, chance: random.Random, place: Place) -> Asked | None:
    """How many records there are, which fields one has, what stands first or last."""
    about = [_size, _fields_of_record, _at_an_end] if found.collections else []
    others = [_fields_of_object] * bool(found.objects) + [_end_of_list] * bool(found.lists)
    make = _one_of(chance, [*about, *others])
    return make(found, chance, place) if make else None


def _size(found: Found, chance: random.Random, place: Place) -> Asked:
    collection = chance.choice(found.collections)
    what = "records" if collection.names is None else "entries"
    text = f"How many {what} does {where(collection)} have?"
    return Asked(text, str(len(collection.records)), "integer", "all")


def _fields_of_record(found: Found, chance: random.Random, place: Place) -> Asked | None:
    collection = _any(chance, found.collections)
    if collection is None:
        return None
    number, place = _third(chance, len(collection.rows), place)
    fields = list(collection.records[number])
    if not is_listable(fields):
        return None
    if all(record.keys() == set(fields) for record in collection.records):
        whose, place = f"do all {all_of(collection)}", "all"
    elif collection.names is not None:
        whose = f"does the {by_key(collection, number)}"
    elif collection.identifiers:
        by = chance.choice(collection.identifiers)
        whose = f"does the {by_field(collection, number, by)}"
    else:
        return None
    text = f"Which fields {whose} have? {_OUTER} {_LIST}"
    return Asked(text, ",".join(fields), "set", place)


def _at_an_end(found: Found, chance: random.Random, place: Place) -> Asked | None:
    collection = _any(chance, found.collections)
    if collection is None or place not in _ENDS:
        return None
    end, number = _ENDS[place]
    return _field(collection, number, f"{end} {one_of(collection)}", chance, place)


def _fields_of_object(found: Found, chance: random.Random, place: Place) -> Asked:
    number, place = _third(chance, len(found.objects), place)
    path, fields = found.objects[number]
    text = f"Which fields does the object at {name(path)} have? {_OUTER} {_LIST}"
    return Asked(text, ",".join(fields), "set", place)


def _end_of_list(found: Found, chance: random.Random, place: Place) -> Asked | None:
    if place not in _ENDS:
        return None
    path, items = chance.choice(found.lists)
    end, number = _ENDS[place]
    text = f"What is the {end} item of the list at {name(path)}?"
    return Asked(text, *typed(items[number]), place)


#: What makes questions of each kind, in the order of asking.
MAKERS: Final[dict[str, Maker]] = {
    "field": ask_field,
    "key": ask_key,
    "nested": ask_nested,
    "count": ask_count,
    "sum": ask_sum,
    "extreme": ask_extreme,
    "filter": ask_filter,
    "two filters": ask_two_filters,
    "structure": ask_structure,
}


def _any(chance: random.Random, collections: Iterable[Collection]) -> Collection | None:
    """Any of the collections; larger ones come up more often."""
    options = list(collections)
    if not options:
        return None
    return chance.choices(options, [len(one.records) for one in options])[0]


def _one_of(chance: random.Random, options: Sequence[T]) -> T | None:
    return chance.choice(options) if options else None


def _third(chance: random.Random, size: int, place: Place) -> tuple[int, Place]:
    """A number below ``size`` in the third that ``place`` names, or elsewhere if that is empty."""
    third = PLACES.index(place)
    low, high = -(-third * size // 3), -(-(third + 1) * size // 3)
    number = chance.randrange(low, high) if low < high else chance.randrange(size)
    return number, PLACES[3 * number // size]


def _field(
    collection: Collection,
    number: int,
    named: str,
    chance: random.Random,
    place: Place,
    by: Keys | None = None,
) -> Asked | None:
    """Any other field of a record that is named already."""
    row = collection.rows[number]
    fields = [path for path, leaf in row.items() if path != by and is_plain(leaf)]
    path = _one_of(chance, [path for path in fields if path in collection.columns])
    if path is None:
        return None
    return Asked(f"What is {name(path)} of the {named}?", *typed(row[path]), place)
