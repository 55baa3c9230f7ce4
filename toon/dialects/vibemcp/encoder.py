"""The writers of VibeMCP's output.

As its tools send it, it is written for a model to read, not to be read back. A cell: null and
absent values are ``null``; numbers are as in JavaScript; arrays of strings and numbers are joined
with ``|``, and an empty one is an empty cell; an object with a ``dateTime`` or a ``date`` is that
text; anything else is compact JSON. Texts are cut at 500 characters, and quoted if they hold a tab,
a line break or a quote, or start or end with a space. In a detail, arrays and objects are plain
JSON.

Without losses, any JSON value comes back equal, its keys in order. A cell: an absent key is an
empty cell; strings that would read as something else are quoted; arrays and objects are compact
JSON. Names are quoted unless they are plain words. A list is a table if one order of columns fits
every row; otherwise each item has its line. Without quotes, the labels ``items`` and ``item`` mean
that there is no name; a key of that name is quoted.
"""

import heapq
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, Final

from toon.codec.normalise import normalise, step
from toon.codec.text import LITERALS, NUMERIC_LIKE, write_scalar
from toon.dialects.base import escape, quote
from toon.dialects.vibemcp import grammar
from toon.values.json_text import parse_json
from toon.values.json_writing import COMPACT
from toon.wording import plural

#: The most characters of a text in a cell; others are cut off.
_LIMIT: Final = 500

_QUOTED: Final = re.compile(r'[\t\n\r"]|\A | \Z')
_SPECIAL: Final = re.compile(r'[\\"\n\r]')
_JOINED: Final = frozenset({str, int, float, Decimal})

_LINE_BREAK: Final = re.compile(r"[\n\r]")

#: Kind of loss -> what is lost, for one and for several, and what becomes of it.
_PHRASES: Final = {
    "cut": ("text", "texts", f" cut at {_LIMIT} characters"),
    "date": ("object", "objects", " flattened to a date"),
    "inline": ("nested value", "nested values", " as inline JSON"),
    "joined": ("array", "arrays", " joined with |"),
    "column": ("column", "columns", " dropped: keys that the first item lacks"),
    "absent": ("absent value", "absent values", " written as null"),
    "type": ("text", "texts", " that will be read as a number, true, false or null"),
    "json": ("text", "texts", " that will be read as JSON"),
    "key": ("key", "keys", " lost: equal to the label of unnamed data"),
}

# Characters that some readers show as nothing or read as a line break; then all that are escaped.
_ODD: Final = re.compile("[\x7f\x85\u2028\u2029]")
_ESCAPED: Final = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029]')
_UNSAFE: Final = re.compile('["\x00-\x1f\x7f\x85\u2028\u2029]|\\A[{\\[]')
# What would make a scalar look like a header, or its start like a byte-order mark.
_UNSAFE_AT_ROOT: Final = re.compile("[:\\[{]|\\A\ufeff")

# The most cells of a table for each of its values, and in the lossy profile for each of its rows.
# Without a bound, a table of rows with no key in common grows with the square of their number.
_SPARSE_LOSSLESS: Final = 8
_SPARSE_LOSSY: Final = 32


def encode(value: Any, *, profile: grammar.Profile = grammar.LOSSY) -> str:
    """Write a JSON value as VibeMCP's tools do, or in the ``profile`` that loses nothing.

    A list of objects is a table, any other list has one item per line, an object is a detail, a
    scalar is its text. If an object's only key holds a list or an object and can be a label, that
    key is the label. Otherwise a list is labelled ``items`` and an object ``item``.

    Raises:
        Unfit: The lossy profile has no form for the value: a list of objects and others, a name
            that would break its line, a scalar that would read as something else, or a table
            with hardly any value in it.
        EncodeError: The value is not JSON, holds a lone surrogate, or is over 256 levels deep.
    """
    value = normalise(value)
    return _encode_lossless(value) if profile == grammar.LOSSLESS else _Lossy().document(value)


