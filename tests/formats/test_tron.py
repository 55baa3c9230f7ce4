"""What TRON writes, reads and refuses; the reference itself is asked in ``test_stock_readers``."""

from decimal import Decimal
from typing import Any

import pytest

from toon.errors import FormatError
from toon.formats.tron import TRON
from toon.values.equality import differences


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"x": 1, "y": 2}, {"x": 3, "y": 4}], "class A: x,y\n\n[A(1,2),A(3,4)]"),
        ({"x": 1, "y": 2}, '{"x":1,"y":2}'),
        ([{"x": 1}, {"x": 2}], '[{"x":1},{"x":2}]'),
        ([{}, {}], "[{},{}]"),
        ({"a": {"x": 1, "y": 2}, "b": {"y": 4, "x": 3}}, 'class A: x,y\n\n{"a":A(1,2),"b":A(3,4)}'),
        ({"x": {"x": {}, "y": 1}, "y": []}, "class A: x,y\n\nA(A({},1),[])"),
        ([{"b": 1, "a": {"d": 2.0, "c": "(]"}}] * 2,
         'class A: b,a\nclass B: d,c\n\n[A(1,B(2,"(]")),A(1,B(2,"(]"))]'),
        ([{"1a": 1, "a b": 2, "null": 3, "class": 4, "Null": 5, "é": 6, 'q"': 7}] * 2,
         'class A: "1a","a b","null","class",Null,"é","q\\""\n\n'
         "[A(1,2,3,4,5,6,7),A(1,2,3,4,5,6,7)]"),
        ([{"a,b": 1, "c": 2}] * 2 + [{"a": 3, "b,c": 4}] * 2,
         'class A: "a,b",c\nclass B: a,"b,c"\n\n[A(1,2),A(1,2),B(3,4),B(3,4)]'),
        ([{"a": 2**70, "b": [Decimal("1e400")]}, {"b": "\ud7ff", "a": 1e21}, {"c": {}}],
         'class A: a,b\n\n[A(1180591620717411303424,[1e+400]),A(1e+21,"\ud7ff"),{"c":{}}]'),
    ],
)  # fmt: skip
def test_what_it_writes_comes_back(value: Any, text: str) -> None:
    assert TRON.dumps(value) == text
    assert differences(value, TRON.loads(text)).same


