"""All dialects have the same functions, and read any text or refuse it with its place."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.tickets import payloads
from tests.strategies import damaged, values
from toon.dialects import pipe, ticket, vibemcp
from toon.dialects.vibemcp import Unfit
from toon.errors import DialectError, EncodeError
from toon.text import Parsed

DIALECTS: dict[str, Any] = {"ticket": ticket, "pipe": pipe, "vibemcp": vibemcp}
VALUE: Any = {"id": "a-1", "title": "one two", "exec_order": 3}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_value_comes_back_alone_and_without_notices(name: str) -> None:
    dialect = DIALECTS[name]
    text = dialect.encode(VALUE)
    parsed = dialect.read(text)

    assert parsed == Parsed(VALUE)
    assert len(dialect.layout(text)) == len(text.encode())
    assert dialect.losses(VALUE) == []


def find_refusal(dialect: Any, text: str, **options: Any) -> DialectError | None:
    """The error of a text, which shows its place; any other error goes through."""
    refused = None
    try:
        json.dumps(dialect.read(text, **options).value, default=str)
    except DialectError as error:
        refused = error
    if refused is None:
        return None
    if refused.line is None:
        assert not text.removeprefix("\ufeff").strip()
        return refused
    line = text.split("\n")[refused.line - 1]
    whole = line.removesuffix("\r")
    assert refused.source in (whole, whole.removeprefix("\ufeff"))
    assert 1 <= (refused.column or 0) <= len(line) + 1
    return refused


#: Each way to read, and the options that it is written with.
WAYS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (ticket, {}, {}),
    *((pipe, {}, {"strict": strict}) for strict in (True, False)),
    *(
        (vibemcp, profile, profile | {"strict": strict})
        for profile in ({}, {"profile": vibemcp.LOSSLESS})
        for strict in (True, False)
    ),
]
every_reader = pytest.mark.parametrize(("dialect", "written", "options"), WAYS)
every_writer = pytest.mark.parametrize(
    ("dialect", "options"),
    [*((dialect, {}) for dialect in DIALECTS.values()), (vibemcp, {"profile": vibemcp.LOSSLESS})],
)


LOOP: dict[str, Any] = {"x": 1}
LOOP["a"] = LOOP


@every_writer
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([{"a": "\ud800"}], "$[0].a: lone surrogate in '\\ud800': UTF-8 cannot carry it"),
        ({"a": {"\udfff": 1}}, "$.a: lone surrogate in key '\\udfff': UTF-8 cannot carry it"),
        ({"a": {b"": 2}}, "$.a: key b'' is not a string"),
        ([{b"": 2}], "$[0]: key b'' is not a string"),
        ({"a": {1, 2}}, "$.a: set is not a JSON value"),
        (LOOP, "contains itself"),
    ],
)
def test_a_value_without_a_json_form_is_refused_with_its_path(
    dialect: Any, options: dict[str, Any], value: Any, message: str
) -> None:
    with pytest.raises(EncodeError) as caught:
        dialect.encode(value, **options)

    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["ticket", "pipe"])
@pytest.mark.parametrize("number", [float("nan"), float("-inf"), Decimal("Infinity")])
def test_a_number_without_a_json_form_is_refused_with_its_path(name: str, number: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        DIALECTS[name].encode({"a": [{"b": [2]}, {"b": number}]})

    assert str(caught.value) == f"$.a[1].b: {number} has no JSON form"


@every_reader
@given(st.one_of(values, payloads), st.data())
def test_damaged_text_is_read_or_refused_with_its_place(
    dialect: Any, written: dict[str, Any], options: dict[str, Any], value: Any, data: st.DataObject
) -> None:
    try:
        text = dialect.encode(value, **written)
    except Unfit:
        return
    find_refusal(dialect, data.draw(damaged(text)), **options)


@every_reader
@given(st.sampled_from(["", "TOON/1 "]), st.text(alphabet='ATbis1:|-"[]{}, \n\r\\\t', max_size=30))
def test_any_text_is_read_or_refused_with_its_place(
    dialect: Any, written: dict[str, Any], options: dict[str, Any], start: str, text: str
) -> None:
    find_refusal(dialect, start + text, **options)
