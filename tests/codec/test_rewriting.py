"""Texts made from another text are those that the encoder writes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import records, scalars, uniform_rows, values
from toon.codec.rewriting import change_delimiter, is_legacy
from toon.codec.writing import encode
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
    assert change_delimiter(encode(TEXT), delimiter) == encode(TEXT, delimiter=delimiter)
    assert '"a,b"' not in encode(TEXT, delimiter=delimiter)


@pytest.mark.parametrize(
    "value",
    [
        {"a": "x|y"},  # it needs quotes with pipes
        {"rows": [{"a,b": 1}, {"a,b": 2}]},  # a key with a comma, which keeps its quotes
    ],
)
def test_what_only_the_encoder_can_tell(value: Any) -> None:
    assert change_delimiter(encode(value), "|") is None


@pytest.mark.parametrize(
    "value", [{"a": "#1"}, {"a": "+1"}, {"a": {"x": {"v": 1}, "y": {"v": 2}}}, [{"a": {"b": 1}}]]
)
def test_what_is_new_in_version_4(value: Any) -> None:
    assert encode(value) != encode(value, spec="3.3")
    assert not is_legacy(encode(value))
