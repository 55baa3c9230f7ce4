"""A reading place in the text of a template, and errors that say where it was."""

from __future__ import annotations

import re
from typing import Final

from toon.errors import TextError
from toon.text import Source
from toon.values.paths import PathError, read_string

#: Characters of a template.
MAX_LENGTH: Final = 20_000

_BLANKS: Final = re.compile(r"\s*+")


class TemplateError(TextError):
    """A text that is no template; line and column are always known."""


def error_at(text: str, at: int, message: str, hint: str | None = None) -> TemplateError:
    """The error for the character at ``at``, which may be the end of ``text``."""
    return Source(text).error(TemplateError, message, at, hint)


class Scanner:
    """Reads ``text`` from ``at`` up to ``end``; what lies past it is for others.

    ``values`` is for the reader of a pattern to count those in it.
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
        """The next character, "" at the end."""
        return "" if self.done else self.text[self.at]

    def error(self, message: str, hint: str | None = None, at: int | None = None) -> TemplateError:
        return error_at(self.text, self.at if at is None else at, message, hint)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What ``pattern`` matches here, which is then read."""
        found = pattern.match(self.text, self.at, self.end)
        if found:
            self.at = found.end()
        return found

    def take(self, mark: str) -> bool:
        """Whether ``mark`` stands here; then it is read."""
        found = self.text.startswith(mark, self.at, self.end)
        if found:
            self.at += len(mark)
        return found

    def skip_blanks(self) -> None:
        self.match(_BLANKS)

    def string(self) -> str:
        """The JSON string that begins here.

        Raises:
            TemplateError: it is not closed on its line, or has an escape that JSON does not.
        """
        try:
            value, self.at = read_string(self.text, self.at, self.end)
        except PathError as error:
            raise self.error(error.message, error.hint, error.at) from None
        return value

    def shown(self) -> str:
        """The next character for a message."""
        return "the end" if self.done or self.next == "\n" else repr(self.next)
