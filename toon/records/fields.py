"""``fields=id,title``: the same records with fewer root fields."""

from __future__ import annotations

from collections.abc import Iterable

from toon.compact.errors import QueryError, objects
from toon.compact.lines import Record


def fields(
    records: list[Record], names: str, *, known: Iterable[str] | None = None
) -> list[Record]:
    """The records with ``id`` and the named fields alone, each in its own order.

    Args:
        records: The records of a page.
        names: Root fields, divided by commas; blanks around them do not count.
        known: Fields there are; those of ``records`` if None.

    Raises:
        QueryError: a name is empty, or of no field there is (with no record and no ``known``
            nothing can be checked), or a record is no object.
    """
    there = list(dict.fromkeys(known if known is not None else _names_of(objects(records))))
    asked = [name.strip() for name in names.split(",")]
    for name in asked:
        if not name or (there and name not in there and name != "id"):
            raise _unknown(name, names, there)
    kept = {"id", *asked}
    return [{name: record[name] for name in record if name in kept} for record in objects(records)]


def _names_of(records: list[Record]) -> Iterable[str]:
    return (name for record in records for name in record)


def _unknown(name: str, names: str, there: list[str]) -> QueryError:
    return QueryError(
        f"fields names no field: {name!r}" if name else "fields has an empty name",
        details={"parameter": "fields", "value": names},
        hint=f"there are {', '.join(there)}" if there else None,
    )
