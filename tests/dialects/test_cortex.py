"""The library of Temporal Cortex: its text byte for byte, reading it by its counts, and losses.

The examples were compared with temporal-cortex-toon 0.3.1; the tests do not need it.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import values
from toon import ToonDecodeError
from toon import decode as official_decode
from toon.dialects.cortex import decode, encode, losses, read
from toon.errors import DialectError, EncodeError
from toon.formats.base import NotApplicable
from toon.formats.cortex import CORTEX
from toon.values.equality import differences
from toon.values.filters import apply

EXAMPLES = [
    ('{"name":"Alice","scores":[95,87,92]}', "name: Alice\nscores[3]: 95,87,92"),
    (
        '{"event":{"summary":"Team Standup","start":"2026-03-16T09:00:00-04:00"}}',
        'event:\n  summary: Team Standup\n  start: "2026-03-16T09:00:00-04:00"',
    ),
    (
        '{"slots":[{"start":"2026-03-16T08:00:00-04:00","d":60}],"count":5}',
        "slots[1]{start,d}:\n  2026-03-16T08:00:00-04:00,60\ncount: 5",
    ),
    ('[{"a":1,"b":2},{"a":3,"b":4}]', "[2]:\n  - a: 1\n    b: 2\n  - a: 3\n    b: 4"),
    ('{"matrix":[[1,2],[3,4]]}', "matrix[2]:\n  - [2]: 1,2\n  - [2]: 3,4"),
    (
        '{"items":[1,{"a":"hello","b":"world"},"text"]}',
        "items[3]:\n  - 1\n  - a: hello\n    b: world\n  - text",
    ),
    ('{"a":[],"b":{}}', "a[0]:\nb:"),
    (
        '{"z":"05","k":"true","t":"10:30","h":"hello, world"}',
        'z: "05"\nk: "true"\nt: "10:30"\nh: hello, world',
    ),
    ('{"times":["10:30","11:00"],"g":["a,b","c"]}', 'times[2]: 10:30,11:00\ng[2]: "a,b",c'),
    ('{"my-key":1,"a.b":2,"":3}', '"my-key": 1\na.b: 2\n"": 3'),
    ("{}", ""),
    ("[]", "[0]: "),
    ("[{},[]]", "[2]:\n  - \n  - [0]: "),
    (
        '{"items":[{"id":1,"k":[{"a":1,"b":2}],"z":2}]}',
        "items[1]:\n  - id: 1\n    k[1]{a,b}:\n    1,2\n    z: 2",
    ),
    (
        '{"items":[{"k":[1,{"a":[]}],"z":{"x":[{"q":1}]}}]}',
        "items[1]:\n  - k[2]:\n    - 1\n    - a[0]:\n    z:\n      x[1]{q}:\n        1",
    ),
    ('{"t":[{"a":1,"b":2},{"b":4,"a":3}]}', "t[2]{a,b}:\n  1,2\n  3,4"),
    ('"a:b"', '"a:b"'),
    ('"hello, world"', "hello, world"),
    (
        '["+1",".5","1.","1e++",".e5","0x10","1_000","NaN","-x","#","a|b","\\u001f","\\f"]',
        '[13]: +1,".5","1.","1e++",".e5","0x10",1_000,NaN,"-x",#,a|b,\x1f,"\x0c"',
    ),
    (
        "[1e-7,-0.0,1.0,1e21,18446744073709551615,18446744073709551616,-9223372036854775809]",
        "[7]: 0.0000001,0,1,1000000000000000000000,18446744073709551615,18446744073709552000,"
        "-9223372036854776000",
    ),
    ("[65271.270978325236,1.5e15]", "[2]: 65271.27097832523,1500000000000000"),
]


@pytest.mark.parametrize(("document", "text"), EXAMPLES)
def test_what_it_writes_exactly(document: str, text: str) -> None:
    assert encode(json.loads(document)) == text


def test_filtered_as_its_own_example() -> None:
    value = {"etag": 1, "items": [{"etag": 2, "s": 1}, {"etag": 3, "s": 2}]}

    assert encode(apply(value, ["*.etag"])) == "items[2]{s}:\n  1\n  2"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [Decimal("1e400")]}, "$.a[0]: number is beyond the largest 64-bit float"),
        ([Decimal("-1e700")], "$[0]: number is beyond the largest 64-bit float"),
        (json.loads("[" * 128 + "]" * 128), "nested deeper than 127 levels"),
    ],
)
def test_what_the_library_refuses_is_refused(value: Any, message: str) -> None:
    with pytest.raises(EncodeError) as error:
        encode(value)
    with pytest.raises(NotApplicable):
        CORTEX.dumps(value)

    assert message in str(error.value)


# -- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        "[{},{}]",
        '{"items":[{"id":1,"k":[{"a":1,"b":2}],"z":2}]}',
        '{"items":[{"k":[{"a":1},{"a":2}],"z":[[],[1,{"b":[{"c":"+1"}]}]]}]}',
        '{"slots":[{"start":"2026-03-16T08:00:00-04:00","d":60}],"count":5}',
        '[{"a b":[1],"z":{}},[[{}]]]',
        '{"t":[{"x:y":"a: b","{":"c"}]}',
    ],
)
def test_what_its_own_decoder_loses_is_read_by_the_counts(document: str) -> None:
    value = json.loads(document)

    assert str(differences(value, decode(encode(value)))) == "nothing"


def test_calendar_rows_that_the_official_decoder_rejects() -> None:
    text = "slots[1]{start,end,n}:\n  2026-03-16T08:00:00-04:00,2026-03-16T09:00:00-04:00,60"

    with pytest.raises(ToonDecodeError):
        official_decode(text)
    assert decode(text) == {
        "slots": [
            {"start": "2026-03-16T08:00:00-04:00", "end": "2026-03-16T09:00:00-04:00", "n": 60}
        ]
    }
    assert decode(text.replace("\n  ", "\n")) == decode(text)


def test_a_column_with_a_comma_becomes_two_with_a_notice() -> None:
    text = encode({"t": [{"a,b": 1, "c": 2}]})
    parsed = read(text, strict=False)

    with pytest.raises(DialectError, match=r"line 2, column 3: row has fewer"):
        decode(text)

    assert parsed.value == {"t": [{"a": 1, "b": 2, "c": None}]}
    assert [(n.message, n.line) for n in parsed.notices] == [
        ("row has fewer cells than the table has columns: null for the others", 2)
    ]


def test_the_last_of_two_equal_keys_counts_with_a_notice() -> None:
    parsed = read("a: 1\na: 2", strict=False)

    with pytest.raises(DialectError, match=r"column 1: key a appears again in one object$"):
        decode("a: 1\na: 2")

    assert parsed.value == {"a": 2}
    assert [(n.message, n.line, n.column) for n in parsed.notices] == [
        ("key a appears again in one object: the last value counts", 2, 1)
    ]


ERRORS = [
    ("t[2]{a}:\n  1", "line 1, column 3: header declares 2 rows, found 1"),
    ("t[2]:\n  - 1", "line 1, column 3: header declares 2 items, found 1"),
    ("t[1]: 1,2", "line 1, column 3: header declares 1 value, found 2"),
    ("t[1]{a}:\n  1,2", "line 2, column 3: row has 2 cells, the table 1 column"),
    ("a:\n  t[2]{x}:\n    1\nb: 2", "line 2, column 5: header declares 2 rows, found 1"),
    ('a: 1\n"\\q": 1', "line 2, column 2: unknown escape \\q"),
    ("t[1]:\n  - 1\n  - 2", "line 3, column 3: line belongs to nothing above it"),
    ("a: 1\n  b: 2", "line 2, column 3: line belongs to nothing above it"),
    ("a: 1\nb", "line 2, column 1: expected key: value or a header"),
    ("a: ", "line 1, column 4: no value here"),
    ("  a: 1", "line 1, column 3: the first line is indented"),
    ("a: 1\n\tb: 1", "line 2, column 1: tab in the indentation"),
    ('a: "x', "line 1, column 4: string is not closed"),
    ('a[2]: 1,"\\q"', "line 1, column 10: unknown escape \\q"),
    ("a[1]:\n  -x", "line 2, column 4: no space after the hyphen"),
    ("a: \ud800", "line 1, column 4: lone surrogate U+D800: UTF-8 cannot carry it"),
    ("[1]: 1\na: 1", "line 2, column 1: line belongs to nothing above it"),
    ("\n".join("  " * n + "a:" for n in range(128)), "line 128, column 255: nested deeper"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(DialectError) as error:
        decode(text)

    assert str(error.value).startswith(message)
    assert error.value.line is not None
    assert error.value.source == text.split("\n")[error.value.line - 1]


def test_127_levels_come_back() -> None:
    value = json.loads("[" * 126 + '{"a":1}' + "]" * 126)

    assert decode(encode(value)) == value


# -- losses ----------------------------------------------------------------------------------

LOSSES: list[tuple[Any, list[str]]] = [
    ({"a": [{"x": 1}], "b": [[1], "a:b", 2**63 - 1]}, []),
    ([{"k": [{"a": 1}]}], []),
    (
        [{"k": [{"a": 1}], "z": 1}, {"k": [{"a": 1}, {"a": 2}]}],
        ["2 tables in list items: its decoder drops the rows and fields after the first row"],
    ),
    ({"a": [{}]}, ["1 empty object in a list: its decoder drops the items from there on"]),
    (
        {"t": [{"a,b": 1, "c}": 2}]},
        ["2 columns with a comma, brace or line break in their names: the tables break"],
    ),
    (
        [{"a b": [1]}, {"k": [{"x y": 1}]}],
        ["2 arrays at the start of items: its decoder reads strings"],
    ),
    (
        {"a b": [1]},
        ["1 array at the start of an item or of the text: its decoder reads a string"],
    ),
    (["+1", "+.5", "+x"], ["2 texts such as +1: its decoder reads numbers"]),
    (
        [2**63, 10**25, 65271.270978325236, Decimal("0.12345678901234567890"), 0.1],
        ["3 numbers changed by 64-bit arithmetic"],
    ),
    (
        {"t": [{"a": 1, "b": 2}, {"b": 1, "a": 2}]},
        ["1 row with its keys in another order than the first"],
    ),
]


@pytest.mark.parametrize(("value", "named"), LOSSES)
def test_losses_are_named_with_counts(value: Any, named: list[str]) -> None:
    assert CORTEX.losses(value) == losses(value) == named


@given(values)
def test_a_value_changes_only_where_a_loss_is_named(value: Any) -> None:
    try:
        text = CORTEX.dumps(value)
    except NotApplicable:
        return
    found = differences(value, CORTEX.loads(text))
    named = " ".join(CORTEX.losses(value))

    assert str(found) == "nothing" or "column" in named or "64-bit" in named or "order" in named
    assert found.same or "column" in named or "64-bit" in named


def test_a_line_break_in_a_column_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match=r"the line break in the column 'a\\nb' is written"):
        CORTEX.dumps([{"t": [{"x": 1, "a\nb": 2}]}])
