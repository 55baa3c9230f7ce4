"""TOON line by line, for documents too large to hold in memory as text.

Encoding needs the whole value, since a header starts with the length, but not the whole text.
Decoding needs neither: it yields the elements of a root array while it reads their lines. Both
pass blocks of elements to the encoder and decoder of whole documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from toon.codec.decoder import Decoder
from toon.codec.encoder import Encoder
from toon.codec.header import Header, is_header
from toon.codec.lines import depth_of
from toon.codec.normalise import SCALARS, check_types
from toon.errors import ToonDecodeError

BLOCK: Final = 1024  # elements that are written at once
BLOCK_LINES: Final = 4096  # read at once

# -- encoding --------------------------------------------------------------------------------


def stream(encoder: Encoder, value: Any) -> Iterator[str]:
    """Yields a document as texts of whole lines.

    A large array at the root or right below it is a text for each block of its elements. A value
    that is not normalised raises NotNormalised in place of the first text that could be another
    than that of the normalised value.
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
            encoder.rows(encoder.join_rows(cells), "")
        yield from _flushed(encoder)


def _table(encoder: Encoder, value: list[Any]) -> tuple[str, list[set[type]]] | None:
    """The field list and the types of each column, if all of ``value`` is a table; else None."""
    head = ""
    types: list[set[type]] = []
    for start in range(0, len(value), BLOCK):
        block = value[start : start + BLOCK]
        rows = [value[0], *block] if start else block  # the first one has the fields' order
        found = encoder.columns(rows, lambda _, kinds: kinds)
        if found is None:
            return None
        head = found[0]
        types = list(map(set.union, types or found[1], found[1]))
    return head, types


def _cells(
    encoder: Encoder, rows: list[Any], first: dict[str, Any], types: Iterator[set[type]]
) -> list[list[str]]:
    """The columns of cells of some rows of a table, by its first row and its columns' types."""
    cells: list[list[str]] = []
    for name, item in first.items():
        column = list(map(itemgetter(name), rows))
        if type(item) is dict:
            cells += _cells(encoder, column, item, types)
        else:
            cells.append(encoder.cells(column, next(types)))
    return cells


# -- decoding --------------------------------------------------------------------------------

NewDecoder = Callable[[str], Decoder]


def elements(lines: Iterable[str], indent_size: int, new_decoder: NewDecoder) -> Iterator[Any]:
    """Yields the elements of the root array in ``lines``, each once its block is read."""
    source = _Blocks(lines, indent_size)
    opening = source.take_opening()
    header = _opening_header(opening, new_decoder)
    if header is None:
        yield from _whole([*opening, *source.lines], new_decoder)
        return

    def check_count(found: int) -> None:
        problem = "row-count" if header.fields else "item-count"
        with _lines_added(len(opening) - 1):
            new_decoder(opening[-1]).check_count(problem, header, found, 0)

    before, total = len(opening), 0
    while block := source.take():
        with _lines_added(before - 1):
            decoder = new_decoder("\n".join([opening[-1], *block]))
            value = decoder.headed_value(header._replace(length=_count(decoder.depths)), 0)
        total += len(value)
        if decoder.pos < len(decoder.contents):
            check_count(total)
        with _lines_added(before - 1):
            decoder.complete(value, "array")
        before += len(block)
        yield from value
    check_count(total)


def _count(depths: list[int]) -> int:
    """How many elements follow the first line, its header, by the depths of all lines."""
    end = depths.index(0, 1) if 0 in depths[1:] else len(depths)
    return depths[:end].count(1)


def _opening_header(opening: list[str], new_decoder: NewDecoder) -> Header | None:
    """The header of a root array with elements on the lines below it, else None."""
    decoder = new_decoder("\n".join(opening[-1:]))
    content = decoder.contents[0] if decoder.contents else ""
    if not content.startswith("[") or not is_header(content) or decoder.depths[0]:
        return None
    header = decoder.header(content)
    if header is None or header.key is not None or header.keyed or header.end < len(content):
        return None
    return header


def _whole(lines: list[str], new_decoder: NewDecoder) -> list[Any]:
    decoder = new_decoder("\n".join(lines))
    value = decoder.document()
    if isinstance(value, list):
        return value
    decoder.lines.fail_at("not-an-array", 1, 1)


@contextmanager
def _lines_added(before: int) -> Iterator[None]:
    """Adds ``before`` to the line of any error raised inside."""
    try:
        yield
    except ToonDecodeError as error:
        if error.line is not None:
            error.line += before
        raise


class _Blocks:
    """Splits lines into blocks of whole elements."""

    def __init__(self, lines: Iterable[str], indent_size: int) -> None:
        self.lines = (line.removesuffix("\n") for line in lines)
        self.ahead: list[str] = []
        self.indent_size = indent_size

    def take_opening(self) -> list[str]:
        """The lines up to the first that is neither blank nor a comment; all if there is none."""
        opening: list[str] = []
        for line in self.lines:
            opening.append(line)
            if line.removeprefix("\ufeff").strip(" \r") and not _is_comment(line):
                break
        return opening

    def take(self) -> list[str]:
        """The lines of some elements; empty at the end."""
        block, self.ahead = self.ahead, []
        while True:
            new = list(islice(self.lines, BLOCK_LINES))
            first = max(1, len(block))
            block += new
            if len(new) < BLOCK_LINES:
                return block if any(line.strip(" \r") for line in block) else []
            if not self._opens(next(filter(_has_content, block), "")):
                continue  # read leniently, a block that starts too deep must stay whole
            for at in reversed(range(first, len(block))):
                if self._ends_before(block, at):
                    self.ahead = block[at:]
                    return block[:at]

    def _ends_before(self, block: list[str], at: int) -> bool:
        """Whether the line at ``at`` is the first of an element, and none is blank before it.

        Whether a blank line is an error depends on the lines around it.
        """
        if not self._opens(block[at]):
            return False
        while at and _is_comment(block[at - 1]):
            at -= 1
        return at > 0 and not _is_blank(block[at - 1])

    def _opens(self, line: str) -> bool:
        """Whether a line is the first of an element."""
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        return depth_of(indent, self.indent_size) < 2 and _has_content(line)


def _has_content(line: str) -> bool:
    return not _is_blank(line) and not _is_comment(line)


def _is_blank(line: str) -> bool:
    """Whether a line is blank where tabs may indent; where they may not, it is an error anyway."""
    return not line.strip(" \t\r")


def _is_comment(line: str) -> bool:
    return line.lstrip(" ").startswith("#")
