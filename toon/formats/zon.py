"""ZON as zon-format 1.2 for Python writes it. Lossy, though its makers say otherwise.

The largest list of objects becomes a table below the other keys, in lines of ``key:value``; all
else is written inline. Keys are sorted and nested ones joined with dots. Columns of texts that
repeat are numbers of a list, columns of integers are differences from the row before.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from toon.codec.text import int_text
from toon.formats import zon_reader
from toon.formats.base import Format, NotApplicable, plain_text
from toon.layout.spans import Layout
from toon.layout.zon import zon_layout

#: The key that stands for a table at the root.
_ROOT: Final = "data"
#: Objects that are flattened into a row: those inside of as many others stay inline.
_MOST_FLAT: Final = 5
#: Rows that have less than this much in common are no table.
_MOST_IRREGULAR: Final = 0.6
#: Different sets of keys in the rows of an array: each two of them are compared.
_MOST_KEY_SETS: Final = 200
#: Columns that fewer rows have stand in the rows that have them, with their names.
_LEAST_PRESENT: Final = 0.7
_LEAST_FOR_DIFFERENCES: Final = 5
_MOST_TEXTS: Final = 50

#: What the reader takes for something else than text. These are its own patterns, in which
#: ``\\d`` is any digit and ``$`` may stand before a last line break.
_WORD: Final = re.compile(r"^(true|false|t|f|null|none|nil)$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"^-?\d+(\.\d+)?$")
_POWER: Final = re.compile(r"^-?\d+(\.\d+)?[eE][+-]?\d+$")
_TIME: Final = re.compile(
    r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{3})?(Z|[-+]\d{2}:?\d{2})?)?$"
)
_SAFE: Final = re.compile(r"^[a-zA-Z0-9_\-\.]+$")
_LIKE_NUMBER: Final = re.compile(r"^[+-]?(\d|\.\d)")
_UNSAFE_KEY: Final = re.compile(r'[,:{}\[\]"]')
_UNSAFE_INLINE: Final = re.compile(r'[,{}\[\]"]')
_UNSAFE_CELL: Final = re.compile(r'[,:}\n\r\t"\[\]|;]')
_CONTROL: Final = re.compile(r"[\x00-\x1f]")

_Row = Mapping[str, Any]


class ZonFormat(Format):
    """ZON with everything that its library does unasked."""

    name = "zon"
    label = "ZON"
    lossless = False
    public = True
    dialect = True
    about = "Zero Overhead Notation: lines and one table, with columns as differences or numbers."
    explanation = (
        "The data is ZON. `rows:@(2):id,on` is a table of two rows with these columns; T and F are "
        "true and false; `at{x:1}` is an object. `k:delta` is a column of differences from the row "
        "before. `k[2]:a,b` lists the texts that the column k numbers from 0."
    )
    stock_reader = "zon-format"  # ours reads as it does, so it changes nothing that ours keeps

    def dumps(self, value: Any) -> str:
        rows, others, key = _parts(value)
        if not rows and not others:
            return _inline(value) if isinstance(value, dict | list) else _root(value)
        if rows is value and all(isinstance(row, dict) for row in rows) and _is_irregular(rows):
            return _inline(value)
        lines = [_field(name, others[name]) for name in sorted(others)]
        if rows and key:  # under the empty key they are left out
            lines += [""] if lines else []
            lines += _table(rows, key)
        return "\n".join(lines)

    def loads(self, text: str) -> Any:
        return zon_reader.read(text)

    def layout(self, text: str) -> Layout:
        return zon_layout(text)


# -- documents and tables ------------------------------------------------------------------------


def _parts(value: Any) -> tuple[list[Any], dict[str, Any], str]:
    """The list that becomes the table, what stands above it, and the key of the list."""
    if isinstance(value, list):
        return (value if value and isinstance(value[0], dict) else []), {}, _ROOT
    if not isinstance(value, dict):
        return [], {}, ""
    sizes = {
        key: len(item) * len(item[0])
        for key, item in value.items()
        if isinstance(item, list) and item and isinstance(item[0], dict)
    }
    if not sizes:
        return [], value, ""
    largest = max(sizes, key=sizes.__getitem__)
    return value[largest], {key: value[key] for key in value if key != largest}, largest


def _root(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else plain_text(value)


def _field(key: str, value: Any) -> str:
    if isinstance(value, dict | list):
        return key + _inline(value)
    return f"{key}:{_cell(value)}"


def _is_irregular(rows: Sequence[_Row]) -> bool:
    """Whether any two rows have too few keys in common, on average."""
    sets = Counter(frozenset(row) for row in rows)
    if len(sets) > _MOST_KEY_SETS:
        raise NotApplicable(
            f"its rows have {len(sets)} different sets of keys, and zon-format compares each two"
        )
    pairs = len(rows) * (len(rows) - 1) / 2
    if not pairs or not any(sets):
        return False
    alike = sum(times * (times - 1) / 2 for times in sets.values())
    for (one, ones), (other, others) in combinations(sets.items(), 2):
        alike += ones * others * len(one & other) / len(one | other)
    return 1 - alike / pairs > _MOST_IRREGULAR


def _table(rows: Sequence[Any], key: str) -> Iterator[str]:
    flat = [dict(_flattened(row, "", 0)) if isinstance(row, dict) else {} for row in rows]
    names = sorted({name for row in flat for name in row})
    start = f"{key}:@({len(rows)}):" if key != _ROOT else f"@{len(rows)}:"
    texts = _repeated_texts(flat, names)
    return _numbered_rows(flat, names, start, texts) if texts else _rows(flat, names, start)


def _numbered_rows(
    rows: Sequence[_Row], names: Sequence[str], start: str, texts: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The lines of a table in which columns number their ``texts``."""
    for name, found in texts.items():
        yield f"{name}[{len(found)}]:{','.join(map(_cell, found))}"
    others = [name for name in names if name not in texts]
    yield start + ",".join([*texts, *others])
    numbers = {name: {text: str(at) for at, text in enumerate(texts[name])} for name in texts}
    for row in rows:
        cells = [
            numbers[name][row[name]] if isinstance(row.get(name), str) else _cell(row.get(name))
            for name in texts
        ]
        yield ",".join(cells + [_cell(row[name]) if name in row else "" for name in others])


