"""Uploaded template files as text."""

from __future__ import annotations

import pytest

from toon.compact.templates import MAX_LENGTH, TemplateError, decoded, parse


def test_a_byte_order_mark_and_line_ends_are_no_trouble() -> None:
    text = '# ünï\r\nid: ["a b"]\nline: {a} 🙂\n'

    assert parse(decoded("\ufeff".encode() + text.encode())) == parse(text)


def test_the_longest_template_can_be_read() -> None:
    text = "line: {a}".ljust(MAX_LENGTH, "🙂")

    assert decoded("\ufeff".encode() + text.encode()) == text
    assert parse(text)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"line: {a}\n\xe4 b", "line 2, column 1: byte 0xE4 is not UTF-8"),
        (b"\xef\xbb\xbfid: \xf0\x9f\x99\x82 \xff", "line 1, column 7: byte 0xFF is not UTF-8"),
        (b"ab\xf0\x9f", "line 1, column 3: byte 0xF0 is not UTF-8"),
        (b" " * (4 * MAX_LENGTH + 1),
         "line 1, column 1: file is longer than a template of 20,000 characters can be"),
    ],
)  # fmt: skip
def test_bytes_that_are_not_text(data: bytes, error: str) -> None:
    with pytest.raises(TemplateError) as caught:
        decoded(data)

    assert str(caught.value) == error


def test_an_unfinished_template_can_be_read() -> None:
    assert decoded(b"\xef\xbb\xbfhalf a {") == "half a {"
