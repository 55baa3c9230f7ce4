"""The layout of JSON, compared with a simple lexer that walks the characters."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.layout.json import json_layout
from toon.layout.spans import NAMES, PUNCTUATION, VALUES, WHITESPACE

LETTERS = {NAMES: "n", PUNCTUATION: "p", WHITESPACE: "w", VALUES: "v"}

tricky_text = st.lists(
    st.sampled_from([*'""\\\\\\:{}[], \t\n\rabu0-', "é", "漢", "😀", "\u00a0", '\\"', '":', '" :'])
).map("".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | tricky_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(tricky_text, inner, max_size=4),
    max_leaves=12,
)


def plain_layout(text: str) -> list[int]:
    """The layout, one character at a time."""
    kinds: list[int] = []
    at = 0
    while at < len(text):
        if text[at] == '"':
            end = _end_of_string(text, at + 1)
            rest = text[end + 1 :].lstrip(" \t\n\r")
            inside = NAMES if end < len(text) and rest.startswith(":") else VALUES
            quotes = [PUNCTUATION] if end < len(text) else []
            kinds += [PUNCTUATION, *[inside] * len(text[at + 1 : end].encode()), *quotes]
            at = end + 1
            continue
        if text[at] in "{}[]:,":
            kinds.append(PUNCTUATION)
        elif text[at] in " \t\n\r":
            kinds.append(WHITESPACE)
        else:
            kinds += [VALUES] * len(text[at].encode())
        at += 1
    return kinds


def _end_of_string(text: str, at: int) -> int:
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


@given(tricky_text)
def test_any_text_has_the_layout_of_the_simple_lexer(text: str) -> None:
    assert json_layout(text).tolist() == plain_layout(text)


@given(json_values, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_json_has_the_layout_of_the_simple_lexer(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert json_layout(text).tolist() == plain_layout(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""), ('{"a": 1}', "ppnppwvp"), ('{"a" \n:"b"}', "ppnpwwppvpp"),
        ('["a" , "b"]', "ppvpwpwpvpp"), (r'{"a\"b":"\\"}', "ppnnnnpppvvpp"), (r'"\\":1', "pnnppv"),
        (r'\"a":1', "vpnppv"), ('"open: 1', "pvvvvvvv"), ('{"a": "op}\n', "ppnppwpvvvv"),
        ('"a:"', "pvvp"), ('"é":"😀"', "pnnpppvvvvp"), ("\ufeff1\u00a0", "vvvvvv"),
        ("'a':\x00", "vvvpv"), ('"', "p"), ("\\", "v"), ('"\\', "pv"),
    ],
)  # fmt: skip
def test_each_byte_has_its_kind(text: str, expected: str) -> None:
    assert "".join(LETTERS[kind] for kind in json_layout(text).tolist()) == expected


def test_the_layout_belongs_to_the_caller() -> None:
    """The array is new and writable, even if the text has no strings."""
    for text in ("1 2", '{"a":1}', ""):
        layout = json_layout(text)

        assert layout.dtype == np.uint8
        assert layout.flags.writeable
        assert layout.size == len(text)
