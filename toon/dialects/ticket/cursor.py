"""A place in TOON/1 text that moves on: reads blanks, marks and texts, and raises errors there."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from toon.dialects.scanner import CUT_OFF, Scanner
from toon.dialects.ticket.grammar import IDENT
from toon.text import QUOTED

_BLANKS: Final = re.compile(r"[ \t\r\n]*+")
#: Before a text, a tab is not skipped: the public encoder writes texts that start with a tab.
TEXT_BLANKS: Final = re.compile(r"[ \r\n]*+")
_QUOTED: Final = re.compile(QUOTED, re.DOTALL)

_QUOTE_IT: Final = 'put a text with , { } " or \\ in quotes: "…"'


class Cursor(Scanner):
    """A scanner that reads from ``at`` on."""

    at = 0

    # -- errors ----------------------------------------------------------------------------------

    def expected(self, what: str, hint: str | None = None) -> NoReturn:
        if self.at >= len(self.text):
            hint = CUT_OFF
        self.fail(f"expected {what}, found {self.next_text()}", self.at, hint)

    def next_text(self) -> str:
        """Return the next character, or the end, in words for a message."""
        return repr(self.text[self.at]) if self.at < len(self.text) else "the end of the text"

    # -- marks -----------------------------------------------------------------------------------

    def peek(self) -> str:
        """Return the next character; "" at the end."""
        return self.text[self.at : self.at + 1]

    def blanks(self, pattern: re.Pattern[str] = _BLANKS) -> int:
        """Read blanks; return the place after them."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def take(self, mark: str) -> bool:
        """Skip blanks, and read ``mark`` if it is next; return whether it was."""
        self.blanks()
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def next_of(self, closing: str) -> bool:
        """Read a comma or ``closing``; return whether another item follows."""
        if self.take(","):
            return True
        if not self.take(closing):
            self.expected(f", or {closing}", _QUOTE_IT)
        return False

    # -- texts -----------------------------------------------------------------------------------

    def name(self) -> str:
        """Read an identifier and its colon; return the identifier."""
        match = IDENT.match(self.text, self.blanks())
        if match is None:
            self.expected("a field such as t:", _QUOTE_IT)
        self.at = match.end()
        if not self.take(":"):
            self.expected(f": after {match[0]}", _QUOTE_IT)
        return match[0]

    def value(self, bare: re.Pattern[str]) -> str:
        """Read a text in a field that holds only texts; ``bare`` matches one without quotes."""
        self.blanks(TEXT_BLANKS)
        return self.quoted() if self.peek() == '"' else self.bare(bare)

    def bare(self, pattern: re.Pattern[str]) -> str:
        """Read a text without quotes, and trim it."""
        match = pattern.match(self.text, self.at)
        text = match[0].strip(" \r") if match else ""
        if match is None or not text:
            empty = self.peek() in (",", "}", "]")
            self.expected("a value", 'the empty text is written ""' if empty else _QUOTE_IT)
        self.at = match.end()
        return text

    def quoted(self) -> str:
        """Read the text in quotes that starts here."""
        match = _QUOTED.match(self.text, self.at)
        text = match[0] if match else self.text[self.at :]
        if match and "\n" in text:
            message = "line break or control character inside a string"
            self.fail(message, self.at + text.index("\n"), "write \\n for a line break")
        value = str(self.scalar(text, self.at))
        self.at += len(text)
        return value
