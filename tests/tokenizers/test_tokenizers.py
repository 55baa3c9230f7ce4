"""The laws of every tokenizer in the table; OpenAI's compared with tiktoken."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import splintr
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import ROOT
from toon.tokenizers import TOKENIZERS, Tokenizer, get
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import encoding_of

LOOK_ALIKES = [
    "<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|im_start|>", "<s>", "</s>", "<bos>",
    "[INST]", "<unused0>", "<start_of_turn>", "<|begin_of_text|>", "<|eot_id|>", "<|plan|>",
    "<think>", "</tool_call>", "<｜User｜>", "<｜begin▁of▁sentence｜>", "[gMASK]", "[BOS]",
]  # fmt: skip
TAGS_TO_GEMMA = {"<s>", "</s>"}  # of HTML, for text struck out: pieces like any other
TRICKY = [
    *("  ", "\n\n", "\t", "\r\n", "\u3000", "\x00", "\u2581", " \u2581"),
    *('{"id":', "12345", "'s", "'ſ", "<b>"),
    *("e\u0301", "\u1112\u1161\u11ab", "\u0958", "\u0344", "\u212b", "\U0001d160"),  # not composed
]
LIKE_WORDS = [
    "'s", "'S", "'re", "'ſ", "ſ", "\u212a", "ǅ", "ʰ", "Ⅷ", "²", "१", "ß", "İ", "ı", "é", "日",
    "\x0b", "\x1c", "\x85", "\u00a0", "\u2028", "\u200d", "\u0301", "<|", "|>", "https://", "0123",
]  # fmt: skip
texts = st.lists(
    st.sampled_from([*LOOK_ALIKES, *TRICKY])
    | st.text(alphabet="aé漢字かなกำกี😀👩\u200d🚀\u0301 \nZ9\"'", max_size=6)
    | st.characters(exclude_categories=["Cs"])
).map("".join)

every_tokenizer = pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
every_encoding = pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])


@every_tokenizer
@given(text=texts)
def test_joined_pieces_are_the_text(tokenizer: Tokenizer, text: str) -> None:
    pieces = tokenizer.pieces(text)

    assert b"".join(pieces) == text.encode()
    assert all(pieces)


@every_tokenizer
@given(text=texts)
@example(text="<|endoftext|>\t\t<|endoftext|>")  # read with commas once, not twice
def test_count_and_lengths_are_those_of_the_pieces(tokenizer: Tokenizer, text: str) -> None:
    sizes = [len(piece) for piece in tokenizer.pieces(text)]
    lengths = tokenizer.lengths(text)

    assert lengths.dtype == np.int64
    assert lengths.tolist() == sizes
    # A token of Claude's may be a mark alone, so that a short text has fewer bytes than tokens.
    assert tokenizer.count(text) == len(sizes) or tokenizer.count(text) > len(text.encode())


@every_tokenizer
@given(text=texts)
def test_ids_are_those_of_the_pieces(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.ids(text)

    if ids is not None:
        assert tokenizer.exact
        assert ids.size == tokenizer.count(text)
    else:
        has_fewer_bytes = tokenizer.count(text) >= len(text.encode())
        assert has_fewer_bytes or not tokenizer.exact or tokenizer.name.startswith("claude")


@every_tokenizer
def test_the_empty_text_has_no_tokens(tokenizer: Tokenizer) -> None:
    assert (tokenizer.count(""), tokenizer.pieces(""), tokenizer.lengths("").size) == (0, [], 0)


@pytest.mark.parametrize("text", LOOK_ALIKES)
@pytest.mark.parametrize("name", [name for name in TOKENIZERS if TOKENIZERS[name].exact])
def test_what_looks_like_a_special_token_is_text(name: str, text: str) -> None:
    one = name == "gemma3" and text in TAGS_TO_GEMMA

    assert get(name).count(text) == 1 if one else get(name).count(text) > 1


@every_tokenizer
def test_a_lone_surrogate_is_refused_not_replaced(tokenizer: Tokenizer) -> None:
    with pytest.raises(UnicodeEncodeError):
        tokenizer.count("a\ud800")


@every_tokenizer
def test_the_table_is_keyed_by_name(tokenizer: Tokenizer) -> None:
    assert get(tokenizer.name) is tokenizer
    assert tokenizer.label
    assert tokenizer.evidence.endswith(".")
    assert tokenizer.exact == (tokenizer.name != "chars4")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^No tokenizer is named 'gpt-9'\.") as caught:
        get("gpt-9")

    assert all(name in str(caught.value) for name in TOKENIZERS)


@pytest.mark.parametrize(
    ("name", "text", "pieces"),
    [
        ("o200k_base", "hello world", ["hello", " world"]),
        ("cl100k_base", "hello world", ["hello", " world"]),
        ("o200k_base", '{"id":1}', ['{"', "id", '":', "1", "}"]),
        ("cl100k_base", "<|endoftext|>", ["<", "|", "endo", "ft", "ext", "|", ">"]),
        ("qwen3", "e\u0301", ["e\u0301"]),
        ("qwen3", "cafe\u0301 au", ["ca", "fe\u0301", " au"]),
        ("qwen3", "\u1112\u1161\u11ab\uad6d", ["\u1112\u1161\u11ab", "\uad6d"]),
        ("gemma3", "\u2581a \u2581 b", ["\u2581a", " \u2581 ", "b"]),
        ("gemma3", " hello", [" hello"]),
        ("gemma3", "  hello", ["  ", "hello"]),
        ("gemma3", "<td>a</td>", ["<td>", "a", "</td>"]),
        ("gemma3", "<s>x<bos>", ["<s>", "x", "<", "bos", ">"]),
        ("gemma3", "\x00\r\n", ["\x00", "\r", "\n"]),
        ("llama3", " hello", [" hello"]),
        ("mistral_v3", "[INST]", ["[", "IN", "ST", "]"]),
    ],
)
def test_pieces_by_example(name: str, text: str, pieces: list[str]) -> None:
    assert get(name).pieces(text) == [piece.encode() for piece in pieces]


@every_encoding
@given(text=texts | st.lists(st.sampled_from(LIKE_WORDS)).map("".join))
@example(text="it's  \n\n\t  x\r\n" + " " * 200)
def test_tiktoken_shows_and_splintr_counts_the_same_tokens(name: str, text: str) -> None:
    encoding, shown, counted = encoding_of(name), get(name).ids(text), splintr_ids(name, text)

    assert shown is not None
    assert shown.tolist() == counted == encoding.encode_ordinary(text)
    assert get(name).pieces(text) == encoding.decode_tokens_bytes(counted)
    assert get(name).count(text) == len(counted)


@cache
def splintr_of(name: str) -> OpenModelTokenizer:
    return OpenModelTokenizer(name, "")


def splintr_ids(name: str, text: str) -> list[int]:
    ids = splintr_of(name).ids(text)
    assert ids is not None
    return ids.tolist()


@pytest.mark.rest
@every_encoding
@pytest.mark.parametrize("surrounding", ["a{}b", "A{} 1", "x'{}", " {0}{0}\n"])
def test_every_code_point_is_split_like_tiktoken_does(name: str, surrounding: str) -> None:
    """Classes of characters come from each library's own Unicode tables: these must agree."""
    # Of the planes that hold nothing yet, and of those for private use, every hundredth is enough.
    codes = chain(range(0xD800), range(0xE000, 0x40000), range(0x40000, 0x110000, 101),
                  range(0xE0000, 0xE0200))  # fmt: skip
    characters = [chr(code) for code in codes]

    for start in range(0, len(characters), 4096):
        text = "\x00".join(map(surrounding.format, characters[start : start + 4096]))
        assert splintr_ids(name, text) == encoding_of(name).encode_ordinary(text), hex(start)


