"""Writing and reading TOON/1: tickets, any JSON, and text that is cut off."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.reading import reader_of
from tests.dialects.test_dialects import refusal
from tests.dialects.tickets import normal_payload, payloads
from tests.strategies import values
from toon.dialects import ticket
from toon.dialects.ticket import choose_envelope, encode, read
from toon.errors import DialectError, EncodeError
from toon.text import Parsed
from toon.values.equality import differences

decode = reader_of(ticket)


@given(payloads)
def test_everything_comes_back_except_what_is_cut(value: Any) -> None:
    text = encode(value)

    assert read(text) == Parsed(normal_payload(value))


@given(values)
def test_any_json_comes_back_from_the_generic_form(value: Any) -> None:
    text = encode({"generic": value})

    assert differences({"generic": value}, decode(text)).same


@given(st.text(alphabet="a]b[x\t-=.;'!?#é", min_size=1), st.text(alphabet="a]b[x", min_size=1))
def test_texts_that_the_public_encoder_leaves_bare_are_read(title: str, label: str) -> None:
    """It quotes only spaces, colons, braces, commas, quotes, backslashes and line feeds."""
    text = f"TOON/1 T{{id:a-1,t:{title},lbl:[{label},{label}],par:a]b}}"

    assert decode(text) == {
        "id": "a-1", "title": title, "labels": [label, label], "parent_id": "a]b",
    }  # fmt: skip


@given(payloads, st.data())
def test_text_that_is_cut_off_is_refused_at_its_end(value: Any, data: st.DataObject) -> None:
    text = encode(value)
    opened = min(text.find(mark) for mark in "{[" if mark in text)
    short = text[: data.draw(st.integers(opened + 1, len(text) - 1))]

    assert refusal(ticket, short) is not None


@pytest.mark.parametrize("mark", ["[", "{a:"])
def test_256_levels_come_back_and_no_more(mark: str) -> None:
    closing = "]" if mark == "[" else "}"
    innermost = "[]" if mark == "[" else "{}"
    text = "TOON/1 " + mark * 255 + innermost + closing * 255
    value = decode(text)

    assert encode(value) == text
    assert choose_envelope(value) == "generic"
    with pytest.raises(DialectError, match="nested deeper than 256 levels"):
        decode("TOON/1 " + mark * 100_000)
    with pytest.raises(EncodeError, match="nested deeper than 256 levels"):
        encode([value] if mark == "[" else {"a": value})
