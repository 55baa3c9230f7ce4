"""VibeMCP's forms without losses: any JSON value comes back equal, its keys in order.

A cell: an absent key is an empty cell; strings that would read as something else are quoted; arrays
and objects are compact JSON. Names are quoted unless they are plain words. A list is a table if one
order of columns fits every row; otherwise each item has its line. Without quotes, the labels
``items`` and ``item`` mean that there is no name; a key of that name is quoted.
"""

from __future__ import annotations

import heapq
import re
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, Final

from toon.codec.normalise import normalise
from toon.codec.text import LITERALS, NUMERIC_LIKE, write_scalar
from toon.dialects.vibemcp.grammar import BARE_NAME, DETAIL_LABEL, LIST_LABEL
from toon.dialects.writing import escaped, quote
from toon.values.json_writing import COMPACT

# Characters that some readers show as nothing or read as a line break; then all that are escaped.
_ODD: Final = re.compile("[\x7f\x85\u2028\u2029]")
_SPECIAL: Final = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029]')
_UNSAFE: Final = re.compile('["\x00-\x1f\x7f\x85\u2028\u2029]|\\A[{\\[]')
# What would make a scalar look like a header, or its start like a byte-order mark.
_UNSAFE_AT_ROOT: Final = re.compile("[:\\[{]|\\A\ufeff")

# With more cells than this per value, rows of JSON are shorter. Without a limit, a table of rows
# with no key in common would grow with the square of their number.
_MAX_SPARSE: Final = 8


def write_lossless(value: Any) -> str:
    """Write a JSON value; errors as for ``encode``."""
    value = normalise(value)
    label = ""
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, list | dict):
            taken = LIST_LABEL if isinstance(inner, list) else DETAIL_LABEL
            label, value = quote(key, _SPECIAL) if key == taken else _name(key), inner
    if isinstance(value, list):
        return "\n".join(_list(value, label or LIST_LABEL))
    if isinstance(value, dict):
        fields = [f"  {_name(key)}: {_cell(item)}" for key, item in value.items()]
        return "\n".join([f"{label or DETAIL_LABEL}:", *fields])
    if isinstance(value, str) and _UNSAFE_AT_ROOT.search(value):
        return quote(value, _SPECIAL)
    return _cell(value)


def _list(items: list[Any], label: str) -> list[str]:
    if not items:
        return [f"{label}[0]{{}}"]
    columns = order_columns(items)
    if columns is None:
        return [f"{label}[{len(items)}]", *map(_cell, items)]
    rows = ("\t".join([_cell(row[key]) if key in row else "" for key in columns]) for row in items)
    return [f"{label}[{len(items)}]{{{','.join(map(_name, columns))}}}", *rows]


def order_columns(rows: list[Any]) -> list[str] | None:
    """Return the keys of all rows in an order that each row follows; None if there can be no table.

    Of all such orders it is the one closest to where the keys first occur. There is no table if a
    row is not an object, if there are no keys, if two rows contradict each other, or if hardly any
    cell would be filled.
    """
    if not all(isinstance(row, dict) for row in rows):
        return None
    sequences = dict.fromkeys(map(tuple, rows))
    rank = {key: place for place, key in enumerate(dict.fromkeys(k for s in sequences for k in s))}
    if not rank or len(rank) * len(rows) > _MAX_SPARSE * sum(map(len, rows)):
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
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict | list):
        return escaped(COMPACT.dumps(value), _ODD)
    return write_scalar(value)


def _string(text: str) -> str:
    if (
        not text
        or text in LITERALS
        or text != text.strip()
        or NUMERIC_LIKE.match(text)
        or _UNSAFE.search(text)
    ):
        return quote(text, _SPECIAL)
    return text


def _name(key: str) -> str:
    return key if BARE_NAME.match(key) else quote(key, _SPECIAL)
