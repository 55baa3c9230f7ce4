"""The formats a value can be sent in, in one table.

Adding a format is one file here and one line in ``_FILES``: the file holds everything the product
knows about the format (see :class:`toon.formats.base.Format`).
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

from toon.formats.base import Format
from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JSON_PYTHON, JsonFormat
from toon.formats.pasted import PASTED

__all__ = [
    "AS_TYPED",
    "BASELINES",
    "FORMATS",
    "NOT_TAKEN",
    "READ",
    "RECOMMENDED",
    "Format",
    "add_baselines",
    "beginning",
    "get",
    "label",
    "vs_label",
]

#: The files of formats, in the order in which they are shown; each has its ``FORMATS``.
_FILES: Final = (
    "json",
    "json_columns",
    "yaml",
    "xml",
    "csv",
    "toon",
    "tron",
    "ticket",
    "pipe",
    "vibemcp",
    "compact",
)

#: name -> format, in the order they are shown.
FORMATS: Final[dict[str, Format]] = {
    format.name: format for file in _FILES for format in import_module(f"{__name__}.{file}").FORMATS
}

#: name -> format, of every format that a text as typed may be in.
READ: Final = FORMATS | PASTED


def get(name: str) -> Format:
    """Return the format of a name, a key of ``FORMATS`` such as ``toon`` or ``json-compact``.

    Raises:
        ValueError: No format has that name; the message lists all names.
    """
    if name not in FORMATS:
        raise ValueError(f"No format is named {name!r}. There are: {', '.join(FORMATS)}")
    return FORMATS[name]


#: Formats that are not in the table: name -> what it is, and why it was not taken, in one line.
NOT_TAKEN: Final = {
    "TONL": "Token-Optimized Notation Language, with types in its headers: its library failed on 4 "
    f"of 13 sets of data, and took up to 101 % more tokens than {JSON_COMPACT.label}.",
    "ZON": "Zero Overhead Notation, lines and one table: it loses data.",
    "JTON": "JSON Tabular Object Notation, a superset of JSON: no difference from "
    f"{JSON_COMPACT.label}.",
}

#: Stands for the JSON text as it was logged or typed, which is counted beside the formats.
AS_TYPED: Final = "as-typed"


def label(name: str, written_in: str = JSON_PRETTY.name) -> str:
    """Return a format's name for people, such as ``minified JSON`` for ``json-compact``.

    ``as-typed``, the text as the user wrote it, is called after the format that it is
    ``written_in``: ``your TOON``. An unknown name is returned unchanged.
    """
    if name == AS_TYPED:
        format = READ[written_in]
        return f"your {'JSON' if isinstance(format, JsonFormat) else format.label}"
    return FORMATS[name].label if name in FORMATS else name


def vs_label(name: str) -> str:
    """Return a column's heading for changes against a format, by its name: ``vs minified JSON``."""
    return f"vs {label(name)}"


def beginning(value: Any, name: str, most: int) -> tuple[str, int]:
    """Write a JSON value in the format called ``name``; return the first ``most`` characters of the
    text, and the length of the whole text in characters.

    Raises:
        ValueError: The format cannot carry the value.
    """
    text = FORMATS[name].dumps(value)
    return text[:most], len(text)


#: The formats that may be recommended: they promise to lose nothing, public libraries read them.
RECOMMENDED: Final = tuple(name for name, format in FORMATS.items() if format.recommendable)

#: The formats that savings are measured against, most honest first.
BASELINES: Final = (JSON_COMPACT.name, JSON_PRETTY.name, JSON_PYTHON.name)


def add_baselines(names: Iterable[str]) -> list[str]:
    """Add the JSON baselines to names of formats; return all names in the order of ``FORMATS``.

    Formats that may be recommended stand in for empty ``names``. Savings are measured against the
    baselines, so every surface that takes names adds them.
    """
    wanted = {*(set(names) or RECOMMENDED), *BASELINES}
    return [name for name in FORMATS if name in wanted]
