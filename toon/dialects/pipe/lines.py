"""A text as a list of lines, and the errors and notices about them."""

from __future__ import annotations

from typing import Final, NoReturn

from toon.codec.problems import phrase
from toon.codec.text import TokenError
from toon.dialects.pipe.text import INDENT
from toon.errors import DialectError
from toon.text import Notices, Source, surrogate_in
from toon.wording import plural

END: Final = -1  # the level after the last line: shallower than any line


class Lines:
    """The lines of a text without the blank ones, indexed from 0.

    Attributes:
        contents: each line without its indentation and line end; never empty.
        levels: the indentation level of each line, and END after the last.
        strict: whether surplus spaces and tabs raise an error; otherwise they give a notice.
        notices: the notices about the text so far.
    """

    def __init__(self, text: str, strict: bool) -> None:
        self.strict = strict
        self.notices = Notices()
        if text.startswith("\ufeff"):
            text = text[1:]
            self.notices.add("byte-order mark at the start: ignored", 1, 1)
        self.source = Source(text)
        self.contents: list[str] = []
        self.levels: list[int] = []
        self._numbers: list[int] = []
        self._widths: list[int] = []
        for number, line in enumerate(text.split("\n"), 1):
            self._add(line.removesuffix("\r"), number)
        self.levels.append(END)
        surrogate = surrogate_in(text)
        if surrogate is not None:
            message = f"lone surrogate U+{ord(text[surrogate]):04X}: UTF-8 cannot carry it"
            raise self.source.error(DialectError, message, surrogate)

    def _add(self, line: str, number: int) -> None:
        content = line.lstrip(" ")
        if not content.strip(" \t"):
            return
        width = len(line) - len(content)
        self.contents.append(content)
        self.levels.append(width // INDENT)
        self._widths.append(width)
        self._numbers.append(number)
        at = len(self.contents) - 1
        if content[0] == "\t":
            self.fail("tab in the indentation", at, hint=f"indent with {INDENT} spaces a level")
        if width % INDENT:
            message = f"indentation of {plural(width, 'space')} is not a multiple of {INDENT}"
            self.fail(message, at, hint=f"indent with {INDENT} spaces a level")
        if content[-1] in " \t":
            trimmed = content.rstrip(" \t")
            self.tolerate("blanks at the end of the line", at, len(trimmed))
            self.contents[at] = trimmed

    def tolerate(self, message: str, at: int, offset: int) -> None:
        """Raises an error if strict; otherwise adds a notice that the flaw was ignored."""
        if self.strict:
            self.fail(message, at, offset, hint="remove them, or read the text leniently")
        self.note(f"{message}: ignored", at, offset)

    def note(self, message: str, at: int, offset: int = 0) -> None:
        """Adds a notice about line ``at``, ``offset`` characters into its content."""
        self.notices.add(message, *self._place(at, offset))

    def fail(self, message: str, at: int, offset: int = 0, hint: str | None = None) -> NoReturn:
        """Raises an error about line ``at``, ``offset`` characters into its content."""
        raise self.source.error_on(DialectError, message, *self._place(at, offset), hint)

    def fail_token(self, error: TokenError, at: int, offset: int) -> NoReturn:
        """Raises ``error``, whose token starts ``offset`` characters into line ``at``."""
        message, hint = phrase(error.problem, error.facts)
        self.fail(message, at, offset + error.offset, hint)

    def _place(self, at: int, offset: int) -> tuple[int, int]:
        """The 1-based line and column in the text."""
        return self._numbers[at], self._widths[at] + offset + 1
