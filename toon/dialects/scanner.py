"""The base of the readers of all dialects: tokens, and errors and notices at their places.

A place is an offset in the text. Strings are quoted and numbers written as in TOON.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, NoReturn, Self

from toon.codec.numbers import exact_number
from toon.codec.problems import phrase
from toon.codec.text import TokenError, primitive
from toon.errors import DialectError
from toon.text import Notices, Parsed, Source, surrogate_in

CUT_OFF: Final = "the text may be cut off"


class Token(NamedTuple):
    """A part of a dialect's text, its offset, and if it is a line its indentation in spaces."""

    text: str
    at: int
    indent: int = 0

    def group(self, match: re.Match[str], group: int | str) -> Token:
        """Return the token of a group of a pattern that matched in this token."""
        return Token(match[group], self.at + match.start(group))

    def stripped(self) -> Token:
        """Return the token without blanks around it."""
        text = self.text.lstrip(" \t")
        return Token(text.rstrip(" \t"), self.at + len(self.text) - len(text))

    def parts(self, texts: list[str]) -> Iterator[Token]:
        """Yield the tokens of ``texts``, which one character each separates in this token."""
        at = self.at
        for text in texts:
            yield Token(text, at)
            at += len(text) + 1


class Scanner(ABC):
    """The base of the readers of dialects: a text, and the notices about it so far.

    Raises:
        DialectError: The text holds a lone surrogate.
    """

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.notices = Notices()
        surrogate = surrogate_in(text)
        if surrogate is not None:
            code = ord(text[surrogate])
            self.fail(f"lone surrogate U+{code:04X}: UTF-8 cannot carry it", surrogate)

    @classmethod
    def unmarked(cls, text: str, strict: bool) -> Self:
        """Make a reader of a dialect's text without its byte-order mark, which gets a notice."""
        scanner = cls(text.removeprefix("\ufeff"), strict)
        if text.startswith("\ufeff"):
            scanner.note("byte-order mark at the start: ignored", 0)
        return scanner

    def parsed(self) -> Parsed:
        """Read the dialect's text; return its value and the notices about it."""
        return Parsed(self.document(), tuple(self.notices))

    @abstractmethod
    def document(self) -> Any:
        """Return the value of the dialect's text; raise DialectError if it cannot be read."""

    # -- errors and notices ----------------------------------------------------------------------

    def fail(self, message: str, at: int, hint: str | None = None) -> NoReturn:
        raise Source(self.text).error(DialectError, message, at, hint)

    def note(self, message: str, at: int) -> None:
        if not self.notices.full:
            self.notices.add(message, *Source(self.text).place(at))

    # -- tokens ----------------------------------------------------------------------------------

    def lines(self) -> Iterator[Token]:
        """Yield the lines of the dialect's text without their line ends."""
        at = 0
        for line in self.text.split("\n"):
            yield Token(line.removesuffix("\r"), at)
            at += len(line) + 1

    def scalar(self, text: str, at: int) -> Any:
        """Convert a token at the offset ``at`` to a string, number, boolean or None."""
        if not text:
            self.fail("no value here", at, 'an empty text is written ""')
        try:
            return primitive(text, exact_number)
        except TokenError as error:
            message, hint = phrase(error.problem, error.facts)
            self.fail(message, at + error.offset, hint)
