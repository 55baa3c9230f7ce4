"""Parts of a line: blanks, previews, sizes."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.compact.inline import as_text, one_line, preview, size


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a  b", "a b"), (" a\r\n\tb ", "a b"), ("a\x00\x1b[31mb\x7f", "a [31mb"),
        ("a\u2028b\u2029c\u00a0d\x85e", "a b c d e"), ("👩‍👩‍👧 ‏עברית", "👩‍👩‍👧 ‏עברית"), ("\n", ""),
    ],
)  # fmt: skip
def test_blanks_become_one_space(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb", "a b"), (5, "5"), (-0.5, "-0.5"), (Decimal("0.10"), "0.10"),
        ({"name": " Ek AB "}, "Ek AB"), ({"name": {"name": "x"}}, ""), ({}, ""),
        (None, ""), (True, ""), (["a"], ""), (float("nan"), ""), (Decimal("Infinity"), ""),
    ],
)  # fmt: skip
def test_a_value_as_text(value: Any, text: str) -> None:
    assert as_text(value) == text


def test_a_number_of_any_length_has_a_text() -> None:
    assert as_text(10**5000) == "1" + "0" * 5000


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("one two", 7, "one two"), ("one two three", 9, "one two..."),
        ("one two three", 7, "one two..."), ("one two, three", 8, "one two..."),
        ("one two! -- three", 11, "one two..."), ("abcdefgh", 3, "abc..."),
        ("--------", 3, "---..."), ("one\n\ntwo", 7, "one two"),
        ("Great day at the office, finished it.", 24, "Great day at the office..."),
    ],
)  # fmt: skip
def test_a_preview_ends_with_a_word(text: str, length: int, shown: str) -> None:
    assert preview(text, length) == shown


@given(st.text(), st.integers(1, 20))
def test_a_preview_is_the_start_of_its_text(text: str, length: int) -> None:
    shown = preview(text, length)

    assert len(shown) <= length + 3
    assert shown == one_line(text) or one_line(text).startswith(shown.removesuffix("..."))


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0B"), (812, "812B"), (1023, "1023B"), (1024, "1KB"), (1536, "1.5KB"), (10240, "10KB"),
        (1_048_575, "1MB"), (1_048_576, "1MB"), (2_411_724, "2.3MB"), (2**30, "1GB"),
        (1_234_567_890_123, "1.1TB"), (2**60, "1048576TB"), (1536.0, "1.5KB"),
        (Decimal(1024), "1KB"), (Decimal("1E+999999999"), ""), (2**80, ""),
        (-1, ""), (None, ""), ("12", ""), (True, ""), (float("inf"), ""),
    ],
)  # fmt: skip
def test_a_size(count: Any, shown: str) -> None:
    assert size(count) == shown
