"""The library's text to values, by its counts: [N] says how many lines belong to an array.

The lines below a header are taken as its rows or items whatever they look like, deeper than the
header or beside it. So rows that start with a timestamp are rows, though their first colon stands
before their first comma, and the bodies that the library forgets to indent find their place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from toon.codec.numbers import exact_number
from toon.codec.problems import phrase
from toon.codec.text import TokenError, primitive, split_outside_quotes, unquote
from toon.dialects.cortex.encoder import MAX_DEPTH
from toon.errors import DialectError
from toon.text import QUOTED_OR_OPEN, Notices, Parsed, surrogate_in

_COUNT: Final = r"\[([0-9]{1,18})\]"
_FIELD: Final = re.compile(
    rf"({QUOTED_OR_OPEN}|[A-Za-z_][A-Za-z0-9_.]*+)(?:{_COUNT}(?:\{{(.*)\}}(?=:\Z))?)?"
    r":(?:\Z| (.*)\Z)",
    re.DOTALL,
)
# The same groups for a header without a key, which has no columns.
_ROOT: Final = re.compile(rf"(){_COUNT}((?!))?:(?:\Z| (.*)\Z)", re.DOTALL)
_CUT: Final = "the text may be cut off"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: its number, indentation and the rest."""

    number: int
    width: int
    content: str


def decode(text: str) -> Any:
    """The value that ``text`` stands for: :func:`read` without the notices."""
    return read(text).value


def read(text: str) -> Parsed:
    """The value that the library's ``text`` stands for, and what there is to say about it.

    The empty text is the empty object; blank lines mean nothing. Rows with fewer cells than
    columns are filled with null, and of a key that comes twice the last counts: both as the
    library does it, and both are named as notices.

    Raises:
        DialectError: with line, column, source line and, where one is likely, a hint.
    """
    reader = _Reader(text)
    return Parsed(reader.document(), tuple(reader.notices))


