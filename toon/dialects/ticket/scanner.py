"""A reading position in TOON/1 text: reads blanks, marks and texts, and raises errors there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NoReturn

from toon.codec.text import TokenError, unquote
from toon.dialects.ticket.text import BARE, IDENT, is_bare
from toon.errors import DialectError
from toon.text import QUOTED, Notices, Source

BLANKS: Final = re.compile(r"[ \t\r\n]*+")
#: Before a text, a tab is not skipped: the public encoder writes texts that start with a tab.
TEXT_BLANKS: Final = re.compile(r"[ \r\n]*+")
_QUOTED: Final = re.compile(QUOTED, re.DOTALL)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")

#: Texts without quotes that a tolerant reader accepts, inside ``{ }`` and inside ``[ ]``. In a list
#: of texts, ``]`` belongs to the text unless ``}`` or the next field follows.
IN_OBJECT: Final = re.compile(r'[^,{}"\\\n]*+')
IN_ARRAY: Final = re.compile(r'[^,{}\]"\\\n]*+')
_LIST_END: Final = rf"[ \t\r\n]*+(?:\}}|,[ \t\r\n]*+{IDENT.pattern}[ \t\r\n]*+:)"
IN_TEXTS: Final = re.compile(rf'(?:[^,{{}}\]"\\\n]++|\](?!{_LIST_END}))*+')

_ESCAPES: Final = 'only \\" \\\\ \\n \\r \\t and \\u with four hex digits are escapes'
_QUOTE_IT: Final = 'put a text with , { } " or \\ in quotes: "…"'
_CANONICAL: Final = "only strict reading refuses this"


@dataclass(slots=True)
class Scanner:
    """Reads ``text`` from ``at`` on; ``strict`` accepts only what the encoder writes."""

    text: str
    strict: bool
    at: int = 0
    notices: Notices = field(default_factory=Notices)

    # -- errors and notices ----------------------------------------------------------------------

    def fail(self, message: str, at: int | None = None, hint: str | None = None) -> NoReturn:
        """Raises a DialectError that points to ``at``, by default the current place."""
        offset = self.at if at is None else at
        raise Source(self.text).error(DialectError, message, offset, hint)

    def tolerate(self, message: str, at: int, remedy: str) -> None:
        """Fails if strict; otherwise adds the message as a notice, with how it was read."""
        if self.strict:
            self.fail(message, at, _CANONICAL)
        self.note(f"{message}: {remedy}", at)

    def forbid(self, message: str, at: int) -> None:
        """Fails if strict; otherwise the oddity needs no notice."""
        if self.strict:
            self.fail(message, at, _CANONICAL)

    def note(self, message: str, at: int) -> None:
        self.notices.add(message, *Source(self.text).place(at))

    def next_text(self) -> str:
        """The next character, or the end, in words for a message."""
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end of the text"

    def expected(self, what: str, hint: str | None = None) -> NoReturn:
        if self.at >= len(self.text):
            hint = "the text may be cut off"
        self.fail(f"expected {what}, found {self.next_text()}", hint=hint)

    # -- marks -----------------------------------------------------------------------------------

    def peek(self) -> str:
        """The next character; "" at the end."""
        return self.text[self.at : self.at + 1]

    def blanks(self, pattern: re.Pattern[str] = BLANKS) -> None:
        match = pattern.match(self.text, self.at)
        if match and match[0]:
            self.forbid("whitespace between two parts", self.at)
            self.at = match.end()

    def take(self, mark: str) -> bool:
        """Reads ``mark`` if it is next, after blanks; whether it was."""
        self.blanks()
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def next_of(self, closing: str) -> bool:
        """Reads a comma or ``closing``; whether it was a comma, so that another item follows."""
        if self.take(","):
            return True
        if not self.take(closing):
            self.expected(f", or {closing}", _QUOTE_IT)
        return False

    # -- texts -----------------------------------------------------------------------------------

    def name(self) -> str:
        """Reads an identifier and its colon; returns the identifier."""
        self.blanks()
        match = IDENT.match(self.text, self.at)
        if match is None:
            self.expected("a field such as t:", _QUOTE_IT)
        self.at = match.end()
        if not self.take(":"):
            self.expected(f": after {match[0]}", _QUOTE_IT)
        return match[0]

    def value(self, tolerant: re.Pattern[str]) -> str:
        """Reads a text in a field that holds only texts."""
        self.blanks(TEXT_BLANKS)
        if self.peek() != '"':
            return self.bare(tolerant)
        start, text = self.at, self.quoted()
        if is_bare(text):
            self.forbid("a text in quotes that needs none", start)
        return text

    def bare(self, tolerant: re.Pattern[str]) -> str:
        """Reads a text without quotes; a tolerant reader trims it."""
        match = (BARE if self.strict else tolerant).match(self.text, self.at)
        text = match[0].strip(" \r") if match else ""
        if match is None or not text:
            empty = self.peek() in (",", "}", "]")
            self.expected("a value", 'the empty text is written ""' if empty else _QUOTE_IT)
        self.at = match.end()
        return text

    def quoted(self) -> str:
        """Reads the text in quotes that starts here."""
        match = _QUOTED.match(self.text, self.at)
        if match is None:
            self.fail("string is not closed", hint='add the closing "')
        for control in _CONTROL.finditer(match[0]):
            if self.strict or control[0] == "\n":
                message = "line break or control character inside a string"
                self.fail(message, self.at + control.start(), "write \\n for a line break")
        try:
            text = unquote(match[0])
        except TokenError as error:
            what = "surrogate" if error.problem == "surrogate-escape" else "unknown escape"
            self.fail(f"{what} {error.facts['found']}", self.at + error.offset, _ESCAPES)
        self.at = match.end()
        return text
