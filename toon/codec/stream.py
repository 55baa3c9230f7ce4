"""Value to TOON line by line, for documents too large to hold in memory as text.

The whole value is needed, since a header starts with the length, but not the whole text. Blocks of
elements are passed to the encoder of whole documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from toon.codec.encoder import Encoder
from toon.codec.normalise import SCALARS, check_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

BLOCK: Final = 1024  # elements that are written at once


def stream(encoder: Encoder, value: Any) -> Iterator[str]:
    """Yield a document as texts of whole lines.

    A large array at the root or right below it is a text for each block of its elements. A value
    that is not normalised raises NotNormalised before the first text that normalising could
    change.
    """
    if type(value) is list and value:
        yield from _array(encoder, "", value)
    elif type(value) is dict and not encoder.table("", value, ""):
        for key, item in value.items():
            if type(item) is list and len(item) > BLOCK:
                yield from _array(encoder, encoder.key(key), item)
            else:
                encoder.fields({key: item}, "", "")
                yield from _flushed(encoder)
    elif type(value) is not dict:
        encoder.document(value)
    yield from _flushed(encoder)


def _flushed(encoder: Encoder) -> Iterator[str]:
    if encoder.lines:
        text = "\n".join(encoder.lines)
        encoder.lines.clear()
        yield text


def _array(encoder: Encoder, name: str, value: list[Any]) -> Iterator[str]:
    kinds = set(map(type, value))
    if kinds <= SCALARS:
        encoder.array(name, value, "")
        yield from _flushed(encoder)
        return
    check_types(kinds)
    table = _table(encoder, value) if kinds == {dict} else None
    fields = "" if table is None else f"{{{table[0]}}}"
    yield f"{name}[{len(value)}{encoder.symbol}]{fields}:"
    for start in range(0, len(value), BLOCK):
        block = value[start : start + BLOCK]
        if table is None:
            encoder.items(block, encoder.unit)
        else:
            cells = _cells(encoder, block, value[0], iter(table[1]))
            encoder.rows(cells, "")
        yield from _flushed(encoder)


def _table(encoder: Encoder, value: list[Any]) -> tuple[str, list[set[type]]] | None:
    """Return the field list and each column's types if all of ``value`` is a table, else None."""
    head = ""
    types: list[set[type]] = []
    for start in range(0, len(value), BLOCK):
        block = value[start : start + BLOCK]
        rows = [value[0], *block] if start else block  # the first one has the fields' order
        columns = encoder.columns(rows, lambda _, kinds: kinds)
        if columns is None:
            return None
        head = columns[0]
        types = list(map(set.union, types or columns[1], columns[1]))
    return head, types


def _cells(
    encoder: Encoder, rows: list[Any], first: dict[str, Any], types: Iterator[set[type]]
) -> list[list[str]]:
    """Write some rows of a table by columns, from its first row and the types of its columns."""
    cells: list[list[str]] = []
    for name, item in first.items():
        column = list(map(itemgetter(name), rows))
        if type(item) is dict:
            cells += _cells(encoder, column, item, types)
        else:
            cells.append(encoder.cells(column, next(types)))
    return cells
