"""Reading VibeMCP's output: counts, types and errors."""

from typing import Any

import pytest

from tests.dialects.test_vibemcp import MESSAGE, MESSAGE_TEXT, MESSAGES, MESSAGES_TEXT
from toon.dialects.vibemcp import LOSSLESS, LOSSY, Profile, read
from toon.errors import DialectError
from toon.text import Notice

CUT = MESSAGES_TEXT.replace("[2]", "[10]")  # as the document prints it


def test_leniently_a_cut_list_is_read_with_a_notice() -> None:
    parsed = read(CUT, strict=False)

    assert parsed.value == {"messages": MESSAGES}
    assert parsed.notices == (Notice("declared 10 rows, found 2", 1, 10),)


READINGS: list[tuple[str, Profile, Any]] = [
    (MESSAGE_TEXT, LOSSY, {"message": MESSAGE}),
    ("m:\n  a: " + "[" * 100_000, LOSSY, {"m": {"a": "[" * 100_000}}),
    (MESSAGES_TEXT, LOSSY, {"messages": MESSAGES}),
    (MESSAGES_TEXT + "\n", LOSSY, {"messages": MESSAGES}),
    (MESSAGES_TEXT.replace("\n", "\r\n"), LOSSY, {"messages": MESSAGES}),
    ("\ufeffa[1]\nx", LOSSY, {"a": ["x"]}),
    ("a[0]{}", LOSSY, {"a": []}),
    ("a[1]{t}\n", LOSSY, {"a": [{"t": []}]}),
    ("a[1]{t}\n\n", LOSSY, {"a": [{"t": []}]}),
    ("a[1]{t}\n", LOSSLESS, {"a": [{}]}),
    ("a{x,y}\n1\t2\n", LOSSY, {"a": [{"x": 1, "y": 2}]}),
    ("a[1]{x,y}\nC:\\new\t\"C:\\\\new\\t\"", LOSSY, {"a": [{"x": "C:\\new", "y": "C:\\new\t"}]}),
    ("a[3]\n1\n\n\"q\"", LOSSY, {"a": [1, "", '"q"']}),
    ("a:\n  b: [URGENT] call\n  c: [1]\n", LOSSY, {"a": {"b": "[URGENT] call", "c": [1]}}),
    ("a:\n  b: x: y", LOSSY, {"a": {"b": "x: y"}}),
    ("No messages found.", LOSSY, "No messages found."),
    ("42\n", LOSSY, 42),
    ("a[1]{x}\n1e99999999999999999999", LOSSY, {"a": [{"x": "1e99999999999999999999"}]}),
    ("items[1]\n1", LOSSLESS, [1]),
    ("items[2]\na\nb", LOSSY, ["a", "b"]),
    ("item:\n  a: 1", LOSSY, {"a": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "profile", "value"), READINGS)
def test_what_it_reads(text: str, profile: Profile, value: Any) -> None:
    assert read(text, profile=profile).value == value


def test_notices_of_inline_json_have_their_place() -> None:
    parsed = read('items[1]{a,b}\nx\t{"k":1,"k":2}', profile=LOSSLESS)

    assert parsed.value == [{"a": "x", "b": {"k": 2}}]
    message = 'key "k" appears again in one object: the last value counts'
    assert parsed.notices == (Notice(message, 2, 10),)


HEAD = "expected name[N]{columns}, name[N] or name: on the first line"
TOON = "a colon after the header: this looks like TOON, which is another format"
CUT_OFF = "the text may be cut off"
ERRORS: list[tuple[Profile, str, tuple[int, int], str, str | None]] = [
    (LOSSY, "a[2]\nx", (1, 3), "declared 2 values, found 1", CUT_OFF),
    (LOSSY, "a[1]\nx\ny", (1, 3), "declared 1 value, found 2", None),
    (LOSSY, CUT, (1, 10), "declared 10 rows, found 2", CUT_OFF),
    (LOSSY, f"a[{'9' * 99}]{{b}}\nx", (1, 3), "declared more than 10^15 rows, found 1", CUT_OFF),
    (LOSSY, "m[2]{id}:\n  a", (1, 9), HEAD, TOON),
    (LOSSY, "tags[3]: a,b", (1, 8), HEAD, TOON),
    (LOSSY, "a}: 1\nb", (1, 3), HEAD, TOON),
    (LOSSY, "m[2]{id", (1, 5), HEAD, CUT_OFF),
    (LOSSY, "m[2", (1, 4), HEAD, None),
    (LOSSY, "m[x]{b}", (1, 3), HEAD, None),
    (LOSSY, '{"a":1}', (1, 1), HEAD, "this looks like JSON"),
    (LOSSY, "a: 1\nb: 2", (1, 1), HEAD, "this looks like TOON or YAML"),
    (LOSSY, "hello\nworld", (1, 1), HEAD, None),
    (LOSSY, "m[1]{a,b}\n1", (2, 2), "row has 1 cell, the header 2 columns", CUT_OFF),
    (LOSSY, "m[2]{a,b}\n1", (2, 2), "row has 1 cell, the header 2 columns",
     "the text may be cut off: declared 2 rows, found 1"),
    (LOSSY, "m[1]{a}\n1\t2", (2, 3), "row has 2 cells, the header 1 column",
     "a cell that holds the delimiter must be quoted"),
    (LOSSY, "m[1]{a,a}\n1\t2", (1, 8), "column a appears twice", None),
    (LOSSY, "m[1]{a,}\n1\t2", (1, 8), "a column has no name", None),
    (LOSSY, "m:\n  a b", (2, 3), "expected two spaces and key: value", None),
    (LOSSY, "m:\n  a: 1\n  a: 2", (3, 3), "key a appears twice", None),
    (LOSSY, "m:\n  a: one\ntwo", (3, 1), "expected two spaces and key: value",
     "a value of several lines must be quoted"),
    (LOSSY, 'm[1]{a,b}\nx\t"y', (2, 3), "string is not closed", 'add the closing "'),
    (LOSSLESS, "m{a}\n1", (1, 2), "the header has no count", "write name[N]{columns}"),
    (LOSSLESS, "m[2]\n1\n\n2", (3, 1), "an empty line where a value should be", None),
    (LOSSLESS, 'm[1]{"a}\n1', (1, 6), "string is not closed", 'add the closing "'),
    (LOSSLESS, 'm[1]{a,b}\nx\t{"y":', (2, 8),
     "inline JSON: expected a value, found the end of the text",
     "the text may be cut off: } would close what is open"),
    (LOSSLESS, "m[1]{a,b}\n1\t1e99999999999999999999", (2, 3),
     "number 1e99999999999999999999 is out of range", None),
    (LOSSLESS, "m[1]{a}\n" + "[" * 100_000, (2, 257),
     "inline JSON: nested deeper than 256 levels", None),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "text", "place", "message", "hint"), ERRORS)
def test_errors_say_what_and_where(
    profile: Profile, text: str, place: tuple[int, int], message: str, hint: str | None
) -> None:
    with pytest.raises(DialectError) as caught:
        read(text, profile=profile)

    error = caught.value
    assert (error.line, error.column) == place
    assert (error.message, error.hint) == (message, hint)
    assert error.source == text.split("\n")[place[0] - 1]


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff"])
def test_an_empty_text_is_an_error(text: str) -> None:
    with pytest.raises(DialectError, match="the text is empty"):
        read(text)