class _Reader:
    def __init__(self, text: str) -> None:
        if ":" in text:  # without one it is a lone string, which may well start so
            text = text.removeprefix("\ufeff")
        self.raw = [line.removesuffix("\r") for line in text.split("\n")]
        self.lines: list[_Line] = []
        self.notices = Notices()
        self.at = 0
        for number, line in enumerate(self.raw, 1):
            content = line.lstrip(" ")
            surrogate = surrogate_in(line)
            if surrogate is not None:
                place = _Line(number, 0, line)
                self.fail("lone surrogate: UTF-8 cannot carry it", place, surrogate)
            if content.strip(" \t"):
                self.lines.append(_Line(number, len(line) - len(content), content))
            if content.startswith("\t") and content.strip():
                self.fail("tab in the indentation", self.lines[-1], 0)

    def document(self) -> Any:
        if not self.lines:
            return {}
        first = self.lines[0]
        if first.width:
            self.fail("the first line is indented", first)
        root = _ROOT.match(first.content)
        value: Any
        if root:
            self.at = 1
            value = self.array(root, first, 0, 1)
        elif len(self.lines) == 1 and not _FIELD.match(first.content):
            self.at = 1
            value = self.scalar(first.content, first, 0)
        else:
            value = self.fields({}, 0, 1)
        if self.at < len(self.lines):
            hint = "does the [N] above it say too few, or is it indented too deep?"
            self.fail("line belongs to nothing above it", self.lines[self.at], hint=hint)
        return value

    # -- objects ---------------------------------------------------------------------------

    def fields(self, value: dict[str, Any], column: int, depth: int) -> dict[str, Any]:
        """Reads the lines at ``column`` into ``value``."""
        self.check_depth(depth)
        while self.at < len(self.lines) and self.lines[self.at].width == column:
            line = self.lines[self.at]
            match = _FIELD.match(line.content)
            if match is None:
                self.fail("expected key: value or a header", line)
            self.at += 1
            self.field(value, match, line, column, depth, 0)
        return value

    def field(
        self,
        value: dict[str, Any],
        match: re.Match[str],
        line: _Line,
        column: int,
        depth: int,
        offset: int,
    ) -> None:
        """Reads one field; its key stands ``offset`` into the line, and counts as at ``column``."""
        key = match[1]
        if key[0] == '"':
            key = self.unquoted(key, line, offset)
        if key in value:
            message = f"key {match[1]} appears again in one object: the last value counts"
            self.note(message, line, offset)
        if match[2] is not None:
            value[key] = self.array(match, line, column, depth + 1, offset)
        elif match[4] is not None:
            value[key] = self.scalar(match[4], line, offset + match.start(4))
        elif self.at < len(self.lines) and self.lines[self.at].width > column:
            value[key] = self.fields({}, self.lines[self.at].width, depth + 1)
        else:
            value[key] = {}

    # -- arrays ----------------------------------------------------------------------------

    def array(
        self, match: re.Match[str], line: _Line, column: int, depth: int, offset: int = 0
    ) -> list[Any]:
        """The array whose header was read: as many values, rows or items as that declares."""
        self.check_depth(depth)
        count, columns, values = int(match[2]), match[3], match[4]
        if columns is not None:
            return self.rows(columns.split(","), count, line, column, offset + match.start(2))
        if count and not values:
            return self.items(count, line, column, depth, offset + match.start(2))
        texts = split_outside_quotes(values, ",") if values else []
        if len(texts) != count:
            self.miscount("value", count, len(texts), line, offset + match.start(2))
        start, found = offset + match.start(4), []
        for text in texts:
            found.append(self.scalar(text, line, start))
            start += len(text) + 1
        return found

    def rows(
        self, names: list[str], count: int, line: _Line, column: int, offset: int
    ) -> list[dict[str, Any]]:
        body = self.lines[self.at : self.at + count]
        found: list[dict[str, Any]] = []
        for row in body:
            if row.width < column:
                break
            found.append(self.row(names, row))
        if len(found) != count:
            self.miscount("row", count, len(found), line, offset)
        self.at += count
        return found

    def row(self, names: list[str], line: _Line) -> dict[str, Any]:
        texts = split_outside_quotes(line.content, ",")
        start, values = 0, []
        for text in texts:
            values.append(self.scalar(text, line, start))
            start += len(text) + 1
        if len(values) > len(names):
            self.fail(f"row has {len(values)} cells, the table {len(names)} columns", line)
        if len(values) < len(names):
            self.note("row has fewer cells than the table has columns: null for the others", line)
            values += [None] * (len(names) - len(values))
        return dict(zip(names, values, strict=True))

    def items(self, count: int, line: _Line, column: int, depth: int, offset: int) -> list[Any]:
        found: list[Any] = []
        body = None
        while len(found) < count and self.at < len(self.lines):
            item = self.lines[self.at]
            body = item.width if body is None else body
            if item.width < column or item.width != body or item.content[0] != "-":
                break
            if item.content[1:2] not in ("", " "):
                self.fail("no space after the hyphen", item, 1)
            self.at += 1
            found.append(self.item(item, depth))
        if len(found) != count:
            self.miscount("item", count, len(found), line, offset)
        return found

    def item(self, line: _Line, depth: int) -> Any:
        content = line.content[2:]
        column = line.width + 2
        if not content:
            return {}
        nested = _ROOT.match(content)
        if nested:
            return self.array(nested, line, column, depth + 1, 2)
        match = _FIELD.match(content)
        if match is None:
            return self.scalar(content, line, 2)
        value: dict[str, Any] = {}
        self.field(value, match, line, column, depth + 1, 2)
        return self.fields(value, column, depth + 1)

    # -- scalars and errors ----------------------------------------------------------------

    def scalar(self, text: str, line: _Line, offset: int) -> Any:
        if not text:
            self.fail("no value here", line, offset, 'an empty text is written ""')
        try:
            return primitive(text, exact_number)
        except TokenError as error:
            self.fail_token(error, line, offset)

    def unquoted(self, token: str, line: _Line, offset: int) -> str:
        try:
            return unquote(token)
        except TokenError as error:
            self.fail_token(error, line, offset)

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            line = self.lines[min(self.at, len(self.lines) - 1)]
            self.fail(f"nested deeper than {MAX_DEPTH} levels", line)

    def note(self, message: str, line: _Line, offset: int = 0) -> None:
        """A notice; the hundredth says that there are more."""
        self.notices.add(message, line.number, line.width + offset + 1)

    def miscount(self, noun: str, count: int, found: int, line: _Line, offset: int) -> NoReturn:
        declared = f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
        hint = _CUT if found < count else None
        self.fail(f"header declares {declared}, found {found:,}", line, offset, hint)

    def fail_token(self, error: TokenError, line: _Line, offset: int) -> NoReturn:
        message, hint = phrase(error.problem, error.facts)
        self.fail(message, line, offset + error.offset, hint)

    def fail(self, message: str, line: _Line, offset: int = 0, hint: str | None = None) -> NoReturn:
        """Raises an error ``offset`` characters into the content of ``line``."""
        column = line.width + offset + 1
        source = self.raw[line.number - 1]
        raise DialectError(message, line=line.number, column=column, source=source, hint=hint)
