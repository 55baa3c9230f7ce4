"""Spans, runs in UTF-16 units and quoted strings, compared with simple references."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.spans import spans
from toon.layout.json import json_layout
from toon.layout.spans import (
    KINDS,
    is_quoted,
    mask_strings,
    quote_pairs,
    utf16_runs_of_kinds,
    utf16_runs_of_tokens,
)
from toon.tokenizers import get

texts = st.text(alphabet='ab{}": ,\n\\é漢กำ😀🚀\u200d\u0301', max_size=40) | st.text(max_size=12)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def plain_token_runs(text: str, pieces: list[bytes]) -> list[int]:
    """Collects pieces until they decode, and measures the text."""
    runs, pending = [], b""
    for piece in pieces:
        pending += piece
        try:
            runs.append(units(pending.decode()))
        except UnicodeDecodeError:
            continue
        pending = b""
    assert not pending
    return runs


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@given(text=texts)
def test_token_runs_equal_the_simple_reference(name: str, text: str) -> None:
    tokenizer = get(name)

    runs = utf16_runs_of_tokens(text, tokenizer.lengths(text))[0].tolist()

    assert runs == plain_token_runs(text, tokenizer.pieces(text))
    assert sum(runs) == units(text)


@given(texts)
def test_kind_runs_are_the_spans_in_utf16_units(text: str) -> None:
    layout = json_layout(text)

    runs = utf16_runs_of_kinds(text, layout)

    expected = [(units(part), kind) for part, kind in spans(text, layout)]
    assert [(run >> 2, KINDS[run & 3]) for run in runs] == expected
    assert all(type(run) is int for run in runs)  # as orjson takes them


QUOTES = st.text('"\\a\n:', max_size=20).map(str.encode)


def plain_strings(data: bytes) -> tuple[list[bool], list[bool]]:
    """For each byte, whether a string is open behind it, and whether it lies inside of one."""
    open_after, inside, is_open, escaped = [], [], False, False
    for byte in data:
        closes = is_open and not escaped and byte == ord('"')
        inside.append(is_open and not closes)
        escaped = is_open and not escaped and byte == ord("\\")
        is_open = not closes and (is_open or byte == ord('"'))
        open_after.append(is_open)
    return open_after, inside


@given(QUOTES)
@example(b'"\\"')  # escaped inside of a string
@example(b'\\""')  # a backslash outside of one escapes nothing
def test_a_string_is_open_from_its_quote_up_to_the_closing_one(data: bytes) -> None:
    open_after, inside = plain_strings(data)
    opening, closing = quote_pairs(data)

    assert mask_strings(data).tolist() == open_after
    assert opening.tolist() == [at for at in range(len(data)) if open_after[at] > inside[at]]
    before = [False, *open_after]
    assert closing.tolist() == [at for at in range(len(data)) if before[at] > open_after[at]]


@given(QUOTES)
def test_what_is_no_quote_is_quoted_inside_a_string(data: bytes) -> None:
    places = np.array([at for at, byte in enumerate(data) if byte != ord('"')], np.intp)

    _, inside = plain_strings(data)
    assert is_quoted(data, places).tolist() == [inside[at] for at in places.tolist()]
