"""Writing and reading TOON/1, also as a format: tickets, any JSON, text that is cut off."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.test_dialects import find_refusal
from tests.dialects.tickets import normalise_payload, payloads
from tests.strategies import values
from toon.dialects import ticket
from toon.dialects.ticket import choose_envelope, encode, read
from toon.errors import DialectError, EncodeError
from toon.formats.base import NotApplicable
from toon.formats.ticket import TICKET
from toon.text import Parsed
from toon.values.equality import differences


@given(payloads)
def test_everything_comes_back_except_the_losses_it_names(value: Any) -> None:
    returned = normalise_payload(value)

    assert TICKET.read(TICKET.dumps(value)) == Parsed(returned)
    assert bool(TICKET.losses(value)) == (returned != value)


@given(values)
def test_any_json_comes_back_from_the_generic_form(value: Any) -> None:
    text = encode({"generic": value})

    assert differences({"generic": value}, read(text).value).same


@given(st.text(alphabet="a]b[x\t-=.;'!?#é", min_size=1), st.text(alphabet="a]b[x", min_size=1))
def test_texts_that_the_public_encoder_leaves_bare_are_read(title: str, label: str) -> None:
    """It quotes only spaces, colons, braces, commas, quotes, backslashes and line feeds."""
    text = f"TOON/1 T{{id:a-1,t:{title},lbl:[{label},{label}],par:a]b}}"

    assert read(text).value == {
        "id": "a-1", "title": title, "labels": [label, label], "parent_id": "a]b",
    }  # fmt: skip


@given(payloads, st.data())
def test_text_that_is_cut_off_is_refused_at_its_end(value: Any, data: st.DataObject) -> None:
    text = encode(value)
    opened = min(text.find(mark) for mark in "{[" if mark in text)
    short = text[: data.draw(st.integers(opened + 1, len(text) - 1))]

    assert find_refusal(ticket, short) is not None


@pytest.mark.parametrize("mark", ["[", "{a:"])
def test_256_levels_come_back_and_no_more(mark: str) -> None:
    closing = "]" if mark == "[" else "}"
    innermost = "[]" if mark == "[" else "{}"
    text = "TOON/1 " + mark * 255 + innermost + closing * 255
    value = read(text).value

    assert encode(value) == text
    assert choose_envelope(value) == "generic"
    with pytest.raises(DialectError, match="nested deeper than 256 levels"):
        read("TOON/1 " + mark * 100_000)
    with pytest.raises(EncodeError, match="nested deeper than 256 levels"):
        encode([value] if mark == "[" else {"a": value})


A: dict[str, Any] = {"id": "a", "title": "x"}
REASON = "no ticket: an object with id and title, a list of them, a board, ok or an error"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1, REASON), ({}, REASON), ({"id": "a"}, REASON), ({"a": [A]}, REASON),
        ({"id": 1, "title": "x"}, "no ticket: its id and its title must be texts"),
        ([A, {"id": "b"}], "item 2 is no ticket: an object with id and title"),
        (A | {"title": "\ud800"}, r"$.title: lone surrogate in '\ud800': UTF-8 cannot carry it"),
    ],
)  # fmt: skip
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(NotApplicable) as caught:
        TICKET.dumps(value)

    assert str(caught.value) == reason
    assert TICKET.losses(value) == []
