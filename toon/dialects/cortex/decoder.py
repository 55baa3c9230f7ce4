"""Reads the library's text by its counts: [N] says how many lines belong to an array.

The N lines below a header are its rows or items whatever they look like, whether deeper than the
header or at its level. So a row that starts with a timestamp is a row, although its first colon
comes before its first comma, and a body that the library did not indent is still found.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any, Final

from toon.dialects.cortex.grammar import MAX_DEPTH
from toon.dialects.scanner import CUT_OFF, Scanner, Token
from toon.text import QUOTED_OR_OPEN, Parsed
from toon.wording import plural

_COUNT: Final = r"\[([0-9]{1,18})\]"
_FIELD: Final = re.compile(
    rf"({QUOTED_OR_OPEN}|[A-Za-z_][A-Za-z0-9_.]*+)(?:{_COUNT}(?:\{{(.*)\}}(?=:\Z))?)?"
    r":(?:\Z| (.*)\Z)",
    re.DOTALL,
)
# The same groups for a header without a key, which has no columns.
_ROOT: Final = re.compile(rf"(){_COUNT}((?!))?:(?:\Z| (.*)\Z)", re.DOTALL)


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
        DialectError: The text is not the library's; with line, column, source line and often a
            hint.
    """
    if ":" in text:  # without a colon it is a single string, which may start with this mark
        text = text.removeprefix("\ufeff")
    return _Reader(text, strict).parsed()


class _Reader(Scanner):
    def document(self) -> Any:
        self.rows = list(self.indented_lines())
        self.next = 0
        if not self.rows:
            return {}
        first = self.rows[0]
        if first.indent:
            self.fail("the first line is indented", first.at)
        root = _ROOT.match(first.text)
        value: Any
        if root:
            self.next = 1
            value = self.array(root, first, 0, 1)
        elif len(self.rows) == 1 and not _FIELD.match(first.text):
            self.next = 1
            value = self.scalar(first.text, first.at)
        else:
            value = self.fields({}, 0, 1)
        if self.next < len(self.rows):
            hint = "is the [N] above it too small, or is the line indented too deep?"
            self.fail("line belongs to nothing above it", self.rows[self.next].at, hint)
        return value

    # -- objects ---------------------------------------------------------------------------------

    def fields(self, value: dict[str, Any], indent: int, depth: int) -> dict[str, Any]:
        """Reads the lines at ``indent`` into ``value``."""
        self.check_depth(depth)
        while self.next < len(self.rows) and self.rows[self.next].indent == indent:
            line = self.rows[self.next]
            match = _FIELD.match(line.text)
            if match is None:
                self.fail("expected key: value or a header", line.at)
            self.next += 1
            self.field(value, match, line, indent, depth)
        return value

    def field(
        self, value: dict[str, Any], match: re.Match[str], line: Token, indent: int, depth: int
    ) -> None:
        """Reads a field whose level is ``indent``; in a list item that is not the line's own."""
        key = match[1]
        if key[0] == '"':
            key = self.scalar(key, line.at)
        if key in value:
            what = f"key {match[1]} appears again in one object"
            self.tolerate(what, line.at, "the last value counts")
        if match[2] is not None:
            value[key] = self.array(match, line, indent, depth + 1)
        elif match[4] is not None:
            value[key] = self.scalar(match[4], line.at + match.start(4))
        elif self.next < len(self.rows) and self.rows[self.next].indent > indent:
            value[key] = self.fields({}, self.rows[self.next].indent, depth + 1)
        else:
            value[key] = {}

    # -- arrays ----------------------------------------------------------------------------------

    def array(self, match: re.Match[str], line: Token, indent: int, depth: int) -> list[Any]:
        """Reads an array below its header: as many values, rows or items as that declares."""
        self.check_depth(depth)
        count = int(match[2])
        if match[3] is not None:
            noun, values = "row", self.table(match[3].split(","), count, indent)
        elif count and not match[4]:
            noun, values = "item", self.items(count, indent, depth)
        else:
            noun = "value"
            values = self.scalars(line.group(match, 4), ",") if match[4] else []
        if len(values) != count:
            message = f"header declares {plural(count, noun)}, found {len(values):,}"
            at = line.at + match.start(2)
            self.fail(message, at, CUT_OFF if len(values) < count else None)
        return values

    def table(self, names: list[str], count: int, indent: int) -> list[Any]:
        body = self.rows[self.next : self.next + count]
        self.next += count
        return [
            self.row(names, line) for line in takewhile(lambda line: line.indent >= indent, body)
        ]

    def row(self, names: list[str], line: Token) -> dict[str, Any]:
        values = self.scalars(line, ",")
        if len(values) > len(names):
            columns = plural(len(names), "column")
            self.fail(f"row has {plural(len(values), 'cell')}, the table {columns}", line.at)
        if len(values) < len(names):
            what = "row has fewer cells than the table has columns"
            self.tolerate(what, line.at, "null for the others")
            values += [None] * (len(names) - len(values))
        return dict(zip(names, values, strict=True))

    def items(self, count: int, indent: int, depth: int) -> list[Any]:
        items: list[Any] = []
        body = None
        while len(items) < count and self.next < len(self.rows):
            line = self.rows[self.next]
            body = line.indent if body is None else body
            if line.indent < indent or line.indent != body or line.text[0] != "-":
                break
            if line.text[1:2] not in ("", " "):
                self.fail("no space after the hyphen", line.at + 1)
            self.next += 1
            items.append(self.item(Token(line.text[2:], line.at + 2), line.indent + 2, depth))
        return items

    def item(self, token: Token, indent: int, depth: int) -> Any:
        if not token.text:
            return {}
        nested = _ROOT.match(token.text)
        if nested:
            return self.array(nested, token, indent, depth + 1)
        match = _FIELD.match(token.text)
        if match is None:
            return self.scalar(token.text, token.at)
        value: dict[str, Any] = {}
        self.field(value, match, token, indent, depth + 1)
        return self.fields(value, indent, depth + 1)

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            line = self.rows[min(self.next, len(self.rows) - 1)]
            self.fail(f"nested deeper than {MAX_DEPTH} levels", line.at)
