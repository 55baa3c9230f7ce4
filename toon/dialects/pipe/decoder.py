"""Reads pipe tables, line by line.

Open containers are kept on a list, not on Python's call stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from toon.codec.text import MAX_DEPTH
from toon.dialects.pipe.lines import END, Lines
from toon.dialects.pipe.tokens import (
    Token,
    has_value,
    is_quoted,
    read_flow,
    read_header,
    read_key,
    read_row,
    read_scalar,
    read_trimmed,
)
from toon.text import Parsed
from toon.wording import quoted

_LITERAL: Final = re.compile(r"(?:true|false|null|-?[0-9].*)\Z", re.DOTALL)
_INDENT_HINT: Final = "indent it one level, or read the text leniently if its indents are lost"


def decode(text: str, *, strict: bool = True) -> Any:
    """Reads pipe tables: the value of :func:`read`, without its notices."""
    return read(text, strict=strict).value


def read(text: str, *, strict: bool = True) -> Parsed:
    """Reads pipe tables and reports what is odd about the text.

    An empty text is an empty object. Blank lines are skipped. Numbers keep all of their digits.

    Args:
        text: pipe tables, as :func:`toon.dialects.pipe.encode` writes them.
        strict: False also reads text that was pasted without its indentation: rows, or fields on
            one line, right below a bare key at the left edge belong to that key. It ignores
            surplus blanks and a colon after a container's key, each with a notice. It also
            accepts, without a notice, a text that should be in quotes because of its first
            character or because it is the whole document.

    Raises:
        DialectError: the text is not pipe tables; with line, column, source line and often a
            hint.
    """
    lines = Lines(text, strict)
    return Parsed(_Reader(lines).document(), tuple(lines.notices))


@dataclass(slots=True)
class _Block:
    """A container that is being read."""

    value: dict[str, Any] | list[Any]
    level: int
    flat: bool = False  # its lines lost their indentation: they stand at the level of its key


class _Reader:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.at = 0
        self.stack: list[_Block] = []

    def document(self) -> Any:
        lines = self.lines
        if not lines.contents:
            return {}
        if lines.levels[0]:
            lines.fail("the first line is indented", 0, hint="start it at the left edge")
        if len(lines.contents) == 1 and self.is_value(lines.contents[0]):
            return self.inline(read_trimmed(lines, 0, 0, len(lines.contents[0])))
        value = self.block(0)
        while self.stack:
            self.line()
        if lines.levels[self.at] != END:
            lines.fail("text after the end of the table", self.at)
        return value

    def is_value(self, content: str) -> bool:
        """Whether the only line of a text is a value, rather than a field, an item or a row."""
        if content[0] in "[{" or is_quoted(content) or _LITERAL.match(content):
            return True
        return not (self.lines.strict or content[0] in '|-"' or ": " in content)

    def block(self, level: int, flat: bool = False) -> Any:
        """Opens the container whose first line is next; reads it to its end if it is a table."""
        if len(self.stack) >= MAX_DEPTH:
            self.lines.fail(f"nested deeper than {MAX_DEPTH} levels", self.at)
        head = self.lines.contents[self.at]
        if head[0] == "|":
            return self.table(level)
        value: Any = [] if _is_item(head) else {}
        self.stack.append(_Block(value, level, flat))
        return value

    def line(self) -> None:
        """Reads the next line into the innermost container, or closes that container."""
        block, level = self.stack[-1], self.lines.levels[self.at]
        if level < block.level:
            self.stack.pop()
            return
        if level > block.level:
            hint = "only a key or a hyphen alone on its line opens a block, one level deeper"
            self.lines.fail("line is indented deeper than its block", self.at, hint=hint)
        if isinstance(block.value, list):
            self.item(block.value)
        else:
            self.field(block.value, block)

    # -- lines -----------------------------------------------------------------------------

    def field(self, value: dict[str, Any], block: _Block) -> None:
        lines, at = self.lines, self.at
        head = lines.contents[at][0]
        if head == "|" or _is_item(lines.contents[at]):
            what = "row" if head == "|" else "list item"
            lines.fail(f"expected key: value, found a {what}", at)
        key, token = read_key(lines, at)
        if token is None and block.flat:
            self.stack.pop()
            return
        if key in value:
            lines.fail(f"key {quoted(key)} appears twice in one object", at)
        self.at += 1
        value[key] = self.nested(at, quoted(key)) if token is None else self.inline(token)

    def item(self, items: list[Any]) -> None:
        lines, at = self.lines, self.at
        content = lines.contents[at]
        if not _is_item(content):
            if content[0] == "-":
                lines.fail("no space after the hyphen", at, 1, "write - item")
            hint = "every item of a list starts with a hyphen and a space"
            lines.fail("expected a list item", at, hint=hint)
        self.at += 1
        if content == "-":
            items.append(self.nested(at, None))
        else:
            items.append(self.inline(read_trimmed(lines, at, 2, len(content))))

    def nested(self, at: int, key: str | None) -> Any:
        """The value of a key or hyphen that stands alone on line ``at``."""
        lines, level = self.lines, self.lines.levels[at]
        below = lines.levels[self.at]
        if below == level + 1:
            return self.block(level + 1)
        if below > level:
            lines.fail("line is indented more than one level deeper", self.at)
        if below == level == 0 and not lines.strict and key is not None:
            flat = self.flush_left(key)
            if flat is not None:
                return flat
        what = "hyphen" if key is None else f"container {key}"
        hint = 'if it is empty, write {} or []; for an empty text write ""'
        if below == level == 0:
            hint = _INDENT_HINT
        elif len(lines.contents) == 1 and key is not None:
            hint = f'a text that is the whole document is quoted: "{lines.contents[0]}"'
        lines.fail(f"{what} has no indented block", at, hint=hint)

    def flush_left(self, key: str) -> Any:
        """The value below a bare key that lost its indentation; None if nothing below is its."""
        lines, at = self.lines, self.at
        content = lines.contents[at]
        if content[0] == "|":
            lines.note(f"rows without an indent: read as part of {key}", at)
            return self.table(0)
        if _is_item(content) or not has_value(lines, at):
            return None
        lines.note(f"fields without an indent, up to the next bare key: read as part of {key}", at)
        return self.block(0, flat=True)

    def inline(self, token: Token) -> Any:
        """The value on the line of its key or hyphen."""
        if token.text[0] == "[":
            return read_flow(self.lines, token)
        if token.text == "{}":
            return {}
        if token.text[0] == "{":
            hint = "only the empty object is written {}; the others have a line for each field"
            self.lines.fail("an object on one line", token.at, token.offset, hint)
        return read_scalar(self.lines, token)

    def table(self, level: int) -> list[dict[str, Any]]:
        lines, at = self.lines, self.at
        names = read_header(lines, at)
        rows: list[dict[str, Any]] = []
        at += 1
        while lines.levels[at] == level and lines.contents[at][0] == "|":
            rows.append(read_row(lines, at, names))
            at += 1
        if not rows:
            lines.fail("table has a header and no rows", self.at, hint="an empty list is []")
        if lines.levels[at] > level:
            lines.fail("line is indented deeper than its table", at)
        if level and lines.levels[at] == level:
            lines.fail("expected a row", at, hint="every row of a table starts with |")
        self.at = at
        return rows


def _is_item(content: str) -> bool:
    return content == "-" or content.startswith("- ")
