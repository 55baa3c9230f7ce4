"""TOON with every delimiter and indent, and the values that each has to quote."""

import re

import pytest
from hypothesis import given

from tests import strategies
from toon.costs.delimiters import delimiter_rows
from toon.costs.document import Document
from toon.formats.toon import TOON


def test_every_delimiter_with_every_indent() -> None:
    rows = delimiter_rows(
        Document.of({"a": [{"b": "x,y", "c": "x|y"}, {"b": "p|q", "c": "1"}]}), "o200k_base"
    )

    quoted = {"comma": 2, "tab": 1, "pipe": 3}
    assert {(row["delimiter"], row["indent"]): row["quoted"] for row in rows} == {
        (delimiter, indent): quoted[delimiter] for delimiter in quoted for indent in (1, 2, 4)
    }


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ({"a b": "x"}, 0), ({"a": ""}, 1), ({"": 1}, 0), ({"": ""}, 1),
        ([{"": 1, "a b": ""}, {"": 2, "a b": "x"}], 1),
        ({"a b": "x:y"}, 1), ("#", 1), ("\ufeff", 1), ({}, 0),
    ],
)  # fmt: skip
def test_quoted_keys_do_not_count_as_quoted_values(value: object, quoted: int) -> None:
    assert {row["quoted"] for row in delimiter_rows(Document.of(value))} == {quoted}


@pytest.mark.rest
@given(strategies.values)
def test_quoted_values_are_all_quotes_of_a_document_without_quoted_keys(value: object) -> None:
    text = TOON.dumps(_with_bare_keys(value, {}))

    quoted = {row["quoted"] for row in delimiter_rows(Document.of(value))[:3]}  # by comma
    assert quoted == {len(re.findall(r'"(?:[^"\\]|\\.)*"', text))}


def _with_bare_keys(value: object, names: dict[str, str]) -> object:
    """``value`` with other keys, the same for the same, so that the document keeps its form."""
    if isinstance(value, dict):
        return {
            names.setdefault(key, f"k{len(names)}"): _with_bare_keys(item, names)
            for key, item in value.items()
        }
    return [_with_bare_keys(item, names) for item in value] if isinstance(value, list) else value
