"""Reads the library's text by its counts: [N] says how many lines belong to an array.

The N lines below a header are its rows or items whatever they look like, whether deeper than the
header or at its level. So a row that starts with a timestamp is a row, although its first colon
comes before its first comma, and a body that the library did not indent is still found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, NoReturn

from toon.codec.numbers import exact_number
from toon.codec.problems import phrase
from toon.codec.text import TokenError, primitive, split_outside_quotes, unquote
from toon.dialects.cortex.encoder import MAX_DEPTH
from toon.errors import DialectError
from toon.text import QUOTED_OR_OPEN, Notices, Parsed, Source, surrogate_in
from toon.wording import plural

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
    """A line: its number from 1, the width of its indentation, and the rest."""

    number: int
    width: int
    content: str


def decode(text: str, *, strict: bool = True) -> Any:
    """Reads the library's text: the value of :func:`read`, without its notices."""
    return read(text, strict=strict).value


def read(text: str, *, strict: bool = True) -> Parsed:
    """Reads the library's text and reports what is odd about it.

    An empty text is an empty object. Blank lines are skipped.

    Args:
        text: what :func:`toon.dialects.cortex.encode` writes.
        strict: whether a row with fewer cells than columns, and a key that comes twice, is an
            error. Otherwise it is read as the library does, with a notice: missing cells are null,
            and the last value of a key counts.

    Raises:
        DialectError: the text is not the library's; with line, column, source line and often a
            hint.
    """
    reader = _Reader(text, strict)
    return Parsed(reader.document(), tuple(reader.notices))


class _Reader:
    def __init__(self, text: str, strict: bool) -> None:
        if ":" in text:  # without a colon it is a single string, which may start with this mark
            text = text.removeprefix("\ufeff")
        self.source = Source(text)
        self.strict = strict
        self.lines: list[_Line] = []
        self.notices = Notices()
        self.at = 0
        surrogate = surrogate_in(text)
        if surrogate is not None:
            message = "lone surrogate: UTF-8 cannot carry it"
            raise self.source.error(DialectError, message, surrogate)
        for number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r")
            content = line.lstrip(" ")
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
            hint = "is the [N] above it too small, or is the line indented too deep?"
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
        """Reads one field. Its key is ``offset`` characters into the line; its level ``column``."""
        key = match[1]
        if key[0] == '"':
            key = self.unquoted(key, line, offset)
        if key in value:
            what = f"key {match[1]} appears again in one object"
            self.tolerate(what, "the last value counts", line, offset)
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
        """Reads an array below its header: as many values, rows or items as that declares."""
        self.check_depth(depth)
        count, columns, values = int(match[2]), match[3], match[4]
        if columns is not None:
            return self.rows(columns.split(","), count, line, column, offset + match.start(2))
        if count and not values:
            return self.items(count, line, column, depth, offset + match.start(2))
        texts = split_outside_quotes(values, ",") if values else []
        if len(texts) != count:
            self.miscount("value", count, len(texts), line, offset + match.start(2))
        return self.scalars(texts, line, offset + match.start(4))

    def rows(
        self, names: list[str], count: int, line: _Line, column: int, offset: int
    ) -> list[dict[str, Any]]:
        body = self.lines[self.at : self.at + count]
        rows = [self.row(names, row) for row in takewhile(lambda row: row.width >= column, body)]
        if len(rows) != count:
            self.miscount("row", count, len(rows), line, offset)
        self.at += count
        return rows

    def row(self, names: list[str], line: _Line) -> dict[str, Any]:
        values = self.scalars(split_outside_quotes(line.content, ","), line, 0)
        if len(values) > len(names):
            columns = plural(len(names), "column")
            self.fail(f"row has {plural(len(values), 'cell')}, the table {columns}", line)
        if len(values) < len(names):
            what = "row has fewer cells than the table has columns"
            self.tolerate(what, "null for the others", line)
            values += [None] * (len(names) - len(values))
        return dict(zip(names, values, strict=True))

    def items(self, count: int, line: _Line, column: int, depth: int, offset: int) -> list[Any]:
        items: list[Any] = []
        body = None
        while len(items) < count and self.at < len(self.lines):
            item = self.lines[self.at]
            body = item.width if body is None else body
            if item.width < column or item.width != body or item.content[0] != "-":
                break
            if item.content[1:2] not in ("", " "):
                self.fail("no space after the hyphen", item, 1)
            self.at += 1
            items.append(self.item(item, depth))
        if len(items) != count:
            self.miscount("item", count, len(items), line, offset)
        return items

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

    def scalars(self, texts: list[str], line: _Line, offset: int) -> list[Any]:
        """The values of texts with commas between, of which the first is at ``offset``."""
        values = []
        for text in texts:
            values.append(self.scalar(text, line, offset))
            offset += len(text) + 1
        return values

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

    def tolerate(self, message: str, remedy: str, line: _Line, offset: int = 0) -> None:
        """Fails if strict; otherwise adds the message as a notice, with how it was read."""
        if self.strict:
            self.fail(message, line, offset)
        self.notices.add(f"{message}: {remedy}", line.number, line.width + offset + 1)

    def miscount(self, noun: str, count: int, found: int, line: _Line, offset: int) -> NoReturn:
        hint = _CUT if found < count else None
        self.fail(f"header declares {plural(count, noun)}, found {found:,}", line, offset, hint)

    def fail_token(self, error: TokenError, line: _Line, offset: int) -> NoReturn:
        message, hint = phrase(error.problem, error.facts)
        self.fail(message, line, offset + error.offset, hint)

    def fail(self, message: str, line: _Line, offset: int = 0, hint: str | None = None) -> NoReturn:
        """Raises an error ``offset`` characters into the content of ``line``."""
        column = line.width + offset + 1
        raise self.source.error_on(DialectError, message, line.number, column, hint)
