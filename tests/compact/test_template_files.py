"""Templates in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from toon.compact.templates import MAX_LENGTH, TemplateError, decoded, load, parse, save

TEXT = '# ünï\r\nid: ["a b"]\nline: {a} 🙂\n'


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    save(TEXT, tmp_path / "t.txt")

    assert (tmp_path / "t.txt").read_bytes() == TEXT.encode()
    assert load(tmp_path / "t.txt") == load(str(tmp_path / "t.txt")) == parse(TEXT)


def test_the_longest_template_can_be_loaded(tmp_path: Path) -> None:
    text = "line: {a}".ljust(MAX_LENGTH, "🙂")
    (tmp_path / "t.txt").write_bytes("\ufeff".encode() + text.encode())

    assert load(tmp_path / "t.txt").text == text


def test_no_template_is_not_saved(tmp_path: Path) -> None:
    save(TEXT, tmp_path / "t.txt")

    with pytest.raises(TemplateError, match="line 1, column 1: expected a setting"):
        save("{a}", tmp_path / "t.txt")
    assert load(tmp_path / "t.txt").text == TEXT


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"gone\.txt"):
        load(tmp_path / "gone.txt")


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
def test_bytes_that_are_no_text(data: bytes, error: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(data)

    with pytest.raises(TemplateError) as caught:
        decoded(data)
    assert str(caught.value) == error
    with pytest.raises(TemplateError, match="line"):
        load(tmp_path / "t.txt")


def test_text_that_is_no_template_yet_can_be_read() -> None:
    assert decoded(b"\xef\xbb\xbfhalf a {") == "half a {"
