"""Open models' tokenizers: compared with splintr and published figures."""

import functools
import json
import sys
import unicodedata

import numpy as np
import pytest
import splintr
from hypothesis import given
from hypothesis import strategies as st

from tests.tokenizers.test_tokenizers import texts
from toon.tokenizers import gemma, get, rewriting
from toon.tokenizers.open_models import OpenModelTokenizer

# Each process loads every vocabulary first.

FAMILIES = ["llama3", "qwen3", "deepseek_v3", "mistral_v3", "gemma3", "glm4", "kimi_k2"]
AS_TYPED = ["llama3", "deepseek_v3", "mistral_v3", "glm4", "kimi_k2"]

every_family = pytest.mark.parametrize("name", FAMILIES)
load = functools.cache(splintr.Tokenizer.from_pretrained)


def split_slowly(name: str, text: str) -> list[bytes]:
    """The slow method, which never looks for special tokens."""
    encoder = load(name)
    return [bytes(encoder.decode_token_bytes(id)) for id in encoder.encode_ordinary(text)]


@pytest.mark.rest
@pytest.mark.parametrize("name", AS_TYPED)
@given(text=texts)
def test_pieces_equal_splintrs_without_special_tokens(name: str, text: str) -> None:
    assert get(name).pieces(text) == split_slowly(name, text)


@every_family
def test_no_mark_of_a_conversation_is_found_in_a_text(name: str) -> None:
    """Neither one that splintr lists nor one that it finds without listing it."""
    encoder = load(name)
    marks = "".join(encoder.special_tokens()) + "<unused6241><mask>[multimodal]<end_of_turn>"

    assert get(name).pieces(marks) == split_slowly(name, marks)


@pytest.mark.rest
def test_what_gemma_finds_in_a_text_is_a_tag_or_a_mark() -> None:
    """Checks every token that splintr finds when it is spelled out but would not produce itself."""
    encoder, tokenizer = load("gemma3"), get("gemma3")
    assert isinstance(tokenizer, OpenModelTokenizer)
    lengths = tokenizer.load().byte_lengths
    special = set()
    for id in range(encoder.vocab_size):
        spelled = encoder.decode_token_bytes(id).decode(errors="ignore")
        flat = np.frombuffer(encoder.encode_flat(spelled), np.uint32)
        if flat.tolist() == [id] and encoder.encode_ordinary(spelled) != [id]:
            special.add(id)

    assert len(special) > 6000
    assert not lengths[sorted(special)].any()


@given(text=texts)
def test_qwen_counts_the_composed_text(text: str) -> None:
    tokens = len(split_slowly("qwen3", unicodedata.normalize("NFC", text)))

    assert get("qwen3").count(text) == min(tokens, len(text.encode()))


def test_a_text_with_fewer_bytes_than_tokens_has_a_token_per_byte() -> None:
    """Composed, the note is three characters; few characters grow, see ``open_models``."""
    assert len(split_slowly("qwen3", unicodedata.normalize("NFC", "\U0001d160"))) > 4
    assert [len(piece) for piece in get("qwen3").pieces("\U0001d160")] == [1] * 4


@given(text=texts)
def test_composing_the_parts_composes_the_whole(text: str) -> None:
    parts = rewriting.NFC.parts(text)

    assert "".join(parts) == text
    assert "".join(map(rewriting.NFC.rewrite, parts)) == rewriting.NFC.rewrite(text)


def test_no_character_of_a_later_plane_combines() -> None:
    for character in map(chr, range(rewriting.COMBINING_END, sys.maxunicode + 1)):
        assert not unicodedata.combining(character)
        assert not unicodedata.decomposition(character)


@given(
    st.one_of(
        st.text(alphabet="aZ09 \n\"'.:,{}/é漢", max_size=300),
        st.lists(st.sampled_from(["\n", "\n" * 31, "\t", "\t" * 40, " ", "a"])).map("".join),
    )
)
def test_splitting_a_text_for_gemma_keeps_its_tokens(text: str) -> None:
    assert get("gemma3").pieces(text) == split_slowly("gemma3", text)


@pytest.mark.parametrize("unit", ["\n", "\t", "\n ", "\r\n", "\n\n\n {"])
def test_a_long_part_of_line_breaks_is_split_before_it_is_merged(unit: str) -> None:
    text = unit * 2000

    assert max(map(len, gemma._parts_of(text))) <= 31
    assert get("gemma3").pieces(text) == split_slowly("gemma3", text)


def test_a_long_text_has_the_tokens_of_the_unsplit_text() -> None:
    text = json.dumps([{"id": n, "name": f"<b>é {n}</b>", "ok": True} for n in range(2000)])
    plain = text.replace("<b>", "").replace("</b>", "")

    assert get("gemma3").pieces(plain) == split_slowly("gemma3", plain)
    assert get("gemma3").count(text) > get("gemma3").count(plain) + 2 * 2000 - 500
    assert b"".join(get("gemma3").pieces(text)) == text.encode()
