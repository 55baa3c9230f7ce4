"""Pipe tables: exact examples, every value comes back, and errors."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.dialects.pipe import encode, read
from toon.errors import DialectError, EncodeError
from toon.values.equality import differences

EXAMPLES: list[tuple[Any, str]] = [
    (
        {"event": {"summary": "Team Standup", "start": "2026-03-16T09:00:00-04:00"}},
        "event\n  summary: Team Standup\n  start: 2026-03-16T09:00:00-04:00",
    ),
    (
        [{"summary": "Standup", "end": "09:30"}, {"summary": "1:1 with Alice", "end": "10:30"}],
        "| summary | end |\n| Standup | 09:30 |\n| 1:1 with Alice | 10:30 |",
    ),
    (
        {"slots": [{"start": "2026-03-16T08:00:00-04:00", "duration_minutes": 60}], "count": 5},
        "slots\n  | start | duration_minutes |\n  | 2026-03-16T08:00:00-04:00 | 60 |\ncount: 5",
    ),
    (
        {"rows": [
            {"id": "42", "v": 42, "b": "true", "c": True, "z": None, "zs": "null", "e": "",
             "p": "a|b", "t": "x: y"},
            {"id": "007", "v": -1.5, "b": "no", "c": False, "z": None, "zs": "x", "e": " pad",
             "p": "[x]", "t": "- d"},
        ]},
        "rows\n  | id | v | b | c | z | zs | e | p | t |\n"
        '  | "42" | 42 | "true" | true | null | "null" | "" | "a|b" | x: y |\n'
        '  | "007" | -1.5 | no | false | null | x | " pad" | "[x]" | "- d" |',
    ),
    ({"tags": ["a", "b,c", "1", 2, None, "x|y"], "none": [], "obj": {}, "note": "a: b, c"},
     'tags: [a, "b,c", "1", 2, null, x|y]\nnone: []\nobj: {}\nnote: a: b, c'),
    ({"mixed": [1, {"a": 1, "b": [{"x": 1, "y": 2}]}, [1, 2], [], {}, "- x"]},
     "mixed\n  - 1\n  -\n    a: 1\n    b\n      | x | y |\n      | 1 | 2 |\n"
     '  - [1, 2]\n  - []\n  - {}\n  - "- x"'),
    ({}, "{}"),
    ([], "[]"),
    ([1, "a,b"], '[1, "a,b"]'),
    ("hello", '"hello"'),
    (None, "null"),
    (-1.5, "-1.5"),
    ({"true": {"a": 1}}, "true\n  a: 1"),
    ({"my key": 1, "a.b": {"": 2}}, '"my key": 1\na.b\n  "": 2'),
    ([{"a": 1}, {"a": [1]}], "-\n  a: 1\n-\n  a: [1]"),
    ([{"a": 1, "b": 2}, {"b": 2, "a": 1}], "-\n  a: 1\n  b: 2\n-\n  b: 2\n  a: 1"),
    ([[{"a": 1}], [[]]], "-\n  | a |\n  | 1 |\n-\n  - []"),
    ([{"a|b": 1, "c d": "e"}], '| "a|b" | "c d" |\n| 1 | e |'),
    ({"a": "x\ty\n\x85\u2028\x7f\\"}, r'a: "x\ty\n\u0085\u2028\u007f\\"'),
    ({"n": [10**25, Decimal("0.10"), 1e-7, Decimal("1E+400")]},
     "n: [10000000000000000000000000, 0.10, 1e-07, 1E+400]"),
]  # fmt: skip


def same(value: Any, returned: Any) -> bool:
    """Whether the values are equal, including types and the order of keys."""
    return str(differences(value, returned)) == "nothing"


@pytest.mark.parametrize(("value", "text"), EXAMPLES)
def test_what_it_writes_and_reads_exactly(value: Any, text: str) -> None:
    assert encode(value) == text
    assert same(value, read(text).value)


@given(values)
def test_a_text_is_read_leniently_as_it_is_strictly(value: Any) -> None:
    text = encode(value)

    assert read(text, strict=False) == read(text)
    assert not any(line.endswith((" ", "\t")) for line in text.split("\n"))


# -- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}), ("\n\n", {}),
        ('slots\n  | a | b |\n  | 1 |  |\n  |  | "" |', {"slots": [{"a": 1}, {"b": ""}]}),
        ("| a |\n|  |", [{}]), ("a: 1\r\n\r\nb: x\r\n", {"a": 1, "b": "x"}),
        ("- 007\n- +5\n- .5\n- NaN\n- 1e5\n- event", ["007", "+5", ".5", "NaN", 1e5, "event"]),
        ('a: "\\u0041\\"\\n"', {"a": 'A"\n'}), ("true: 1", {"true": 1}), ("a: b: c", {"a": "b: c"}),
        ('a: say "x"', {"a": 'say "x"'}), ("a:  x \nb: 1\t", {"a": "x", "b": 1}),
        ("| a   |b|\n|  1 | x | ", [{"a": 1, "b": "x"}]), ("- \n  a: 1", [{"a": 1}]),
        ('a: [1,2,  "x" ]', {"a": [1, 2, "x"]}),
    ],
)  # fmt: skip
def test_what_it_reads(text: str, value: Any) -> None:
    assert same(value, read(text).value)


def test_a_byte_order_mark_is_named() -> None:
    parsed = read("\ufeffa: 1")

    assert parsed.value == {"a": 1}
    assert [(n.message, n.line, n.column) for n in parsed.notices] == [
        ("byte-order mark at the start: ignored", 1, 1)
    ]


LENIENT: list[tuple[str, Any, list[tuple[str, int | None, int | None]]]] = [
    ("slots\n| start | n |\n| 09:00 | 60 |\n| 10:00 | 90 |\ncount: 5",
     {"slots": [{"start": "09:00", "n": 60}, {"start": "10:00", "n": 90}], "count": 5},
     [("rows without an indent: read as part of 'slots'", 2, 1)]),
    ("event\nsummary: Team Standup\nstart: 09:00\nnext\nsummary: x",
     {"event": {"summary": "Team Standup", "start": "09:00"}, "next": {"summary": "x"}},
     [("fields without an indent, up to the next bare key: read as part of 'event'", 2, 1),
      ("fields without an indent, up to the next bare key: read as part of 'next'", 5, 1)]),
    ("event:\n  a: 1", {"event": {"a": 1}}, [("colon after a container's key: ignored", 1, 6)]),
    ("hello world", "hello world", []),
    ("- - x", ["- x"], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "notices"), LENIENT)
def test_notices_of_lenient_reading(
    text: str, value: Any, notices: list[tuple[str, int | None, int | None]]
) -> None:
    with pytest.raises(DialectError):
        read(text)
    parsed = read(text, strict=False)

    assert same(value, parsed.value)
    assert [(n.message, n.line, n.column) for n in parsed.notices] == notices


@pytest.mark.parametrize("text", ["a\nb", "a\n- 1", "a\nb\n  c: 1", "a: 1\nb", "a\nb\n| c |"])
def test_lenient_reading_does_not_guess_what_a_bare_key_holds(text: str) -> None:
    with pytest.raises(DialectError, match=r"has no indented block|no rows"):
        read(text, strict=False)


# -- limits ----------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = {"x": 1}
    for level in range(depth - 1):
        value = [value] if level % 2 else {"a": value}
    return value


def test_levels_come_back_and_more_are_refused() -> None:
    value = nested(256)
    text = encode(value)

    assert encode(read(text).value) == text
    with pytest.raises(EncodeError, match=r"^\$.*: nested deeper than 256 levels"):
        encode(nested(257))
    deeper = "a\n" + "\n".join("  " + line for line in text.split("\n"))
    with pytest.raises(DialectError, match=r"line 257, .*: nested deeper than 256 levels"):
        read(deeper)


def test_tuples_and_subclasses_are_written_as_plain_values() -> None:
    name = type("Name", (str,), {})
    assert encode({name("a"): (1, name("true"))}) == 'a: [1, "true"]'


@given(st.text(alphabet='a1:|-"[]{}, \n\\\t', max_size=30))
def test_lenient_reading_agrees_with_strict_reading(text: str) -> None:
    try:
        value = read(text).value
    except DialectError:
        return
    assert same(value, read(text, strict=False).value)


# -- errors: their words, their place and their hint ------------------------------------------

KEYS = 'a key of other characters is quoted: "a key": 1'
CELLS = "every column needs a cell, even an empty one; a cell that holds | is quoted"
INDENT = "indent it one level, or read the text leniently if its indents are lost"
ESCAPES = 'only \\\\ \\" \\n \\r \\t and \\u with four hex digits are escapes'
OBJECTS = "only the empty object is written {}; the others have a line for each field"
QUOTE = 'quote the whole value, and write \\" for a quote inside it'
LEVELS = "indent with 2 spaces a level"
VALUE = 'a container\'s key has no colon; for an empty text write ""'
ENDS = "every row ends with |"
CLOSING = 'add the closing "'

ERRORS = [
    ("| a |\n| 1e9999999999999999999 |",
     "line 2, column 3: number 1e9999999999999999999 is out of range", None),
    ("t\n  | a | b |\n  | 1 |", "line 3, column 8: row has 1 cell, the header has 2", CELLS),
    ("t\n  | a | b |\n  | 1 | 2 | 3 |", "line 3, column 13: row has 3 cells, the header has 2",
     CELLS),
    ("t\n  | a", "line 2, column 6: row is not closed", ENDS),
    ("t\n  | a |\n  | b", "line 3, column 6: row is not closed", ENDS),
    ("k: [1, 2", "line 1, column 9: list is not closed", "add the closing ]"),
    ('k: "x" y', "line 1, column 7: text after the closing quote",
     'quote the whole token, and write \\" for a quote inside it'),
    ("a: 1\na: 2", "line 2, column 1: key 'a' appears twice in one object", None),
    ("| a | a |\n| 1 | 2 |", "line 1, column 7: column a appears twice", None),
    ("x\n | a |", "line 2, column 2: indentation of 1 space is not a multiple of 2", LEVELS),
    ("slots\n| a |\n| 1 |", "line 1, column 1: container 'slots' has no indented block", INDENT),
    ("hello", "line 1, column 1: container 'hello' has no indented block",
     'a text that is the whole document is quoted: "hello"'),
    ("a\nb: 1", "line 1, column 1: container 'a' has no indented block", INDENT),
    ("-", "line 1, column 1: hyphen has no indented block",
     'if it is empty, write {} or []; for an empty text write ""'),
    ("a\n    b: 1", "line 2, column 5: line is indented more than one level deeper", None),
    ("  a: 1", "line 1, column 3: the first line is indented", "start it at the left edge"),
    ("a: 1\n  b: 2", "line 2, column 3: line is indented deeper than its block",
     "only a key or a hyphen alone on its line opens a block, one level deeper"),
    ("| a |\n  | 1 |", "line 1, column 1: table has a header and no rows", "an empty list is []"),
    ("| a |\n| 1 |\n  x", "line 3, column 3: line is indented deeper than its table", None),
    ("| a |\n| 1 |\nx: 1", "line 3, column 1: text after the end of the table", None),
    ("t\n  | a |\n  | 1 |\n  x: 1", "line 4, column 3: expected a row",
     "every row of a table starts with |"),
    ("- a\nb: 1", "line 2, column 1: expected a list item",
     "every item of a list starts with a hyphen and a space"),
    ("-a: 1\n- b", "line 1, column 1: expected key: value", KEYS),
    ("a: 1\n-b", "line 2, column 1: expected key: value", KEYS),
    ("- x\n-y", "line 2, column 2: no space after the hyphen", "write - item"),
    ("a: 1\n- b", "line 2, column 1: expected key: value, found a list item", None),
    ("a: 1\n| b |", "line 2, column 1: expected key: value, found a row", None),
    ("event:\n  x: 1", "line 1, column 7: no value after the colon", VALUE),
    ("a:1", "line 1, column 3: no space after the colon", "write key: value"),
    ("a b: 1", "line 1, column 2: expected key: value", KEYS),
    ('"a" b', "line 1, column 4: expected key: value", KEYS),
    ("a: [[1]]", "line 1, column 5: a list inside a list on one line",
     "a list of lists has a line with a hyphen for each of them"),
    ("a: [1, , 2]", "line 1, column 8: no value here", 'an empty text is written ""'),
    ("a: [1, 2] x", "line 1, column 10: text after the end of the list",
     "quote a text that starts so"),
    ('a: ["x" y]', "line 1, column 9: text after the closing quote", QUOTE),
    ("a: {b: 1}", "line 1, column 4: an object on one line", OBJECTS),
    ("a: {", "line 1, column 4: an object on one line", OBJECTS),
    ("- - x", "line 1, column 3: text that starts with - must be quoted", 'write "- x"'),
    ("a: ]", "line 1, column 4: text that starts with ] must be quoted", 'write "]"'),
    ("| a |\n| |x| |", "line 2, column 4: row has 3 cells, the header has 1", CELLS),
    ("a: [1, ", "line 1, column 7: list is not closed", "add the closing ]"),
    ("a: ", "line 1, column 3: no value after the colon", VALUE),
    ("|  | a |\n| 1 | 2 |", "line 1, column 4: column without a name", 'write "" for an empty key'),
    ("| a b |\n| 1 |", "line 1, column 3: a key of such characters must be quoted", 'write "a b"'),
    ("| a |", "line 1, column 1: table has a header and no rows", "an empty list is []"),
    ('a: "x', "line 1, column 4: string is not closed", CLOSING),
    ('a: "\\q"', "line 1, column 5: unknown escape \\q", ESCAPES),
    ('a: "\\ud800"', "line 1, column 5: \\ud800 is a surrogate, not a character",
     "write the character itself: TOON has no surrogate pairs"),
    ("\ta: 1", "line 1, column 1: tab in the indentation", LEVELS),
    ("a\n\tb: 1", "line 2, column 1: tab in the indentation", LEVELS),
    ("a: \ud800", "line 1, column 4: lone surrogate U+D800: UTF-8 cannot carry it", None),
    ("a: 1e9999999999999999999", "line 1, column 4: number 1e9999999999999999999 is out of range",
     None),
    ('| a |\n| "x" y |', "line 2, column 7: text after the closing quote", QUOTE),
    ('| a |\n| "x |', "line 2, column 3: string is not closed", CLOSING),
    ('k: "\\u12"', "line 1, column 5: unknown escape \\u", ESCAPES),
    ("|", "line 1, column 2: row is not closed", ENDS),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "hint"), ERRORS)
def test_errors_say_what_where_and_what_to_do(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(DialectError) as error:
        read(text)

    assert str(error.value) == message
    assert error.value.hint == hint
    assert error.value.line is not None
    assert error.value.source == text.split("\n")[error.value.line - 1]
