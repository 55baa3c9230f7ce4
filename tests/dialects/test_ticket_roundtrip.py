"""TOON/1 both ways: what comes back, of tickets and of any JSON, and of damaged text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.tickets import normal_payload, payloads, ticket_lists, tickets
from tests.strategies import damaged, values
from toon.dialects.ticket import decode, encode
from toon.dialects.ticket.encoder import envelope_of
from toon.errors import DialectError, EncodeError
from toon.values.equality import differences


@given(payloads)
def test_the_canonical_form_comes_back_but_for_what_it_cuts(value: Any) -> None:
    encoded = encode(value)

    for strict in (True, False):
        parsed = decode(encoded.text, strict=strict)
        assert parsed.value == normal_payload(value)
        assert parsed.notices == ()


@given(payloads)
def test_with_full_detail_and_precision_everything_comes_back(value: Any) -> None:
    encoded = encode(value, detail="full", precision="full")

    assert encoded.losses == ()
    assert encoded.dropped == {}
    assert decode(encoded.text, strict=True).value == value


@given(payloads)
def test_there_are_losses_where_something_does_not_come_back(value: Any) -> None:
    assert bool(encode(value).losses) == (value != normal_payload(value))


@given(ticket_lists)
def test_codes_can_be_kept(value: Any) -> None:
    codes = decode(encode(value, detail="full", precision="full").text, names="code").value

    again = encode(codes, detail="full", precision="full")
    assert decode(again.text).value == value


@given(tickets, st.dictionaries(st.sampled_from(["project_id", "_x", "Z9"]), values))
def test_other_fields_can_be_kept_for_the_tolerant_decoder(
    ticket: dict[str, Any], more: dict[str, Any]
) -> None:
    value = ticket | more
    encoded = encode(value, precision="full", extra="keep")

    assert differences(value, decode(encoded.text).value).same
    assert encoded.dropped == {}


@given(values)
def test_any_json_comes_back_from_the_generic_form(value: Any) -> None:
    text = encode(value, detail="full", precision="full").text

    for strict in (True, False):
        assert differences(value, decode(text, strict=strict).value).same


@given(tickets)
def test_what_the_public_encoder_writes_is_read(ticket: dict[str, Any]) -> None:
    """But for raw ids, and for carriage returns at the ends of texts, which are trimmed."""
    plain = {key: item for key, item in ticket.items() if key not in ("links", "updated_at")}
    plain |= {"id": "a-1", "parent_id": "a]b", "children": ["[x]", "a-2"]}
    expected = normal_payload(plain)
    for key in ("title", "description", "assignee"):
        if key in expected:
            expected[key] = raw(expected[key])
    if "labels" in expected:
        expected["labels"] = [raw(label) for label in expected["labels"]]
    for comment in expected.get("comments", []):
        comment |= {"author": raw(comment["author"]), "body": raw(comment["body"])}
    for key, default in (("status", "backlog"), ("priority", "medium"), ("type", "task")):
        expected.setdefault(key, default)
    if any(text_is_lost(text) for text in all_texts(plain)):
        return

    assert decode(encode(plain, compat="orkestra").text).value == expected


def raw(text: str) -> str:
    """What is left of a text the public encoder wrote, which quotes for some characters only."""
    return text if any(c in ' :{},"\\\n' for c in text) else text.strip("\r")


def text_is_lost(text: str) -> bool:
    return bool(text) and not raw(text)


def all_texts(ticket: dict[str, Any]) -> list[str]:
    found = [ticket[key] for key in ("title", "description", "assignee") if key in ticket]
    found += ticket.get("labels", [])
    return found + [c[key] for c in ticket.get("comments", []) for key in ("author", "body")]


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
    text = data.draw(damaged(encode(value, detail="full").text))
    error = refusal(text, strict)

    assert error is None or names_its_place(error, text)


@given(payloads, st.booleans(), st.data())
def test_text_that_is_cut_off_is_refused_at_its_end(
    value: Any, strict: bool, data: st.DataObject
) -> None:
    text = encode(value).text
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
    value = decode(text, strict=True).value

    assert encode(value).text == text
    assert envelope_of(value) == "generic"
    with pytest.raises(DialectError, match="nested deeper than 256 levels"):
        decode("TOON/1 " + mark * 100_000)
    with pytest.raises(EncodeError, match="nested deeper than 256 levels"):
        encode([value] if mark == "[" else {"a": value})
