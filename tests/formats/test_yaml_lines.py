"""Simple lines of YAML: read to the same value as by the parser, and never where it says no."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.test_yaml import WORDS, nested
from tests.strategies import damaged, values
from toon.formats import yaml as yaml_format
from toon.formats.yaml import YAML
from toon.formats.yaml_lines import read_lines
from toon.layout.spans import UnusualText

READ = [
    ("a: 1", {"a": 1}),
    ("- a\n- 1.50\n- ~\n- Yes\n- -0.5", ["a", 1.5, None, True, -0.5]),
    ("a:\n- b: 1\n  c:\n  - - x\n    - []\nd:\n  e: {}", {
        "a": [{"b": 1, "c": [["x", []]]}], "d": {"e": {}}}),
    ("- - - 1\n  - 2\n- 3", [[[1], 2], 3]),
    ("1: yes\n'no': 'no'\na:b: c:d", {"1": True, "no": "no", "a:b": "c:d"}),
    ("- 'it''s: #1'\n- \"a\\n\\\"b\\\\\"\n- 2026-01-02", ["it's: #1", 'a\n"b\\', "2026-01-02"]),
    ("- é x\n- 日本\n- 😀", ["é x", "日本", "😀"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_simple_lines_say(text: str, value: Any) -> None:
    assert repr(read_lines(text, yaml_format._scalar)) == repr(value)
    assert outcome(text, parser=True) == repr(value)


UNUSUAL = [
    "a: 1\nb: 2\na: 3", "", "a", "'a: 1'", "a:", "a: 1\n", "a: 1\n\nb: 2", " a: 1", "a: 1 ",
    "a: 1 # one", "# a", "a: b\n  c", "a: b\n  c: d", "a:\n  - b", "a:\n    b: c", "a:\n   b: c",
    "- a\n b: c", "- a\nb: c", "a: b\n- c", "a: b\n  - c", "- - a\n  b: c", "a:\nb: c",
    "- a:\n  b: c", "-", "a: b: c", "a: [b]", "a: {b: c}", "a : b", "a: *b", "a: !b c",
    "a: |\n  b", "? a\n: b", "--- a", "---\na: b", "a: b\n...", "%A b\n", "a:\tb",
    "a: b\r\nc: d", "a: \x85", "a: \ufeff", "a: 'b\n\n  c'", 'a: "\\x41"', "a: .inf",
    "- " * 300 + "a", "k" * 2000 + ": 1", "a: 'b' c",
]  # fmt: skip


@pytest.mark.parametrize("text", UNUSUAL)
def test_what_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(UnusualText):
        read_lines(text, yaml_format._scalar)


def outcome(text: str, *, parser: bool) -> str:
    """The value or the error of ``text``, read by the parser alone or as usual."""

    def refuse(*_: object) -> None:
        raise UnusualText

    with pytest.MonkeyPatch.context() as patch:
        if parser:
            patch.setattr(yaml_format, "read_lines", refuse)
        try:
            return repr(YAML.loads(text))
        except ValueError as error:
            return f"{type(error).__name__}: {error}"


pieces = st.sampled_from(
    [*WORDS, "- ", "-", ": ", ":", " ", "\n", "\n  ", "\n    ", "a", "b: ", "[]", "{}", '"']
)
short = st.lists(st.sampled_from("- : # a1'\"[]\\\n"), max_size=9).map("".join)


@given(st.one_of(values, nested), st.booleans(), st.data())
def test_the_value_or_the_error_is_the_parsers(value: Any, damage: bool, data: Any) -> None:
    text = YAML.dumps(value)
    if damage:
        text = data.draw(damaged(text))

    assert outcome(text, parser=False) == outcome(text, parser=True)


@given(st.one_of(st.lists(pieces, max_size=14).map("".join), short))
def test_any_lines_are_read_as_by_the_parser(text: str) -> None:
    assert outcome(text, parser=False) == outcome(text, parser=True)


@given(st.characters(), st.sampled_from(["a: {}", "a: b{}", "a: {}b", "a{}b: c", "- '{}'"]))
def test_every_character_is_read_as_by_the_parser(character: str, form: str) -> None:
    text = form.format(character)

    assert outcome(text, parser=False) == outcome(text, parser=True)
