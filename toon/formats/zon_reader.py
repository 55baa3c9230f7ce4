"""ZON text to value as zon-format 1.2 for Python reads it, so that what it loses is lost here too.

Where that library fails in an error of Python, this one says so with the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NoReturn

from toon.errors import FormatError
from toon.text import Source
from toon.wording import plural

_MOST_NESTED: Final = 100
#: Items to which a list is filled up for a key such as ``a.7.b``; zon-format knows no limit.
_MOST_FILLED: Final = 10_000

_HEADER: Final = re.compile(r"@(?:\w*\((\d+)\)|(\d+))(?:\[(\w+)\])*:(.*)$")
_NAME_OF_TABLE: Final = re.compile(r"@(\w+)\(")
_TEXTS: Final = re.compile(r"(.+)\[\d+\]$")
_NAMED: Final = re.compile(r"([a-zA-Z0-9_\-.]+)(?=[{\[])")
_NAME: Final = re.compile(r"[a-zA-Z0-9_\-.]+$")
_NO_FIELD: Final = re.compile(r"https?://|/|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}|\d{2}:\d{2}:\d{2}")
_SIGN: Final = re.compile(r"""\\.|["'{}\[\],:]""", re.S)
_WORDS: Final = {"t": True, "true": True, "f": False, "false": False}
_NULLS: Final = ("null", "none", "nil")
_HIDDEN: Final = {"__proto__", "constructor", "prototype"}
#: Stands for the value of an empty cell.
_ABSENT: Final = object()
#: What Python raises where zon-format goes on with a text that it did not expect.
_FAILURES: Final = (ValueError, TypeError, AttributeError, LookupError, OverflowError)


@dataclass(slots=True)
class _Table:
    """A table while it is read; ``texts`` are those that columns number."""

    line: int
    size: int
    columns: list[str]
    deltas: set[str]
    texts: dict[str, list[str]]
    counted: str | None
    rows: list[dict[str, Any]] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)


def read(text: str) -> Any:
    """The value of a ZON text.

    Raises:
        FormatError: zon-format refuses it, or fails, with the line.
    """
    if "\n" not in text and text.lstrip().startswith("["):
        return _Reader(text).guarded(1, lambda: _node(text))
    return _Reader(text).document()


