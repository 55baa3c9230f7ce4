"""Our own examples for each rule of the specification, in both directions where there are two."""

import json
import sys
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any

import pytest

import toon

# Written and read back: value, text.
BOTH_WAYS = [
    # §5 root forms
    ({}, ""), ([], "[]"), ("plain text", "plain text"), (42, "42"), (None, "null"),
    ([1, "two", None], "[3]: 1,two,null"), ([{"a": 1}, {"a": 2}], "[2]{a}:\n  1\n  2"),
    ({"x": {"n": 1}, "y": {"n": 2}}, "[2:]{n}:\n  x: 1\n  y: 2"),
    # §7.2 strings that must be quoted, and some that need not be
    ({"s": ""}, 's: ""'), ({"s": " pad"}, 's: " pad"'), ({"s": "true"}, 's: "true"'),
    ({"s": "True"}, "s: True"), ({"s": "007"}, 's: "007"'), ({"s": "+1"}, 's: "+1"'),
    ({"s": "1.2.3"}, "s: 1.2.3"), ({"s": "a:b"}, 's: "a:b"'), ({"s": "a,b"}, 's: "a,b"'),
    ({"s": "a|b"}, "s: a|b"), ({"s": 'say "hi"'}, 's: "say \\"hi\\""'),
    ({"s": "C:\\"}, 's: "C:\\\\"'), ({"s": "[x]"}, 's: "[x]"'), ({"s": "-x"}, 's: "-x"'),
    ({"s": "#x"}, 's: "#x"'), ({"s": "x#-"}, "s: x#-"),
    ({"s": "a\tb\nc\rd\x01"}, 's: "a\\tb\\nc\\rd\\u0001"'),
    ({"s": "a b  c"}, "s: a b  c"), ({"s": "日本 👩‍👩‍👧"}, "s: 日本 👩‍👩‍👧"),
    ({"s": "\u00a0x\u2028"}, "s: \u00a0x\u2028"),
    # §7.3 keys
    ({"a.b_1": 1}, "a.b_1: 1"), ({"": 1}, '"": 1'), ({"a-b": 1}, '"a-b": 1'),
    ({"1a": 1}, '"1a": 1'), ({"é": 1}, '"é": 1'), ({"a b": [1]}, '"a b"[1]: 1'),
    # §8 objects
    ({"a": {"b": {"c": 1}}, "d": 2}, "a:\n  b:\n    c: 1\nd: 2"),
    ({"a": {}, "b": []}, "a:\nb: []"),
    # §9.2, §9.4 lists
    ({"m": [[1, 2], [], ["x"]]}, "m[3]:\n  - [2]: 1,2\n  - [0]:\n  - [1]: x"),
    ({"m": [1, {"a": 1, "b": 2}, {}]}, "m[3]:\n  - 1\n  - a: 1\n    b: 2\n  -"),
    ({"m": [[{"a": 1}]]}, "m[1]:\n  - [1]:\n    - a: 1"),
    # §9.3 tables
    ({"r": [{"a": 1, "g": {"x": 2, "h": {"y": 3}}}]}, "r[1]{a,g{x,h{y}}}:\n  1,2,3"),
    ({"r": [{"a": 1, "g": {}}]}, "r[1]:\n  - a: 1\n    g:"),
    ({"r": [{"a": 1}, {"a": [2]}]}, "r[2]:\n  - a: 1\n  - a[1]: 2"),
    ({"r": [{"a": None}, {"a": {"b": 1}}]}, "r[2]:\n  - a: null\n  - a:\n      b: 1"),
    ({"r": [{"a": "x,y"}, {"a": "[]"}]}, 'r[2]{a}:\n  "x,y"\n  "[]"'),
    # §9.5 keyed tables
    ({"k": {"x": {"n": 1}, "y y": {"n": 2}}}, 'k[2:]{n}:\n  x: 1\n  "y y": 2'),
    ({"k": {"only": {"n": 1}}}, "k:\n  only:\n    n: 1"),
    ([{"x": {"n": 1}, "y": {"n": 2}}], "[1]{x{n},y{n}}:\n  1,2"),
    # §10 objects as list items
    ({"l": [{"r": [{"a": 1}], "z": 2}, {"o": {"p": 1}}]},
     "l[2]:\n  - r[1]{a}:\n      1\n    z: 2\n  - o:\n      p: 1"),
    # many of them, which are written a field at a time
    (
        [{"%s": "a:b", "o": {"5%": 1.5, "l": [n]}} for n in range(4)],
        "[4]:\n"
        + "\n".join(f'  - "%s": "a:b"\n    o:\n      "5%": 1.5\n      l[1]: {n}' for n in range(4)),
    ),
    (
        [{"r": [{"g": dict.fromkeys(keys, 1)}]} for keys in ("xy", "yx", "xy", "yx")],
        "[4]:\n" + "\n".join(f"  - r[1]{{g{{{keys}}}}}:\n      1,1" for keys in ["x,y", "y,x"] * 2),
    ),
    ([{"k": {"x": {"n": 1}, "y": {"n": [2]}}} for _ in range(4)],
     "[4]:\n" + "\n".join(["  - k:\n      x:\n        n: 1\n      y:\n        n[1]: 2"] * 4)),
    ([1.0, 0.5, 3, 2.0], "[4]: 1,0.5,3,2"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), BOTH_WAYS)
