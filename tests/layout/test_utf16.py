"""Spans in characters and runs in UTF-16 units, compared with simple references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.spans import spans
from toon.layout.json import json_layout
from toon.layout.spans import KINDS
from toon.layout.utf16 import (
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

    runs = utf16_runs_of_tokens(text, tokenizer)

    assert runs == plain_token_runs(text, tokenizer.pieces(text))
    assert sum(runs) == units(text)


@given(texts)
def test_kind_runs_are_the_spans_in_utf16_units(text: str) -> None:
    layout = json_layout(text)

    runs = utf16_runs_of_kinds(text, layout)

    expected = [(units(part), kind) for part, kind in spans(text, layout)]
    assert [(run >> 2, KINDS[run & 3]) for run in runs] == expected


def test_runs_are_plain_numbers_ready_for_json() -> None:
    text = '{"é": 1}'

    assert {type(run) for run in utf16_runs_of_kinds(text, json_layout(text))} == {int}
    assert {type(run) for run in utf16_runs_of_tokens(text, get("o200k_base"))} == {int}


@pytest.mark.parametrize("size", [0, 1, 3])
def test_a_layout_of_another_text_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"^The layout covers {size} bytes, but the text has 2$"):
        utf16_runs_of_kinds("é", np.zeros(size, np.uint8))
