"""A reading position in the text of a template, and errors that point there."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Final

from toon.errors import TextError
from toon.text import Source
from toon.values.paths import IN_TEMPLATE, PathError, Step, read_path, read_string

#: The most characters of a template.
MAX_LENGTH: Final = 20_000

#: The bytes of the longest template; a byte-order mark fits in too, as ``line:`` is ASCII.
_MAX_BYTES: Final = 4 * MAX_LENGTH

_BLANKS: Final = re.compile(r"\s*+")


class TemplateError(TextError):
    """An error in a template; its line and column are always set."""


def decoded(data: bytes) -> str:
    """Decode the file of a template, which need not be right yet.

    Raises:
        TemplateError: The file is too long or not UTF-8.
    """
    if len(data) > _MAX_BYTES:
        message = f"file is longer than a template of {MAX_LENGTH:,} characters can be"
        raise TemplateError(message, line=1, column=1)
    body = data.removeprefix(BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        source = Source(body.decode(errors="replace"))
        at = len(body[: error.start].decode())
        message = f"byte 0x{body[error.start]:02X} is not UTF-8"
        raise source.error(TemplateError, message, at, "save the file as UTF-8") from None


class Scanner:
    """A place in ``text`` that moves from ``at`` up to ``end``.

    The reader of a pattern counts the values in it in ``values``.
    """

    def __init__(self, text: str, at: int, end: int) -> None:
        self.text = text
        self.at = at
        self.end = end
        self.values = 0

    @property
    def done(self) -> bool:
        return self.at >= self.end

    @property
    def next(self) -> str:
        """The next character; "" at the end."""
        return "" if self.done else self.text[self.at]

    def error(self, message: str, hint: str | None = None, at: int | None = None) -> TemplateError:
        """Return an error that points to ``at``, or to the current place."""
        offset = self.at if at is None else at
        return Source(self.text).error(TemplateError, message, offset, hint)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what ``pattern`` matches here; return None if it does not match."""
        match = pattern.match(self.text, self.at, self.end)
        if match:
            self.at = match.end()
        return match

    def take(self, mark: str) -> bool:
        """Read ``mark`` if it is next; return whether it was."""
        is_next = self.text.startswith(mark, self.at, self.end)
        if is_next:
            self.at += len(mark)
        return is_next

    def skip_blanks(self) -> None:
        self.match(_BLANKS)

    def string(self) -> str:
        """Read the JSON string that starts here.

        Raises:
            TemplateError: It is not closed on its line, or has an escape unknown to JSON.
        """
        try:
            value, self.at = read_string(self.text, self.at, self.end)
        except PathError as error:
            raise self.error(error.message, error.hint, error.at) from None
        return value

    def path(self) -> tuple[Step, ...]:
        """Read the path that starts here.

        Raises:
            TemplateError: There is no path.
        """
        try:
            path, self.at = read_path(self.text, IN_TEMPLATE, self.at, self.end)
        except PathError as error:
            raise self.error(error.message, error.hint, error.at) from None
        return path

    def next_text(self) -> str:
        """Return the next character, or the end, in words for a message."""
        return "the end" if self.done or self.next == "\n" else repr(self.next)