def test_both_ways(value: Any, text: str) -> None:
    assert toon.encode(value) == text
    assert toon.decode(text) == value


NUMBERS = [
    (1.0, "1"), (-0.0, "0"), (1e6, "1000000"), (1.5e-5, "0.000015"), (1e-6, "0.000001"),
    (1e-7, "1e-7"), (-1.25e-9, "-1.25e-9"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (0.1 + 0.2, "0.30000000000000004"), (float("nan"), "null"), (float("-inf"), "null"),
    (2**64 + 1, "18446744073709551617"), (10**5000, "1" + "0" * 5000), (Decimal("1.500"), "1.5"),
    (Decimal("12E+2"), "1200"), (Decimal("1E-9"), "1e-9"), (Decimal("-0"), "0"),
    (Decimal("1234567890.12345678901234567890"), "1234567890.1234567890123456789"),
    (Decimal("sNaN"), "null"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "text"), NUMBERS, ids=[text[:24] for _, text in NUMBERS])
def test_numbers_are_written_canonically(number: Any, text: str) -> None:
    """§2; in a table's column and on its own."""
    assert toon.encode(number) == text
    assert toon.encode([{"n": number}] * 5) == "[5]{n}:" + f"\n  {text}" * 5


TOKENS = [
    ("5", 5), ("-0", 0), ("1.50", 1.5), ("-1E+03", -1000.0), ("05", "05"), ("+5", "+5"),
    (".5", ".5"), ("1.", "1."), ("0x10", "0x10"), ("1_000", "1_000"), ("NaN", "NaN"), ("٣", "٣"),
    ("true", True), ("TRUE", "TRUE"), ("null", None), ('"5"', "5"), ('"\\u00e9"', "é"),
    ("-x", "-x"), ("a: b", "a: b"), ("[]", []),
]  # fmt: skip


@pytest.mark.parametrize(("token", "value"), TOKENS)
def test_tokens_are_typed_by_the_json_grammar(token: str, value: Any) -> None:
    """§4."""
    decoded = toon.decode(f"v: {token}")["v"]

    assert decoded == value
    assert type(decoded) is type(value)


DECODED = [
    # §5.1 comments, §12 white space
    ("# note\na: 1\n  # deeper\n", {"a": 1}), ("\ufeffa: 1", {"a": 1}),
    ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}), ("a: 1   \n\n\nb: 2\n", {"a": 1, "b": 2}),
    ("t[3]: a , b ,", {"t": ["a", "b", ""]}),
    ("r[2]{ a , b }:\n  1 , x\n  2 ,", {"r": [{"a": 1, "b": "x"}, {"a": 2, "b": ""}]}),
    # §6 headers
    ("t[2|]: a,b|c", {"t": ["a,b", "c"]}), ("t[0]:", {"t": []}), ('"a:b"[1]: x', {"a:b": ["x"]}),
    ("a:b[2]: x", {"a": "b[2]: x"}), ("n\u00a0[1]: y", {"n\u00a0": ["y"]}),
    ("k[0:]{a}:", {"k": {}}),
    ("r[1]{a-b,x:y}:\n  1,2", {"r": [{"a-b": 1, "x:y": 2}]}),
    # §7.4 keys
    (": 1", {"": 1}), ("foo-bar: 1", {"foo-bar": 1}),
    # §9.1 quoted spans may stand inside a token
    ('[5]: "a:b",42,"a\\"b",,\\u000","a\\tb",', ["a:b", 42, 'a"b', "", '\\u000","a\\tb",']),
    # §9.5 an entry row ends its key at the first colon, whatever the other keys are
    (
        'k[9:]{a}:\n  "q: q": 1\n  x:y: 2' + "".join(f"\n  k{i}: {i}" for i in range(7)),
        {"k": {"q: q": {"a": 1}, "x": {"a": "y: 2"}, **{f"k{i}": {"a": i} for i in range(7)}}},
    ),
    # §9.3 a delimiter before the colon makes a row
    ("r[1]{a,b}:\n  x,y:z", {"r": [{"a": "x", "b": "y:z"}]}),
    # §9.4
    ("l[2]:\n  - []\n  - [2]", {"l": [[], "[2]"]}),
    ("l[1]:\n  -   a: 1\n    b: 2", {"l": [{"a": 1, "b": 2}]}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), DECODED)
