"""``fields=id,title``: the same records with fewer root fields."""

from __future__ import annotations

from toon.compact.errors import QueryError
from toon.compact.lines import JsonObject


def keep_fields(records: list[JsonObject], names: str, known: list[str]) -> list[JsonObject]:
    """The records with only ``id`` and the named fields, each in its own order.

    Args:
        records: the records of a page.
        names: root fields with commas between; blanks around them are ignored.
        known: the fields that there are; if empty, any name is accepted.

    Raises:
        QueryError: a name is empty or not a known field.
    """
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if not name or (known and name not in known and name != "id"):
            raise _unknown(name, names, known)
    kept = {"id", *wanted}
    return [{name: record[name] for name in record if name in kept} for record in records]


def _unknown(name: str, names: str, known: list[str]) -> QueryError:
    return QueryError(
        f"fields: no field is named {name!r}" if name else "fields has an empty name",
        details={"parameter": "fields", "value": names},
        hint=f"there are {', '.join(known)}" if known else None,
    )
