"""The layout of TOON: exact examples of every form, and laws on any text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toon
from tests.spans import spans
from tests.strategies import delimiters, indents, values
from toon.codec.text import write_key
from toon.layout.toon import toon_layout
from toon.values.walks import keys_of

# n name, p punctuation, . whitespace, v value
EXAMPLES = [
    ("", ""), ("hello", "vvvvv"), ("a: 1", "np.v"), ('a: "x y"', "np.pvvvp"),
    ('"a b": 1', "pnnnpp.v"), ("a:", "np"), ("a: []", "np.pp"), ("[]", "pp"),
    ("a:\n  b: 1", "np...np.v"), ("t[2]: x,y", "npppp.vpv"), ("t[2|]: x|y", "nppppp.vpv"),
    ("t[2\t]: x\ty", "nppppp.vpv"), ('t[2]: "x,y",z', "npppp.pvvvppv"),
    ("r[1]{a,b}:\n  1,2\nz: 3", "nppppnpnpp...vpv.np.v"),
    ("r[1]{a,g{b,c}}:\n  1,2,3", "nppppnpnpnpnppp...vpvpv"),
    ('r[1]{"a b",c}:\n  1,"2"', "npppppnnnppnpp...vppvp"),
    ("r[1|]{a|b}:\n  1,5|2", "npppppnpnpp...vvvpv"),
    ("k[2:]{a}:\n  x: 1\n  y: 2", "npppppnpp...np.v...np.v"),
    ("[2:]{a}:\n  x: 1\n  y: 2", "pppppnpp...np.v...np.v"),
    ("l[2]:\n  - a: 1\n    b: 2\n  -", "npppp...p.np.v.....np.v...p"),
    ("l[1]:\n  - [2]: 1,2", "npppp...p.pppp.vpv"),
    ("l[1]:\n  - r[1]{a}:\n      1\n    b: 2", "npppp...p.nppppnpp.......v.....np.v"),
    ("# note\na: 1", "pppppp.np.v"), ("a: 1  \r\nb: 2", "np.v....np.v"), ("é: ü", "nnp.vv"),
    ("a: -5", "np.vv"), ("u: x:y", "np.vvv"), ("r[1]{a}:\n  x: 1", "nppppnpp...np.v"),
    ("t[2]: a , b", "npppp.v.p.v"), ("\ufeffa: 1", "...np.v"),
    ("\ufeffr[1]{a}:\n  1\nb: 2", "...nppppnpp...v.np.v"),
    ("\ufeff", "..."), (" \t\n\r", "...."), ("a : 1", "n.p.v"), ("a:  1 2 ", "np..vvv."),
    ("\ta: 1", ".np.v"), (": 1", "p.v"), ("-5\n- -5", "vv.p.vv"), ("a[b: 1", "nnnp.v"),
    ("a[b]: 1", "nnnnp.v"), ("a[b]: 1\nt[2]: x,y", "nnnnp.v.npppp.vpv"),
    ("[2] x\n- [\n[b", "vvvvv.p.v.vv"), ("a[1] x: 1", "nnnnnnp.v"), ('a: "x', "np.pv"),
    ('a: "x\nb: "y"', "np.pv.np.pvp"), ('a: "x\\"', "np.pvvv"),
    ("t[2\t]{a\tb}:\n  \t1", "npppppnpnpp....v"),
    ("r[2]{a,b}:\n  - x,1\n  1,2:3", "nppppnpnpp...vvvpv...vpvvv"),
    ("r[2]{a, b}:\n  1,2\n\n # c\n  3 ,  4", "nppppnp.npp...vpv...ppp...v.p..v"),
    ("r[1]{a}:\n  1\n  s[1]: 2", "nppppnpp...v...npppp.v"),
    ("k[1:]{a,b}:\n  x: 1,y:2", "npppppnpnpp...np.vpvvv"),
    ("l[1]:\n    - r[1]{a}:\n            1\n        b: 2",
     "npppp.....p.nppppnpp.............v.........np.v"),
    ("l[1]:\n    - k[1:]{a}:\n            x: 1\n        b: 2,3",
     "npppp.....p.npppppnpp.............np.v.........np.vvv"),
    ("l[1]:\n - k[1]{b,d}:\n   1,2\n  c: 2,3", "npppp..p.nppppnpnpp....vpv...np.vvv"),
    # Neither a blank line nor a comment shows how far a level is indented.
    ("l[1]:\n \n    - k[1:]{a}:\n            x: 1\n        b: 2,3",
     "npppp.......p.npppppnpp.............np.v.........np.vvv"),
    ("l[1]:\n #\n    - k[1:]{a}:\n            x: 1\n        b: 2,3",
     "npppp..p.....p.npppppnpp.............np.v.........np.vvv"),
    ("l[1]:\n # c\n    - k[1:]{a}:\n            x: 1\n        b: 2,3",
     "npppp..ppp.....p.npppppnpp.............np.v.........np.vvv"),
    ("k[0:]{a}:\nx: 1,2", "npppppnpp.np.vvv"),
    ("k[1:]{a,b}:\n  x[1]: 2,3", "npppppnpnpp...nnnnp.vpv"),
    ("note: a, b\nt[1]: a", "nnnnp.vvvv.npppp.v"),
]  # fmt: skip


def letters(text: str, comments: bool = True) -> str:
    return "".join("np.v"[kind] for kind in toon_layout(text, comments=comments))


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_example(text: str, expected: str) -> None:
    assert letters(text) == expected


def test_3_3_has_no_comments() -> None:
    text = "r[2]{a,b}:\n  #1,x\n  # 2,y"

    assert letters(text, comments=False) == "nppppnpnpp...vvpv...vvvpv"


def test_3_3_may_show_its_indentation_with_a_number_sign() -> None:
    text = "a:\n    #l[1]:\n        - k[1]{b,d}:\n                1,2"

    kinds = "np.....nnpppp.........p.nppppnpnpp" + 17 * "." + "vpv"
    assert letters(text, comments=False) == kinds


@given(values, delimiters, indents, st.sampled_from(["4.4", "3.3"]))
def test_the_names_of_a_document_are_its_keys(
    value: Any, delimiter: str, indent: int, spec: str
) -> None:
    """Checked without the reader: what encoder output names are keys, and every key is named."""
    text = toon.encode(value, delimiter=delimiter, indent_size=indent, spec=spec)

    parts = spans(text, toon_layout(text, comments=spec != "3.3"))
    assert {part for part, kind in parts if kind == "names"} == {
        write_key(key).removeprefix('"').removesuffix('"') for key in keys_of(value)
    } - {""}


@pytest.mark.rest
@given(values, delimiters, indents, st.sampled_from(["4.4", "3.3"]))
def test_the_values_of_a_document_are_its_scalars(
    value: Any, delimiter: str, indent: int, spec: str
) -> None:
    """Checked without the readers: each value span of encoder output is the text of a scalar."""
    text = toon.encode(value, delimiter=delimiter, indent_size=indent, spec=spec)
    expected = sorted(scalar for scalar in scalar_texts(value, delimiter, spec) if scalar)

    parts = spans(text, toon_layout(text, comments=spec != "3.3"))
    assert sorted(part for part, kind in parts if kind == "values") == expected


def scalar_texts(value: Any, delimiter: str, spec: str) -> list[str]:
    """The text of every scalar as the encoder writes it, without its quotes."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in scalar_texts(item, delimiter, spec)]
    if isinstance(value, list):
        return [text for item in value for text in scalar_texts(item, delimiter, spec)]
    text = toon.encode([value], delimiter=delimiter, spec=spec).partition(": ")[2]
    return [text[1:-1] if text.startswith('"') else text]