def test_valid_text_that_no_encoder_writes_is_read(text: str, value: Any) -> None:
    assert toon.decode(text) == value


def test_every_delimiter_is_declared_in_every_header() -> None:
    value = {"t": ["a,b", "c"], "r": [{"x": 1, "y": "a|b"}], "l": [[1], []]}

    assert toon.encode(value, delimiter="|") == (
        't[2|]: a,b|c\nr[1|]{x|y}:\n  1|"a|b"\nl[2|]:\n  - [1|]: 1\n  - [0|]:'
    )
    assert toon.encode(value, delimiter="\t") == (
        "t[2\t]: a,b\tc\nr[1\t]{x\ty}:\n  1\ta|b\nl[2\t]:\n  - [1\t]: 1\n  - [0\t]:"
    )


# -- Python values ---------------------------------------------------------------------------


class Level(IntEnum):
    LOW = 1


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [1, {"b c": {1, 2}}]}, "$.a[1]['b c']: set is not a JSON value"),
        ({"when": date(2026, 1, 2)}, "$.when: date is not a JSON value"),
        ([b"x"], "$[0]: bytes is not a JSON value"),
        ({"colour": Colour.RED}, "$.colour: Colour is not a JSON value"),
        ([Point(1)], "$[0]: Point is not a JSON value"),
        ({"a": {(1, 2): 3}}, "$.a: key (1, 2) is not a string"),
        ({"a": {1: 2, "1": 3}}, "$.a: two keys are written '1'"),
        ({"orders": [{"note": "\ud800"}]}, "$.orders[0].note: lone surrogate in '\\ud800'"),
        ({"\udfff": 1}, "$: lone surrogate in key '\\udfff'"),
    ],
)
def test_values_without_a_json_form_are_refused_with_their_path(value: Any, message: str) -> None:
    with pytest.raises(toon.EncodeError) as caught:
        toon.encode(value)

    assert str(caught.value).startswith(message)


