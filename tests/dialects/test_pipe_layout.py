"""The kind of each character of pipe tables."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.formats.pipe import PIPE
from toon.layout.spans import KINDS

# n name, p punctuation, . whitespace, v value
LAYOUTS = [
    ("a: 1", "np.v"),
    ("note: a: b, c", "nnnnp.vvvvvvv"),
    (
        'slots\n  | a | "b c" |\n  | x y |  |\ncount: 5',
        "nnnnn...p.n.p.pnnnp.p...p.vvv.p..p.nnnnnp.v",
    ),
    ('| a |\n| "x|y" |', "p.n.p.p.pvvvp.p"),
    ('k: [a, "b,c", 1]', "np.pvp.pvvvpp.vp"),
    ('a: ["x"]\nb: [1, y z]', "np.ppvpp.np.pvp.vvvp"),
    ("- x: y\n-\n  a: {}\n- []", "p.vvvv.p...np.pp.p.pp"),
    ('"a b": "x"', "pnnnpp.pvp"),
    ('"a[": [1]', "pnnpp.pvp"),
    ('["a", 1]', "ppvpp.vp"),
    ("hello", "vvvvv"),
    ('"hi"', "pvvp"),
    ("true", "vvvv"),
    ('"a":', "pnpp"),
    ("a\n  b: é", "n...np.v"),
    ("|", "p"),
    ("k: [1, 2", "np.vvvvv"),
    ('| "a" b | c', "p.pnp.nnnnn"),
    ("a\x0cb\n\x0b: 1", "nnn.np.v"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), LAYOUTS)
def test_what_each_character_is(text: str, expected: str) -> None:
    letters = dict(zip(KINDS, "np.v", strict=True))

    assert "".join(letters[s.kind] * (s.end - s.start) for s in PIPE.spans(text)) == expected


KEYS = st.text(alphabet="ab:|-[]{}, ", min_size=1, max_size=4)
TEXTS = st.text(alphabet="cd:|-[]{}, ", min_size=1, max_size=4)
SCALARS = st.one_of(TEXTS, st.integers())


@given(
    st.dictionaries(
        KEYS,
        st.one_of(
            SCALARS,
            st.lists(SCALARS, max_size=3),
            st.lists(st.dictionaries(KEYS, SCALARS, max_size=2), max_size=3),
        ),
        min_size=2,
    )
)
def test_names_are_the_keys_and_values_the_rest(value: dict[str, Any]) -> None:
    """Keys contain only a and b, texts only c and d, so a letter shows which kind is right."""
    text = PIPE.dumps(value)
    for span in PIPE.spans(text):
        part = text[span.start : span.end]
        if set(part) & set("ab"):
            assert span.kind == "names", text
        if set(part) & set("cd0123456789"):
            assert span.kind == "values", text
        assert not set(part) & set("|") or span.kind != "whitespace"
