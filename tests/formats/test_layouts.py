"""The kind of each character of a format's text: exact examples, and laws."""

from typing import Any

import pytest
from hypothesis import given

from tests.dialects.tickets import payloads
from tests.spans import parts_by_kind, spans
from toon.formats import FORMATS
from toon.formats.base import Format
from toon.formats.ticket import TICKET
from toon.layout.spans import KINDS

# By format: a text, and of each character: n name, p punctuation, . whitespace, v value
EXAMPLES = {
    "pipe": [
        ("a: 1", "np.v"), ("note: a: b, c", "nnnnp.vvvvvvv"),
        ('slots\n  | a | "b c" |\n  | x y |  |\ncount: 5',
         "nnnnn...p.n.p.pnnnp.p...p.vvv.p..p.nnnnnp.v"),
        ('| a |\n| "x|y" |', "p.n.p.p.pvvvp.p"), ('k: [a, "b,c", 1]', "np.pvp.pvvvpp.vp"),
        ('a: ["x"]\nb: [1, y z]', "np.ppvpp.np.pvp.vvvp"),
        ("- x: y\n-\n  a: {}\n- []", "p.vvvv.p...np.pp.p.pp"), ('"a b": "x"', "pnnnpp.pvp"),
        ('"a[": [1]', "pnnpp.pvp"), ('["a", 1]', "ppvpp.vp"), ("hello", "vvvvv"), ('"hi"', "pvvp"),
        ("true", "vvvv"), ('"a":', "pnpp"), ("a\n  b: é", "n...np.v"), ("|", "p"),
        ("k: [1, 2", "np.vvvvv"), ('| "a" b | c', "p.pnp.nnnnn"), ("a\x0cb\n\x0b: 1", "nnn.np.v"),
        ("", ""),
    ],
    "ticket": [
        ("TOON/1 {ok:true}", "pppppp.pnnpvvvvp"),
        ('TOON/1 T{id:a,t:"x y",s:ip}', "pppppp.ppnnpvpnppvvvppnpvvp"),
        ("TOON/1 BOARD{bk:[T{id:a}]}", "pppppp.ppppppnnppppnnpvppp"),
        ("TOON/1 T{cmt:[C{a:x,ts:2024-01-15T10:10}]}",
         "pppppp.ppnnnppppnpvpnnp" + "v" * 16 + "ppp"),
        ("TOON/1 T{lnk:[L{f:a,k:blk}]}", "pppppp.ppnnnppppnpvpnpvvvppp"),
        ('TOON/1 {"a b":"c\\"d",e:[T,"T{"]}', "pppppp.ppnnnpppvvvvppnppvppvvppp"),
        ("TOON/1 [\n T {t : a b ,\tp:h}\n]", "pppppp.p..v.pn.p.vvv.p.npvp.p"),
        ('TOON/1 ""', "pppppp.pp"), ("TOON/1 T{ü:é}", "pppppp.ppnpvp"),
        ('TOON/1 {a:"open\\', "pppppp.pnppvvvvv"), ("TOON/2x", "vvvvvvv"), ("", ""),
    ],
    "vibemcp": [
        ("", ""), ("no x", "vvvv"), ("a[2]\nx\t1\n\"y\"", "nppp.vvv.vvv"),
        ("m[1]{a,bc}\nx y\t1", "nppppnpnnp.vvvpv"), ('m[1]{a,b}\n"x\ty"\t"', "nppppnpnp.pvvvppp"),
        ("m[1]{a}\n{}", "nppppnp.vv"), ("m{a}\r\nx\r\n", "npnp..v.."),
        ('m:\n  a: "x"\n  b: [{"c":1}]', "np...np.pvp...np.pppnppvpp"),
        ("m:\n  a b: [x] y", "np...nnnp.vvvvv"), ("m:\nx", "np.v"), ("\ufeffm[0]{}", ".nppppp"),
        ("é[1]\nü", "nppp.v"),
    ],
    "vibemcp-lossless": [
        ('"x y"', "pvvvp"), ('"a b"[1]{"c d",e}\n"x"\t[1]', "pnnnppppppnnnppnp.pvpppvp"),
        ('"a":\n  "k": 1', "pnpp...pnpp.v"), ('a[1]\n{"k":"v"}', "nppp.ppnpppvpp"),
        ('a[1]\n{"k":"v', "nppp.vvvvvvv"),
    ],
    "csv": [
        ("a,b\n1,x y", "npn.vpvvv"), ('"a,b",c\n"1\n2",', "pnnnppn.pvvvpp"),
        ('a\n"b""c"', "n.pvvvvp"), ('a\n""\n""""', "n.pp.pvvp"), ("a\r\n1\r\n", "n..v.."),
        ('a\n"1', "n.pv"), ("é\nü", "n.v"), ('"a""b"', "pnnnnp"),
    ],
    "xml": [
        ("<a/>", "pnpp"), ("<a>x y</a>", "pnpvvvppnp"),
        ("<a>\n  <b> x</b>\n</a>", "pnp...pnpvvppnp.ppnp"), ("<é>ü</é>", "pnpvppnp"),
        ("<a b=\"c d\" e='f'>", "pn.vppv.vp.vppvpp"), ("<?xml?>", "ppnnnpp"), ("a > b", "vvpvv"),
        ("<a", "pn"), (" ", "."), ("x", "v"),
    ],
    "yaml": [
        ("a: 1", "np.v"), ("a:\n  b: c d", "np...np.vvv"), ("- - a\n  - b: []", "p.p.v...p.np.pp"),
        ("a: {}", "np.pp"), ("a: '{}'", "np.pvvp"), ("'a: b': \"c\\\"d\"", "pnnnnpp.pvvvvp"),
        ("'it''s': 'it''s'", "pnnnnnpp.pvvvvvp"), ("a: 'x\n\n  y'\nb: 1", "np.pvvv..vp.np.v"),
        ("- 'a: b'", "p.pvvvvp"), ("- http://x", "p.vvvvvvvv"), ("a: -1", "np.vv"),
        ("'': ''", "ppp.pp"), ("? 'k\n\n  l'\n: 1", "p.pnnn..np.p.v"),
        ("'a\n\n  ? b'", "pvvv..vvvp"), ("# note\na: 1", "pppppp.np.v"), ("---\na: 1", "ppp.np.v"),
        ('a: "x', "np.pv"), ("é: ü", "np.v"),
    ],
    "tron": [
        ('class A: id,"a b"\n\n[A(1,"x")]', "ppppp.pp.nnppnnnp..pppvppvppp"),
        ('class B:\n[B(1),C1("(",tr', "ppppp.pp.pppvppppppvppvv"), ('["# (","A("]', "ppvvvpppvvpp"),
    ],
    "json-columns": [
        ('{"x":{"columns":["a","b\\"]"],"rows":[["columns",1]]}}',
         "ppnppppnnnnnnnppppnpppnnnnppppnnnnpppppvvvvvvvppvpppp"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "expected"), [(name, *row) for name in EXAMPLES for row in EXAMPLES[name]]
)
def test_what_each_character_is(name: str, text: str, expected: str) -> None:
    letters = dict(zip(KINDS, "np.v", strict=True))
    parts = spans(text, FORMATS[name].layout(text))

    assert "".join(letters[kind] * len(part) for part, kind in parts) == expected


def find_kinds(format: Format, value: Any) -> dict[str, str]:
    text = format.dumps(value)
    return parts_by_kind(text, format.layout(text))


@given(payloads)
def test_a_ticket_has_one_blank_outside_of_texts(value: Any) -> None:
    kinds = find_kinds(TICKET, value)

    assert kinds["whitespace"] == " "
    assert set(kinds["names"]) <= set("abcdefghijklmnopqrstuvwxyz")
    assert kinds["punctuation"].startswith("TOON/1")
    assert set(kinds["punctuation"][6:]) <= set('TCLBOARDERR{}[]:,"')
