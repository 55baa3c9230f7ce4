"""How questions name records and write values, so that a sentence can be read in one way."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from toon.reading.collections import Collection, Keys, Scalar
from toon.reading.grading import Type
from toon.values.paths import pattern_text

_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?"
)


def where(collection: Collection) -> str:
    """The place of a collection."""
    return f"`{pattern_text(collection.path)}`" if collection.path else "the data"


def all_of(collection: Collection) -> str:
    """The records of a collection."""
    return f"{'records' if collection.names is None else 'entries'} in {where(collection)}"


def one_of(collection: Collection) -> str:
    """A record of a collection."""
    return f"{'record' if collection.names is None else 'entry'} in {where(collection)}"


def by_field(collection: Collection, number: int, by: Keys) -> str:
    """A record named by an identifier."""
    value = said(collection.rows[number][by])
    return f"{one_of(collection)} whose {name(by)} is {value}"


def by_key(collection: Collection, number: int) -> str:
    """A record named by its key in a map."""
    assert collection.names is not None
    return f"entry {said(collection.names[number])} in {where(collection)}"


def name(path: Keys) -> str:
    """A path in the signs that set it off."""
    return f"`{pattern_text(path)}`"


def said(value: Scalar | None) -> str:
    """A value for a sentence: texts stand in quotes."""
    return f'"{value}"' if isinstance(value, str) else write(value)


def write(value: Scalar | Decimal | None) -> str:
    """A value as an answer."""
    match value:
        case bool():
            return "true" if value else "false"
        case float() | Decimal():
            figures = f"{Decimal(str(value)):f}"
            return figures.rstrip("0").rstrip(".") if "." in figures else figures
        case _:
            return str(value)


def typed(value: Scalar | Decimal | None) -> tuple[str, Type]:
    """A value as an answer, with how it is graded."""
    text = write(value)
    match value:
        case bool():
            return text, "boolean"
        case int() | float() | Decimal():
            return text, "number" if "." in text else "integer"
        case _:
            return text, "date" if _DATE.fullmatch(text) else "string"
