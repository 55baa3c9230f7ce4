"""Texts made from another text are those that the encoder writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import keys, records, scalars, uniform_rows, values
from toon.codec.api import encode
from toon.codec.rewriting import is_legacy, with_delimiter, with_fewer_rows
from toon.costs.document import Document
from toon.formats import FORMATS
from toon.formats.toon import TOON_3, TOON_BY_DELIMITER

NAMES = [*TOON_BY_DELIMITER.values(), TOON_3.name]
TEXT = {"id": 1, "tags": ["a,b", "c"], "rows": [{"x": "p,q", "y": "r"}, {"x": 2, "y": "s: t"}]}


@given(st.one_of(values, uniform_rows(), records(), st.lists(scalars)))
def test_each_form_of_toon_is_as_written_alone(value: Any) -> None:
    document = Document(value)

    for name in NAMES:
        assert document.text(name) == FORMATS[name].dumps(value)


@pytest.mark.parametrize("delimiter", ["\t", "|"])
def test_quotes_for_commas_alone_go(delimiter: str) -> None:
    assert with_delimiter(encode(TEXT), delimiter) == encode(TEXT, delimiter=delimiter)
    assert '"a,b"' not in encode(TEXT, delimiter=delimiter)


@pytest.mark.parametrize(
    "value",
    [
        {"a": "x|y"},  # it needs quotes with pipes
        {"rows": [{"a,b": 1}, {"a,b": 2}]},  # a key with a comma, which keeps its quotes
    ],
)
def test_what_only_the_encoder_can_tell(value: Any) -> None:
    assert with_delimiter(encode(value), "|") is None


@pytest.mark.parametrize(
    "value", [{"a": "#1"}, {"a": "+1"}, {"a": {"x": {"v": 1}, "y": {"v": 2}}}, [{"a": {"b": 1}}]]
)
def test_what_is_new_in_version_4(value: Any) -> None:
    assert encode(value) != encode(value, spec="3.3")
    assert not is_legacy(encode(value))


@given(keys, uniform_rows(), scalars, st.data())
def test_a_table_with_fewer_rows(key: str, rows: list[Any], last: Any, data: st.DataObject) -> None:
    fewer = data.draw(st.integers(1, len(rows)))
    name = f"rows of {key}"
    value = {"before": 1, name: rows, "after": last}

    cut = with_fewer_rows(encode(value), len(rows), fewer)
    assert cut in (None, encode({**value, name: rows[:fewer]}))


def test_of_two_tables_of_a_length_none_is_cut() -> None:
    rows = [{"a": 1}, {"a": 2}]

    assert with_fewer_rows(encode({"x": rows, "y": 1}), 2, 1) == "x[1]{a}:\n  1\ny: 1"
    assert with_fewer_rows(encode({"x": rows, "y": rows}), 2, 1) is None
    assert with_fewer_rows(encode({"x": 1}), 2, 1) is None
