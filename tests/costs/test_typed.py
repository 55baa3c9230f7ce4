"""A typed text read the fast way: the same value as the plain way, and the same errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.costs.document import Typed
from toon.values.json_text import parse_json

#: What the two readers, or reader and writer, do not have in common.
ODD = [
    "-0", "-0.0", "-0.00", "1.0", "1e5", "1e16", "1E16", "1e400", "1e-9999", "0.10", "[1.50,-0.05]",
    "9007199254740993", "18446744073709551615", "18446744073709551616", "0.1000000000000000055",
    '{"a":1,"a":1}', '{"a":1,"a":2}', '{"a":1, "\\u0061":2}', '"\\u00e9"', '"\\/"', '"\\ud800"',
    '"\ud800"', '"\x7f"', '"\\u001F"', "\ufeff[1]", "[1]\u00a0", "", " ", "NaN", "[1,]", "[01]",
    " { \"a b\" : [ 1 , \"x  y\\\" \" ] } ", "[" * 300 + "]" * 300, "[" * 5000 + "]" * 5000,
]  # fmt: skip


def outcome(read: Any) -> str:
    """The value with its types, or the error."""
    try:
        return repr(read())
    except ValueError as error:
        return f"{type(error)} {error}"


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_read_as_the_plain_reader_reads_them(text: str) -> None:
    assert outcome(Typed(text).read_json) == outcome(lambda: parse_json(text).value)


@given(values, st.sampled_from([None, 2]), st.booleans(), st.sampled_from([", ", ","]))
def test_any_json_is_read_as_the_plain_reader_reads_it(
    value: Any, indent: int | None, ascii: bool, comma: str
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii, separators=(comma, ":"))

    assert outcome(Typed(text).read_json) == outcome(lambda: parse_json(text).value)


@pytest.mark.parametrize("name", ["é", "\\u00e9"])
def test_a_usual_text_is_read_without_the_plain_reader(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toon.costs.document.parse_json", None)

    value = Typed(f'{{"id": 1, "at": "2024-05-0", "{name}": [-0.5, null]}}').read_json()

    assert value == {"id": 1, "at": "2024-05-0", "é": [-0.5, None]}
