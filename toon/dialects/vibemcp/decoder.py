"""The reader of VibeMCP's output, in either profile. It checks counts, so it notices a cut text.

A lossy text is read by the rules of its writer: an empty cell is an empty array, and a word
without quotes may be a number or a literal. What the writer lost stays lost.
"""

import re
from typing import Any, Final, NoReturn

from toon.codec.problems import Count
from toon.dialects.base import CUT_OFF, Scanner, Token
from toon.dialects.vibemcp import grammar
from toon.errors import DialectError, JsonDecodeError
from toon.text import QUOTED, Parsed
from toon.values.json_text import parse_json

_FIELDS: Final = {
    profile: re.compile(rf"  (?P<key>{key}): (?P<value>.+)\Z")
    for profile, key in grammar.KEYS.items()
}
# The part of a damaged header that is right, to say where it breaks off.
_HEAD: Final = re.compile(rf'(?:{QUOTED}|[^\s\[\]{{}}:"]*+)(?:\[[0-9]*+)?(?:(?<=[0-9])\])?')
_DIGITS: Final = 18  # of a count; more are not worked out, as no text has as many rows


def read(text: str, *, strict: bool = True, profile: grammar.Profile = grammar.LOSSY) -> Parsed:
    """Read VibeMCP's output, lossy or lossless; return its JSON value and notices on oddities.

    Lists and objects come back as ``{label: data}``, or as the data alone if the label is ``items``
    or ``item`` without quotes, which mean that there is no name.

    A wrong count of rows is an error if ``strict``, otherwise a notice. A row with more or fewer
    cells than there are columns is always an error.

    Raises:
        DialectError: The text is not VibeMCP's output; with line, column and perhaps a hint.
    """
    reader = _Reader(text, strict)
    reader.profile, reader.lossless = profile, profile == grammar.LOSSLESS
    return reader.parse()


