"""Where strings are open, against a reader that goes character by character."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from toon.layout.quotes import inside_strings, is_quoted, quote_pairs

texts = st.text('"\\a\n:', max_size=20).map(str.encode)


def plain(data: bytes) -> tuple[list[bool], list[bool]]:
    """For each byte, whether a string is open behind it, and whether it lies inside of one."""
    open_after, inside, is_open, escaped = [], [], False, False
    for byte in data:
        closes = is_open and not escaped and byte == ord('"')
        inside.append(is_open and not closes)
        escaped = is_open and not escaped and byte == ord("\\")
        is_open = not closes and (is_open or byte == ord('"'))
        open_after.append(is_open)
    return open_after, inside


@given(texts)
@example(b'"\\"')  # escaped inside of a string
@example(b'\\""')  # a backslash outside of one escapes nothing
def test_a_string_is_open_from_its_quote_up_to_the_closing_one(data: bytes) -> None:
    open_after, inside = plain(data)
    opening, closing = quote_pairs(data)

    assert inside_strings(data).tolist() == open_after
    assert opening.tolist() == [at for at in range(len(data)) if open_after[at] > inside[at]]
    before = [False, *open_after]
    assert closing.tolist() == [at for at in range(len(data)) if before[at] > open_after[at]]


@given(texts)
def test_what_is_no_quote_is_quoted_inside_a_string(data: bytes) -> None:
    places = np.array([at for at, byte in enumerate(data) if byte != ord('"')], np.intp)

    _, inside = plain(data)
    assert is_quoted(data, places).tolist() == [inside[at] for at in places.tolist()]