@pytest.mark.rest
@every_encoding
@pytest.mark.parametrize("tail", ["", "x"])
def test_a_million_blanks_are_counted(name: str, tail: str) -> None:
    """tiktoken itself fails on this text."""
    text = " " * 1_000_000 + tail

    assert b"".join(get(name).pieces(text)) == text.encode()


def test_threads_that_come_at_once_load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[int] = []
    start = threading.Barrier(8)
    tokenizer = OpenModelTokenizer("cl100k_base", "fresh")

    def counted(name: str) -> Any:
        loads.append(1)
        return splintr.Tokenizer.from_pretrained(name)

    def count(_: int) -> int:
        start.wait(timeout=30)
        return tokenizer.count("hello world")

    library = SimpleNamespace(Tokenizer=SimpleNamespace(from_pretrained=counted))
    monkeypatch.setitem(sys.modules, "splintr", library)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, range(8))) == [2] * 8
    assert loads == [1]


def run(code: str) -> str:
    """Run code in another Python process; return what it prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.rest
def test_counting_never_uses_the_network() -> None:
    code = """
import socket
asked = []
def refuse(*_, **__):
    asked.append(1)
    raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse

from toon.tokenizers import TOKENIZERS
print(*(tokenizer.count("hello world") for tokenizer in TOKENIZERS.values()), len(asked))
"""
    counts = run(code).split()

    assert (counts[:2], counts[-1]) == (["2", "2"], "0")


def test_importing_the_table_loads_no_library() -> None:
    code = "import sys, toon.tokenizers; print({'splintr', 'requests', 'regex'} & set(sys.modules))"

    assert run(code) == "set()\n"
