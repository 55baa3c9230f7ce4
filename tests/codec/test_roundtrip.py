"""decode(encode(x)) is x, in every delimiter and indent; the fast paths equal the plain ones."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toon
import toon.codec.columns
import toon.codec.encoder
from tests.strategies import damaged, delimiters, indents, strings, values
from toon.codec.encoder import Encoder
from toon.equality import differences
from toon.numbers import exact_number


@given(values, delimiters, indents)
def test_every_value_comes_back(value: Any, delimiter: str, indent: int) -> None:
    text = toon.encode(value, delimiter=delimiter, indent_size=indent)
    decoded = toon.decode(text, indent_size=indent)

    assert differences(value, decoded).same
    assert toon.encode(decoded, delimiter=delimiter, indent_size=indent) == text


@given(values, indents)
def test_lenient_reads_what_strict_reads(value: Any, indent: int) -> None:
    text = toon.encode(value, indent_size=indent)

    strict, lenient = (toon.decode(text, indent_size=indent, strict=s) for s in (True, False))
    assert repr(lenient) == repr(strict)


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_decimals_come_back_exactly(number: Decimal) -> None:
    assert toon.decode(toon.encode([number]), parse_float=Decimal) == [number]


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_numbers_read_without_loss_equal_their_text(number: Decimal) -> None:
    assert Decimal(exact_number(str(number))) == number or isinstance(
        exact_number(str(number)), float
    )
    assert Decimal(str(exact_number(str(number)))) == number


@given(st.lists(strings, min_size=4, max_size=12), delimiters)
def test_columns_of_strings_are_quoted_as_each_string_is(column: list[str], delimiter: str) -> None:
    encoder = Encoder(delimiter, 2)

    assert encoder.strings(column) == [encoder.string(text) for text in column]


@given(values, delimiters, st.booleans(), st.data())
def test_block_reading_equals_reading_row_by_row(
    value: Any, delimiter: str, strict: bool, data: st.DataObject
) -> None:
    text = toon.encode(value, delimiter=delimiter)
    if data.draw(st.booleans()):
        text = data.draw(damaged(text))
    fast = outcome(text, strict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("toon.codec.decoder.fast_rows", lambda *_: None)
        plain = outcome(text, strict)

    assert fast == plain


def outcome(text: str, strict: bool) -> str:
    try:
        return repr(toon.decode(text, strict=strict))
    except toon.ToonDecodeError as error:
        return str(error)