def test_classes_beyond_z_have_numbers() -> None:
    value = [{f"k{number}": 1, "z": 2} for number in range(53)] * 2

    text = TRON.dumps(value)

    names = [line.split(":")[0][6:] for line in text.partition("\n\n")[0].split("\n")]
    assert (names[0], names[25:27], names[51:]) == ("A", ["Z", "A1"], ["Z1", "A2"])
    assert TRON.loads(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("\n1 \n", 1),
        ('class P_2 :x , "k-1"\r\n\r\n \n{"t": P_2( 1,\n [2] )}', {"t": {"x": 1, "k-1": [2]}}),
        ("class A: x\n  class B: y,z\nB(A(1),2)", {"y": {"x": 1}, "z": 2}),
        ('class A: a,b\n\n[A("A(1)",")\\"("),{"￿A":[1],"￿":0}]', None),
        ('{"\\uffffA":[1],"\\uffff":0}', {"\uffffA": [1], "\uffff": 0}),
        ("[1E2,-0,0.10,12345678901234567890.5]", [100, 0, 0.1, Decimal("12345678901234567890.5")]),
        ("\ufeff[true,false,null]", [True, False, None]),
    ],
)
def test_blanks_and_other_spellings_are_read(text: str, value: Any) -> None:
    expected = [{"a": "A(1)", "b": ')"('}, {"\uffffA": [1], "\uffff": 0}]
    assert differences(expected if value is None else value, TRON.loads(text)).same


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (" ", (1, 2), "expected a value, found the end of the text"),
        ("class A:\n[1]", (1, 1), "expected a line such as class A: id,name"),
        ("class A: x y\nA(1,2)", (1, 1), "expected a line such as class A: id,name"),
        ("class A: x,class\nA(1)", (1, 1), "expected a line such as class A: id,name"),
        ("1\nclass A: x", (2, 1), "text after the end of the JSON value: 'c'"),
        ("class null: x\n1", (1, 1), "expected a line such as class A: id,name"),
        ('class A: "\\x"\n1', (1, 1), "expected a line such as class A: id,name"),
        ("class A: x\nclass A: y\nA(1)", (2, 1), "class A is defined twice"),
        ('class A: x,"x"\nA(1,2)', (1, 1), "class A has a key twice"),
        ("class A: x\nclass B(A): y\n1", (2, 1), "expected a line such as class A: id,name"),
        ('["A(1)",A(1)]', (1, 12), "no class is named 'A'"),
        ("class A: x\n[A]", (2, 2), "expected a value, found 'A'"),
        ("class A: x\nA(1,2)", (2, 6), "class A has 1 key, this instance 2 values"),
        ("class A: x,y\n\n[A(1)]", (3, 5), "class A has 2 keys, this instance 1 value"),
        ("class A: x\n[A(1),A(x=1)]", (2, 9), "expected a value, found 'x'"),
        ("class A: x\n[A(1),\nA(1,)]", (3, 4), "comma after the last item"),
        ("[1, 2,\n]", (1, 6), "comma after the last item"),
        ("class A: x\n\nA(1]}", (3, 5), "class A is not closed by )"),
        ("class A: x\n\nA([1]}", (3, 6), "expected , or a closing bracket, found '}'"),
        ('class A: x\n\n{"a":[1)', (3, 8), "expected ] in place of )"),
        ("class A: x\n\nA(1) 2", (3, 6), "text after the end of the JSON value: '2'"),
        ('{"a":1,"a":2}', (1, 13), "key 'a' appears again in one object"),
        ("{a:1}", (1, 2), "expected a \"name\", found 'a'"),
        ("[1", (1, 3), "expected , or a closing bracket, found the end of the text"),
        ("[1e99999999999999999999]", (1, 2), "number 1e99999999999999999999 is out of range"),
        ('["NaN", NaN]', (1, 9), "NaN is not JSON"),
        ("A (1)", (1, 1), "expected a value, found 'A'"),
        ("A(" * 50_000, (1, 257), "nested too deeply"),
        ('class A: x,y\n\nA(1,2],"k":[3)', (3, 14), "expected , or ) in an instance of class A"),
    ],
)
def test_what_is_wrong_and_where(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        TRON.loads(text)

    error = caught.value
    assert (error.message, (error.line, error.column)) == (message, place)


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(ValueError, match=r"line 3, column 4: lone surrogate \\ud800"):
        TRON.loads('class A: x\n\nA("\\ud800")')


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ([1.5, "1e400", 2**53], None),
        ([2**53 + 1, 10**5000], "@tron-format/tron changes 2 integers beyond 2^53"),
        ([Decimal("1e400"), Decimal("0.12345678901234567890")],
         "@tron-format/tron turns 1 number into infinity and rounds 1 number"),
        ({"__proto__": 1}, "@tron-format/tron loses 1 key __proto__"),
        (["__proto__"], None),
    ],
)  # fmt: skip
def test_what_the_reference_changes(value: Any, changes: str | None) -> None:
    assert TRON.stock_changes(value, TRON.dumps(value)) == changes


def test_only_a_text_with_classes_needs_an_explanation() -> None:
    assert TRON.uses(TRON.dumps([{"a": 1, "b": 2}] * 2)) == {"classes"}
    assert TRON.uses('{"class":1}') == frozenset()
    assert TRON.explain(frozenset()) == "The data is JSON."
    assert TRON.explanation.startswith("The data is TRON: JSON with classes.")
