"""Finds in a payload what questions can be about: lists of records, maps of records, and leaves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, TypeAlias

from toon.values.paths import pattern_text

Keys: TypeAlias = tuple[str, ...]
Scalar: TypeAlias = str | int | float | bool

#: Fewer records are no collection: their questions would all be the same.
_FEWEST: Final = 3
#: A longer text is no answer, and no value to search for.
_LONGEST: Final = 80
#: Beyond these, numbers are written in several ways.
_LARGEST: Final = 10**15
_MOST_DECIMALS: Final = 6
_MOST_LEVELS: Final = 6
#: Texts that say one thing when they stand in a sentence, in quotes or in a list.
_PLAIN: Final = re.compile(r'[^\s,"`][^\n\r\t"`]*')


@dataclass(frozen=True)
class Collection:
    """Records in one place of a payload.

    Attributes:
        path: Where they stand.
        names: The keys of a map of records; None for a list.
        records: The records.
    """

    path: Keys
    names: list[str] | None
    records: list[dict[str, Any]]
    rows: list[dict[Keys, Scalar | None]] = field(repr=False)

    @property
    def where(self) -> str:
        """The path for a sentence."""
        return f"`{pattern_text(self.path)}`" if self.path else "the whole data"

    @cached_property
    def fields(self) -> list[Keys]:
        """The paths of the scalar fields of any record, in order."""
        return list(dict.fromkeys(path for row in self.rows for path in row))

    @cached_property
    def identifiers(self) -> list[Keys]:
        """The fields whose value names one record alone."""
        return [path for path in self.fields if self._identifies(path)]

    def _identifies(self, path: Keys) -> bool:
        values = [row.get(path) for row in self.rows]
        if not all(isinstance(value, str | int) and is_plain(value) for value in values):
            return False
        texts = {str(value).casefold() for value in values}
        return not any(isinstance(value, bool) for value in values) and len(texts) == len(values)

    @cached_property
    def numeric(self) -> list[Keys]:
        """The fields that hold a number in every record, and not the same in all."""
        return [path for path in self.fields if self._is_numeric(path)]

    def _is_numeric(self, path: Keys) -> bool:
        values = [row.get(path) for row in self.rows]
        return all(is_number(value) for value in values) and len(set(values)) > 1

    @cached_property
    def groups(self) -> dict[Keys, Counter[Scalar]]:
        """The fields that fall into few groups, with how many records each value has."""
        found = {}
        for path in self.fields:
            values = [row[path] for row in self.rows if path in row]
            if not all(_is_group(value) for value in values):
                continue
            counts = Counter(value for value in values if value is not None)
            if 2 <= len(counts) <= max(2, len(self.rows) // 2):
                found[path] = counts
        return found


def is_number(value: object) -> bool:
    """Whether a value is a number that is written in one way."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _LARGEST and _decimals(value) <= _MOST_DECIMALS


def _decimals(value: float) -> int:
    return max(0, -int(Decimal(str(value)).as_tuple().exponent))


def is_plain(value: object) -> bool:
    """Whether a scalar is short and reads the same in a sentence as in the data."""
    if isinstance(value, bool):
        return True
    if isinstance(value, str):
        is_short = len(value) <= _LONGEST and value == value.strip()
        return is_short and _PLAIN.fullmatch(value) is not None
    return is_number(value)


def _is_group(value: object) -> bool:
    return value is None or (isinstance(value, str | int) and is_plain(value))


def find_collections(value: Any) -> list[Collection]:
    """The collections of a payload that keys alone lead to, the largest first."""
    found = [_collection(path, place) for path, place in _containers(value, ())]
    return sorted(filter(None, found), key=lambda one: -len(one.records))


def _containers(value: Any, path: Keys) -> Iterator[tuple[Keys, Any]]:
    yield path, value
    if isinstance(value, dict) and len(path) < _MOST_LEVELS:
        for key, item in value.items():
            yield from _containers(item, (*path, key))


def _collection(path: Keys, place: Any) -> Collection | None:
    names = list(place) if isinstance(place, dict) else None
    records = list(place.values()) if isinstance(place, dict) else place
    if not isinstance(records, list) or len(records) < _FEWEST:
        return None
    if not all(isinstance(record, dict) and record for record in records):
        return None
    if names is not None and not (
        set.intersection(*map(set, records)) and all(map(is_plain, names))
    ):
        return None
    return Collection(path, names, records, [dict(_leaves(record, ())) for record in records])


def _leaves(record: dict[str, Any], path: Keys) -> Iterator[tuple[Keys, Scalar | None]]:
    """The scalars of a record that keys alone lead to."""
    for key, value in record.items():
        if isinstance(value, dict):
            if len(path) < _MOST_LEVELS:
                yield from _leaves(value, (*path, key))
        elif not isinstance(value, list):
            yield (*path, key), value


def find_leaves(value: Any) -> dict[Keys, Scalar]:
    """The scalars of a payload that keys alone lead to, two levels deep at least."""
    leaves = _leaves(value, ()) if isinstance(value, dict) else ()
    return {path: leaf for path, leaf in leaves if len(path) > 1 and leaf is not None}