def test_a_value_that_contains_itself_is_refused_with_its_path() -> None:
    value: dict[str, Any] = {"a": [1]}
    value["a"].append(value)

    with pytest.raises(toon.EncodeError, match=r"\$\.a\[1\]: contains itself"):
        toon.encode(value)


def test_nesting_is_limited_in_both_directions() -> None:
    value: Any = 1
    for _ in range(256):
        value = [value]
    assert toon.decode(toon.encode(value)) == value

    with pytest.raises(toon.EncodeError, match="nested deeper than 256 levels"):
        toon.encode([[value]])
    deep = "\n".join(" " * i + "a:" for i in range(1_000))
    with pytest.raises(toon.ToonDecodeError, match="nested deeper than 256 levels"):
        toon.decode(deep, indent_size=1)


def test_a_declared_length_allocates_nothing() -> None:
    with pytest.raises(toon.ToonDecodeError, match=r"more than 10\^15 rows, found 1"):
        toon.decode(f"r[1{'0' * 4999}]{{a}}:\n  1")

    assert toon.decode("r[1000000000000]{a}:\n  1", strict=False) == {"r": [{"a": 1}]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"indent_size": 0}, "indent_size must be an int of 1 or more, not 0"),
        ({"indent_size": True}, "indent_size must be an int of 1 or more, not True"),
        ({"delimiter": ";"}, "delimiter must be ',', '\\t' or '|', not ';'"),
        ({"spec": "2.0"}, "spec must be '4.4' or '3.3', not '2.0'"),
        ({"key_folding": True}, "key folding and path expansion are of 3.3: pass spec"),
    ],
)
def test_invalid_options_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (its text is compared below)
        toon.encode(1, **arguments)

    assert str(caught.value) == message


class Word(StrEnum):
    A = "a"


class Real(float):
    pass


class Loud(str):
    def __str__(self) -> str:
        return "LOUD"


def test_strings_of_other_classes_keep_their_value() -> None:
    assert toon.encode({Loud("k"): Loud("v")}) == "k: v"


@pytest.mark.parametrize(
    "value",
    [
        {"level": Level.LOW, Level.LOW: Word.A, Word.A: [Level.LOW, Word.A]},
        {1: "int", 2.5: "float", None: "none"},
        [{True: 1, False: 0}],
        OrderedDict(a=(1, 2), b=Real(1.5)),
        {1e22: 1, float("inf"): 2, -7: 3},
    ],
    ids=str,
)
def test_what_json_takes_is_taken_as_json_takes_it(value: Any) -> None:
    assert toon.decode(toon.encode(value)) == json.loads(json.dumps(value))


def test_a_nearly_full_stack_raises_the_documented_error() -> None:
    value: Any = 1
    for _ in range(250):
        value = [value]
    text = toon.encode(value)

    def descend(frames: int) -> Any:
        return descend(frames - 1) if frames else toon.decode(text)

    with pytest.raises((toon.ToonDecodeError, RecursionError)) as caught:
        descend(sys.getrecursionlimit() - 250)
    assert isinstance(caught.value, toon.ToonDecodeError)


@pytest.mark.parametrize("text", ["a: 1e99999999999999999999", "a: 1e-99999999999999999999999999"])
def test_an_exponent_too_large_for_decimal_is_refused(text: str) -> None:
    with pytest.raises(toon.ToonDecodeError, match="out of range"):
        toon.decode(text, parse_float=Decimal)


def test_negative_zero_is_zero() -> None:
    assert toon.encode([-0.0, 1.5]) == "[2]: 0,1.5"
    assert toon.encode([1.5, -0.0]) == "[2]: 1.5,0"
    assert repr(toon.decode("[3]: -0,-0.0,-0e5")) == "[0, 0.0, 0.0]"
    assert repr(toon.decode("[9]{a}:" + "\n  -0.0" * 9)[8]) == "{'a': 0.0}"
