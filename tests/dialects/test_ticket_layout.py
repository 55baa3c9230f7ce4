"""The kind of each byte of TOON/1 text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dialects.tickets import payloads
from tests.strategies import damaged, values
from toon.dialects.ticket import encode, layout
from toon.layout.spans import KINDS, spans_of

# n name, p punctuation, . whitespace, v value
LAYOUTS = [
    ("TOON/1 {ok:true}", "pppppp.pnnpvvvvp"),
    ('TOON/1 T{id:a,t:"x y",s:ip}', "pppppp.ppnnpvpnppvvvppnpvvp"),
    ("TOON/1 BOARD{bk:[T{id:a}]}", "pppppp.ppppppnnppppnnpvppp"),
    ("TOON/1 T{cmt:[C{a:x,ts:2024-01-15T10:10}]}", "pppppp.ppnnnppppnpvpnnp" + "v" * 16 + "ppp"),
    ("TOON/1 T{lnk:[L{f:a,k:blk}]}", "pppppp.ppnnnppppnpvpnpvvvppp"),
    ('TOON/1 {"a b":"c\\"d",e:[T,"T{"]}', "pppppp.ppnnnpppvvvvppnppvppvvppp"),
    ("TOON/1 [\n T {t : a b ,\tp:h}\n]", "pppppp.p..v.pn.p.vvv.p.npvp.p"),
    ('TOON/1 ""', "pppppp.pp"),
    ("TOON/1 T{ü:é}", "pppppp.ppnnpvvp"),
    ('TOON/1 {a:"open\\', "pppppp.pnppvvvvv"),
    ("TOON/2x", "vvvvvvv"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), LAYOUTS)
def test_what_each_byte_is(text: str, expected: str) -> None:
    assert "".join("np.v"[code] for code in layout(text)) == expected


@given(st.one_of(payloads, values), st.data())
def test_any_text_is_laid_out_damaged_or_not(value: Any, data: st.DataObject) -> None:
    whole = encode(value)
    broken = data.draw(damaged(whole))

    assert len(layout(whole)) == len(whole.encode())
    assert len(layout(broken)) == len(broken.encode())


@given(payloads)
def test_canonical_text_has_one_blank_outside_of_texts(value: Any) -> None:
    text = encode(value)
    found = dict.fromkeys(KINDS, "")
    for span in spans_of(text, layout(text)):
        found[span.kind] += text[span.start : span.end]

    assert found["whitespace"] == " "
    assert set(found["names"]) <= set("abcdefghijklmnopqrstuvwxyz")
    assert found["punctuation"].startswith("TOON/1")
    assert set(found["punctuation"][6:]) <= set('TCLBOARDERR{}[]:,"')