def losses(value: Any) -> list[str]:
    """List what VibeMCP's lossy text drops or changes of a value: ``2 arrays joined with |``.

    Errors are those of :func:`encode`.
    """
    writer = _Lossy()
    writer.document(normalise(value))
    return [
        f"{plural(writer.lost[kind], one, many)}{rest}"
        for kind, (one, many, rest) in _PHRASES.items()
        if writer.lost[kind]
    ]


# -- as deployed ------------------------------------------------------------------------------


class _Lossy:
    """A writer of the lossy text that VibeMCP's tools send; ``lost`` counts losses by kind."""

    def __init__(self) -> None:
        self.lost: Counter[str] = Counter()

    def document(self, value: Any) -> str:
        path, label = "$", None
        if isinstance(value, dict) and len(value) == 1:
            ((key, inner),) = value.items()
            if isinstance(inner, list | dict) and grammar.BARE_LABEL.fullmatch(key):
                path, label, value = step(path, key), key, inner
                self.lost["key"] += (
                    key == (grammar.DETAIL_LABEL, grammar.LIST_LABEL)[isinstance(value, list)]
                )
        if isinstance(value, list):
            return "\n".join(self.items(value, label or grammar.LIST_LABEL, path))
        if isinstance(value, dict):
            return "\n".join(self.detail(value, label or grammar.DETAIL_LABEL, path))
        text = self.line(value, "$")
        if not text.strip():
            raise grammar.Unfit("a blank text", "$")
        if grammar.classify(text, grammar.LOSSY)[0] != "scalar" or text.startswith("\ufeff"):
            raise grammar.Unfit("a text that would be read as a header", "$")
        return text

    def items(self, rows: list[Any], label: str, path: str) -> Iterator[str]:
        """Yield the lines of a list in VibeMCP's output: a header with the label, then a row for
        each object; or an item a line if the first is no object.
        """
        if rows and not isinstance(rows[0], dict):
            yield f"{label}[{len(rows)}]"
            for index, item in enumerate(rows):
                yield self.line(item, f"{path}[{index}]")
            return
        for index, row in enumerate(rows):
            if not isinstance(row, dict):
                raise grammar.Unfit("not an object, and the first item is one", f"{path}[{index}]")
        columns = list(rows[0]) if rows else []
        for column in columns:
            if not column or "," in column or _LINE_BREAK.search(column):
                raise grammar.Unfit(
                    f"{column!r} cannot be a column: it would break the header", path
                )
        self.lost["column"] += len({key for row in rows for key in row}.difference(columns))
        if len(columns) * len(rows) > _SPARSE_LOSSY * (len(rows) + sum(map(len, rows))):
            raise grammar.Unfit("almost all cells of the table would be empty", path)
        yield f"{label}[{len(rows)}]{{{','.join(columns)}}}"
        for row in rows:
            self.lost["absent"] += sum(column not in row for column in columns)
            yield "\t".join([self.cell(row.get(column)) for column in columns])

    def detail(self, value: dict[str, Any], label: str, path: str) -> Iterator[str]:
        """Yield the lines of an object in VibeMCP's output: its label, then ``key: value``."""
        yield f"{label}:"
        for key, item in value.items():
            if ": " in key or _LINE_BREAK.search(key):
                message = "the key would break its line, and keys have no quotes"
                raise grammar.Unfit(message, step(path, key))
            if isinstance(item, dict | list):
                yield f"  {key}: {COMPACT.dumps(item)}"
                continue
            written = self.cell(item)
            if written[:1] in ("{", "["):
                with suppress(ValueError):  # it is no JSON
                    parse_json(written)
                    self.lost["json"] += 1
            yield f"  {key}: {written}"

    def line(self, item: Any, path: str) -> str:
        """Write a scalar, uncut and unquoted, as a line of VibeMCP's output, or raise Unfit."""
        if isinstance(item, dict | list):
            kind = "an object" if isinstance(item, dict) else "an array"
            raise grammar.Unfit(f"{kind}, in a list whose first item is not an object", path)
        if not isinstance(item, str):
            return write_scalar(item)
        if _LINE_BREAK.search(item):
            raise grammar.Unfit("a text of several lines, but each line is an item", path)
        self.lost["type"] += not isinstance(grammar.read_raw(item) if item else item, str)
        return item

    def cell(self, value: Any) -> str:
        if isinstance(value, list):
            if not value:
                return ""
            joined = all(type(item) in _JOINED for item in value)
            self.lost["joined" if joined else "inline"] += 1
            texts = (item if isinstance(item, str) else write_scalar(item) for item in value)
            text = "|".join(texts) if joined else COMPACT.dumps(value)
        elif isinstance(value, dict):  # of a calendar, perhaps, with a date or time
            dates = (value.get("dateTime"), "isRecurring" not in value and value.get("date"))
            flat = next((date for date in dates if isinstance(date, str)), None)
            self.lost["inline" if flat is None else "date"] += 1
            text = COMPACT.dumps(value) if flat is None else flat
        elif isinstance(value, str):
            text = value
        else:
            return write_scalar(value)
        if len(text) > _LIMIT:
            self.lost["cut"] += 1
            text = f"{text[:_LIMIT]}..."
        if not text or _QUOTED.search(text):
            return quote(text, _SPECIAL)
        self.lost["type"] += not isinstance(grammar.read_raw(text), str)
        return text


