"""VibeMCP's lossless profile: exact examples, and every value comes back."""

import json
from decimal import Decimal
from typing import Any

import pytest

from tests.dialects.test_vibemcp import MESSAGES, MESSAGES_TEXT, ROW
from toon.dialects.vibemcp import LOSSLESS, encode, read
from toon.dialects.vibemcp.encoder import order_columns
from toon.errors import EncodeError

TEXTS: list[tuple[Any, str]] = [
    ({"messages": MESSAGES}, MESSAGES_TEXT),
    ([ROW], "items[1]{snippet,labels,meta,n,t,tab}\n"
     '"Line1\\nLine2 \\"x\\" C:\\\\tmp"\t["INBOX","UNREAD"]\t{"k":"v"}\t"42"\t[]\t"a\\tb"'),
    ([], "items[0]{}"), ({"a": []}, "a[0]{}"), ({}, "item:"), ({"a": {}}, "a:"),
    ([{"a": 1}, {}, {"a": None}, {"a": ""}], 'items[4]{a}\n1\n\nnull\n""'),
    ([{}], "items[1]\n{}"),
    ([{"a": 1, "b": 2}, {"b": 3, "a": 4}], 'items[2]\n{"a":1,"b":2}\n{"b":3,"a":4}'),
    ([{"a": 1, "c": 2}, {"a": 3, "b": 4, "c": 5}], "items[2]{a,b,c}\n1\t\t2\n3\t4\t5"),
    (["x", "1", [2], None], 'items[4]\nx\n"1"\n[2]\nnull'),
    ([{"a b": 1, "": 2}], 'items[1]{"a b",""}\n1\t2'),
    ({"a b": [1]}, '"a b"[1]\n1'), ({"items": [1]}, '"items"[1]\n1'),
    ({"item": {"x": 1}}, '"item":\n  x: 1'), ({"items": {"x": 1}}, "items:\n  x: 1"),
    ({"a": 1}, "item:\n  a: 1"),
    ({"a": "[x]", "b": "x: y"}, 'item:\n  a: "[x]"\n  b: x: y'),
    ({"c:d": "\x7f\u2028"}, 'item:\n  "c:d": "\\u007f\\u2028"'),
    ([["\u0085"]], 'items[1]\n["\\u0085"]'), ("x", "x"), ("a:", '"a:"'), ("see[1]", '"see[1]"'),
    ("", '""'), (2**70, "1180591620717411303424"), (Decimal("1e400"), "1e+400"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_what_it_writes_exactly(value: Any, text: str) -> None:
    assert encode(value, profile=LOSSLESS) == text
    assert read(text, profile=LOSSLESS).value == value


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        ([{"a": 1}, {"b": 1}], ["a", "b"]),
        ([{"a": 1, "c": 1}, {"b": 1, "c": 1}], ["a", "b", "c"]),
        ([{"b": 1}, {"a": 1, "b": 1}], ["a", "b"]),
        ([{"a": 1, "b": 1}, {"b": 1, "c": 1}, {"c": 1, "a": 1}], None),
        ([{"a": 1}, 1], None),
        ([{}, {}], None),
        ([{str(n): n} for n in range(8)], list("01234567")),
        ([{str(n): n} for n in range(9)], None),
    ],
)
def test_column_orders(rows: list[Any], order: list[str] | None) -> None:
    assert order_columns(rows) == order


def test_depth_is_bounded() -> None:
    with pytest.raises(EncodeError, match="nested deeper than 256 levels"):
        encode([json.loads('{"a":[' * 128 + "]}" * 128)], profile=LOSSLESS)
