"""A reading position in the text of a template, and errors that point there."""

from __future__ import annotations

import json
import re
from typing import Final

from toon.errors import TextError
from toon.text import Source, surrogate_in

#: The most characters of a template.
MAX_LENGTH: Final = 20_000

_BLANKS: Final = re.compile(r"\s*+")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"')


class TemplateError(TextError):
    """A text is not a template; line and column are always set."""


class Scanner:
    """Reads ``text`` from ``at`` up to ``end``.

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
        """An error that points to ``at``, by default to the current place."""
        offset = self.at if at is None else at
        return Source(self.text).error(TemplateError, message, offset, hint)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Reads what ``pattern`` matches here; None if it does not match."""
        match = pattern.match(self.text, self.at, self.end)
        if match:
            self.at = match.end()
        return match

    def take(self, mark: str) -> bool:
        """Reads ``mark`` if it is next; whether it was."""
        is_next = self.text.startswith(mark, self.at, self.end)
        if is_next:
            self.at += len(mark)
        return is_next

    def skip_blanks(self) -> None:
        self.match(_BLANKS)

    def string(self) -> str:
        """Reads the JSON string that starts here.

        Raises:
            TemplateError: it is not closed on its line, or has an escape unknown to JSON.
        """
        start = self.at
        match = self.match(_STRING)
        if match is None:
            raise self.error("text is not closed", 'add the closing "')
        try:
            value = str(json.loads(match[0], strict=False))
        except json.JSONDecodeError as error:
            hint = 'write \\\\ for a backslash and \\" for a quote'
            raise self.error("unknown escape", hint, start + error.pos) from None
        if surrogate_in(value) is not None:
            raise self.error("a surrogate is not a character", "write the character itself", start)
        return value

    def next_text(self) -> str:
        """The next character, or the end, in words for a message."""
        return "the end" if self.done or self.next == "\n" else repr(self.next)
