"""VibeMCP's output as deployed: exact examples, losses, and what can be read back."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from tests.strategies import values
from toon.dialects.vibemcp import Unfit, encode
from toon.evidence.claims import CLAIMS
from toon.formats.base import NotApplicable
from toon.formats.vibemcp import VIBEMCP
from toon.values.equality import differences

MESSAGES = CLAIMS[2].value["messages"]
MESSAGES_TEXT = (
    "messages[2]{id,subject,from,date,snippet}\n"
    "abc123\tMeeting Tomorrow\tjohn@example.com\t2025-12-18\tLet's meet at 3pm\n"
    "def456\tQ4 Report\tjane@example.com\t2025-12-17\tPlease review the attached"
)
MESSAGE = {
    "id": "msg001",
    "subject": "Meeting Tomorrow",
    "date": "2025-12-18T10:30:00Z",
    "body": "Let's meet at 3pm in the conference room.",
    "attachments": [{"filename": "slides.pdf", "size": 245000}],
}
MESSAGE_TEXT = (
    "message:\n"
    "  id: msg001\n"
    "  subject: Meeting Tomorrow\n"
    "  date: 2025-12-18T10:30:00Z\n"
    "  body: Let's meet at 3pm in the conference room.\n"
    '  attachments: [{"filename":"slides.pdf","size":245000}]'
)
ROW = {
    "snippet": 'Line1\nLine2 "x" C:\\tmp',
    "labels": ["INBOX", "UNREAD"],
    "meta": {"k": "v"},
    "n": "42",
    "t": [],
    "tab": "a\tb",
}


# -- what is written -------------------------------------------------------------------------


CELLS: list[tuple[Any, str]] = [
    (None, "null"), (True, "true"), ("", '""'),
    (["INBOX", "UNREAD", "IMPORTANT"], "INBOX|UNREAD|IMPORTANT"),
    (["a", 1, 2.5], "a|1|2.5"), ([], ""), ([True], "[true]"), (["a", None], '"[\\"a\\",null]"'),
    ({}, "{}"),
    ({"dateTime": "2026-03-07T10:00:00Z", "timeZone": "UTC"}, "2026-03-07T10:00:00Z"),
    ({"date": "2026-03-07"}, "2026-03-07"),
    ({"date": "x", "isRecurring": True}, '"{\\"date\\":\\"x\\",\\"isRecurring\\":true}"'),
    ("a" * 500, "a" * 500), ("a" * 600, "a" * 500 + "..."), (" x", '" x"'), ("x ", '"x "'),
    ("a\rb", '"a\\rb"'), ("C:\\tmp", "C:\\tmp"), ("a,b|c", "a,b|c"), (1.0, "1"), (-0.0, "0"),
    (1e-7, "1e-7"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
    (2**53 + 1, "9007199254740993"),
    (Decimal("0.1234567890123456789"), "0.1234567890123456789"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "cell"), CELLS)
def test_a_cell(value: Any, cell: str) -> None:
    assert encode([{"a": value, "b": 1}]) == f"items[1]{{a,b}}\n{cell}\t1"


TEXTS: list[tuple[Any, str]] = [
    ({"messages": MESSAGES}, MESSAGES_TEXT),
    ({"message": MESSAGE}, MESSAGE_TEXT),
    ([ROW],
     "items[1]{snippet,labels,meta,n,t,tab}\n"
     '"Line1\\nLine2 \\"x\\" C:\\\\tmp"\tINBOX|UNREAD\t"{\\"k\\":\\"v\\"}"\t42\t\t"a\tb"'),
    ([], "items[0]{}"),
    ({"messages": []}, "messages[0]{}"),
    ([{"a": 1, "b": 2}, {"c": 3, "b": 4}], "items[2]{a,b}\n1\t2\nnull\t4"),
    ([{}, {}], "items[2]{}\n\n"),
    (["a", "b", "c"], "items[3]\na\nb\nc"),
    (["", " x", '"q"', None, 1], 'items[5]\n\n x\n"q"\nnull\n1'),
    ({"message": {"id": "msg1", "meta": {"key": "val"}, "body": None}},
     'message:\n  id: msg1\n  meta: {"key":"val"}\n  body: null'),
    ({"body": "a" * 600}, "item:\n  body: " + "a" * 500 + "..."),
    ({"a": ["x", "y"], "b": []}, 'item:\n  a: ["x","y"]\n  b: []'),
    ({"two words": [1]}, "item:\n  two words: [1]"),
    ({}, "item:"),
    ("No messages found.", "No messages found."),
    (42, "42"),
    (None, "null"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_what_it_writes_exactly(value: Any, text: str) -> None:
    assert encode(value) == text


# -- what cannot be written ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([{"a": 1}, 2], "$[1]: not an object, and the first item is one"),
        ({"x": [{"a": 1}, None]}, "$.x[1]: not an object, and the first item is one"),
        ([1, {}], "$[1]: an object, in a list whose first item is not an object"),
        ([[1]], "$[0]: an array, in a list whose first item is not an object"),
        (["a", "b\nc"], "$[1]: a text of several lines, but each line is an item"),
        ([{"a,b": 1}], "$: 'a,b' cannot be a column: it would break the header"),
        ([{"": 1}], "$: '' cannot be a column: it would break the header"),
        ({"a: b": 1, "c": 2}, "$['a: b']: the key would break its line, and keys have no quotes"),
        ("", "$: a blank text"),
        ("a\nb", "$: a text of several lines, but each line is an item"),
        ("note:", "$: a text that would be read as a header"),
        ("items[3]", "$: a text that would be read as a header"),
        ('{"a": 1}', "$: a text that would be read as a header"),
    ],
)
def test_what_it_cannot_carry_has_a_reason(value: Any, reason: str) -> None:
    with pytest.raises(Unfit) as caught:
        encode(value)

    assert str(caught.value) == reason
    with pytest.raises(NotApplicable):
        VIBEMCP.dumps(value)


def test_a_table_of_hardly_any_value_is_refused() -> None:
    """Writing it would take a second per kilobyte, and all of the memory."""
    wide = {f"k{number}": number for number in range(3_000)}

    with pytest.raises(Unfit, match="almost all cells of the table would be empty"):
        encode([wide] + [{}] * 3_000)
    assert encode([{"a": 1, "b": 2}] + [{}] * 3).endswith("null\tnull")


# -- what is lost ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "losses"),
    [
        (MESSAGES, []),
        ({"message": MESSAGE}, []),
        ([{"a": "x" * 501}, {"a": "y" * 501}], ["2 texts cut at 500 characters"]),
        ([{"a": {"dateTime": "x", "timeZone": "UTC"}}], ["1 object flattened to a date"]),
        ([{"a": {"b": 1}, "c": [{}], "d": [True]}], ["3 nested values as inline JSON"]),
        ([{"a": ["x"], "b": ["y", "z"], "c": []}], ["2 arrays joined with |"]),
        ([{"a": 1}, {"a": 2, "b": 3, "c": 4}],
         ["2 columns dropped: keys that the first item lacks"]),
        ([{"a": 1, "b": 2}, {"a": 2}], ["1 absent value written as null"]),
        ([{"a": "42", "b": "true", "c": "null", "d": "1e5", "e": "007", "f": "yes"}],
         ["4 texts that will be read as a number, true, false or null"]),
        (["1", "x"], ["1 text that will be read as a number, true, false or null"]),
        ({"a": "[1]", "b": "{x"}, ["1 text that will be read as JSON"]),
        ({"a": '{"quoted": 1}', "b": '["x"]'}, []),
        ({"items": [1]}, ["1 key lost: equal to the label of unnamed data"]),
        ({"item": {"a": 1}}, ["1 key lost: equal to the label of unnamed data"]),
        ([ROW], ["1 nested value as inline JSON", "1 array joined with |",
                 "1 text that will be read as a number, true, false or null"]),
    ],
)  # fmt: skip
def test_losses(value: Any, losses: list[str]) -> None:
    assert VIBEMCP.losses(value) == losses


def write(value: Any) -> str | None:
    try:
        return VIBEMCP.dumps(value)
    except NotApplicable:
        return None


@given(values)
def test_a_value_without_losses_comes_back(value: Any) -> None:
    text = write(value)
    if text is not None:
        returned = VIBEMCP.loads(text)  # never an exception

        assert VIBEMCP.losses(value) or differences(value, returned).same
