"""Which bytes of a literal of Python or JavaScript are names, punctuation, whitespace, values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.layout.literal import literal_layout

PARTS = st.sampled_from([*"{}[](),:;='\"\\#/* \n", "'''", '"""', "r'", "a", "é", "1.5", "//", "/*"])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("d = {u'k': (1, 'x:y'), 2: None}", "nwpwpppnppwpvpwpvvvpppwnpwvvvvp"),
        ('{a: .5, "b c": 1, /* d */}', "pnpwvvpwpnnnppwvpwwwwwwwwp"),
        ('{"a": 1}\n{"a": "#"}', "ppnppwvpwppnppwpvpp"),
        ("['it\\'s', '''a'b''']  # c", "ppvvvvvppwpppvvvppppwwwww"),
        ('["a', "ppv"),
    ],
)
def test_every_byte_has_its_kind(text: str, kinds: str) -> None:
    assert "".join("npwv"[kind] for kind in literal_layout(text)) == kinds


@given(st.lists(PARTS).map("".join) | st.text())
def test_every_byte_of_any_text_has_a_kind(text: str) -> None:
    assert literal_layout(text).size == len(text.encode())
