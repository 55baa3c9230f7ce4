"""JSON and JSON Lines from blocks of text, for documents too large to hold as text and value.

Only the text of one member of a large container is held at a time. A text that has any fault is
read again as a whole, so its error is the one that :func:`parse_json` raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from toon.codec.numbers import NumberRangeError
from toon.errors import JsonDecodeError
from toon.text import Notice, Notices, Parsed, Source, compiled_later
from toon.values.json_text import (
    MARK_IGNORED,
    Constant,
    Reader,
    parse_json,
    refuse_lone_surrogates,
    remarks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_BLANK: Final = compiled_later(r"[ \t\n\r]*+")
_COMMA: Final = compiled_later(r"[ \t\n\r]*+,[ \t\n\r]*+")
_LINE_END: Final = compiled_later(r"[ \t\r]*+\n[ \t\n\r]*+")
_AFTER_VALUE: Final = frozenset(" \t\n\r,:]}")


class _Unsure(Exception):
    """A JSON text that must be read as a whole."""


def parse_blocks(blocks: Callable[[], Iterator[str]]) -> Parsed:
    """Read a JSON text, or JSON Lines as the array of their values.

    JSON Lines are two or more lines with one JSON value each; lines without any do not count.

    Args:
        blocks: Returns the text in blocks, at each call from its start.

    Raises:
        JsonDecodeError: As for :func:`parse_json`; of JSON Lines in the line that is wrong.
    """
    try:
        return _Blocks(blocks()).read()
    except (_Unsure, Constant, NumberRangeError, JsonDecodeError, RecursionError):
        pass  # the text must be gone before it is read again
    text = "".join(blocks())
    try:
        return parse_json(text)
    except JsonDecodeError:
        parsed = _parse_lines(text)
        if parsed is None:
            raise
        return parsed


def _parse_lines(text: str) -> Parsed | None:
    """Read JSON Lines as an array; return None if there are no two lines that are JSON.

    Raises:
        JsonDecodeError: Of the first wrong line, with its place in the whole text.
    """
    values: list[Any] = []
    notices = Notices()
    for before, line in enumerate(text.removeprefix("\ufeff").split("\n")):
        if not line.strip(" \t\r"):
            continue
        try:
            parsed = parse_json(line)
        except JsonDecodeError as error:
            if len(values) < 2:
                return None
            error.line = before + (error.line or 1)
            raise
        values.append(parsed.value)
        for notice in parsed.notices:
            notices.add(notice.message, before + (notice.line or 1), notice.column)
    marks = [MARK_IGNORED] * text.startswith("\ufeff")
    return Parsed(values, (*marks, _of_lines(values), *notices)) if len(values) > 1 else None


def _of_lines(values: list[Any]) -> Notice:
    return Notice(f"JSON Lines: read as an array of {len(values):,} values")


class _Blocks:
    """A reader of a JSON text that holds the rest of one block, or more where a value is longer."""

    def __init__(self, blocks: Iterator[str]) -> None:
        self.blocks = blocks
        self.text = ""
        self.at = 0
        self.at_end = False
        self.before = (0, 0)  # the line breaks in the text dropped, the characters after the last
        self.keys: dict[str, str] = {}  # the decoder shares those of one call only
        self.reader = Reader("", self.pairs)
        self.value: Any = None  # read last
        self.notices = Notices()

    def pairs(self, items: list[tuple[str, Any]]) -> dict[str, Any]:
        shared = self.keys.setdefault
        return {shared(key, key): value for key, value in items}

    def read(self) -> Parsed:
        self.more()
        marked = self.text.startswith("\ufeff")
        self.text = self.text.removeprefix("\ufeff")
        self.peek()
        first, _ = self.place(self.at)
        value = self.read_large()
        is_line = self.place(self.at)[0] == first
        if is_line and self.goes_on(_LINE_END) and self.at < len(self.text):
            value = [value, *self.members(_LINE_END)]
            self.notices.insert(0, _of_lines(value))
        if self.peek():
            raise _Unsure
        if self.reader.may_have_halves:
            refuse_lone_surrogates(self.text)
        return Parsed(value, (*[MARK_IGNORED] * marked, *self.notices))

    # -- values ----------------------------------------------------------------------------

    def read_large(self) -> Any:
        """Read the next JSON value, member by member if it is longer than the text held."""
        head = self.peek()
        if head not in ("[", "{"):
            return self.read_value()
        if self.reads_value():
            return self.value
        self.at += 1
        if self.peek() == {"[": "]", "{": "}"}[head]:
            self.at += 1
            return [] if head == "[" else {}
        if head == "[":
            array = self.members(_COMMA)
            self.expect("]")
            return array
        result: dict[str, Any] = {}
        while True:
            key = self.read_value() if self.peek() == '"' else None
            if key is None or key in result:
                raise _Unsure
            self.expect(":")
            result[key] = self.read_large()
            if not self.goes_on(_COMMA):
                self.expect("}")
                return result

    def members(self, between: re.Pattern[str]) -> list[Any]:
        """Read JSON values as long as ``between``, a comma or a line end, follows them."""
        values: list[Any] = []
        while True:
            self.read_short(between, values)
            values.append(self.read_value())
            if between is _LINE_END and self.text.find("\n", self.start, self.at) >= 0:
                raise _Unsure
            if not self.goes_on(between) or self.peek() == "":
                return values

    def read_short(self, between: re.Pattern[str], values: list[Any]) -> None:
        """Add to ``values`` the next ones that the text held has whole, with what stands between.

        It stops before a value of which there is a notice.
        """
        reader, text, at = self.reader, self.text, self.at
        scan, match, end = reader.scan, between.match, len(text)
        by_line = between is _LINE_END
        try:
            while not reader.found_odd:
                self.at = at
                value, stop = scan(text, at)
                after = match(text, stop)
                if after is None or after.end() == end or reader.found_odd:
                    break
                if by_line and text.find("\n", at, stop) >= 0:
                    break
                values.append(value)
                at = after.end()
        except (StopIteration, json.JSONDecodeError):
            return

    def read_value(self) -> Any:
        while not self.reads_value():
            if self.at_end:
                raise _Unsure
            self.more()
        return self.value

    def reads_value(self) -> bool:
        """Read the next JSON value; return False if the text held has not all of it."""
        text, start = self.text, self.at
        try:
            self.value, end = self.reader.scan(text, start)
        except (StopIteration, json.JSONDecodeError):
            return False
        if end < len(text) and text[end] not in _AFTER_VALUE:
            return False  # a number that goes on behind the text held, or is wrong
        if end == len(text) and not self.at_end:
            return False
        if self.reader.found_odd:
            self.reader.found_odd = False
            for message, offset in remarks(text[start:end]):
                if not self.notices.full:
                    self.notices.add(message, *self.place(start + offset))
        self.start, self.at = start, end
        return True

    # -- text ------------------------------------------------------------------------------

    def peek(self) -> str:
        """Move to the next character of the JSON text that is not blank; return it or ""."""
        while True:
            blank = _BLANK.match(self.text, self.at)
            self.at = blank.end() if blank else self.at
            if self.at < len(self.text) or not self.more():
                return self.text[self.at : self.at + 1]

    def expect(self, mark: str) -> None:
        if self.peek() != mark:
            raise _Unsure
        self.at += 1

    def goes_on(self, between: re.Pattern[str]) -> bool:
        """Move behind a comma or line end, with its blanks; return False if none stands here."""
        while True:
            match = between.match(self.text, self.at)
            if match is not None and match.end() < len(self.text):
                break
            blank = _BLANK.match(self.text, match.end() if match else self.at)
            if (blank and blank.end() < len(self.text)) or not self.more():
                break
        self.at = match.end() if match else self.at
        return match is not None

    def more(self) -> bool:
        """Drop the text that was read, and hold at least twice the rest; return False at the end.

        Raises:
            JsonDecodeError: The dropped text has half of a surrogate pair.
        """
        wanted = max(1, len(self.text) - self.at)
        new: list[str] = []
        for block in self.blocks:
            new.append(block)
            wanted -= len(block)
            if wanted <= 0:
                break
        if not new:
            self.at_end = True
            return False
        if self.reader.may_have_halves:
            refuse_lone_surrogates(self.text[: self.at])
        line, column = self.place(self.at)
        self.before = line - 1, column - 1
        self.text, self.at = "".join([self.text[self.at :], *new]), 0
        self.reader = Reader(self.text, self.pairs)
        return True

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column in the whole JSON text of a character of the text held."""
        line, column = Source(self.text).place(offset)
        return line + self.before[0], column + (self.before[1] if line == 1 else 0)
