"""Reads VibeMCP's output, in either profile. It checks counts, so a text cut off is noticed.

A lossy text is read by the rules of its writer: an empty cell is an empty array, and a word
without quotes may be a number or a literal. What the writer lost stays lost.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from toon.codec.numbers import exact_number
from toon.codec.problems import Count, phrase
from toon.codec.text import TokenError, primitive, split_outside_quotes, unquote
from toon.dialects.vibemcp.grammar import (
    DETAIL_LABEL,
    LIST_LABEL,
    LOSSLESS,
    LOSSY,
    Profile,
    classify,
    raw_value,
    split_cells,
)
from toon.errors import DialectError, JsonDecodeError
from toon.text import QUOTED, Notices, Parsed, Source
from toon.values.json_text import parse_json

_KEYS: Final = {
    LOSSY: re.compile(r"  (?P<key>.*?): (?P<value>.+)\Z", re.DOTALL),
    LOSSLESS: re.compile(rf'  (?P<key>{QUOTED}|[^"].*?): (?P<value>.+)\Z', re.DOTALL),
}
# The part of a damaged header that is right, to say where it breaks off.
_HEAD: Final = re.compile(rf'(?:{QUOTED}|[^\s\[\]{{}}:"]*+)(?:\[[0-9]*+)?(?:(?<=[0-9])\])?')
_DIGITS: Final = 18  # of a count; more are not worked out, as no text has as many rows
_CUT_OFF: Final = "the text may be cut off"


def decode(text: str, *, strict: bool = True, profile: Profile = LOSSY) -> Any:
    """Reads VibeMCP's output: the value of :func:`read`, without its notices."""
    return read(text, strict=strict, profile=profile).value


def read(text: str, *, strict: bool = True, profile: Profile = LOSSY) -> Parsed:
    """Reads VibeMCP's output and reports what is odd about the text.

    Lists and objects come back as ``{label: data}``. In the lossless profile, the data comes back
    alone if its label is ``items`` or ``item`` without quotes, which mean that there is no name.

    Args:
        text: the output of one tool.
        strict: whether a wrong count of rows is an error; otherwise it is a notice. A row with
            more or fewer cells than there are columns is always an error.
        profile: ``LOSSY``, as deployed, or ``LOSSLESS``.

    Raises:
        DialectError: the text is not VibeMCP's output; with line, column, source line and often a
            hint.
    """
    reader = _Reader(text.removeprefix("\ufeff"), strict, profile)
    if text.startswith("\ufeff"):
        reader.notices.add("byte-order mark at the start: ignored", 1, 1)
    value = reader.document()
    return Parsed(value, tuple(reader.notices))


