"""The parts of a payload that questions can be about: records, values and lists.

Only parts that keys alone lead to count, so that a path names them. Values whose text differs
between formats, or that a sentence cannot quote, are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from math import isfinite
from typing import Any, Final, TypeAlias

from toon.values.paths import pattern_text

Keys: TypeAlias = tuple[str, ...]
Scalar: TypeAlias = str | int | float | bool
Row: TypeAlias = dict[Keys, Scalar | None]

#: The fewest records of a collection: questions about fewer would all be the same.
_FEWEST: Final = 3
#: The longest text that is an answer, or a value to search for, and the longest list.
_LONGEST: Final = 80
_MOST_ITEMS: Final = 12
#: Limits of numbers that every format writes in one way.
_LARGEST: Final = 10**15
_MOST_DECIMALS: Final = 6
_MOST_LEVELS: Final = 6
#: Characters that formats escape in several ways, and those that quote a name in a question.
_ESCAPED: Final = frozenset('"`\\&<')


@dataclass(frozen=True)
class Collection:
    """Records in one place of a payload (a JSON value), of which questions can be asked.

    Attributes:
        path: The keys that lead to the records.
        names: The keys of a map of records; None for a list.
        rows: The scalars of each record that keys alone lead to, by their paths.
    """

    path: Keys
    names: list[str] | None
    rows: list[Row]

    @property
    def place(self) -> str:
        """The records' place in the payload, as a question names it: a path, or ``the data``."""
        return f"`{pattern_text(self.path)}`" if self.path else "the data"

    @property
    def records(self) -> str:
        """The noun for the records in a question: ``records`` of a list, ``entries`` of a map."""
        return "records" if self.names is None else "entries"

    @cached_property
    def columns(self) -> dict[Keys, list[Scalar | None]]:
        """The values of each field (by path) over the records; records without it are left out."""
        columns: dict[Keys, list[Scalar | None]] = {}
        for row in self.rows:
            for path, value in row.items():
                columns.setdefault(path, []).append(value)
        return columns

    @cached_property
    def identifiers(self) -> list[Keys]:
        """Paths of the fields whose values each identify one record."""
        size = len(self.rows)
        return [
            path
            for path, values in self.columns.items()
            if len(values) == size and _is_identifier(values)
        ]

    @cached_property
    def numeric(self) -> dict[Keys, list[int | float]]:
        """Numbers by path of the fields with one in every record, not the same in all."""
        size = len(self.rows)
        lists = {p: as_numbers(values) for p, values in self.columns.items() if len(values) == size}
        return {path: values for path, values in lists.items() if len(set(values)) > 1}

    @cached_property
    def groups(self) -> frozenset[Keys]:
        """Paths of the fields to filter by: with few different values, none of them alike."""
        most = max(2, len(self.rows) // 2)
        return frozenset(
            path for path, values in self.columns.items() if 2 <= _count_different(values) <= most
        )


@dataclass(frozen=True)
class Parts:
    """The parts of a payload that questions can be about.

    They are collections of records, and, with their paths, scalars (``leaves``) and lists of
    scalars.
    """

    collections: list[Collection] = field(default_factory=list)
    leaves: list[tuple[Keys, Scalar]] = field(default_factory=list)
    lists: list[tuple[Keys, list[Scalar]]] = field(default_factory=list)

    @cached_property
    def listable(self) -> list[tuple[Keys, list[Scalar]]]:
        """The lists of a payload whose items an answer can name in full, with their paths."""
        return [(path, items) for path, items in self.lists if is_listable(items)]

    @cached_property
    def numeric(self) -> list[tuple[Keys, list[int | float]]]:
        """The lists of a payload that hold numbers alone, with their paths."""
        return [(path, values) for path, items in self.lists if (values := as_numbers(items))]


def find(value: Any) -> Parts:
    """Return the records, scalars and lists in a payload that questions can be about (Found)."""
    parts = Parts()
    for path, place in _places(value, ()):
        if collection := _collection(path, place):
            parts.collections.append(collection)
        elif isinstance(place, list):
            if path and len(place) >= _FEWEST and all(map(is_plain, place)):
                parts.lists.append((path, place))
        elif path and is_plain(place):
            parts.leaves.append((path, place))
    return parts


def _places(value: Any, path: Keys) -> Iterator[tuple[Keys, Any]]:
    """Yield the path and the value of each place in a payload that quotable keys alone lead to."""
    yield path, value
    if isinstance(value, dict) and len(path) < _MOST_LEVELS:
        for key, item in value.items():
            if is_plain(key):
                yield from _places(item, (*path, key))


def _collection(path: Keys, place: Any) -> Collection | None:
    """Return a list or map of three or more objects, at ``path``, as a Collection; None for other
    values, empty objects, and maps whose keys do not identify or whose objects share no field.
    """
    names = list(place) if isinstance(place, dict) else None
    records = list(place.values()) if isinstance(place, dict) else place
    if not isinstance(records, list) or len(records) < _FEWEST:
        return None
    if not all(isinstance(record, dict) and record for record in records):
        return None
    if names is not None and not (_is_identifier(names) and set.intersection(*map(set, records))):
        return None
    rows = (_places(record, ()) for record in records)
    return Collection(
        path, names, [{at: x for at, x in row if not isinstance(x, dict | list)} for row in rows]
    )


def is_plain(value: object) -> bool:
    """Return whether a scalar is short and reads the same in a sentence as in every format."""
    if isinstance(value, bool):
        return True
    if not isinstance(value, str):
        return is_number(value)
    is_short = 0 < len(value) <= _LONGEST and value == value.strip()
    return is_short and value.isprintable() and _ESCAPED.isdisjoint(value)


def is_number(value: object) -> bool:
    """Return whether a value is a number that all formats write in one way."""
    if isinstance(value, bool) or not isinstance(value, int | float) or str(value) == "-0.0":
        return False
    if abs(value) >= _LARGEST or not isfinite(value):
        return False
    return -int(Decimal(str(value)).as_tuple().exponent) <= _MOST_DECIMALS


def as_numbers(values: Sequence[object]) -> list[int | float]:
    """Return the values if all are numbers that formats write in one way; else an empty list."""
    numbers = [value for value in values if isinstance(value, int | float) and is_number(value)]
    return numbers if len(numbers) == len(values) else []


def is_listable(values: Sequence[object]) -> bool:
    """Return whether 2 to 12 texts or integers can be listed in an answer with commas between."""
    if not 1 < len(values) <= _MOST_ITEMS:
        return False
    return all(_is_word(value) and "," not in str(value) for value in values)


def _is_identifier(values: Sequence[object]) -> bool:
    """Return whether values are texts or integers that differ from each other, ignoring case."""
    texts = {str(value).casefold() for value in values}
    return len(texts) == len(values) and all(map(_is_word, values))


def _is_word(value: object) -> bool:
    """Return whether a value is a text or an integer that a sentence can quote."""
    return isinstance(value, str | int) and not isinstance(value, bool) and is_plain(value)


def _count_different(values: Sequence[Scalar | None]) -> int:
    """Return how many different values a field has; 0 if two look alike or one is not quotable."""
    by_text: dict[str, Scalar | None] = {}
    for value in values:
        if isinstance(value, float) or not (value is None or is_plain(value)):
            return 0
        known = by_text.setdefault("null" if value is None else str(value).casefold(), value)
        if type(known) is not type(value) or known != value:
            return 0
    return len(by_text)
