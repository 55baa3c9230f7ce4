"""decode(encode(x)) equals x for every delimiter and indent; fast paths equal the simple ones."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
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
from toon.codec.numbers import exact_number
from toon.values.equality import differences


def outcome(text: str, strict: bool, parse_float: Any, spec: str = "4.4") -> str:
    """The value as text, or the whole error."""
    try:
        return repr(toon.decode(text, strict=strict, parse_float=parse_float, spec=spec))
    except toon.ToonDecodeError as error:
        return str(error)


@pytest.mark.rest
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

    assert encoder.cells(column, {str}) == [encoder.string(text) for text in column]


tables = st.one_of(number_columns(), uniform_rows(), keyed_rows())


@pytest.mark.rest
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
    "1", "-1", "0", "-0", "-0.0", "-0.5", "1.5", "1.50", "1e3", "01", "+1", "", "x", "t", "nul",
    "true", "null", '"1"', '"x"', "9" * 18, "9" * 19, "12345678901234567890123", "1 2", "[]",
]  # fmt: skip


@given(st.lists(st.sampled_from(CELLS), min_size=1, max_size=12), st.booleans())
@example(["1", "1", ""], False)  # an array of JSON with a comma too many
def test_a_column_is_typed_like_its_single_cells(cells: list[str], keyed: bool) -> None:
    if keyed:  # an entry row without a cell is an error, tested with the others
        cells = [cell or "x" for cell in cells]
    head = f"k[{len(cells)}:]{{b}}:" if keyed else f"k[{len(cells)}]{{a,b}}:"
    rows = [f"\n  {f'e{i}: ' if keyed else 'x,'}{cell}" for i, cell in enumerate(cells)]
    nothing = '""'
    expected = [toon.decode(f"v[1]: {cell or nothing}")["v"][0] for cell in cells]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "FEW_ROWS", 1)
        read = toon.decode(head + "".join(rows))["k"]
    assert repr([row["b"] for row in (read.values() if keyed else read)]) == repr(expected)


CELLS_OF_ARRAYS = ["x", "1", "-0", "2.50", "", " y", "y ", '"a"', '"p,q"', '"p|q"', '"\\n"', "null"]
CELLS_OF_ARRAYS += ["[]", "a: b", '"a: b"', '"c', 'd"', "01", "é"]
ODD_CELLS = [
    '"a\\"b"', '"a\\\\"', '"a\\"', "a\\", '\\"a', '"a""b"', '"a"\t', '"\0"', "\1", '"\2,\2"', "1\t",
    "2025-01-02", "10.0.0.1", " ", " x ", ' "a"', '"', "true ", '"\\/"', "0.5e1", "1\r2",
]  # fmt: skip


@pytest.mark.rest
@settings(max_examples=100)
@given(
    rows=st.lists(
        st.lists(st.sampled_from([*CELLS_OF_ARRAYS, *ODD_CELLS] + ['"x"', '"1"'] * 9), min_size=2)
        | st.tuples(st.sampled_from(['"a,b"', '"c"', "d"]), st.sampled_from(ODD_CELLS)),
        min_size=1,
        max_size=4,
    ),
    keyed=st.booleans(),
    delimiter=delimiters,
)
def test_rows_of_odd_cells_are_read_by_columns_as_by_rows(
    rows: list[list[str]], keyed: bool, delimiter: str
) -> None:
    names = delimiter.join("abcdefghijklmnopqrstuvwxyz"[: len(rows[0])])
    symbol = delimiter.strip(",")
    head = f"k[{len(rows)}{':' * keyed}{symbol}]{{{names}}}:"
    lines = [f"  e{i}: " * keyed + "  " + delimiter.join(row) for i, row in enumerate(rows)]
    text = "\n".join([head, *(line if keyed else "  " + line.lstrip(" ") for line in lines)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder, "FEW_ROWS", 1)
        fast = outcome(text, True, None)
        patch.setattr(decoder, "read_block", lambda *_: None)
        plain = outcome(text, True, None)

    assert fast == plain


@given(
    head=st.sampled_from(["a", "a b", "a ", "é", '"a"', "a.b", "", "1", "a:b", "a[1]", "b"]),
    length=st.sampled_from(["1", "2", "2", "3", "02", "", "2|", "x", "٢"]),
    cells=st.lists(st.sampled_from([*CELLS_OF_ARRAYS, *ODD_CELLS, "1e999"]), max_size=3),
    between=st.sampled_from(",,|"),
    strict=st.booleans(),
    spec=st.sampled_from(["4.4", "3.3"]),
)
def test_plain_arrays_are_read_like_any(
    head: str, length: str, cells: list[str], between: str, strict: bool, spec: str
) -> None:
    text = f"b: x\n{head}[{length}]: {between.join(cells)}\nz: 1"
    fast = outcome(text, strict, None, spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoder.Decoder, "plain_array", lambda *_: False)
        plain = outcome(text, strict, None, spec)

    assert fast == plain


@pytest.mark.parametrize("width", [1, 2, 63, 64, 65, 130])
def test_wide_tables_of_many_rows(width: int) -> None:
    rows = [{f"f{i}": n + i for i in range(width)} for n in range(250)]

    assert toon.decode(toon.encode(rows)) == rows
