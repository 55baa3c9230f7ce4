"""JSON read without loss: errors, notices and values."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from toon.errors import JsonDecodeError, render
from toon.text import Parsed
from toon.values.json_lines import parse_json_or_lines
from toon.values.json_text import parse_json

# text, line, column, message, hint
REFUSED = [
    ("", None, None, "no JSON here: the text is empty", None),
    (" \n\t", None, None, "no JSON here: the text is empty", None),
    ("nope", 1, 1, "expected a value, found 'n'", 'text stands in double quotes: "nope"'),
    ('{"a":1,}', 1, 7, "comma after the last item", "remove it"),
    ("[1,\n 2,\n]", 2, 3, "comma after the last item", "remove it"),
    ("{'a':1}", 1, 2, 'expected a "name", found "\'"',
     'strings and names stand in double quotes: "…"'),
    ("{a:1}", 1, 2, "expected a \"name\", found 'a'", 'a name stands in double quotes: "a"'),
    ("[True]", 1, 2, "expected a value, found 'T'", "write true"),
    ("[undefined]", 1, 2, "expected a value, found 'u'", "write null"),
    ("[1, NaN]", 1, 5, "NaN is not JSON", "JSON has no such number: write null or a string"),
    ('["NaN", -Infinity]', 1, 9, "-Infinity is not JSON",
     "JSON has no such number: write null or a string"),
    ('{"a": [1, {"b": ', 1, 17, "expected a value, found the end of the text",
     "the text may be cut off: }]} would close what is open"),
    ('["abc', 1, 2, "string is not closed", "the text may be cut off"),
    ('["a\nb"]', 1, 4, "line break or control character inside a string",
     "write \\n for a line break and \\t for a tab"),
    ('{"a":1}\n{"a":2}', 2, 1, "text after the end of the JSON value: '{'",
     "several values, one a line (JSON Lines)? Put them in [ ] with commas between"),
    ("[1] // one", 1, 5, "text after the end of the JSON value: '/'",
     "JSON has no comments: remove it"),
    ('{"a":1 "b":2}', 1, 8, "expected , or a closing bracket, found '\"'", None),
    ('{"a" 1}', 1, 6, "expected : after the name, found '1'", None),
    ("[01]", 1, 3, "expected , or a closing bracket, found '1'", "a number does not start with 0"),
    ('["\\ud800"]', 1, 3, "lone surrogate \\ud800: UTF-8 cannot carry it",
     "a character beyond U+FFFF needs both halves of its pair"),
    ("[1e99999999999999999999]", 1, 2, "number 1e99999999999999999999 is out of range", None),
    ("[1e-99999999999999999999]", 1, 2, "number 1e-99999999999999999999 is out of range", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), REFUSED)
def test_refusal(
    text: str, line: int | None, column: int | None, message: str, hint: str | None
) -> None:
    with pytest.raises(JsonDecodeError) as caught:
        parse_json(text)

    error = caught.value
    assert (error.line, error.column, error.message, error.hint) == (line, column, message, hint)
    if line is not None:
        assert error.source == text.split("\n")[line - 1]


def test_a_hundred_thousand_levels_are_refused_with_the_position() -> None:
    with pytest.raises(JsonDecodeError, match="nested deeper than 256 levels") as caught:
        parse_json("[" * 100_000)

    assert (caught.value.line, caught.value.column) == (1, 257)


NOTICES = [
    ('{"a":1,"a":2}', {"a": 2}, 8, 'key "a" appears again in one object: the last value counts'),
    ('{"a":1,"\\u0061":2}', {"a": 2}, 8,
     'key "\\u0061" appears again in one object: the last value counts'),
    ("[9007199254740993]", [9007199254740993], 2,
     "integer 9007199254740993 is beyond 2^53: kept exactly here, but readers with 64-bit "
     "floats (JavaScript) may change it"),
    ("[1e400]", [Decimal("1e400")], 2,
     "number 1e400 does not fit a 64-bit float: kept exactly here, but most readers will "
     "turn it into infinity"),
    ("[0.1234567890123456789]", [Decimal("0.1234567890123456789")], 2,
     "number 0.1234567890123456789 does not fit a 64-bit float: kept exactly here, but most "
     "readers will turn it into 0.12345678901234568"),
    ("[-0]", [0], 2, "-0 is written as 0"),
    ("[-0.0]", [0.0], 2, "-0.0 is written as 0"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "column", "message"), NOTICES)
def test_notice(text: str, value: Any, column: int, message: str) -> None:
    parsed = parse_json(text)

    assert parsed.value == value
    assert [(n.line, n.column, n.message) for n in parsed.notices] == [(1, column, message)]


@pytest.mark.parametrize(
    "text", ["[0.1, 1e-7, 5e-324, 9007199254740992, 1.0, 1E+2, 123456789.125]", '{"a":"1"}']
)
def test_numbers_that_every_reader_keeps_have_no_notice(text: str) -> None:
    assert parse_json(text).notices == ()


def test_same_key_in_different_objects_is_no_duplicate() -> None:
    assert parse_json('[{"a":{"a":1}},{"a":[{"a":2},{"a":3}],"b":-0}]').notices[0].message == (
        "-0 is written as 0"
    )


def test_a_byte_order_mark_is_ignored_with_a_notice() -> None:
    parsed = parse_json("\ufeff[1]")

    assert parsed.value == [1]
    assert [notice.message for notice in parsed.notices] == [
        "byte-order mark at the start: ignored"
    ]


@pytest.mark.parametrize("length", [6_000, 1_000_001])  # past those of int, and of Decimal's sums
def test_a_very_long_integer_keeps_its_digits(length: int) -> None:
    digits = "7" * length

    parsed = parse_json(f"[{digits}]")

    assert parsed.value == [Decimal(digits)]
    assert "is beyond 2^53" in parsed.notices[0].message


@given(values)
def test_reads_what_json_writes(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)

    expected = json.loads(text, parse_float=lambda token: float(token) or 0.0)
    assert repr(parse_json(text).value) == repr(expected)


@given(st.text(alphabet='{}[]:,"\\ \nabtnu01.-e+NaInfity', max_size=30))
def test_any_text_gives_a_value_or_an_error_with_a_position(text: str) -> None:
    refusal = None
    try:
        parse_json(text)
        json.loads(text)
    except JsonDecodeError as error:
        refusal = error
    if refusal is not None:
        render(refusal)
        assert refusal.message
        assert refusal.line is None or 1 <= refusal.line <= text.count("\n") + 1


ONE_LINE = [text for text, *_ in REFUSED if text.strip() and "\n" not in text]
TEXTS = st.one_of(
    st.sampled_from([text for text, *_, hint in REFUSED if "JSON Lines" not in (hint or "")]),
    st.builds(json.dumps, values, indent=st.sampled_from([None, 1]), ensure_ascii=st.booleans()),
    st.sampled_from(['{"a":1,"a":[-0,{"b":1e400}]}', "[1.25,\n 12345678901234567890]", "[1.]"]),
).flatmap(lambda text: st.sampled_from([text, f"\ufeff{text}\r\n"]))


@given(st.lists(values, min_size=2, max_size=5), st.sampled_from(["", "\ufeff"]))
def test_json_lines_are_an_array(several: list[Any], mark: str) -> None:
    lines = "\n \r\n".join(map(json.dumps, several)) + "\n"
    parsed = parse_json_or_lines(mark + lines)

    assert repr(parsed.value) == repr([parse_json(json.dumps(value)).value for value in several])
    assert f"JSON Lines: read as an array of {len(several)} values" in map(str, parsed.notices)


@given(TEXTS)
def test_one_json_text_is_no_json_lines(text: str) -> None:
    assert outcome(parse_json_or_lines, text) == outcome(parse_json, text)


@pytest.mark.parametrize("wrong", ONE_LINE)
def test_a_wrong_line_is_refused_with_its_place_in_the_whole_text(wrong: str) -> None:
    alone = outcome(parse_json, wrong)
    below = outcome(parse_json_or_lines, f"1\n\n2\n{wrong}")

    assert isinstance(alone, dict)
    assert below == alone | {"line": 4}


def test_lines_have_the_notices_of_each() -> None:
    text = '[-0]\n\n{"a":1,"a":2}\n3'
    parsed = parse_json_or_lines(text)

    assert parsed.value == [[0], {"a": 2}, 3]
    assert [notice.line for notice in parsed.notices] == [None, 1, 3]


def outcome(read: Callable[[str], Parsed], text: str) -> object:
    try:
        parsed = read(text)
    except JsonDecodeError as error:
        return error.as_dict()
    return repr(parsed.value), parsed.notices