class _Reader(Scanner):
    profile: grammar.Profile = grammar.LOSSY
    lossless = False

    def document(self) -> Any:
        head, *body = self.lines()
        if not self.text.strip():
            raise DialectError("no VibeMCP output here: the text is empty")
        form, parts = grammar.classify(head.text, self.profile)
        if parts is None:
            if form == "damaged" or any(line.text for line in body):
                self.refuse_head(head.text, form == "damaged")
            return self.cell(head) if self.lossless else grammar.read_raw(head.text)
        data = self.items(head, parts, body) if form == "list" else self.detail(body)
        label = head.group(parts, "label")
        unnamed = label.text == (grammar.LIST_LABEL if form == "list" else grammar.DETAIL_LABEL)
        return data if unnamed else {self.name(label): data}

    def refuse_head(self, head: str, damaged: bool) -> NoReturn:
        at, hint = 0, None
        colon = re.match(r"[^\s\"]*[\]}]:", head)
        if head.startswith(("{", "[", "]", "}")):
            hint = "this looks like JSON"
        elif colon:
            at = colon.end() - 1
            hint = "a colon after the header: this looks like TOON, which is another format"
        elif damaged:
            right = _HEAD.match(head)
            at = right.end() if right else 0
            hint = CUT_OFF if "{" in head[at:] and "}" not in head else None
        elif re.match(r"[^\s:]+: ", head):
            hint = "this looks like TOON or YAML"
        self.fail("expected name[N]{columns}, name[N] or name: on the first line", at, hint)

    def items(self, head: Token, parts: re.Match[str], body: list[Token]) -> list[Any]:
        """Return the items of a list in VibeMCP's output, from its header (``head``, matched as
        ``parts``) and the lines below; if the header has columns, they are dicts.
        """
        columns = None if parts["columns"] is None else self.columns(head.group(parts, "columns"))
        digits = parts["count"]
        if digits is None and self.lossless:
            self.fail("the header has no count", parts.end("label"), "write name[N]{columns}")
        declared = -1 if digits is None else int(digits[:_DIGITS])
        if columns is None:  # whether an empty line can be an item
            may_be_empty = not self.lossless
        else:
            may_be_empty = len(columns) == 1 or (not columns and declared >= 0)
        if body and not body[-1].text and not (may_be_empty and len(body) - 1 != declared):
            body.pop()  # what follows a line break at the end
        miscount = None
        if declared not in (-1, len(body)):
            noun = "value" if columns is None else "row"
            miscount = f"declared {Count(declared):{noun}}, found {len(body):,}"
        if columns is not None:
            items: list[Any] = [self.row(line, columns, miscount) for line in body]
        elif self.lossless:
            for line in body:
                if not line.text:
                    self.fail("an empty line where a value should be", line.at)
            items = [self.cell(line) for line in body]
        else:
            items = [grammar.read_raw(line.text) for line in body]
        if miscount is not None:
            if self.strict:
                hint = CUT_OFF if declared > len(body) else None
                self.fail(miscount, parts.start("count"), hint)
            self.note(miscount, parts.start("count"))
        return items

    def columns(self, token: Token) -> list[str]:
        names: dict[str, None] = {}
        for column in token.parts(
            grammar.split_columns(token.text, self.profile) if token.text else []
        ):
            if not column.text:
                self.fail("a column has no name", column.at)
            name = self.name(column)
            if name in names:
                self.fail(f"column {column.text} appears twice", column.at)
            names[name] = None
        return list(names)

    def row(self, line: Token, columns: list[str], miscount: str | None) -> dict[str, Any]:
        texts = grammar.split_cells(line.text) if columns or line.text else []
        if len(texts) != len(columns):
            message = f"row has {Count(len(texts)):cell}, the header {Count(len(columns)):column}"
            if len(texts) < len(columns):
                hint = CUT_OFF if miscount is None else f"{CUT_OFF}: {miscount}"
                self.fail(message, line.at + len(line.text), hint)
            at = line.at + sum(len(text) + 1 for text in texts[: len(columns)])
            self.fail(message, at, "a cell that holds the delimiter must be quoted")
        pairs = zip(columns, line.parts(texts), strict=True)
        return {name: self.cell(cell) for name, cell in pairs if cell.text or not self.lossless}

    def detail(self, body: list[Token]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if body and not body[-1].text:  # a line break at the end of the text
            body.pop()
        for line in body:
            match = _FIELDS[self.profile].match(line.text)
            if match is None:
                blanks = len(line.text) - len(line.text.lstrip(" "))
                hint = "a value of several lines must be quoted" if blanks < 2 else None
                self.fail("expected two spaces and key: value", line.at + min(blanks, 2), hint)
            key = self.name(line.group(match, "key"))
            if key in fields:
                self.fail(f"key {match['key']} appears twice", line.at + 2)
            value = line.group(match, "value")
            try:
                bracket = not self.lossless and value.text[0] in "{["
                fields[key] = self.json(value) if bracket else self.cell(value)
            except DialectError:
                if not bracket:
                    raise
                fields[key] = value.text  # a text that starts with a bracket
        return fields

    def name(self, token: Token) -> str:
        if self.lossless and token.text.startswith('"'):
            return str(self.scalar(token.text, token.at))
        return token.text

    def cell(self, token: Token) -> Any:
        head = token.text[:1]
        if not self.lossless and head != '"':
            return grammar.read_raw(token.text) if head else []
        return self.json(token) if head in ("{", "[") else self.scalar(token.text, token.at)

    def json(self, token: Token) -> Any:
        try:
            parsed = parse_json(token.text)
        except JsonDecodeError as error:
            at = token.at + (error.column or 1) - 1
            self.fail(f"inline JSON: {error.message}", at, error.hint)
        for notice in parsed.notices:
            self.note(notice.message, token.at + (notice.column or 1) - 1)
        return parsed.value