class _Reader:
    """Reads one text; lines are numbered from 1, offsets within a line from 0."""

    def __init__(self, text: str, strict: bool, profile: Profile) -> None:
        self.source = Source(text)
        self.lines = [line.removesuffix("\r") for line in text.split("\n")]
        self.profile = profile
        self.lossless = profile == LOSSLESS
        self.strict = strict
        self.notices = Notices()

    def fail(self, message: str, line: int, offset: int, hint: str | None = None) -> NoReturn:
        raise self.source.error_on(DialectError, message, line, offset + 1, hint)

    def document(self) -> Any:
        head = self.lines[0]
        if not any(line.strip() for line in self.lines):
            raise DialectError("no VibeMCP output here: the text is empty")
        form, parts = classify(head, self.profile)
        if parts is None:
            if form == "damaged" or any(self.lines[1:]):
                self.bad_head(head, form == "damaged")
            return self.cell(head, 1, 0) if self.lossless else raw_value(head)
        data = self.rows(parts) if form == "list" else self.detail()
        label = parts["label"]
        unnamed = label == (LIST_LABEL if form == "list" else DETAIL_LABEL)
        if self.lossless and unnamed:
            return data
        return {self.name(label, 0): data}

    def bad_head(self, head: str, damaged: bool) -> NoReturn:
        offset, hint = 0, None
        colon = re.match(r"[^\s\"]*[\]}]:", head)
        if head.startswith(("{", "[", "]", "}")):
            hint = "this looks like JSON"
        elif colon:
            offset = colon.end() - 1
            hint = "a colon after the header: this looks like TOON, which is another format"
        elif damaged:
            right = _HEAD.match(head)
            offset = right.end() if right else 0
            hint = _CUT_OFF if "{" in head[offset:] and "}" not in head else None
        elif re.match(r"[^\s:]+: ", head):
            hint = "this looks like TOON or YAML"
        message = "expected name[N]{columns}, name[N] or name: on the first line"
        self.fail(message, 1, offset, hint)

    # -- lists -----------------------------------------------------------------------------

    def rows(self, parts: re.Match[str]) -> list[Any]:
        """The items of a list, from the parts of its header."""
        columns = self.columns(parts)
        digits = parts["count"]
        declared = None
        if digits is not None:
            declared = int(digits) if len(digits) < _DIGITS else 10**_DIGITS
        if declared is None and self.lossless:
            self.fail("the header has no count", 1, parts.end("label"), "write name[N]{columns}")
        body = self.body(columns, declared)
        cut = None
        if declared is not None and declared != len(body):
            cut = f"declared {Count(declared):{'value' if columns is None else 'row'}}"
            cut = f"{cut}, found {len(body):,}"
        if columns is None:
            items = [self.item(line, number) for number, line in enumerate(body, 2)]
        else:
            items = [self.row(line, number, columns, cut) for number, line in enumerate(body, 2)]
        if declared is not None and cut is not None:
            offset = parts.start("count")
            if self.strict:
                self.fail(cut, 1, offset, _CUT_OFF if declared > len(body) else None)
            self.notices.add(cut, 1, offset + 1)
        return items

    def body(self, columns: list[str] | None, declared: int | None) -> list[str]:
        """The lines below the header, without an empty one after a line break at the end."""
        body = self.lines[1:]
        if body and not body[-1]:
            if columns is None:
                never_empty = self.lossless
            else:
                never_empty = len(columns) > 1 or (declared is None and not columns)
            if never_empty or len(body) - 1 == declared:
                body.pop()
        return body

    def columns(self, parts: re.Match[str]) -> list[str] | None:
        """The names of the columns; None for a list of values."""
        text = parts["columns"]
        if not text:
            return None if text is None else []
        names: dict[str, None] = {}
        offset = parts.start("columns")
        for token in split_outside_quotes(text, ",") if self.lossless else text.split(","):
            if not token:
                self.fail("a column has no name", 1, offset, None)
            name = self.name(token, offset)
            if name in names:
                self.fail(f"column {token} appears twice", 1, offset)
            names[name] = None
            offset += len(token) + 1
        return list(names)

    def name(self, token: str, offset: int, line: int = 1) -> str:
        if not self.lossless or not token.startswith('"'):
            return token
        return self.unquoted(token, line, offset)

    def item(self, line: str, number: int) -> Any:
        if not self.lossless:
            return raw_value(line) if line else line
        if not line:
            self.fail("an empty line where a value should be", number, 0)
        return self.cell(line, number, 0)

    def row(self, line: str, number: int, columns: list[str], cut: str | None) -> dict[str, Any]:
        tokens = split_cells(line) if columns or line else []
        if len(tokens) != len(columns):
            self.bad_width(line, number, tokens, len(columns), cut)
        row = {}
        offset = 0
        for name, token in zip(columns, tokens, strict=True):
            if token or not self.lossless:
                row[name] = self.cell(token, number, offset)
            offset += len(token) + 1
        return row

    def bad_width(
        self, line: str, number: int, tokens: list[str], width: int, cut: str | None
    ) -> NoReturn:
        message = f"row has {Count(len(tokens)):cell}, the header {Count(width):column}"
        if len(tokens) < width:
            hint = _CUT_OFF if cut is None else f"{_CUT_OFF}: {cut}"
            self.fail(message, number, len(line), hint)
        offset = sum(len(token) + 1 for token in tokens[:width])
        self.fail(message, number, offset, "a cell that holds the delimiter must be quoted")

    # -- details ---------------------------------------------------------------------------

    def detail(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        last = len(self.lines) - (not self.lines[-1])  # a line break at the end of the text
        for number, line in enumerate(self.lines[1:last], 2):
            match = _KEYS[self.profile].match(line)
            if match is None:
                blanks = len(line) - len(line.lstrip(" "))
                hint = "a value of several lines must be quoted" if blanks < 2 else None
                self.fail("expected two spaces and key: value", number, min(blanks, 2), hint)
            key = self.name(match["key"], 2, number)
            if key in fields:
                self.fail(f"key {match['key']} appears twice", number, 2)
            fields[key] = self.field(match["value"], number, match.start("value"))
        return fields

    def field(self, token: str, line: int, offset: int) -> Any:
        if not self.lossless and token[0] in "{[":
            try:
                return self.json(token, line, offset)
            except DialectError:  # a text that starts with a bracket
                return token
        return self.cell(token, line, offset)

    # -- tokens ----------------------------------------------------------------------------

    def cell(self, token: str, line: int, offset: int) -> Any:
        head = token[:1]
        if head == '"':
            return self.unquoted(token, line, offset)
        if not self.lossless:
            return raw_value(token) if token else []
        if head in ("{", "["):
            return self.json(token, line, offset)
        try:
            return primitive(token, exact_number)
        except TokenError as error:
            self.bad_token(error, line, offset)

    def unquoted(self, token: str, line: int, offset: int) -> str:
        try:
            return unquote(token)
        except TokenError as error:
            self.bad_token(error, line, offset)

    def bad_token(self, error: TokenError, line: int, offset: int) -> NoReturn:
        message, hint = phrase(error.problem, error.facts)
        self.fail(message, line, offset + error.offset, hint)

    def json(self, token: str, line: int, offset: int) -> Any:
        try:
            parsed = parse_json(token)
        except JsonDecodeError as error:
            column = (error.column or 1) - 1
            self.fail(f"inline JSON: {error.message}", line, offset + column, error.hint)
        for notice in parsed.notices:
            place = None if notice.column is None else notice.column + offset
            self.notices.add(notice.message, line, place)
        return parsed.value
