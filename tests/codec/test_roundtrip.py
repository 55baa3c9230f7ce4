"""decode(encode(x)) equals x for every delimiter and indent; fast paths equal the simple ones."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toon
from tests.strategies import (
    damaged,
    delimiters,
    indents,
    keyed_rows,
    number_columns,
    strings,
    uniform_rows,
    values,
)
from toon.codec import columns, decoder
from toon.codec.encoder import Encoder
from toon.codec.header import Rules
from toon.codec.items import read_items
from toon.codec.lines import Lines
from toon.codec.numbers import exact_number
from toon.values.equality import differences


@given(values, delimiters, indents)
def test_every_value_comes_back(value: Any, delimiter: str, indent: int) -> None:
    text = toon.encode(value, delimiter=delimiter, indent_size=indent)
    decoded = toon.decode(text, indent_size=indent)

    assert differences(value, decoded).same
    assert toon.encode(decoded, delimiter=delimiter, indent_size=indent) == text


@given(values, indents)
def test_lenient_mode_reads_valid_documents_like_strict_mode(value: Any, indent: int) -> None:
    text = toon.encode(value, indent_size=indent)

    strict, lenient = (toon.decode(text, indent_size=indent, strict=s) for s in (True, False))
    assert repr(lenient) == repr(strict)


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_come_back_exactly(number: Decimal) -> None:
    assert toon.decode(toon.encode([number]), parse_float=Decimal) == [number]


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_numbers_read_without_loss_equal_their_text(number: Decimal) -> None:
    read = exact_number(str(number))

    assert Decimal(str(read)) == number
    assert isinstance(read, float) or Decimal(repr(float(number))) != number


@given(st.lists(strings, min_size=4, max_size=12), delimiters)
def test_columns_of_strings_are_quoted_like_single_strings(
    column: list[str], delimiter: str
) -> None:
    encoder = Encoder(delimiter, 2)

    assert encoder.strings(column) == [encoder.string(text) for text in column]


tables = st.one_of(number_columns(), uniform_rows(), keyed_rows())


@pytest.mark.parametrize(("few", "many", "leaves"), [(1, 1, 64), (1, 1, 2), (1, 10**9, 64)])
@pytest.mark.parametrize("parse_float", [None, Decimal])
@given(table=tables, delimiter=delimiters, strict=st.booleans(), data=st.data())
def test_block_reading_equals_reading_row_by_row(
    few: int,
    many: int,
    leaves: int,
    parse_float: Any,
    table: Any,
    delimiter: str,
    strict: bool,
    data: st.DataObject,
) -> None:
    """Every table is read by columns, with and without the compiled row maker, and by rows."""
    text = toon.encode({"k": table, "z": 1}, delimiter=delimiter)
    if data.draw(st.booleans()):
        text = data.draw(damaged(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "FEW_ROWS", few)
        patch.setattr(columns, "MANY_ROWS", many)
        patch.setattr(columns, "FEW_LEAVES", leaves)
        fast = outcome(text, strict, parse_float)
        patch.setattr(decoder, "read_block", lambda *_: None)
        plain = outcome(text, strict, parse_float)

    assert fast == plain


CELLS = [
    "1",
    "-1",
    "0",
    "-0",
    "-0.0",
    "-0.5",
    "1.5",
    "1.50",
    "1e3",
    "01",
    "+1",
    "",
    "x",
    "t",
    "nul",
]
CELLS += ["true", "null", '"1"', '"x"', "9" * 18, "9" * 19, "12345678901234567890123", "1 2", "[]"]


@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=12), st.booleans())
def test_a_column_is_typed_like_its_single_cells(cells: list[str], keyed: bool) -> None:
    if keyed:
        text = f"k[{len(cells)}:]{{a}}:" + "".join(f"\n  e{i}: {c}" for i, c in enumerate(cells))
        expected = {
            f"e{i}": {"a": toon.decode(f"v[1]: {c or NOTHING}")["v"][0]}
            for i, c in enumerate(cells)
        }
    else:
        text = f"k[{len(cells)}]{{a,b}}:" + "".join(f"\n  x,{cell}" for cell in cells)
        expected = [
            {"a": "x", "b": toon.decode(f"v[1]: {cell or NOTHING}")["v"][0]} for cell in cells
        ]
    if keyed and "" in cells:
        return  # an entry row without a cell is an error, tested with the others
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "FEW_ROWS", 1)
        assert repr(toon.decode(text)["k"]) == repr(expected)


NOTHING = '""'


TOKENS = [
    *CELLS,
    '"a"',
    '"a\\\\b\\n"',
    '"\\/"',
    '"\\u0041"',
    '"a',
    'a"',
    '"a", "b"',
    '"a"b',
    '"',
    " 1",
    "[x",
    "# c",
]
KEYS = ["a", "b", "c d", "- e", "f%", "é", "g:", '"h"', "i[1]", "j[1]{k}", ""]


keys = st.sampled_from([*KEYS[:6] * 2, *KEYS])
#: The fields of an item: keys, and below them nothing for a token, or fields.
fields = st.recursive(
    st.lists(st.tuples(keys, st.none()), min_size=1, max_size=3),
    lambda inner: st.lists(st.tuples(keys, st.none() | inner), min_size=1, max_size=3),
    max_leaves=6,
)


def flat(fields: list[Any], depth: int = 2) -> Iterator[tuple[int, str, bool]]:
    """Depth and key of each line, and whether it has a token."""
    for key, inner in fields:
        yield depth, key, inner is None
        yield from flat(inner or [], depth + 1)


@st.composite
def item_lists(draw: st.DrawFn) -> str:
    """A list of items, most of which have the same keys on the same lines."""
    shape = list(flat(draw(fields)))
    quoted = [token for token in TOKENS if token[:1] == '"']
    many = draw(st.sampled_from([TOKENS, quoted, ["x", " 1", "[]", ""]]))
    few = draw(st.lists(st.sampled_from(many), min_size=1, max_size=3))
    lines = []
    for _ in range(draw(st.integers(4, 9))):
        other = draw(st.integers(0, 5 * len(shape)))  # the line with another key, if there is one
        for number, (depth, key, has_token) in enumerate(shape):
            start = "  " * depth if number else "  - "
            if number == other:
                key, has_token = draw(st.tuples(keys, st.booleans()))
            token = f" {draw(st.sampled_from(few))}" if has_token else ""
            lines.append(f"{start}{key}:{token}")
    count = sum(line.startswith("  - ") for line in lines)
    return "\n".join([f"k[{count}]:", *lines])


@pytest.mark.parametrize("parse_float", [None, Decimal])
@settings(max_examples=200)
@given(text=item_lists(), strict=st.booleans(), data=st.data())
def test_items_that_are_alike_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, data: st.DataObject
) -> None:
    if data.draw(st.integers(0, 3)) == 0:
        text = data.draw(damaged(text))
    fast = outcome(text, strict, parse_float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "read_items", lambda *_: {})
        plain = outcome(text, strict, parse_float)

    assert fast == plain


CELLS_OF_ARRAYS = ["x", "1", "-0", "2.50", "", " y", "y ", '"a"', '"p,q"', '"p|q"', '"\\n"', "null"]
CELLS_OF_ARRAYS += ["[]", "a: b", '"a: b"', '"c', 'd"', "01", "é"]
HEADS = ["a", "b", "c d", '"h"', '"x,y"', "é"]
FIELD_LISTS = ["p{d}q", "p", '"p"{d}q', "p{d}g{{r{d}s}}", "p{d}p"]


@st.composite
def arrays_and_tables(draw: st.DrawFn) -> str:
    """A list of items with arrays and tables in them, most of which are alike."""
    symbol = draw(st.sampled_from(["", "", "|", "\t"]))
    delimiter = symbol or ","
    plain = [["x", "1", '"p,q|r"'], ["x", "yy"], ["1", "2.5", "-1"], ['"a"', "null"]]
    cells = draw(st.sampled_from([CELLS_OF_ARRAYS, *plain]))
    kinds = st.sampled_from(["array", "table", "token", "object"])
    shape = draw(st.dictionaries(st.sampled_from(HEADS), kinds, min_size=1, max_size=3))
    field_list = draw(st.sampled_from(FIELD_LISTS)).format(d=delimiter)
    width = 1 + field_list.count(delimiter)

    def row(size: int) -> str:
        return delimiter.join(draw(st.sampled_from(cells)) for _ in range(size))

    def odd() -> bool:
        return draw(st.integers(0, 40)) == 23  # not 0, which Hypothesis likes to draw

    def lines_of(head: str, kind: str, size: int) -> list[str]:
        declared = size + odd()
        if kind == "array":
            return [f"{head}[{declared}{symbol}]: {row(size)}" if size else f"{head}: []"]
        if kind == "table":
            rows = [" " * (2 + 2 * odd()) + row(width + odd()) for _ in range(size)]
            return [f"{head}[{declared}{symbol}]{{{field_list}}}:", *rows]
        return [f"{head}: {draw(st.sampled_from(cells))}" if kind == "token" else f"{head}:"]

    items = []
    rows_of_tables = draw(st.integers(1, 2))
    for _ in range(draw(st.integers(4, 9))):
        lines = []
        for head, kind in shape.items():
            size = rows_of_tables if kind == "table" else draw(st.integers(0, 2))
            lines += lines_of(draw(st.sampled_from(HEADS)) if odd() else head, kind, size)
            lines += ["  z: 1"] * (kind == "object")
        items += ["  - " + lines[0], *("    " + line for line in lines[1:])]
        items += ["    # c"] * odd() + [""] * odd()
    count = sum(line.startswith("  - ") for line in items)
    return "\n".join([f"k[{count}]:", *items, *draw(st.sampled_from([[], [""], ["z: 1"]]))])


@pytest.mark.parametrize("parse_float", [None, Decimal])
@settings(max_examples=200)
@given(text=arrays_and_tables(), strict=st.booleans(), spec=st.sampled_from(["4.4", "3.3"]))
def test_items_with_arrays_and_tables_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, spec: str
) -> None:
    fast = outcome(text, strict, parse_float, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "read_items", lambda *_: {})
        plain = outcome(text, strict, parse_float, spec)

    assert fast == plain


@pytest.mark.parametrize("parse_float", [None, Decimal])
@given(text=arrays_and_tables(), strict=st.booleans(), data=st.data())
def test_damaged_items_with_arrays_and_tables_are_read_like_single_ones(
    parse_float: Any, text: str, strict: bool, data: st.DataObject
) -> None:
    text = data.draw(damaged(text))
    fast = outcome(text, strict, parse_float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "read_items", lambda *_: {})
        plain = outcome(text, strict, parse_float)

    assert fast == plain


@pytest.mark.parametrize(
    "tokens", [('"a",["b"', '"c"]'), ('"a",{"b":1', '"c":2}'), ('"a"', '"b" "c"'), ('"a', '"b"')]
)
@pytest.mark.parametrize("strict", [True, False])
def test_tokens_that_only_together_are_json_are_refused(
    tokens: tuple[str, str], strict: bool
) -> None:
    text = "[4]:" + "".join(f"\n  - a: {token}" for token in (*tokens, '"d"', '"e"'))

    with pytest.raises(toon.ToonDecodeError):
        toon.decode(text, strict=strict)


def test_one_item_of_many_with_a_value_and_fields_is_found() -> None:
    text = "k[5]:" + "\n  - a:\n      b: 1" * 4 + "\n  - a: 2\n      b: 1"

    with pytest.raises(toon.ToonDecodeError, match="line 11"):
        toon.decode(text)


def test_lists_of_real_records_are_read_by_fields() -> None:
    """The test above would hold too if no item were ever read so."""
    records = [
        {"a": "x", "b": {"c": n, "d": f"{n}: y"}, **({"e": []} if n else {})} for n in range(9)
    ]
    text = toon.encode(records)
    lines = Lines(text, 2, True)

    assert len(read_items(lines, 1, 1, Rules(True), float)) == 8


@pytest.mark.parametrize("delimiter", [",", "|", "\t"])
def test_items_with_arrays_and_tables_are_read_by_fields(delimiter: str) -> None:
    """The tests above would hold too if no such item were ever read so."""
    records = [
        {"a": ["x", 'y"', n][: n % 4], "b c": [{"d": 1, "e": {"f": "x"}}] * 2, "g": n}
        for n in range(8)
    ]
    lines = Lines(toon.encode(records, delimiter=delimiter), 2, True)

    read = read_items(lines, 1, 1, Rules(True), float)
    assert [value for value, _ in read.values()] == records


@pytest.mark.parametrize("width", [1, 2, 63, 64, 65, 130])
def test_wide_tables_of_many_rows(width: int) -> None:
    rows = [{f"f{i}": n + i for i in range(width)} for n in range(250)]

    assert toon.decode(toon.encode(rows)) == rows


def test_the_last_cell_of_a_column_of_numbers_may_be_empty() -> None:
    text = "[8]{a,b}:\n" + "\n".join(["  x,1"] * 7 + ["  x,"])

    assert toon.decode(text)[-1] == {"a": "x", "b": ""}


def outcome(text: str, strict: bool, parse_float: Any, spec: str = "4.4") -> str:
    try:
        return repr(toon.decode(text, strict=strict, parse_float=parse_float, spec=spec))
    except toon.ToonDecodeError as error:
        return str(error)
