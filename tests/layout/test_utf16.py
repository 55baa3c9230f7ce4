"""Spans in characters and runs in UTF-16 units, compared with simple references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.layout.json import json_layout
from toon.layout.spans import KINDS, NAMES, VALUES, Span, spans_of
from toon.layout.utf16 import (
    utf16_offsets,
    utf16_runs_of_kinds,
    utf16_runs_of_lengths,
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


def plain_spans(text: str, layout: list[int]) -> list[Span]:
    """Starts a new span at each character whose kind differs from the one before."""
    spans: list[Span] = []
    byte = 0
    for at, character in enumerate(text):
        kind = KINDS[layout[byte]]
        byte += len(character.encode())
        if spans and spans[-1].kind == kind:
            spans[-1] = spans[-1]._replace(end=at + 1)
        else:
            spans.append(Span(at, at + 1, kind))
    return spans


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
@given(text=texts)
def test_token_runs_equal_the_simple_reference(name: str, text: str) -> None:
    tokenizer = get(name)

    runs = utf16_runs_of_tokens(text, tokenizer)

    assert runs == plain_token_runs(text, tokenizer.pieces(text))
    assert sum(runs) == units(text)


@given(texts)
def test_spans_equal_the_simple_reference(text: str) -> None:
    layout = json_layout(text)

    assert spans_of(text, layout) == plain_spans(text, layout.tolist())


@given(texts)
def test_kind_runs_are_the_spans_in_utf16_units(text: str) -> None:
    layout = json_layout(text)

    runs = utf16_runs_of_kinds(text, layout)

    spans = spans_of(text, layout)
    assert [run >> 2 for run in runs] == [units(text[span.start : span.end]) for span in spans]
    assert [KINDS[run & 3] for run in runs] == [span.kind for span in spans]
    assert sum(run >> 2 for run in runs) == units(text)


def test_tokens_within_a_character_make_one_run() -> None:
    """Several tokens for one letter of the Deseret alphabet, which is two UTF-16 units."""
    tokenizer = get("o200k_base")

    assert tokenizer.count("\U00010412") > 1
    assert utf16_runs_of_tokens("\U00010412", tokenizer) == [2]


def test_a_run_says_how_many_tokens_it_is_made_of() -> None:
    lengths = np.array([0, 1, 2, 2, 1, 3])  # the first without a byte
    runs, counts = utf16_runs_of_lengths("a\U00010412b漢", lengths)

    assert (runs.tolist(), counts.tolist()) == ([0, 1, 2, 1, 1], [1, 1, 2, 1, 1])
    runs, counts = utf16_runs_of_lengths("aaabb", np.array([3, 2]))
    assert (runs.tolist(), counts.tolist()) == ([3, 2], [1, 1])


def test_the_first_byte_of_a_character_decides() -> None:
    """A layout may change within a character; the character has the kind of its first byte."""
    layout = np.array([NAMES, VALUES, VALUES], np.uint8)

    assert spans_of("éx", layout) == [Span(0, 1, "names"), Span(1, 2, "values")]
    assert utf16_runs_of_kinds("éx", layout) == [1 << 2 | NAMES, 1 << 2 | VALUES]


def test_runs_are_plain_numbers_ready_for_json() -> None:
    text = '{"é": 1}'

    assert {type(run) for run in utf16_runs_of_kinds(text, json_layout(text))} == {int}
    assert {type(run) for run in utf16_runs_of_tokens(text, get("o200k_base"))} == {int}


@pytest.mark.parametrize("function", [spans_of, utf16_runs_of_kinds])
@pytest.mark.parametrize("size", [0, 1, 3])
def test_a_layout_of_another_text_is_refused(function: object, size: int) -> None:
    with pytest.raises(ValueError, match=f"^The layout covers {size} bytes, but the text has 2$"):
        function("é", np.zeros(size, np.uint8))  # type: ignore[operator]


def test_offsets_count_characters_beyond_uffff_twice() -> None:
    text = "a\uffff\U00010000b"

    assert utf16_offsets(text, np.arange(5)).tolist() == [0, 1, 2, 4, 5]
    assert utf16_offsets("ab", np.arange(3)).tolist() == [0, 1, 2]