# -- without losses ---------------------------------------------------------------------------


def _encode_lossless(value: Any) -> str:
    label = ""
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, list | dict):
            taken = grammar.LIST_LABEL if isinstance(inner, list) else grammar.DETAIL_LABEL
            label, value = quote(key, _ESCAPED) if key == taken else _name(key), inner
    if isinstance(value, list):
        head, columns = f"{label or grammar.LIST_LABEL}[{len(value)}]", order_columns(value)
        if columns is None:
            return "\n".join([head, *map(_cell, value)]) if value else f"{head}{{}}"
        rows = [
            "\t".join([_cell(row[key]) if key in row else "" for key in columns]) for row in value
        ]
        return "\n".join([f"{head}{{{','.join(map(_name, columns))}}}", *rows])
    if isinstance(value, dict):
        fields = [f"  {_name(key)}: {_cell(item)}" for key, item in value.items()]
        return "\n".join([f"{label or grammar.DETAIL_LABEL}:", *fields])
    if isinstance(value, str) and _UNSAFE_AT_ROOT.search(value):
        return quote(value, _ESCAPED)
    return _cell(value)


def order_columns(rows: list[Any]) -> list[str] | None:
    """Return the keys of all rows in an order that every row follows, as columns, or None.

    Of all such orders it is the one closest to where the keys first occur. There is no table if a
    row is not an object, if there are no keys, if two rows contradict each other, or if hardly any
    cell would be filled.
    """
    if not all(isinstance(row, dict) for row in rows):
        return None
    sequences = dict.fromkeys(map(tuple, rows))
    rank = {key: place for place, key in enumerate(dict.fromkeys(k for s in sequences for k in s))}
    if not rank or len(rank) * len(rows) > _SPARSE_LOSSLESS * sum(map(len, rows)):
        return None
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(rank, ()))
    for key, following in {pair for keys in sequences for pair in pairwise(keys)}:
        sorter.add(following, key)
    try:
        sorter.prepare()
    except CycleError:
        return None
    order: list[str] = []
    ready: list[tuple[int, str]] = []
    while sorter.is_active():
        for key in sorter.get_ready():
            heapq.heappush(ready, (rank[key], key))
        _, key = heapq.heappop(ready)
        order.append(key)
        sorter.done(key)
    return order


def _cell(value: Any) -> str:
    if isinstance(value, dict | list):
        return escape(COMPACT.dumps(value), _ODD)
    if not isinstance(value, str):
        return write_scalar(value)
    typed = not value or value in LITERALS or NUMERIC_LIKE.match(value)
    if typed or value != value.strip() or _UNSAFE.search(value):
        return quote(value, _ESCAPED)
    return value


def _name(key: str) -> str:
    return key if grammar.BARE_NAME.match(key) else quote(key, _ESCAPED)
