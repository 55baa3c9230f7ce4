"""Writing and reading TOON/1: tickets, any JSON, and damaged text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.tickets import normal_payload, payloads
from tests.strategies import damaged, values
from toon.dialects.ticket import decode, encode, envelope_of, losses, read
from toon.errors import DialectError, EncodeError
from toon.text import Parsed
from toon.values.equality import differences


@given(payloads)
def test_everything_comes_back_except_what_is_cut(value: Any) -> None:
    text = encode(value)

    for strict in (True, False):
        assert read(text, strict=strict) == Parsed(normal_payload(value))


@given(payloads)
def test_there_are_losses_where_something_does_not_come_back(value: Any) -> None:
    assert bool(losses(value)) == (value != normal_payload(value))


@given(values)
def test_any_json_comes_back_from_the_generic_form(value: Any) -> None:
    text = encode({"generic": value})

    for strict in (True, False):
        assert differences({"generic": value}, decode(text, strict=strict)).same


@given(st.text(alphabet="a]b[x\t-=.;'!?#é", min_size=1), st.text(alphabet="a]b[x", min_size=1))
def test_texts_that_the_public_encoder_leaves_bare_are_read(title: str, label: str) -> None:
    """It quotes only spaces, colons, braces, commas, quotes, backslashes and line feeds."""
    text = f"TOON/1 T{{id:a-1,t:{title},lbl:[{label},{label}],par:a]b}}"

    assert decode(text, strict=False) == {
        "id": "a-1", "title": title, "labels": [label, label], "parent_id": "a]b",
    }  # fmt: skip


# -- damage ----------------------------------------------------------------------------------


def refusal(text: str, strict: bool) -> DialectError | None:
    try:
        decode(text, strict=strict)
    except DialectError as error:
        return error
    return None


def names_its_place(error: DialectError, text: str) -> bool:
    if error.line is None or error.column is None:
        return False
    line = text.split("\n")[error.line - 1]
    return error.source == line.removesuffix("\r") and 1 <= error.column <= len(line) + 1


@given(st.one_of(payloads, values), st.booleans(), st.data())
def test_damaged_text_is_read_or_refused_with_a_place(
    value: Any, strict: bool, data: st.DataObject
) -> None:
    text = data.draw(damaged(encode(value)))
    error = refusal(text, strict)

    assert error is None or names_its_place(error, text)


@given(payloads, st.booleans(), st.data())
def test_text_that_is_cut_off_is_refused_at_its_end(
    value: Any, strict: bool, data: st.DataObject
) -> None:
    text = encode(value)
    opened = min(text.find(mark) for mark in "{[" if mark in text)
    short = text[: data.draw(st.integers(opened + 1, len(text) - 1))]
    error = refusal(short, strict)

    assert error is not None
    assert names_its_place(error, short)


@given(st.text(alphabet='TOON/1 {}[]:,"\\\n\tabids', max_size=20), st.booleans())
def test_any_text_is_read_or_refused_with_a_place(text: str, strict: bool) -> None:
    marked = f"TOON/1 {text}"
    errors = [(refusal(text, strict), text), (refusal(marked, strict), marked)]

    assert all(error is None or names_its_place(error, source) for error, source in errors)


@pytest.mark.parametrize("mark", ["[", "{a:"])
def test_256_levels_come_back_and_no_more(mark: str) -> None:
    closing = "]" if mark == "[" else "}"
    innermost = "[]" if mark == "[" else "{}"
    text = "TOON/1 " + mark * 255 + innermost + closing * 255
    value = decode(text)

    assert encode(value) == text
    assert envelope_of(value) == "generic"
    with pytest.raises(DialectError, match="nested deeper than 256 levels"):
        decode("TOON/1 " + mark * 100_000)
    with pytest.raises(EncodeError, match="nested deeper than 256 levels"):
        encode([value] if mark == "[" else {"a": value})
