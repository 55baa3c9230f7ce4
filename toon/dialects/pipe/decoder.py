"""The reader of pipe tables, line by line.

Open containers are kept on a list, not on Python's call stack.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from toon.codec.text import BARE_KEY, MAX_DEPTH
from toon.dialects.base import Scanner, Token
from toon.dialects.pipe.encoder import INDENT
from toon.text import QUOTED, QUOTED_OR_OPEN, Parsed
from toon.wording import excerpt, plural

_LITERAL: Final = re.compile(rf"(?:true|false|null|-?[0-9].*|{QUOTED})\Z", re.DOTALL)
#: A key; then its colon, the blank after that and the value, each optional.
_FIELD: Final = re.compile(
    rf"({QUOTED_OR_OPEN}|[A-Za-z_][A-Za-z0-9_.]*+|)(:?)( ?)(.*)\Z", re.DOTALL
)
#: Blanks and an item of a list on one line; blanks and a cell. Each runs up to its delimiter.
_ITEM: Final = re.compile(rf"[ \t]*+({QUOTED_OR_OPEN}[ \t]*+|[^,\]]*+)", re.DOTALL)
_CELL: Final = re.compile(rf"[ \t]*+({QUOTED_OR_OPEN}[ \t]*+|[^|]*+)", re.DOTALL)
_ODD_HEADS: Final = frozenset("-|[]{}\\")

_LEVELS: Final = f"indent with {INDENT} spaces a level"
_QUOTE_IT: Final = 'quote the whole value, and write \\" for a quote inside it'


def read(text: str, *, strict: bool = True) -> Parsed:
    """Read a text of pipe tables; return its JSON value, and notices on what is odd about it.

    An empty text is an empty object. Blank lines, and blanks around values and cells, are skipped.
    Numbers keep all of their digits.

    If ``strict`` is False, text that was pasted without its indentation is read too: rows, or
    fields on one line, right below a bare key at the left edge belong to that key. A colon after a
    container's key is ignored, with a notice. A text may lack the quotes that it needs because of
    its first character or because it is the whole document.

    Raises:
        DialectError: The text is not pipe tables; with line, column and perhaps a hint.
    """
    return _Reader(text, strict).parse()


@dataclass(slots=True)
class _Block:
    """A list or object being read from pipe tables, its indentation, and whether that was lost."""

    value: dict[str, Any] | list[Any]
    indent: int
    flat: bool = False  # its lines lost their indentation: they stand at the level of its key


class _Reader(Scanner):
    def document(self) -> Any:
        self.rows = [*self.read_lines(), Token("", len(self.text), -1)]
        self.next = 0
        self.stack: list[_Block] = []
        first = self.rows[0]
        if len(self.rows) == 1:
            return {}
        if first.indent:
            self.fail("the first line is indented", first.at, "start it at the left edge")
        if len(self.rows) == 2:  # a value, or else a field, an item or a row
            odd = self.strict or first.text[0] in '|-"' or ": " in first.text
            if first.text[0] in "[{" or _LITERAL.match(first.text) or not odd:
                return self.inline(first)
        value = self.open_block(0)
        while self.stack:
            self.read_line()
        if self.next < len(self.rows) - 1:
            self.fail("text after the end of the table", self.rows[self.next].at)
        return value

    def read_lines(self) -> Iterator[Token]:
        """Yield the lines of pipe tables that are not blank as tokens, stripped, with indents."""
        for line in self.lines():
            start = line.text.lstrip(" ")
            text = start.rstrip(" \t")
            if not text:
                continue
            indent = len(line.text) - len(start)
            at = line.at + indent
            if text[0] == "\t":
                self.fail("tab in the indentation", at, _LEVELS)
            if indent % INDENT:
                message = f"indentation of {plural(indent, 'space')} is not a multiple of {INDENT}"
                self.fail(message, at, _LEVELS)
            yield Token(text, at, indent)

    # -- blocks ----------------------------------------------------------------------------------

    def open_block(self, indent: int, flat: bool = False) -> Any:
        """Begin a list or object at the next line of pipe tables and return it, still empty; or
        read and return a whole table there.
        """
        head = self.rows[self.next]
        if len(self.stack) >= MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels", head.at)
        if head.text[0] == "|":
            return self.table(indent)
        value: Any = [] if _is_item(head.text) else {}
        self.stack.append(_Block(value, indent, flat))
        return value

    def read_line(self) -> None:
        """Read the next line of pipe tables into the innermost open list or object; if the line is
        indented less, close that one instead.
        """
        block, line = self.stack[-1], self.rows[self.next]
        if line.indent < block.indent:
            self.stack.pop()
            return
        if line.indent > block.indent:
            hint = "only a key or a hyphen alone on its line opens a block, one level deeper"
            self.fail("line is indented deeper than its block", line.at, hint)
        value, is_item = block.value, _is_item(line.text)
        if isinstance(value, list):
            if not is_item and line.text[0] == "-":
                self.fail("no space after the hyphen", line.at + 1, "write - item")
            if not is_item:
                hint = "every item of a list starts with a hyphen and a space"
                self.fail("expected a list item", line.at, hint)
            self.next += 1
            item = Token(line.text[2:], line.at + 2).strip()
            value.append(self.inline(item) if item.text else self.read_below(line, None))
            return
        if is_item or line.text[0] == "|":
            kind = "list item" if is_item else "row"
            self.fail(f"expected key: value, found a {kind}", line.at)
        key, token = self.split_field(line)
        if token is None and block.flat:
            self.stack.pop()
            return
        if key in value:
            self.fail(f"key {excerpt(key)} appears twice in one object", line.at)
        self.next += 1
        value[key] = self.read_below(line, excerpt(key)) if token is None else self.inline(token)

    def split_field(self, line: Token) -> tuple[str, Token | None]:
        """Split a line ``key: value`` of pipe tables into the key and the value as a token, None
        for a key alone on its line.
        """
        match = _FIELD.match(line.text)
        assert match is not None  # it matches any text
        key, colon, blank, rest = match.groups()
        end = line.at + len(key)
        if key[:1] == '"':
            key = self.scalar(key, line.at)
        if colon and blank:
            return key, line.group(match, 4).strip()
        if colon and rest:
            self.fail("no space after the colon", end + 1, "write key: value")
        if not colon and (blank or rest):
            hint = 'a key of other characters is quoted: "a key": 1'
            self.fail("expected key: value", end, hint)
        if colon and self.strict:
            hint = 'a container\'s key has no colon; for an empty text write ""'
            self.fail("no value after the colon", end + 1, hint)
        if colon:
            self.note("colon after a container's key: ignored", end)
        return key, None

    def read_below(self, line: Token, key: str | None) -> Any:
        """Begin the block below ``line`` of pipe tables, a bare key or a hyphen; return its value,
        which is still empty unless a table.
        """
        below = self.rows[self.next]
        if below.indent == line.indent + INDENT:
            return self.open_block(below.indent)
        if below.indent > line.indent:
            self.fail("line is indented more than one level deeper", below.at)
        if below.indent == 0 and not self.strict and key is not None:  # it lost its indentation
            if below.text[0] == "|":
                self.note(f"rows without an indent: read as part of {key}", below.at)
                return self.table(0)
            field = _FIELD.match(below.text)
            if field and field.group(2, 3) == (":", " "):
                message = "fields without an indent, up to the next bare key: read as part of"
                self.note(f"{message} {key}", below.at)
                return self.open_block(0, flat=True)
        subject = "hyphen" if key is None else f"container {key}"
        hint = 'if it is empty, write {} or []; for an empty text write ""'
        if below.indent == line.indent == 0:
            hint = "indent it one level, or read the text leniently if its indents are lost"
        elif len(self.rows) == 2 and key is not None:
            hint = f'a text that is the whole document is quoted: "{line.text}"'
        self.fail(f"{subject} has no indented block", line.at, hint)

    # -- values on one line ----------------------------------------------------------------------

    def inline(self, token: Token) -> Any:
        """Read a value of pipe tables that stands on one line: ``{}``, a list or a scalar."""
        if token.text == "{}":
            return {}
        if token.text[0] == "{":
            hint = "only the empty object is written {}; the others have a line for each field"
            self.fail("an object on one line", token.at, hint)
        return self.read_list(token) if token.text[0] == "[" else self.value(token)

    def value(self, token: Token) -> Any:
        """Convert a token of pipe tables to a scalar; if strict, refuse one that needs quotes."""
        value = self.scalar(token.text, token.at)
        if self.strict and token.text[0] in _ODD_HEADS and isinstance(value, str):
            self.refuse_unquoted(f"text that starts with {token.text[0]} must be quoted", token)
        return value

    def refuse_unquoted(self, message: str, token: Token) -> NoReturn:
        """Raise DialectError with the hint to put quotes around a token."""
        odd = '"' in token.text or "\\" in token.text
        self.fail(message, token.at, None if odd else f'write "{token.text}"')

    def read_list(self, token: Token) -> list[Any]:
        """Read a list of scalars on one line of pipe tables, as in ``[a, "b,c", 1]``."""
        text, place = token.text, 1
        items: list[Any] = []
        if text == "[]":
            return items
        while True:
            match = _ITEM.match(text, place)
            assert match is not None  # it matches nothing, too
            item, place = token.group(match, 1), match.end()
            if item.text[:1] == "[":
                hint = "a list of lists has a line with a hyphen for each of them"
                self.fail("a list inside a list on one line", item.at, hint)
            if item.text or place < len(text):
                items.append(self.value(item.strip()))
            if place == len(text):
                self.fail("list is not closed", token.at + place, "add the closing ]")
            if text[place] == "]":
                break
            if text[place] != ",":
                self.fail("text after the closing quote", token.at + place, _QUOTE_IT)
            place += 1
        if place + 1 < len(text):
            at, hint = token.at + place + 1, "quote a text that starts so"
            self.fail("text after the end of the list", at, hint)
        return items

    # -- tables ----------------------------------------------------------------------------------

    def table(self, indent: int) -> list[dict[str, Any]]:
        """Read the pipe table at the next line into a list of dicts; an empty cell gives no key."""
        head = self.rows[self.next]
        names: dict[str, None] = {}
        for cell in self.cells(head):
            if not cell.text:
                self.fail("column without a name", cell.at, 'write "" for an empty key')
            if cell.text[0] != '"' and not BARE_KEY.match(cell.text):
                self.refuse_unquoted("a key of such characters must be quoted", cell)
            name = self.scalar(cell.text, cell.at) if cell.text[0] == '"' else cell.text
            if name in names:
                self.fail(f"column {cell.text} appears twice", cell.at)
            names[name] = None
        rows: list[dict[str, Any]] = []
        self.next += 1
        while (line := self.rows[self.next]).indent == indent and line.text[0] == "|":
            cells = self.cells(line)
            if len(cells) != len(names):
                at = cells[len(names)].at if len(cells) > len(names) else line.at + len(line.text)
                message = f"row has {plural(len(cells), 'cell')}, the header has {len(names)}"
                hint = "every column needs a cell, even an empty one; a cell that holds | is quoted"
                self.fail(message, at, hint)
            pairs = zip(names, cells, strict=True)
            rows.append({name: self.value(cell) for name, cell in pairs if cell.text})
            self.next += 1
        if not rows:
            self.fail("table has a header and no rows", head.at, "an empty list is []")
        if line.indent > indent:
            self.fail("line is indented deeper than its table", line.at)
        if indent and line.indent == indent:
            self.fail("expected a row", line.at, "every row of a table starts with |")
        return rows

    def cells(self, line: Token) -> list[Token]:
        """Split a row ``| a | b |`` of a pipe table into its cells as tokens, with empty ones."""
        text, place = line.text, 1
        cells: list[Token] = []
        while place < len(text) or not cells:
            match = _CELL.match(text, place)
            if match is None or match.end() == len(text):
                if match is not None and match[1][:1] == '"':
                    self.scalar(match[1].rstrip(" \t"), line.at + match.start(1))  # may be open
                self.fail("row is not closed", line.at + len(text), "every row ends with |")
            if text[match.end()] != "|":
                self.fail("text after the closing quote", line.at + match.end(), _QUOTE_IT)
            cells.append(line.group(match, 0).strip())
            place = match.end() + 1
        return cells


def _is_item(text: str) -> bool:
    return text[0] == "-" and text[1:2] in ("", " ")