class _Reader:
    """Reads a text line by line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: dict[str, Any] = {}
        self.tables: dict[str, _Table] = {}
        self.table: _Table | None = None
        self.texts: dict[str, list[str]] = {}

    def guarded(self, line: int, work: Any) -> Any:
        try:
            return work()
        except FormatError:
            raise
        except _FAILURES:
            self.fail("zon-format fails on this", line)

    def fail(self, message: str, line: int) -> NoReturn:
        raise Source(self.text).error_on(FormatError, message, line, 1) from None

    def document(self) -> Any:
        for number, line in enumerate(self.text.split("\n"), 1):
            self.guarded(number, lambda line=line, number=number: self.line(line.rstrip(), number))
        for name, table in self.tables.items():
            if len(table.rows) != table.size:
                rows = plural(len(table.rows), "row")
                self.fail(f"the table has {rows}, its header says {table.size}", table.line)
            self.found[name] = self.guarded(table.line, lambda t=table: list(map(_nested, t.rows)))
        result = self.guarded(1, lambda: _nested(self.found))
        is_list = result.keys() == {"data"} and isinstance(result["data"], list)
        return result["data"] if is_list else result

    def line(self, line: str, number: int) -> None:
        table = self.table
        if not line and not (table and len(table.rows) < table.size):
            return
        if line.startswith("@"):
            named = _NAME_OF_TABLE.match(line)
            self.start_table(named[1] if named else "data", line, number)
        elif table and len(table.rows) < table.size:
            self.row(table, line, number)
        elif (colon := next(_places(line, ":"), -1)) >= 0:
            self.field(line[:colon].strip(), line[colon + 1 :].strip(), number)
        elif line[-1] in "}]" and (named := _NAMED.match(line)):
            self.found[named[1]] = _node(line[named.end() :])

    def field(self, key: str, value: str, number: int) -> None:
        if texts := _TEXTS.match(key):
            self.texts[texts[1]] = [str(_scalar(item)) for item in _split(value)]
        elif value.startswith("@"):
            self.start_table(key, value, number)
        else:
            self.table = None
            self.found[key] = _node(value) if value.startswith(("{", "[")) else _scalar(value)

    def start_table(self, name: str, header: str, number: int) -> None:
        match = _HEADER.match(header)
        if match is None:
            self.fail("not the header of a table", number)
        columns = [column.strip() for column in match[4].split(",")] if match[4] else []
        deltas = {name.removesuffix(":delta") for name in columns if name.endswith(":delta")}
        columns = [column.removesuffix(":delta") for column in columns]
        size = int(match[1] or match[2])
        self.table = _Table(number, size, columns, deltas, self.texts, match[3])
        self.tables[name], self.texts = self.table, {}

    def row(self, table: _Table, line: str, number: int) -> None:
        cells = _split(line)
        if len(cells) < len(table.columns):
            names = plural(len(table.columns), "column")
            self.fail(f"row has {plural(len(cells), 'cell')}, the table {names}", number)
        row: dict[str, Any] = {}
        for name, cell in zip(table.columns, cells, strict=False):
            value = _delta(table, name, cell) if name in table.deltas else _cell(table, name, cell)
            if value is not _ABSENT:
                row[name] = value
        for cell in cells[len(table.columns) :]:
            name, colon, rest = cell.partition(":")
            if colon and not _NO_FIELD.match(cell) and _NAME.match(name.strip()):
                row[name.strip()] = _node(rest.strip())
        if table.counted:
            row[table.counted] = len(table.rows) + 1
        table.rows.append(row)


def _delta(table: _Table, name: str, cell: str) -> Any:
    value, before = _scalar(cell), table.before.get(name)
    if table.rows and isinstance(value, int | float) and isinstance(before, int | float):
        value = before + value
    table.before[name] = value
    return _present(value, cell)


def _cell(table: _Table, name: str, cell: str) -> Any:
    if name in table.texts:
        place, texts = _scalar(cell), table.texts[name]
        if isinstance(place, int) and 0 <= place < len(texts):
            return _scalar(texts[place])
    return _present(_node(cell), cell)


def _present(value: Any, cell: str) -> Any:
    """The value of a cell; an empty cell is an absent key."""
    return _ABSENT if value is None and cell.strip().lower() != "null" else value


# -- values ----------------------------------------------------------------------------------


def _node(text: str, depth: int = 0) -> Any:
    if depth > _MOST_NESTED:
        raise ValueError("nested too deeply")
    text = text.strip()
    if not text:
        return None
    inside = text[1:-1].strip()
    if text[0] == "{" and text[-1] == "}":
        return dict(_members(inside, depth + 1)) if inside else {}
    if text[0] == "[" and text[-1] == "]":
        return [_node(item, depth + 1) for item in _split(inside)] if inside else []
    return _scalar(text)


def _members(text: str, depth: int) -> Iterator[tuple[str, Any]]:
    for pair in _split(text):
        named = _NAMED.match(pair)
        if named:
            yield named[1], _node(pair[named.end() :], depth)
        elif (colon := next(_places(pair, ":"), -1)) >= 0:
            key = pair[:colon].strip()
            yield _unquoted(key) if key.startswith('"') else key, _node(pair[colon + 1 :], depth)


def _scalar(text: str) -> Any:
    text = text.strip()
    lower = text.lower()
    if lower in _WORDS:
        return _WORDS[lower]
    if lower in _NULLS:
        return None
    if text.startswith('"') and text.endswith('"'):
        return _unquoted(text)
    try:
        return float(text) if "." in text or "e" in lower else int(text)
    except ValueError:
        return text


def _unquoted(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return json.loads('"' + text[1:-1].replace('""', '\\"') + '"')


def _split(text: str) -> list[str]:
    """The parts between commas outside of double quotes and brackets."""
    places = [-1, *_places(text, ",", quotes='"'), len(text)]
    return [text[start + 1 : end] for start, end in pairwise(places)]


def _places(text: str, sign: str, quotes: str = "\"'") -> Iterator[int]:
    """Where the sign stands outside of quotes and brackets."""
    quote, depth = "", 0
    for match in _SIGN.finditer(text):
        found = match[0]
        if found[0] == "\\" or (quote and found != quote):
            continue
        if found in quotes:
            quote = "" if quote else found
        elif found in "{[":
            depth += 1
        elif found in "}]":
            depth -= 1
        elif found == sign and depth == 0:
            yield match.start()


def _nested(flat: dict[str, Any]) -> dict[str, Any]:
    """An object of objects for keys with dots, and lists where a part is a number."""
    result: dict[str, Any] = {}
    for key, value in flat.items():
        if "." not in key:
            result[key] = value
            continue
        parts = key.split(".")
        if _HIDDEN.isdisjoint(parts):
            target = _target(result, parts)
            if not parts[-1].isdigit():
                target[parts[-1]] = value
    return result


def _target(target: Any, parts: list[str]) -> Any:
    """The object that holds the last of ``parts``; takes out the first that is a number."""
    for at, (part, after) in enumerate(pairwise(tuple(parts))):
        if after.isdigit():
            place = int(after)
            if place > _MOST_FILLED:
                raise ValueError("too many items")
            items = target.setdefault(part, [])
            while len(items) <= place:
                items.append({})
            del parts[at + 1]
            return items[place]
        target.setdefault(part, {})
        if not isinstance(target[part], dict):
            return target
        target = target[part]
    return target
