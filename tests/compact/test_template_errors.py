"""Errors in templates, with their line and column, and the limit of what they write."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import damaged
from toon.compact import QueryError
from toon.compact.templates import FORMATTERS, MAX_LENGTH, TemplateError, parse
from toon.errors import render

GOOD = (
    '# c\nrows: data.items[]\nid: ["the id"]\nsummary: {count} {count|plural:"a","b"}\n'
    'line: {a.b[0]|preview:60 or c or "none"} <[{d|join:", "}]>\n  <{?e or f}x><{!g}\\<<{h}>>'
)


def find_error(text: str) -> TemplateError:
    with pytest.raises(TemplateError) as caught:
        parse(text)
    return caught.value


KEYS = 'a path looks like customer.email, items[].name, items[0].name or ["a key"].name'
NAMES = (
    "there are date, time, ago, size, round, plural, preview, short, upper, lower, before, after, "
    "trim, extension, text, true, is, with, days, varying, address, map, join, first, count"
)
CLOSE = "add the closing }, or write \\{ for the character"
ERRORS: list[tuple[str, tuple[int, int], str, str | None]] = [
    # settings
    ("", (1, 1), "there is no line: setting", "write line: before the pattern"),
    ("# c\nrows: a", (2, 8), "there is no line: setting", "write line: before the pattern"),
    ("{title}", (1, 1), "expected a setting: rows:, id:, summary: or line:",
     'begin the pattern with "line:"'),
    ("id: a\n  title", (2, 3), "expected a setting: rows:, id:, summary: or line:",
     'begin the pattern with "line:"'),
    ("row: a\nline: {a}", (1, 1), "unknown setting 'row'", "did you mean rows?"),
    ("xyz: a", (1, 1), "unknown setting 'xyz'", "there are rows, id, summary and line"),
    ("id: a\nrows: b\n id: c", (3, 2), "id is set twice", None),
    ("summary: a\nsummary: b", (2, 1), "summary is set twice", None),
    ("rows:\nline: {a}", (1, 6), "expected a field, found the end", KEYS),
    ("rows: a b", (1, 9), "expected the end of the line, found 'b'", None),
    ("rows: a.\nline: {a}", (1, 9), "expected a key, found the end", KEYS),
    ("summary:  \nline: {a}", (1, 11), "expected a pattern",
     "a pattern looks like {title} <[{place}]>"),
    ("line: \n ", (1, 7), "expected a pattern", "a pattern looks like {title} <[{place}]>"),
    # paths
    ("line: {}", (1, 8), "expected a field, found '}'", KEYS),
    ('line: {"a b"}', (1, 8), "expected a field, found '\"'", KEYS),
    ("line: {a..b}", (1, 10), "expected a key, found '.'", KEYS),
    ("line: {a[x]}", (1, 10), "expected ], a number or a quoted key, found 'x'", KEYS),
    ("line: {a[1}", (1, 10), "expected ], a number or a quoted key, found '1'", KEYS),
    ('line: {a["b"}', (1, 13), "expected ], found '}'", KEYS),
    ('line: {a["b]}', (1, 10), "text is not closed", 'add the closing "'),
    # fields
    ("line: a\n{b", (2, 1), "field is not closed", CLOSE),
    ("line: {a {b}", (1, 7), "field is not closed", CLOSE),
    ("line: {a b}", (1, 10), "expected |, or or }, found 'b'",
     'a key with blanks or signs is quoted: ["full name"]'),
    ('line: {a or "b" or c}', (1, 17), "expected }, found 'o'",
     'a key with blanks or signs is quoted: ["full name"]'),
    ("line: {a or }", (1, 13), "expected a field, found '}'", KEYS),
    ('line: <{?a or "b"}>', (1, 15), "expected a field, found '\"'", KEYS),
    ("line: {?a} b", (1, 8), "condition outside a part",
     "write <{?x} …>: the part shows if the condition holds"),
    ("line: a}", (1, 8), "} closes nothing", "write \\} for the character"),
    # parts and texts
    ("line: a > b", (1, 9), "> closes nothing", "write \\> for the character"),
    ("line: a\n <[{b}]", (2, 2), "part is not closed",
     "add the closing >, or write \\< for the character"),
    ("line: <a>", (1, 7), "part without a field",
     "a part needs a field: add one, or write \\< for the character"),
    ("line: " + 9 * "<" + "{a}" + 9 * ">", (1, 15), "more than 8 levels of parts", None),
    ("line: a\\n", (1, 8), "unknown escape", "only \\{ \\} \\< \\> and \\\\ are escapes"),
    ("line: a\\", (1, 8), "unknown escape", "only \\{ \\} \\< \\> and \\\\ are escapes"),
    # formatters
    ("line: {a|}", (1, 10), "expected a formatter, found '}'", NAMES),
    ("line: {a|uper}", (1, 10), "unknown formatter 'uper'", "did you mean upper?"),
    ("line: {a|eval}", (1, 10), "unknown formatter 'eval'", NAMES),
    ("line: {a|" + 5000 * "x" + "}", (1, 10), f"unknown formatter '{40 * 'x'}…'", NAMES),
    ("line: {a|preview}", (1, 17), "preview takes a number from 1 to 10,000", "write preview:60"),
    ("line: {a|preview:0}", (1, 18), "preview takes a number from 1 to 10,000",
     "write preview:60"),
    ("line: {a|preview:" + 5000 * "9" + "}", (1, 18), "preview takes a number from 1 to 10,000",
     "write preview:60"),
    ("line: {a|upper:1}", (1, 16), "upper takes no argument", "write upper"),
    ("line: {a|join:2}", (1, 15), "join takes one text", 'write join:"; "'),
    ("line: {a|join:, }", (1, 15), "expected a number or a quoted text, found ','",
     'write join:"; "'),
    ('line: {a|before:""}', (1, 17), "before takes one text that is not empty",
     'write before:"@"'),
    ('line: {a|map:"b","c","d"}', (1, 14), "map takes pairs of texts",
     'write map:"good","🙂","bad","😟"'),
    ("line: {a|map}", (1, 13), "map takes pairs of texts", 'write map:"good","🙂","bad","😟"'),
    ('line: {a|plural:"b",}', (1, 21), "expected a number or a quoted text, found '}'",
     'write plural:"item","items"'),
    ('line: {a|join:"\\x"}', (1, 16), "unknown escape",
     'write \\\\ for a backslash and \\" for a quote'),
    ('line: {a|join:"\\ud800"}', (1, 15), "a surrogate is not a character",
     "write the character itself"),
    ("line: \ud800", (1, 7), "a surrogate is not a character", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message", "hint"), ERRORS)
def test_an_error(text: str, place: tuple[int, int], message: str, hint: str | None) -> None:
    error = find_error(text)

    assert (error.line, error.column) == place
    assert (error.message, error.hint) == (message, hint)
    assert error.source == text.split("\n")[place[0] - 1]


def test_the_length_of_a_template_is_limited() -> None:
    longest = "line: {a}".ljust(MAX_LENGTH)

    parse(longest)
    error = find_error(longest + "b")
    assert (error.message, error.column) == ("template is longer than 20,000 characters", 20_001)


@pytest.mark.parametrize(
    ("form", "most", "column", "message"),
    [
        ("line: {}", "{a}" * 100, 308, "more than 100 fields in a pattern"),
        ("line: {{{}}}", "a or " * 99 + "a", 508, "more than 100 fields in a pattern"),
        ("line: {{a{}}}", "|upper" * 8, 58, "more than 8 formatters for one field"),
    ],
)
def test_a_line_cannot_repeat_its_record_without_limit(
    form: str, most: str, column: int, message: str
) -> None:
    parse(form.format(most))
    more = {"{": "{a}", "a": " or a", "|": "|upper"}[most[0]]

    error = find_error(form.format(most + more))

    assert (error.message, error.column) == (message, column)


def test_the_length_of_an_argument_is_limited() -> None:
    parse(f'line: {{a|join:"{100 * "-"}"}}')

    error = find_error(f'line: {{a|join:"{101 * "-"}"}}')

    assert (error.message, error.column) == ("text is longer than 100 characters", 15)


def test_a_byte_order_mark_and_carriage_returns_are_skipped() -> None:
    template = parse("\ufeffrows: a\r\nid: b\r\nsummary: {count}\r\nline: {a}\r\n{b}\r\n")

    assert (template.rows, template.id) == (("a",), ("b",))
    assert find_error("\ufeffx").column == 1


def test_the_example_of_every_formatter_is_valid() -> None:
    for formatter in FORMATTERS.values():
        template = parse(f"line: {{a|{formatter.usage}}}")
        assert template.patterns([])[0] == "[].a"


_SYNTAX = st.lists(
    st.sampled_from([*'{}<>[]"\\|:,.?!$#-\n 1a', " or ", '"x"', "line:", "rows:", "|join", "[]"]),
    max_size=30,
).map("".join)


@given(st.one_of(damaged(GOOD), _SYNTAX.map(lambda text: f"line: {text}"), _SYNTAX, st.text()))
def test_any_text_is_a_template_or_an_error_with_its_place(text: str) -> None:
    error = None
    try:
        parse(text)
    except TemplateError as caught:
        error = caught
    if error is not None:
        assert error.line is not None
        assert error.column is not None
        line = text.removeprefix("\ufeff").split("\n")[error.line - 1]
        assert error.source == line.removesuffix("\r")
        assert 1 <= error.column <= len(line) + 1
        assert render(error).startswith(f"line {error.line}, column {error.column}: ")


# -- the limit of what a template writes ------------------------------------------------------

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)
_LONG_JOIN = '{b|join:"' + 100 * "x" + '"}'


class Read(list[Any]):
    """A list that counts how often its items are read."""

    times = 0

    def __iter__(self) -> Iterator[Any]:
        self.times += 1
        return super().__iter__()


@pytest.mark.rest
@pytest.mark.parametrize(
    ("pattern", "items", "times"),
    [
        (_LONG_JOIN, [1] * 200_000, 1),
        (100 * _LONG_JOIN, [1] * 60_000, 2),
        (f"<{100 * _LONG_JOIN}>", [1] * 60_000, 2),
        ("{b}", [5_000 * "x"], 2_000),
    ],
    ids=["a field", "a line", "a part", "all lines"],
)
def test_a_template_writes_no_more_than_its_limit(
    pattern: str, items: list[Any], times: int
) -> None:
    """It stops at the field that passes the limit: the second case would write 600 MB."""
    read = Read(items)

    with pytest.raises(QueryError, match="10,000,000 characters, the limit TOON_TEMPLATE_"):
        parse(f"line: {pattern}").lines([{"b": read}] * 2_001, now=NOW)

    assert read.times == times
