"""Claude's tokenizers: what ctok counts, what the service counted, and laws of their pieces."""

from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from toon.costs.document import Document
from toon.layout.spans import KINDS
from toon.tokenizers import Tokenizer, get
from toon.tokenizers.claude import tiling

#: The families, by ctok's names.
FAMILIES = {"claude_3": "v3", "claude_4_7": "v4.7", "claude_4_8": "v4.8"}

#: What ctok 1.3.0 counts in each family.
COUNTS = [
    ("x", (1, 1, 1)), ("hello, world", (3, 4, 4)), ("Hello World", (2, 4, 4)),
    ("NASA likes tokenizers", (4, 10, 10)), ("getUserById", (2, 4, 4)), ("don't", (2, 2, 2)),
    ("DON'T", (4, 4, 4)), ("it’s “quoted”", (5, 8, 8)), ('{"id":1,"name":"Ada"}', (9, 15, 15)),
    ('{\n  "id": 12345,\n  "name": "Ada"\n}', (20, 22, 22)),
    ("users[2]{id,name}:\n  1,Ada\n  2,Max", (19, 23, 23)),
    ("a\tb\tc", (5, 5, 5)),
    ("1234567", (4, 4, 3)),
    ("2026-11-27T16:00:00Z", (14, 15, 14)),
    ("550e8400-e29b-41d4-a716-446655440000", (21, 21, 20)),
    ("日本語のテキスト", (9, 9, 8)), ("Привет, мир", (6, 6, 6)), ("café", (1, 1, 1)),
    ("cafe\u0301", (1, 1, 1)), ("नमस्ते", (6, 6, 6)), ("\u0e4d\u0e32", (3, 3, 3)),
    ("①②③", (4, 4, 3)), ("٣٤ ۱۲", (11, 11, 10)), ("❤️ 👍🏽", (11, 11, 10)),
    ("  indented", (3, 3, 3)),
    ("x \n y", (5, 5, 5)), ("a\r\nb", (3, 3, 3)), ("\ue000a", (1, 1, 1)),
    ("\xa0x\u2003y", (3, 3, 3)), ("ẞß", (4, 4, 4)), ("İstanbul", (3, 5, 5)),
    ("ΣΊΣΥΦΟΣ", (9, 16, 16)), ("a" * 200, (68, 200, 200)), ("=" * 130, (3, 10, 9)),
    ("'s a", (3, 3, 2)), ("  ]\n}\n", (4, 5, 5)),
]  # fmt: skip

#: Characters that see each other, so that every short context is met.
ALIKE = [
    "a's tx. (", "²'s a1文,", "٣1 a'(", "\ufe0f文 a'⚖s", "\u0301a '.1文", " \n\t\u3000a(1",
    "AbC' sS", "“a” ’s'", "\x01\x00 a(\n", "ⓐ's a", "्न 'a,।", '()[]{}": ,\n',
    "e\u0301\u0327 \x01'A", "İiẞSsΣσ",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(ALIKE).flatmap(lambda few: st.text(few, max_size=12)),
    st.lists(strategies.strings, max_size=6).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)

every_family = pytest.mark.parametrize("name", FAMILIES)
needs_ctok = pytest.mark.skipif(find_spec("ctok") is None, reason="ctok is not installed")


def count_by_ctok(text: str, name: str) -> int:
    from ctok.engine import tile
    from ctok.main import _model

    return int(tile(text, _model(FAMILIES[name]))[0])


@pytest.mark.parametrize(("text", "counts"), COUNTS)
def test_counts_are_ctoks(text: str, counts: tuple[int, ...]) -> None:
    assert tuple(get(name).count(text) for name in FAMILIES) == counts


@needs_ctok
@every_family
@given(text=texts)
def test_any_text_has_ctoks_count(name: str, text: str) -> None:
    expected = max(count_by_ctok(text, name), 1) if text else 0

    assert get(name).count(text) == expected


@needs_ctok
def test_the_vocabularies_are_ctoks(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.tokenizers import pack_claude as pack
    from toon.tokenizers.claude import data

    monkeypatch.setattr(pack, "FILE", tmp_path / "claude.pack")
    pack.main()

    assert pack.FILE.read_bytes() == data.FILE.read_bytes()


def has_sound_lengths(tokenizer: Tokenizer, text: str) -> bool:
    lengths, size = tokenizer.lengths(text), len(text.encode())
    counted = min(tokenizer.count(text), size)
    return lengths.size == counted and lengths.sum() == size and bool((lengths > 0).all())


@every_family
@given(text=texts)
def test_there_are_as_many_pieces_as_tokens_or_bytes(name: str, text: str) -> None:
    assert has_sound_lengths(get(name), text)


@every_family
@pytest.mark.parametrize("run", [" ", "\n", "a", "=", "文", "é", "²"])
@pytest.mark.parametrize("around", ["{}", "x{}y", "({}'s a"])
def test_a_long_run_costs_what_it_costs_cut_whole(
    name: str, run: str, around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = around.format(run * 3_000)
    whole = get(name).count(text)
    monkeypatch.setattr(tiling, "_HUGE", 700)
    monkeypatch.setattr(tiling, "_HUGE_RUN", tiling.run_longer_than(700))

    assert get(name).count(text) == whole
    assert has_sound_lengths(get(name), text)


def test_a_token_of_a_mark_has_a_byte_of_its_neighbour() -> None:
    pieces = get("claude_4_8").pieces('{"Name": 5, "b":{}}')

    assert b"|".join(pieces) == b'{|"|N|ame|":| |5|,| "|b|":|{|}|}'


@every_family
@given(value=strategies.scalars | st.lists(strategies.scalars, max_size=2))
def test_kinds_of_text_add_up_to_the_count_even_of_fewer_bytes_than_tokens(
    name: str, value: Any
) -> None:
    document = Document.of(value)
    figures = document.figures("json-compact", name)

    assert figures["tokens"] == document.tokens("json-compact", name)
    assert sum(figures["breakdown"][kind] for kind in KINDS) == figures["tokens"]
