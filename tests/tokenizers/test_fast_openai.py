"""The fast counts equal tiktoken's."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon import tokenizers
from toon.tokenizers.fast_openai import get_fast
from toon.tokenizers.open_models import splintr
from toon.tokenizers.vocabulary import VOCABULARIES

# Each process loads every vocabulary first.

SURROUNDINGS = ["a{}b", "A{} 1", "x'{}", " {0}{0}\n"]
TRICKY = [
    *("'s", "'S", "'re", "'ſ", "ſ", "\u212a", "ǅ", "ʰ", "Ⅷ", "²", "१", "ß", "İ", "ı", "é", "日"),
    *("  ", "\t", "\r\n", "\n\n", "\x0b", "\x1c", "\x85", "\u00a0", "\u2028", "\u200d", "\u0301"),
    *("<|endoftext|>", "<|endofprompt|>", "<|", "|>", '{"id":', '","', "https://", "0123", "😀"),
]
texts = st.lists(
    st.sampled_from(TRICKY)
    | st.text(st.characters(max_codepoint=127), max_size=8)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
).map("".join)
every_encoding = pytest.mark.parametrize("name", VOCABULARIES)


@every_encoding
@given(text=texts)
def test_pieces_lengths_and_counts_equal_tiktokens(name: str, text: str) -> None:
    reference, mine = tokenizers.get(name), get_fast(name)

    assert mine.pieces(text) == reference.pieces(text)
    assert mine.lengths(text).tolist() == reference.lengths(text).tolist()
    assert mine.count(text) == reference.count(text)


@pytest.mark.rest
@every_encoding
@pytest.mark.parametrize("surrounding", SURROUNDINGS)
def test_every_code_point_is_split_like_tiktoken_does(name: str, surrounding: str) -> None:
    """Classes of characters come from each library's own Unicode tables: these must agree."""
    reference, mine = tokenizers.get(name), get_fast(name)
    # Of the planes that hold nothing yet, and of those for private use, every hundredth is enough.
    codes = chain(range(0xD800), range(0xE000, 0x40000), range(0x40000, 0x110000, 101),
                  range(0xE0000, 0xE0200))  # fmt: skip
    characters = [chr(code) for code in codes]

    for start in range(0, len(characters), 4096):
        text = "\x00".join(map(surrounding.format, characters[start : start + 4096]))
        assert np.array_equal(mine.lengths(text), reference.lengths(text)), hex(start)


def test_other_tokenizers_are_returned_unchanged() -> None:
    assert get_fast("llama3") is tokenizers.get("llama3")
    assert get_fast("chars4") is tokenizers.get("chars4")
    with pytest.raises(ValueError, match="gpt9"):
        get_fast("gpt9")


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_every_special_token_of_the_fast_counter_has_the_marks_that_tiktoken_gets(
    name: str,
) -> None:
    specials = splintr().Tokenizer.from_pretrained(name).special_tokens()

    assert specials
    assert all("<|" in special for special in specials)
