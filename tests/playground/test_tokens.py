"""The tokens of a text one by one: in runs of whole characters, with every id and every byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TRICKY, strings
from toon.playground.editors import tokens
from toon.tokenizers import TOKENIZERS

texts = st.lists(st.one_of(strings, st.sampled_from(TRICKY)), max_size=6).map("".join)
EXACT = [name for name, tokenizer in TOKENIZERS.items() if tokenizer.exact]


def test_a_character_of_several_tokens_has_all_of_them() -> None:
    assert tokens("a 𝔘", "o200k_base") == {
        "none": None,
        "runs": [1, 1, 2],
        "ids": [64, 220, [(43120, "f0 9d"), (242, "94"), (246, "98")]],
    }


@pytest.mark.rest
@pytest.mark.parametrize("name", EXACT)
@given(text=texts)
def test_runs_and_parts_are_the_text(name: str, text: str) -> None:
    found = tokens(text, name)
    units = text.encode("utf-16-le")
    ids = []
    at = 0
    for run, known in zip(found["runs"], found["ids"], strict=True):
        piece = units[2 * at : 2 * (at + run)].decode("utf-16-le")
        at += run
        if isinstance(known, list):
            assert bytes.fromhex("".join(part for _, part in known)) == piece.encode()
            ids += [id for id, _ in known]
        else:
            ids.append(known)
    assert at * 2 == len(units)
    expected = TOKENIZERS[name].ids(text)
    count = TOKENIZERS[name].lengths(text).size
    assert ids == ([None] * count if expected is None else expected.tolist())


def test_a_rule_of_thumb_has_none() -> None:
    assert tokens("a", "chars4") == {
        "none": "No tokens to show. A rule of thumb for English prose, shown for comparison; no "
        "model counts so.",
        "runs": [],
        "ids": [],
    }
