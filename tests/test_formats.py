"""The laws of every format, run over the table; and what each writes, exactly."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.equality import differences
from toon.formats import BASELINES, FORMATS
from toon.spans import KINDS

VALUE = {"id": 1, "tags": ["a", "é"], "none": None, "deep": {}, "list": []}

TEXTS = {
    "json-pretty": '{\n  "id": 1,\n  "tags": [\n    "a",\n    "é"\n  ],\n  "none": null,\n'
    '  "deep": {},\n  "list": []\n}',
    "json-python": '{"id": 1, "tags": ["a", "é"], "none": null, "deep": {}, "list": []}',
    "json-compact": '{"id":1,"tags":["a","é"],"none":null,"deep":{},"list":[]}',
    "toon": "id: 1\ntags[2]: a,é\nnone: null\ndeep:\nlist: []",
    "toon-tab": "id: 1\ntags[2\t]: a\té\nnone: null\ndeep:\nlist: []",
    "toon-pipe": "id: 1\ntags[2|]: a|é\nnone: null\ndeep:\nlist: []",
}

formats = st.sampled_from(list(FORMATS.values()))
exact_values = st.one_of(
    values, st.lists(st.decimals(allow_nan=False, allow_infinity=False), max_size=5)
)


@pytest.mark.parametrize("name", TEXTS)
def test_what_it_writes(name: str) -> None:
    assert FORMATS[name].dumps(VALUE) == TEXTS[name]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_knows_its_own_name(name: str) -> None:
    assert FORMATS[name].name == name
    assert FORMATS[name].label


def test_the_baselines_are_formats() -> None:
    assert set(BASELINES) <= set(FORMATS)


@given(formats, exact_values)
def test_lossless_means_that_every_value_comes_back(format: Any, value: Any) -> None:
    assert differences(value, format.loads(format.dumps(value))).same


@given(formats, exact_values)
def test_spans_tile_the_text(format: Any, value: Any) -> None:
    text = format.dumps(value)
    spans = format.spans(text)

    assert "".join(text[span.start : span.end] for span in spans) == text
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
    assert {span.kind for span in spans} <= set(KINDS)
    assert len(format.layout(text)) == len(text.encode())


@given(values)
def test_python_json_is_pythons(value: Any) -> None:
    assert FORMATS["json-python"].dumps(value) == json.dumps(value, ensure_ascii=False)


@given(values)
def test_json_with_every_digit_differs_from_the_fast_writer_in_nothing_else(value: Any) -> None:
    for name in BASELINES:
        format: Any = FORMATS[name]

        assert "".join(format._write(value, "\n")) == format.dumps(value)


def test_numbers_beyond_64_bits_keep_their_digits() -> None:
    value = {"a": 2**70, "b": [Decimal("1e400"), Decimal("0.1234567890123456789")]}

    assert FORMATS["json-compact"].dumps(value) == (
        '{"a":1180591620717411303424,"b":[1E+400,0.1234567890123456789]}'
    )
    assert FORMATS["toon"].dumps(value) == (
        "a: 1180591620717411303424\nb[2]: 1e+400,0.1234567890123456789"
    )
