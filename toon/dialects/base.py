"""The base of the readers of all dialects, and helpers of their writers.

Readers have tokens, and errors and notices at their places, which are offsets in the text. Strings
are quoted and numbers written as in TOON.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final, NamedTuple, NoReturn

from toon.codec.normalise import step
from toon.codec.numbers import exact_number, is_finite
from toon.codec.problems import describe
from toon.codec.text import ESCAPES, TokenError, parse_token
from toon.errors import DialectError, EncodeError
from toon.text import Notices, Parsed, Source, find_surrogate

CUT_OFF: Final = "the text may be cut off"


class Token(NamedTuple):
    """A part of a dialect's text, its offset there and, for a line, its indentation in spaces."""

    text: str
    at: int
    indent: int = 0

    def group(self, match: re.Match[str], group: int | str) -> Token:
        """Return what a regex group matched in this token, as a token with its own offset."""
        return Token(match[group], self.at + match.start(group))

    def strip(self) -> Token:
        """Return the token without blanks and tabs around it, with the offset of what is left."""
        text = self.text.lstrip(" \t")
        return Token(text.rstrip(" \t"), self.at + len(self.text) - len(text))

    def parts(self, texts: list[str]) -> Iterator[Token]:
        """Yield ``texts``, split from this token at single characters, as tokens with offsets."""
        at = self.at
        for text in texts:
            yield Token(text, at)
            at += len(text) + 1


class Scanner(ABC):
    """The base of the readers of dialects: it keeps one text, without byte-order mark, and its
    notices. A reader defines ``document``.

    Raises:
        DialectError: The text holds a lone surrogate.
    """

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text.removeprefix("\ufeff")
        self.strict = strict
        self.notices = Notices()
        surrogate = find_surrogate(self.text)
        if surrogate is not None:
            code = ord(self.text[surrogate])
            self.fail(f"lone surrogate U+{code:04X}: UTF-8 cannot carry it", surrogate)
        if len(self.text) < len(text):
            self.note("byte-order mark at the start: ignored", 0)

    def parse(self) -> Parsed:
        """Read the dialect's text; return its JSON value and the notices about it."""
        return Parsed(self.document(), tuple(self.notices))

    @abstractmethod
    def document(self) -> Any:
        """Return the JSON value of the dialect's text; raise DialectError if it is malformed."""

    def fail(self, message: str, at: int, hint: str | None = None) -> NoReturn:
        raise Source(self.text).error(DialectError, message, at, hint)

    def note(self, message: str, at: int) -> None:
        if not self.notices.is_full:
            self.notices.add(message, *Source(self.text).place(at))

    def lines(self) -> Iterator[Token]:
        """Yield the lines of the dialect's text, without their line ends, as tokens."""
        at = 0
        for line in self.text.split("\n"):
            yield Token(line.removesuffix("\r"), at)
            at += len(line) + 1

    def scalar(self, text: str, at: int) -> Any:
        """Convert ``text``, at offset ``at``, to a JSON scalar, or raise DialectError."""
        if not text:
            self.fail("no value here", at, 'an empty text is written ""')
        try:
            return parse_token(text, exact_number)
        except TokenError as error:
            message, hint = describe(error.problem, error.facts)
            self.fail(message, at + error.offset, hint)


def quote(text: str, special: re.Pattern[str]) -> str:
    """Put a text in double quotes; escape the characters that the pattern ``special`` matches."""
    return f'"{escape(text, special)}"'


def escape(text: str, special: re.Pattern[str]) -> str:
    """Escape the characters of a text that the pattern ``special`` matches, by a backslash."""
    return special.sub(lambda match: ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text)


def check_finite(value: Any, path: str = "$") -> None:
    """Refuse NaN and infinities anywhere in a JSON value.

    Raises:
        EncodeError: A number is not finite; the error's path, below ``path``, says where.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            check_finite(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            check_finite(item, step(path, key))
    elif isinstance(value, float | Decimal) and not is_finite(value):
        raise EncodeError(f"{value} has no JSON form", path)
