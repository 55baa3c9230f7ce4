"""Objects that are no table, written a field at a time: the fast path of the encoder's lists.

The objects of a list mostly share their keys. Objects that do are written by one pattern, and the
cells of a field of all objects at once, also in objects and arrays inside. The text is the same as
when the encoder writes object by object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice
from operator import itemgetter

from toon.codec.normalise import SCALARS, TooDeep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Protocol, TypeVar

    Column = TypeVar("Column")

    class Writer(Protocol):
        """The parts of an encoder that are used here."""

        lines: list[str]
        delimiter: str
        symbol: str
        unit: str
        limit: int

        def key(self, key: Any) -> str: ...
        def fields(self, value: dict[str, Any], lead: str, indent: str) -> None: ...
        def cells(self, column: list[Any], kinds: set[type]) -> list[str]: ...
        def columns(
            self, rows: list[Any], read: Callable[[list[Any], set[type]], Column]
        ) -> tuple[str, list[Column]] | None: ...


#: Fewer objects with the same keys are written faster one by one.
FEW_RECORDS: Final = 4


def write_records(
    writer: Writer, records: list[dict[str, Any]], lead: str, indent: str
) -> list[str]:
    """Write each object, its first field after ``lead``, the others after ``indent``."""
    shapes: dict[tuple[str, ...], list[int]] = {}
    for place, record in enumerate(records):
        shapes.setdefault(tuple(record), []).append(place)
    texts = [""] * len(records)
    for keys, places in shapes.items():
        group = [records[place] for place in places]
        if not keys:
            written: Iterable[str] = [lead[:-1]] * len(group)
        elif len(group) < FEW_RECORDS:
            written = [_text(writer, record, lead, indent) for record in group]
        else:
            pattern: list[str] = []
            cells = _fill(writer, group, lead, indent, pattern)
            written = map("\n".join(pattern).__mod__, zip(*cells, strict=True))
        for place, text in zip(places, written, strict=True):
            texts[place] = text
    return texts


def _text(writer: Writer, value: dict[str, Any], lead: str, indent: str) -> str:
    """Write the fields of one object."""
    before, writer.lines = writer.lines, []
    writer.fields(value, lead, indent)
    lines, writer.lines = writer.lines, before
    return "\n".join(lines)


def _fill(
    writer: Writer, records: list[dict[str, Any]], lead: str, indent: str, pattern: list[str]
) -> list[list[str]]:
    """Add the lines of objects with the same keys to ``pattern``; return what fills its gaps."""
    if len(indent) > writer.limit:
        raise TooDeep
    below, cells = indent + writer.unit, []
    for key in records[0]:
        name = lead + writer.key(key)
        head = name.replace("%", "%%")
        column = list(map(itemgetter(key), records))
        kinds = set(map(type, column))
        if kinds <= SCALARS:
            pattern.append(f"{head}: %s")
            cells.append(writer.cells(column, kinds))
        elif kinds == {dict} and _are_plain(column):
            pattern.append(f"{head}:")
            cells += _fill(writer, column, below, below, pattern)
        else:
            pattern.append("%s")
            arrays = _arrays(writer, name, column, indent) if kinds == {list} else None
            cells.append(arrays or [_text(writer, {key: item}, lead, indent) for item in column])
        lead = indent
    return cells


def _are_plain(records: list[dict[str, Any]]) -> bool:
    """Return whether objects share their keys and none is a keyed table: one key has scalars."""
    if len(set(map(tuple, records))) > 1:
        return False
    return any(SCALARS.issuperset(map(type, map(itemgetter(key), records))) for key in records[0])


def _arrays(writer: Writer, name: str, column: list[list[Any]], indent: str) -> list[str] | None:
    """Write arrays that are alike and not empty, all cells at once; return None for others."""
    if not all(column):
        return None
    items = list(chain.from_iterable(column))
    kinds = set(map(type, items))
    if kinds <= SCALARS:
        head, start, between = ": ", "", writer.delimiter
        texts: Iterable[str] = writer.cells(items, kinds)
    else:
        table = writer.columns(items, writer.cells) if kinds == {dict} else None
        # In each array the first row has the say on the order of the fields.
        if table is None or "{" in table[0] or len(set(map(tuple, items))) > 1:
            return None
        start = f"\n{indent}{writer.unit}"
        head, between = f"{{{table[0]}}}:", start
        texts = map(writer.delimiter.join, zip(*table[1], strict=True))
    take = iter(texts)
    return [
        f"{name}[{len(array)}{writer.symbol}]{head}{start}{between.join(islice(take, len(array)))}"
        for array in column
    ]
