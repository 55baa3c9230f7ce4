"""Positions in a text, errors at a position, and the limit of notices."""

from hypothesis import given
from hypothesis import strategies as st

from toon.errors import DialectError
from toon.text import MAX_NOTICES, Notice, Notices, Source, find_surrogate


@given(st.text(alphabet="ab\n\r", max_size=30), st.data())
def test_a_place_leads_back_to_its_character(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))

    line, column = Source(text).place(offset)

    lines = text.split("\n")
    assert sum(len(before) + 1 for before in lines[: line - 1]) + column - 1 == offset
    error = Source(text).error(DialectError, "wrong", offset)
    assert error.source == lines[line - 1].removesuffix("\r")


def test_an_error_has_position_source_line_and_hint() -> None:
    error = Source("one\ntwo three\r\nfour").error(DialectError, "what is this?", 8, "remove it")

    assert str(error) == "line 2, column 5: what is this?"
    assert (error.source, error.hint) == ("two three", "remove it")


def test_a_line_past_the_text_means_its_end() -> None:
    error = Source("one\ntwo").error_on(DialectError, "cut off", 9, 1)

    assert (error.line, error.column, error.source) == (2, 4, "two")


def test_the_last_notice_says_that_there_are_more() -> None:
    notices = Notices()
    for number in range(MAX_NOTICES + 5):
        notices.add("odd", number + 1, 1)

    assert notices.is_full
    assert len(notices) == MAX_NOTICES + 1
    assert notices[0] == Notice("odd", 1, 1)
    assert str(notices[0]) == "line 1, column 1: odd"
    assert str(notices[-1]) == "and more: only the first 100 are listed"


def test_the_offset_of_a_surrogate_is_found() -> None:
    assert find_surrogate("plain") is None
    assert find_surrogate("é😀") is None
    assert find_surrogate("é\ud800") == 1