def _rows(rows: Sequence[_Row], names: Sequence[str], start: str) -> Iterator[str]:
    """The lines of a table with columns of differences, or with names where few rows have one."""
    known = {name: sum(row.get(name) is not None for row in rows) for name in names}
    usual = [name for name in names if known[name] / len(rows) >= _LEAST_PRESENT]
    rare = [name for name in names if known[name] / len(rows) < _LEAST_PRESENT]
    deltas = [name for name in usual if _is_counted(rows, name)]
    plain = [name for name in usual if name not in set(deltas)]
    yield start + ",".join([*(f"{name}:delta" for name in deltas), *plain])
    absent = "" if deltas or not rare else "null"
    before: _Row = {}
    for row in rows:
        cells = [_difference(row[name], before.get(name)) for name in deltas]
        cells += [_cell(row[name]) if name in row else absent for name in plain]
        shown = [name for name in rare if name in row and not (deltas and row[name] is None)]
        yield ",".join(cells + [f"{name}:{_cell(row[name])}" for name in shown])
        before = row


def _flattened(row: _Row, above: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        name = f"{above}.{key}" if above else key
        if isinstance(value, dict) and value and depth < _MOST_FLAT:
            yield from _flattened(value, name, depth + 1)
        else:
            yield name, value


def _repeated_texts(rows: Sequence[_Row], names: Sequence[str]) -> dict[str, list[str]]:
    """The texts of each column that is shorter as numbers of its texts."""
    found = {}
    for name in names:
        texts = [row[name] for row in rows if isinstance(row.get(name), str)]
        if not texts or len(texts) < len(rows) * 0.8:
            continue
        different = sorted(set(texts))
        size, count = sum(map(len, different)), len(different)
        before = len(texts) * (size / count)
        reference = 1 if count < 10 else 2 if count < 100 else 3
        after = size + len(texts) * reference + len(name) + 4 + size + (count - 1)
        saved = (before - after) / before if before > 0 else 0
        least = 0.1 if len(texts) < 20 else 0.2
        if saved > least and count < len(texts) / 2 and count <= _MOST_TEXTS:
            found[name] = different
    return found


def _is_counted(rows: Sequence[_Row], name: str) -> bool:
    """Whether a column is written as differences: all integers, in five rows or more."""
    return len(rows) >= _LEAST_FOR_DIFFERENCES and all(type(row.get(name)) is int for row in rows)


def _difference(number: int, before: int | None) -> str:
    if before is None:
        return int_text(number)
    step = number - before
    return int_text(step) if step < 0 else f"+{int_text(step)}"


# -- values ----------------------------------------------------------------------------------


def _cell(value: Any) -> str:
    """A value in a table or behind the key of a line."""
    if isinstance(value, dict | list):
        return _inline(value)
    if not isinstance(value, str):
        return _scalar(value)
    if "\n" in value or "\r" in value:
        return json.dumps(value, ensure_ascii=False)
    if _TIME.match(value) or not (_is_typed(value) or _is_unsafe(value)):
        return value
    if _NUMBER.match(value) or _WORD.match(value):
        return f'"{value}"'
    if _SAFE.match(value):
        return value
    inside = json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '""')
    return f'"{inside}"'


def _inline(value: Any) -> str:
    """A value on one line; it uses loops since comprehensions take two frames a level."""
    parts = []
    if isinstance(value, dict):
        for key in sorted(value):
            name = json.dumps(key) if _UNSAFE_KEY.search(key) or _WORD.match(key) else key
            colon = "" if isinstance(value[key], dict | list) else ":"
            parts.append(name + colon + _inline(value[key]))
        return "{" + ",".join(parts) + "}"
    if isinstance(value, list):
        for item in value:
            parts.append(_inline(item))
        return "[" + ",".join(parts) + "]"
    if not isinstance(value, str):
        return _scalar(value)
    is_odd = "\n" in value or "\r" in value
    if not is_odd and not _TIME.match(value):
        is_odd = _is_typed(value) or not value.strip() or bool(_UNSAFE_INLINE.search(value))
    return json.dumps(value, ensure_ascii=False) if is_odd else value


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "T" if value else "F"
    if not isinstance(value, float):  # a Decimal, which zon-format does not write, by its digits
        return plain_text(value)
    if not math.isfinite(value):
        return "null"
    return f"{int(value)}.0" if value.is_integer() else repr(value)


def _is_typed(text: str) -> bool:
    """Whether a text would be read as something else."""
    if _WORD.match(text) or text in ("_", "^") or text.strip() != text:
        return True
    if _CONTROL.search(text) or _NUMBER.match(text) or _POWER.match(text):
        return True
    if text and (text[0].isdigit() or text[-1].isdigit()):
        number = _as_float(text)
        return number is not None and str(number) == text
    return False


def _is_unsafe(text: str) -> bool:
    if not text or _as_float(text) is not None or _LIKE_NUMBER.match(text):
        return True
    return _UNSAFE_CELL.search(text) is not None


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


ZON: Final = ZonFormat()
FORMATS: Final = (ZON,)
