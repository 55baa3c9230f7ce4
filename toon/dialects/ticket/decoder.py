"""The reader of TOON/1, as the encoder, people and models write it."""

import re
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from toon.codec.text import MAX_DEPTH, parse_int
from toon.dialects.base import CUT_OFF, Scanner
from toon.dialects.ticket import grammar
from toon.text import QUOTED, Parsed
from toon.wording import excerpt

Item = TypeVar("Item")

_MARKER: Final = re.compile(r"TOON/([^\s{\[]*+)")
_RECORD: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)[ \t\r\n]*+\{")
_TICKET_LIST: Final = re.compile(r"\[[ \t\r\n]*+T[ \t\r\n]*+\{")
#: Texts that are read without their marker: only those that cannot be another format.
_UNMARKED: Final = re.compile(
    rf"(?:T|BOARD|ERR)[ \r\n]*+\{{|{_TICKET_LIST.pattern}"
    r"|\{[ \r\n]*+ok[ \r\n]*+:[ \r\n]*+true[ \r\n]*+\}[ \r\n]*+\Z"
)
_INTEGER: Final = re.compile(r"-?[0-9]++")
_BLANKS: Final = re.compile(r"[ \t\r\n]*+")
#: Before a text, a tab is not skipped: the public encoder writes texts that start with a tab.
_TEXT_BLANKS: Final = re.compile(r"[ \r\n]*+")
_QUOTED: Final = re.compile(QUOTED, re.DOTALL)

#: Texts without quotes that a tolerant reader accepts: keys of the generic form, and values inside
#: ``{ }`` and inside ``[ ]``. In a list of texts, ``]`` belongs to the text unless ``}`` or the
#: next field follows.
_KEY: Final = re.compile(r'[^,:{}\[\]"\\\n]*+')
_IN_OBJECT: Final = re.compile(r'[^,{}"\\\n]*+')
_IN_ARRAY: Final = re.compile(r'[^,{}\]"\\\n]*+')
_LIST_END: Final = rf"[ \t\r\n]*+(?:\}}|,[ \t\r\n]*+{grammar.IDENT.pattern}[ \t\r\n]*+:)"
_IN_TEXTS: Final = re.compile(rf'(?:[^,{{}}\]"\\\n]++|\](?!{_LIST_END}))*+')


_QUOTE_IT: Final = 'put a text with , { } " or \\ in quotes: "…"'


def read(text: str) -> Parsed:
    """Read a TOON/1 text; return its JSON value, and notices on what is odd about it.

    It accepts more than :func:`~toon.dialects.ticket.encode` writes, as the dialect's own documents
    print. Without a notice: blanks, any order of fields and buckets, texts with spaces, colons and
    brackets but without quotes, needless quotes, and empty lists. With a notice: a missing marker,
    unknown codes and fields, and full names instead of codes and aliases.

    Raises:
        DialectError: The text is not TOON/1; with line, column, source line and often a hint.
    """
    return _Reader(text, strict=False).parse()


class _Reader(Scanner):
    """A reader of TOON/1 whose next character is at the offset ``at``."""

    at = 0

    def document(self) -> Any:
        start = self.skip_blanks()
        marker = _MARKER.match(self.text, start)
        if marker is None:
            if not _UNMARKED.match(self.text, start):
                empty = start == len(self.text)
                message = "the text is empty" if empty else "no TOON/1 at the start"
                self.fail(message, start, "every TOON/1 text starts with TOON/1 and a space")
            self.note("no TOON/1 at the start: read as TOON/1 anyway", start)
        else:
            if marker[1] != "1":
                self.fail(f"version {excerpt(marker[1])} of TOON/ is not known, only 1", start)
            self.at = marker.end()
            self.skip_blanks()
        value = self.payload()
        if self.skip_blanks() < len(self.text):
            self.fail(f"text after the end of the payload: {self.next_text()}", self.at)
        return value

    def payload(self) -> Any:
        if _TICKET_LIST.match(self.text, self.at):
            return self.records(grammar.TICKET)
        match = _RECORD.match(self.text, self.at)
        if match is None:
            return self.read_generic()
        match match[1]:
            case "T":
                return self.record(grammar.TICKET)
            case "BOARD":
                return {"board": self.board()}
            case "ERR":
                return {"error": self.record(grammar.ERROR)}
            case "C" | "L":
                self.fail(f"{match[1]}{{ belongs inside a ticket, in cmt or lnk", self.at)
            case unknown:
                known = "T, BOARD and ERR, lists in [ ] and the generic { }"
                self.fail(f"unknown envelope {unknown}", self.at, f"there are {known}")

    def board(self) -> dict[str, Any]:
        self.open("BOARD", "{")
        buckets: dict[str, Any] = {}
        more = not self.take("}")
        while more:
            start = self.skip_blanks()
            name = self.name()
            bucket = self.code("status", name, start)
            if bucket in buckets:
                self.fail(f"bucket {name} appears twice", start)
            start = self.skip_blanks()
            buckets[bucket] = self.records(grammar.TICKET)
            for ticket in buckets[bucket]:
                status = ticket.get("status", bucket)
                if status != bucket:
                    words = f"ticket {excerpt(ticket['id'])} in bucket {bucket} has status {status}"
                    self.note(f"{words}: its own status counts", start)
            more = self.take_comma("}")
        return buckets

    # -- records ---------------------------------------------------------------------------------

    def records(self, envelope: grammar.Envelope) -> list[Any]:
        self.open("[")
        return [] if self.take("]") else self.read_items(lambda: self.record(envelope))

    def record(self, envelope: grammar.Envelope) -> dict[str, Any]:
        start, name = self.skip_blanks(), envelope.name
        self.open(name, "{")
        record: dict[str, Any] = {}
        more = not self.take("}")
        while more:
            at = self.skip_blanks()
            alias = self.name()
            slot = grammar.SLOTS[name].get(alias)
            if slot is None:
                self.note(f"unknown field {alias} of {name}: kept unchanged", at)
            elif slot.alias != alias:
                self.note(f"{alias} in full: its alias is {slot.alias}", at)
            key = alias if slot is None else slot.key
            if key in record:
                self.fail(f"{alias} appears twice in one {name}", at)
            record[key] = self.read_generic() if slot is None else self.field(slot)
            more = self.take_comma("}")
        for slot in envelope.fields:
            if slot.key in envelope.required and slot.key not in record:
                self.fail(f"{name} without {slot.alias} ({slot.key})", start)
        return record

    def field(self, slot: grammar.Field) -> Any:
        kind = slot.kind
        if kind == "text":
            return self.value(_IN_OBJECT)
        if kind in ("comments", "links"):
            return self.records(grammar.COMMENT if kind == "comments" else grammar.LINK)
        if kind == "texts":
            self.open("[")
            text = _IN_TEXTS.match(self.text, self.skip_blanks(_TEXT_BLANKS))
            if self.peek() == "]" and text and not text[0]:  # else ] starts the first text
                self.at += 1
                return []
            return self.read_items(lambda: self.value(_IN_TEXTS))
        at = self.skip_blanks()
        value = self.value(_IN_OBJECT)
        if kind in grammar.ENUMS:
            return self.code(kind, value, at)
        is_whole = kind == "int"
        if is_whole and _INTEGER.fullmatch(value):
            return parse_int(value)
        if is_whole or not grammar.WHEN.fullmatch(value):
            wanted = "a whole number" if is_whole else "a time"
            self.note(f"{slot.alias} is {excerpt(value)}, not {wanted}: kept unchanged", at)
        return grammar.read_when(value, kind)

    def code(self, domain: str, text: str, at: int) -> str:
        """Return the word for a TOON/1 code of ``domain``, a field: in_progress for ``ip`` of
        status. Return an unknown code unchanged, with a notice.
        """
        code = grammar.enum_code(domain, text)
        if code is None:
            self.note(f"unknown {domain} {excerpt(text)}: kept unchanged", at)
            return text
        if text not in grammar.ENUMS[domain]:
            self.note(f"{domain} {excerpt(text)}: its code is {code}", at)
        return grammar.ENUMS[domain][code]

    def read_generic(self, depth: int = 0, in_array: bool = False) -> Any:
        """Read a JSON value in TOON/1's generic form: ``{k:v}``, ``[v]`` or a scalar."""
        start = self.skip_blanks()
        mark = self.peek()
        if mark == '"':
            return self.read_quoted()
        if mark not in ("{", "["):
            return self.scalar(self.read_bare(_IN_ARRAY if in_array else _IN_OBJECT), start)
        if depth >= MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH} levels", start)
        self.at += 1
        members: dict[str, Any] = {}
        items: list[Any] = []
        closing = "}" if mark == "{" else "]"
        more = not self.take(closing)
        while more:
            if mark == "{":
                start = self.skip_blanks()
                key = self.value(_KEY)
                if key in members:
                    self.fail(f"key {excerpt(key)} appears twice in one object", start)
                if not self.take(":"):
                    self.fail_expecting(f": after the key {excerpt(key)}")
                members[key] = self.read_generic(depth + 1)
            else:
                items.append(self.read_generic(depth + 1, in_array=True))
            more = self.take_comma(closing)
        return members if mark == "{" else items

    # -- marks -----------------------------------------------------------------------------------

    def fail_expecting(self, name: str, hint: str | None = None) -> NoReturn:
        if self.at >= len(self.text):
            hint = CUT_OFF
        self.fail(f"expected {name}, found {self.next_text()}", self.at, hint)

    def next_text(self) -> str:
        """Return the next character of the TOON/1 text in quotes, or ``the end of the text``."""
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end of the text"

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_blanks(self, pattern: re.Pattern[str] = _BLANKS) -> int:
        """Skip blanks of the TOON/1 text; return the offset after them."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def take(self, mark: str) -> bool:
        """Skip blanks, then ``mark`` if it comes next in the TOON/1 text; return whether it did."""
        if not self.text.startswith(mark, self.skip_blanks()):
            return False
        self.at += len(mark)
        return True

    def open(self, *marks: str) -> None:
        """Skip marks that a TOON/1 text must go on with, such as ``T`` and ``{``; else raise."""
        if not all(map(self.take, marks)):
            self.fail_expecting("".join(marks))

    def take_comma(self, closing: str) -> bool:
        """Skip a comma or the closing bracket in a TOON/1 text; return whether it was a comma."""
        if self.take(","):
            return True
        if not self.take(closing):
            self.fail_expecting(f", or {closing}", _QUOTE_IT)
        return False

    def read_items(self, read: Callable[[], Item]) -> list[Item]:
        """Read the items of an open TOON/1 list with ``read``, up to its ``]``; return them."""
        self.skip_blanks(_TEXT_BLANKS)
        items = [read()]
        while self.take_comma("]"):
            items.append(read())
        return items

    # -- texts -----------------------------------------------------------------------------------

    def name(self) -> str:
        """Read the name of a TOON/1 field and its colon, as in ``lbl:``; return the name."""
        match = grammar.IDENT.match(self.text, self.skip_blanks())
        if match is None:
            self.fail_expecting("a field such as t:", _QUOTE_IT)
        self.at = match.end()
        if not self.take(":"):
            self.fail_expecting(f": after {match[0]}", _QUOTE_IT)
        return match[0]

    def value(self, bare: re.Pattern[str]) -> str:
        """Read a TOON/1 string, in quotes or as far as the pattern ``bare`` goes; return it."""
        self.skip_blanks(_TEXT_BLANKS)
        return self.read_quoted() if self.peek() == '"' else self.read_bare(bare)

    def read_bare(self, pattern: re.Pattern[str]) -> str:
        """Read a TOON/1 string without quotes; return it stripped. DialectError if it is empty."""
        match = pattern.match(self.text, self.at)
        text = match[0].strip(" \r") if match else ""
        if match is None or not text:
            empty = self.peek() in (",", "}", "]")
            self.fail_expecting("a value", 'the empty text is written ""' if empty else _QUOTE_IT)
        self.at = match.end()
        return text

    def read_quoted(self) -> str:
        """Read a TOON/1 string in quotes; return it without them, its escapes decoded."""
        match = _QUOTED.match(self.text, self.at)
        text = match[0] if match else self.text[self.at :]
        if match and "\n" in text:
            message = "line break or control character inside a string"
            self.fail(message, self.at + text.index("\n"), "write \\n for a line break")
        value = str(self.scalar(text, self.at))
        self.at += len(text)
        return value
