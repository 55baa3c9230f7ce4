"""A text as prepared lines, and the one place that raises errors about them."""

from __future__ import annotations

from typing import Final, NoReturn

from toon.codec.problems import phrase
from toon.codec.text import TokenError
from toon.dialects.pipe.text import INDENT
from toon.errors import DialectError
from toon.text import Notices, surrogate_in

END: Final = -1  # the level of the end of the text: shallower than any line


class Lines:
    """The lines that are not blank.

    Attributes:
        contents: each line without indentation and line end; never empty.
        levels: how many indents each line stands in, then END.
        strict: False where blanks too many are a notice instead of an error.
        notices: what there is to say about the text so far.
    """

    def __init__(self, text: str, strict: bool) -> None:
        self.strict = strict
        self.notices = Notices()
        if text.startswith("\ufeff"):
            text = text[1:]
            self.notices.add("byte-order mark at the start: ignored", 1, 1)
        self.raw = text.split("\n")
        if "\r" in text:
            self.raw = [line.removesuffix("\r") for line in self.raw]
        self.contents: list[str] = []
        self.levels: list[int] = []
        self._numbers: list[int] = []
        self._widths: list[int] = []
        for number, line in enumerate(self.raw, 1):
            self._prepare(line, number)
        self.levels.append(END)
        if not text.isascii():
            self._refuse_surrogates()

    def _prepare(self, line: str, number: int) -> None:
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
            spaces = "1 space" if width == 1 else f"{width} spaces"
            message = f"indentation of {spaces} is not a multiple of {INDENT}"
            self.fail(message, at, hint=f"indent with {INDENT} spaces a level")
        if content[-1] in " \t":
            trimmed = content.rstrip(" \t")
            self.tolerate("blanks at the end of the line", at, len(trimmed))
            self.contents[at] = trimmed

    def _refuse_surrogates(self) -> None:
        for number, line in enumerate(self.raw, 1):
            at = surrogate_in(line)
            if at is not None:
                message = f"lone surrogate U+{ord(line[at]):04X}: UTF-8 cannot carry it"
                raise DialectError(message, line=number, column=at + 1, source=line)

    def tolerate(self, message: str, at: int, offset: int) -> None:
        """An error where the reading is strict, else a notice that it was passed over."""
        if self.strict:
            self.fail(message, at, offset, hint="remove them, or read the text leniently")
        self.note(f"{message}: ignored", at, offset)

    def note(self, message: str, at: int, offset: int = 0) -> None:
        """A notice on the prepared line ``at``; the hundredth says that there are more."""
        self.notices.add(message, *self._place(at, offset))

    def fail(self, message: str, at: int, offset: int = 0, hint: str | None = None) -> NoReturn:
        """Raises an error at the prepared line ``at``, ``offset`` characters into its content."""
        line, column = self._place(at, offset)
        source = self.raw[line - 1]
        raise DialectError(message, line=line, column=column, source=source, hint=hint)

    def fail_token(self, error: TokenError, at: int, offset: int) -> NoReturn:
        """Raises what is wrong with a token that starts ``offset`` into its line."""
        message, hint = phrase(error.problem, error.facts)
        self.fail(message, at, offset + error.offset, hint)

    def _place(self, at: int, offset: int) -> tuple[int, int]:
        """The 1-based line and column in the text."""
        return self._numbers[at], self._widths[at] + offset + 1
