"""Value to TOON lines (SPEC 4.4 §2, §3, §5-§12).

The encoder writes normalised values (:mod:`toon.codec.normalise`). At the first value of another
type it raises NotNormalised; its caller then normalises the whole value and starts again. Tables
are written a column at a time: one search over the joined column decides whether any of its cells
may need quotes. The objects of a list mostly share their keys: where they are no table, those that
do are written by one pattern, and the cells of a field of all objects at once, also in objects and
arrays inside.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from itertools import chain, islice
from operator import itemgetter

from toon.codec.normalise import SCALARS, NotNormalised, TooDeep, check_types
from toon.codec.text import (
    DELIMITERS,
    MAX_DEPTH,
    compile_safe,
    quote,
    write_decimal,
    write_float,
    write_key,
)
from toon.text import compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeVar

    Column = TypeVar("Column")

_NUMBERS: Final = frozenset({int, float})

#: A table of fewer rows is written faster by rows than by columns.
_FEW_ROWS: Final = 4
#: Fewer objects with the same keys are written faster one by one.
_FEW_RECORDS: Final = 4
#: For fewer numbers, orjson is not loaded.
_FEW_NUMBERS: Final = 500
#: For fewer strings, the pattern of many is not compiled.
_FEW_STRINGS: Final = 4

# Finds the characters, other than quotes and backslashes, that a bare string cannot hold (§7.2).
_SPECIAL: Final = {
    d: compile_later(rf"[\x00-\x09\x0b-\x1f{re.escape(':[]{}' + d)}]") for d in DELIMITERS
}


class Encoder:
    """An encoder of Python values to TOON 4.4 with one delimiter and indent. Its method
    ``document`` takes a normalised value and returns its text.
    """

    groups = True  # nested field groups and keyed tables, new in 4.0
    folds = False  # no key stands for several
    heads, signs = "#-", "+-"  # see compile_safe

    def __init__(self, delimiter: str, indent_size: int) -> None:
        self.delimiter = delimiter
        self.symbol = "" if delimiter == "," else delimiter
        self.unit = " " * indent_size
        self.limit = MAX_DEPTH * indent_size
        self.lines: list[str] = []
        self.safe = compile_safe(delimiter, self.heads, self.signs).match
        self.all_safe = compile_safe(delimiter, self.heads, self.signs, many=True)
        self.special = _SPECIAL[delimiter].search
        self.texts: dict[type, Callable[[Any], str]] = {
            str: self.string,
            int: int.__repr__,
            float: write_float,
            bool: {True: "true", False: "false"}.__getitem__,
            type(None): lambda _: "null",
            Decimal: write_decimal,
        }
        self.keys: dict[str, str] = {}

    def document(self, value: Any) -> str:
        """Return the TOON document of a normalised value, without a trailing newline (§5)."""
        kind = type(value)
        if kind is dict:
            if not self.table("", value, ""):
                self.fields(value, "", "")
        elif kind is list:
            if value:
                self.array("", value, "")
            else:
                self.lines.append("[]")
        elif kind is str and value.startswith("\ufeff"):  # §7.2: or it would read as a BOM
            self.lines.append(quote(value))
        else:
            self.lines.append(self.scalar(value))
        return self.take()

    def take(self) -> str:
        """Return the TOON lines written so far as one text, and forget them."""
        text = "\n".join(self.lines)
        self.lines.clear()
        return text

    # -- scalars ---------------------------------------------------------------------------

    def string(self, text: str) -> str:
        return text if self.safe(text) else quote(text)

    def scalar(self, value: Any) -> str:
        try:
            return self.texts[type(value)](value)
        except KeyError:
            raise NotNormalised from None

    def key(self, key: Any) -> str:
        text = self.keys.get(key)
        if text is None:
            if type(key) is not str:
                raise NotNormalised
            text = self.keys[key] = write_key(key)
        return text

    # -- objects ---------------------------------------------------------------------------

    def fields(self, value: dict[str, Any], lead: str, indent: str) -> None:
        """Add a dict to the TOON document as lines ``key: value``, the first led by ``lead``."""
        if len(indent) > self.limit:
            raise TooDeep
        append, safe, texts, keys = self.lines.append, self.safe, self.texts, self.keys
        for key, item in value.items():
            name = lead + (keys.get(key) or self.key(key))
            kind = type(item)
            if kind is str:
                append(f"{name}: {item if safe(item) else quote(item)}")
            elif kind in texts:
                append(f"{name}: {texts[kind](item)}")
            elif kind is list:
                if item:
                    self.array(name, item, indent)
                else:
                    append(f"{name}: []")
            elif kind is dict:
                if not self.table(name, item, indent):
                    append(f"{name}:")
                    self.fields(item, indent + self.unit, indent + self.unit)
            else:
                raise NotNormalised
            lead = indent

    def table(self, name: str, value: dict[str, Any], indent: str) -> bool:
        """Add a dict of dicts to the TOON document as a keyed table (§9.5), or return False."""
        if len(value) < 2 or not self.groups:
            return False
        rows = list(value.values())
        if type(rows[0]) is not dict:
            return False
        kinds = set(map(type, rows))
        check_types(kinds)
        if kinds != {dict}:
            return False
        columns = self.columns(rows, self.cells)
        if columns is None:
            return False
        head, cells = columns
        self.lines.append(f"{name}[{len(rows)}:{self.symbol}]{{{head}}}:")
        cells[0] = list(map("%s: %s".__mod__, zip(map(self.key, value), cells[0], strict=True)))
        self.rows(cells, indent)
        return True

    # -- arrays ----------------------------------------------------------------------------

    def array(self, name: str, value: list[Any], indent: str, tabular: bool = True) -> None:
        """Add a list to the TOON document after its key: on one line, as table or as list (§9)."""
        kinds = set(map(type, value))
        head = f"{name}[{len(value)}{self.symbol}]"
        if kinds <= SCALARS:
            cells = self.delimiter.join(self.cells(value, kinds))
            self.lines.append(f"{head}: {cells}" if value else f"{head}:")
            return
        tabular = tabular and kinds == {dict}
        names = list(value[0]) if tabular and len(value) < _FEW_ROWS else []
        if names and list(map(list, value)) == [names] * len(value):
            texts, below = self.texts, indent + self.unit
            try:  # a few rows of scalars are written row by row
                lines = [
                    below + self.delimiter.join([texts[type(item)](item) for item in row.values()])
                    for row in value
                ]
                fields = self.delimiter.join([self.keys.get(n) or self.key(n) for n in names])
                self.lines += [f"{head}{{{fields}}}:", *lines]
                return
            except KeyError:  # a value that is not a scalar
                pass
        columns = self.columns(value, self.cells) if tabular else None
        if columns is None:
            self.lines.append(f"{head}:")
            self.items(value, indent + self.unit)
            return
        fields, table = columns
        self.lines.append(f"{head}{{{fields}}}:")
        self.rows(table, indent)

    def items(self, value: list[Any], indent: str) -> None:
        """Add each element of a list to the TOON document, after a hyphen (§9.2, §9.4, §10)."""
        if len(indent) > self.limit:
            raise TooDeep
        lead, below = indent + "- ", indent + self.unit
        if len(value) >= _FEW_RECORDS and not self.folds and set(map(type, value)) == {dict}:
            self.records(value, lead, below)
            return
        for item in value:
            kind = type(item)
            if kind is dict:
                if item:
                    self.fields(item, lead, below)
                else:
                    self.lines.append(indent + "-")
            elif kind is list:
                self.array(lead, item, indent, tabular=False)
            else:
                self.lines.append(lead + self.scalar(item))

    # -- objects that are no table ---------------------------------------------------------

    def records(self, records: list[dict[str, Any]], lead: str, indent: str) -> None:
        """Add the dicts of a list to the TOON document, their first fields after hyphens."""
        shapes: dict[tuple[str, ...], list[int]] = {}
        for place, record in enumerate(records):
            shapes.setdefault(tuple(record), []).append(place)
        texts = [""] * len(records)
        for keys, places in shapes.items():
            group = [records[place] for place in places]
            if not keys:
                written: Iterable[str] = [lead[:-1]] * len(group)
            elif len(group) < _FEW_RECORDS:
                written = [self.record(record, lead, indent) for record in group]
            else:
                pattern: list[str] = []
                cells = self.fill(group, lead, indent, pattern)
                written = map("\n".join(pattern).__mod__, zip(*cells, strict=True))
            for place, text in zip(places, written, strict=True):
                texts[place] = text
        self.lines += texts

    def record(self, value: dict[str, Any], lead: str, indent: str) -> str:
        """Return the TOON lines of one dict as a text, without adding them to the document."""
        before, self.lines = self.lines, []
        self.fields(value, lead, indent)
        text, self.lines = self.take(), before
        return text

    def fill(
        self, records: list[dict[str, Any]], lead: str, indent: str, pattern: list[str]
    ) -> list[list[str]]:
        """Add the TOON lines of dicts with the same keys to ``pattern``, with %s for each value.

        Return a list for each %s: the texts to put there, one for each dict.
        """
        if len(indent) > self.limit:
            raise TooDeep
        below, cells = indent + self.unit, []
        for key in records[0]:
            name = lead + self.key(key)
            head = name.replace("%", "%%")
            column = list(map(itemgetter(key), records))
            kinds = set(map(type, column))
            first = column[0]
            if kinds <= SCALARS:
                pattern.append(f"{head}: %s")
                cells.append(self.cells(column, kinds))
            elif (  # they share their keys, and none is a keyed table: one key has scalars
                kinds == {dict}
                and len(set(map(tuple, column))) == 1
                and any(SCALARS.issuperset(map(type, map(itemgetter(k), column))) for k in first)
            ):
                pattern.append(f"{head}:")
                cells += self.fill(column, below, below, pattern)
            else:
                pattern.append("%s")
                arrays = self.arrays(name, column, indent) if kinds == {list} else None
                cells.append(arrays or [self.record({key: x}, lead, indent) for x in column])
            lead = indent
        return cells

    def arrays(self, name: str, column: list[list[Any]], indent: str) -> list[str] | None:
        """Return the TOON of a field that is an array in each of many objects, a text for each.

        Return None if they are neither all of scalars nor all tables with the same fields.
        """
        if not all(column):
            return None
        items = list(chain.from_iterable(column))
        kinds = set(map(type, items))
        if kinds <= SCALARS:
            head, start, between = ": ", "", self.delimiter
            texts: Iterable[str] = self.cells(items, kinds)
        else:
            table = self.columns(items, self.cells) if kinds == {dict} else None
            # In each array the first row has the say on the order of the fields.
            if table is None or "{" in table[0] or len(set(map(tuple, items))) > 1:
                return None
            start = f"\n{indent}{self.unit}"
            head, between = f"{{{table[0]}}}:", start
            texts = map(self.delimiter.join, zip(*table[1], strict=True))
        take, lengths = iter(texts), map(len, column)
        return [
            f"{name}[{length}{self.symbol}]{head}{start}{between.join(islice(take, length))}"
            for length in lengths
        ]

    # -- tables ----------------------------------------------------------------------------

    def columns(
        self, rows: list[Any], read: Callable[[list[Any], set[type]], Column], level: int = 0
    ) -> tuple[str, list[Column]] | None:
        """Read a TOON table by columns: return its field list, as in ``a,b{c}``, and its columns.

        A column is what ``read`` returns for its values and the set of their types. Return None if
        the dicts ``rows`` are no table: their keys differ, or some values are no scalars (§9.3).
        """
        if level > MAX_DEPTH:
            raise TooDeep
        names = list(rows[0])
        if not names or set(map(len, rows)) != {len(names)}:
            return None
        if list in map(type, rows[0].values()):  # the columns before it need not be read
            return None
        head: list[str] = []
        columns: list[Column] = []
        for name in names:
            try:
                column = list(map(itemgetter(name), rows))
            except KeyError:
                return None
            kinds = set(map(type, column))
            if kinds <= SCALARS:
                head.append(self.key(name))
                columns.append(read(column, kinds))
                continue
            check_types(kinds)
            nested = self.groups and kinds == {dict}
            group = self.columns(column, read, level + 1) if nested else None
            if group is None:
                return None
            head.append(f"{self.key(name)}{{{group[0]}}}")
            columns += group[1]
        return self.delimiter.join(head), columns

    def rows(self, cells: list[list[str]], indent: str) -> None:
        """Add a table's rows to the TOON document, from the texts of each column."""
        below = indent + self.unit
        rows = map(self.delimiter.join, zip(*cells, strict=True))
        self.lines.append(below + f"\n{below}".join(rows))

    def cells(self, column: list[Any], kinds: set[type]) -> list[str]:
        """Return the TOON text of each scalar of a column or array; ``kinds`` are their types."""
        if kinds == {str}:  # where possible by one search over all of them
            joined, safe = "\n".join(column), self.safe
            if len(column) >= _FEW_STRINGS and joined.count("\n") < len(column):
                if self.all_safe.match(joined):
                    return column
                special = self.special(joined)
                is_plain = '"' not in joined and "\\" not in joined
                if special and is_plain and "".join(column).isprintable():  # nothing to escape
                    mark = special[0]
                    return [f'"{t}"' if mark in t or not safe(t) else t for t in column]
            return [text if safe(text) else quote(text) for text in column]
        if kinds <= _NUMBERS and (len(column) >= _FEW_NUMBERS or "orjson" in sys.modules):
            import orjson  # it takes longer to load than Python takes to start

            try:
                text = orjson.dumps(column).decode()
            except TypeError:  # an integer past 64 bits
                text = "null"
            # TOON writes exponents, infinities (null in JSON) and -0.0 in another form (§2).
            if not ("e" in text or "n" in text or "-0.0," in text or "-0.0]" in text):
                return text[1:-1].replace(".0,", ",").removesuffix(".0").split(",")
        texts = self.texts
        return [texts[type(value)](value) for value in column]
