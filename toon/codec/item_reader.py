"""List items that are objects, read a field at a time: the fast path of the decoder's lists.

The objects of a list mostly have the same fields on the same lines. Each field of such objects is a
column, as in a table; the tables in them are read as one table. An item is read here only where its
lines certainly have no error. The decoder reads every other item line by line, with the same
result.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeAlias

from toon.codec.columns import Unsure, build_rows, read_block, type_column
from toon.codec.header import Field, Header, Rules, find_bracket, is_header, parse_header
from toon.codec.lines import Lines
from toon.codec.text import MAX_DEPTH, TokenError, split_outside_quotes

#: A key that can be taken as written: without quotes, brackets, colons and outer spaces.
PLAIN_KEY: Final = re.compile(r'[^"\[:\s][^"\[:]*+(?<! )\Z')
#: Fewer items with the same lines are read faster one by one.
_FEW_ITEMS: Final = 4

#: Items by their first line: their values, and the lines after their ends.
Items: TypeAlias = dict[int, tuple[dict[str, Any], int]]


class _Leaf(NamedTuple):
    """A scalar, array or table in alike TOON list items: its line, what precedes it, its header."""

    line: int  # in the item
    start: str  # of the line, before the value or the bracket
    header: Header | None  # of an array or a table


def read_items(
    lines: Lines, start: int, depth: int, rules: Rules, parse_float: Callable[[str], Any]
) -> Items:
    """Read the items of a TOON list that are alike and certainly have no error.

    Return by the index of an item's first line its dict and the index of the line after it.
    """
    depths, stop = lines.depths, start
    firsts: list[int] = []
    while (found_depth := depths[stop]) >= depth:
        if found_depth == depth:
            firsts.append(stop)
        stop += 1
    if len(firsts) < _FEW_ITEMS or (lines.strict and lines.find_blank(start, stop - 1)):
        return {}
    ends = dict(zip(firsts, [*firsts[1:], stop], strict=True))
    groups: dict[tuple[int, ...], list[int]] = {}
    for first, end in ends.items():
        groups.setdefault(tuple(depths[first + 1 : end]), []).append(first)
    items: Items = {}
    for below, places in groups.items():
        if len(places) < _FEW_ITEMS:
            continue
        try:
            values = _read_alike(lines.contents, places, [depth + 1, *below], rules, parse_float)
        except (Unsure, TokenError):
            continue
        for first, value in zip(places, values, strict=True):
            items[first] = value, ends[first]
    return items


def _read_alike(
    contents: list[str],
    places: list[int],
    depths: list[int],
    rules: Rules,
    parse_float: Callable[[str], Any],
) -> list[dict[str, Any]]:
    """Read alike TOON list items by columns, from the indexes of their first lines; return dicts.

    Raise Unsure or TokenError if they are not alike, or one may have an error.
    """
    columns = list(zip(*[contents[first : first + len(depths)] for first in places], strict=True))
    # Of each field the first line that shows its form: an empty array shows none.
    samples = [
        next((line for line in column if not line.endswith(": []")), column[0])
        for column in columns
    ]
    shape = _Shape(samples, depths, rules)
    for line, text in shape.fixed.items():
        if columns[line].count(text) < len(places):
            raise Unsure
    leaves: list[Sequence[Any]] = []
    for line, start, header in shape.leaves:
        if header is None:
            _, *tokens = "\n".join(["", *columns[line]]).split(f"\n{start}")
            if len(tokens) != len(places):
                raise Unsure
            values = type_column(tokens, parse_float)
            if "[]" in "\n".join(tokens):  # where it is the whole token, an empty array (§9.1)
                pairs = zip(tokens, values, strict=True)
                values = [[] if token.strip(" ") == "[]" else value for token, value in pairs]
            leaves.append(values)
        elif header.fields is None:
            leaves.append(_read_arrays(columns[line], start, header, parse_float))
        else:
            size = header.length  # the tables of all items are read as one
            lines = zip(*columns[line + 1 : line + 1 + size], strict=True)
            read = read_block(list(chain.from_iterable(lines)), header, parse_float)
            if read is None:
                raise Unsure
            leaves.append([read[1][at : at + size] for at in range(0, len(read[1]), size)])
    return build_rows(shape.fields, leaves)


class _Shape:
    """The fields that several alike items of a TOON list have, from the lines of one.

    Attributes:
        fields: the fields, with those of objects in them; an array or a table is one field.
        leaves: the fields that are no objects, in their order.
        fixed: by number, the lines that every item must have character for character.
    """

    def __init__(self, lines: list[str], depths: list[int], rules: Rules) -> None:
        self.lines = lines
        self.depths = depths
        self.rules = rules
        self.leaves: list[_Leaf] = []
        self.fixed: dict[int, str] = {}
        self.fields, _ = self.read_fields(0)

    def depth(self, at: int) -> int:
        return self.depths[at] if at < len(self.depths) else -1

    def read_fields(self, at: int) -> tuple[tuple[Field, ...], int]:
        """Read a list item's fields from line ``at`` on; return them and the next line's index.

        Raises:
            Unsure: A name comes twice, the fields lie too deep, or a deeper line follows.
        """
        depth = self.depths[at]
        if depth > MAX_DEPTH:
            raise Unsure
        fields: dict[str, Field] = {}
        while self.depth(at) == depth:
            field, at = self.read_field(at)
            if field.name in fields:
                raise Unsure
            fields[field.name] = field
        if self.depth(at) > depth:
            raise Unsure
        return tuple(fields.values()), at

    def read_field(self, at: int) -> tuple[Field, int]:
        """Read a TOON list item's field at line ``at``; return it and the next line's index."""
        mark = "" if at else "- "
        line = self.lines[at]
        content = line.removeprefix(mark)
        key, colon, _ = content.partition(": ")
        if colon and PLAIN_KEY.match(key):
            self.leaves.append(_Leaf(at, f"{mark}{key}: ", None))
            return Field(key), at + 1
        if content[-1] == ":" and PLAIN_KEY.match(content[:-1]):
            if self.depth(at + 1) != self.depths[at] + 1:
                raise Unsure
            self.fixed[at] = line
            inside, end = self.read_fields(at + 1)
            return Field(content[:-1], inside), end
        header = parse_header(content, self.rules) if is_header(content) else None
        if header is None or header.key is None or header.keyed:
            raise Unsure
        self.leaves.append(_Leaf(at, f"{mark}{content[: find_bracket(content)]}", header))
        end = at + 1
        if header.fields is not None:  # a table: its rows are on the lines below
            self.fixed[at] = line
            end += header.length
            row_depths = self.depths[at + 1 : end]
            if set(row_depths) != {self.depths[at] + 1} or len(row_depths) < header.length:
                raise Unsure
        return Field(header.key), end


def _read_arrays(
    column: Sequence[str], start: str, header: Header, parse_float: Callable[[str], Any]
) -> list[list[Any]]:
    """Read the arrays on lines ``key[2]: a,b`` of many TOON list items at once, a list for each."""
    delimiter = header.delimiter
    behind = "]: " if delimiter == "," else f"{delimiter}]: "
    lengths: list[int] = []
    tokens: list[str] = []
    for line in column:
        if line == f"{start}: []":
            lengths.append(0)
            continue
        length, _, text = line.removeprefix(f"{start}[").partition(behind)
        cells = split_outside_quotes(text, delimiter) if '"' in text else text.split(delimiter)
        if not text or not line.startswith(f"{start}[") or length != str(len(cells)):
            raise Unsure
        lengths.append(len(cells))
        tokens += cells
    values = iter(type_column(tokens, parse_float))
    return [list(islice(values, length)) for length in lengths]
