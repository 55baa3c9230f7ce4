"""Tools of every reader of text: positions, errors at a position, notices, quoted strings.

A reader keeps one :class:`Source` for its text and one :class:`Notices` for what it ignored.
"""

from __future__ import annotations

import re
from collections import namedtuple

from toon.errors import TextError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NamedTuple, TypeVar

    Error = TypeVar("Error", bound=TextError)

    class _Notice(NamedTuple):
        message: str
        line: int | None = None
        column: int | None = None

    class _Parsed(NamedTuple):
        value: Any
        notices: tuple[Notice, ...] = ()

    class _Source(NamedTuple):
        text: str

else:  # commands start sooner without typing
    _Notice = namedtuple("_Notice", "message line column", defaults=(None, None))
    _Parsed = namedtuple("_Parsed", "value notices", defaults=((),))
    _Source = namedtuple("_Source", "text")


class _Later:
    """A regular expression that is compiled at its first use."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, attribute)  # so this is called once
        return attribute


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled only at its first use, to save start time."""
    return _Later(pattern, flags)  # type: ignore[return-value]


#: A quoted string. Backslashes escape; line breaks are allowed. Compile it with re.DOTALL.
QUOTED: Final = r'"(?:[^"\\]|\\.)*+"'
#: A quoted string, or one without a closing quote up to the end of the text (SPEC 4.4 §5.2).
QUOTED_OR_OPEN: Final = r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)'

#: Characters that a terminal obeys, or that reorder the text around them.
_CONTROL: Final = compile_later(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

#: The number of notices that a reader keeps. One more then says that there are others.
MAX_NOTICES: Final = 100

_SURROGATE: Final = compile_later("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Replace line breaks, controls and other misleading characters in a text by U+FFFD."""
    return _CONTROL.sub("\ufffd", text)


class Notice(_Notice):
    """A remark about a text for its reader; ``line`` and ``column`` as in TextError."""

    __slots__ = ()

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        return f"line {self.line}, column {self.column}: {self.message}"


class Parsed(_Parsed):
    """A value read from text, and the notices about that text."""

    __slots__ = ()


class Notices(list[Notice]):
    """The first ``MAX_NOTICES`` notices about a text, then one that says there are more."""

    def add(self, message: str, line: int | None = None, column: int | None = None) -> None:
        if len(self) < MAX_NOTICES:
            self.append(Notice(message, line, column))
        elif not self.is_full:
            self.append(Notice(f"and more: only the first {MAX_NOTICES} are listed"))

    @property
    def is_full(self) -> bool:
        """Whether more than 100 notices came: the list says so at its end and takes no more."""
        return len(self) > MAX_NOTICES


class Source(_Source):
    """A text, its lines and positions; lines and columns count characters from 1."""

    __slots__ = ()

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column of the character at an offset of a text, or of its end."""
        line_start = self.text.rfind("\n", 0, offset)
        return self.text.count("\n", 0, offset) + 1, offset - line_start

    def error(self, kind: type[Error], message: str, offset: int, hint: str | None = None) -> Error:
        """Return an error of class ``kind`` about the character at an offset, with its line."""
        line, column = self.place(offset)
        end = self.text.find("\n", offset)
        source = self.text[offset - column + 1 : None if end < 0 else end].removesuffix("\r")
        return kind(message, line=line, column=column, source=source, hint=hint)

    def error_on(self, kind: type[Error], message: str, line: int, column: int) -> Error:
        """Return an error of class ``kind`` at a line and column of a text, or else at its end."""
        lines = self.text.split("\n")
        if line > len(lines):
            line, column = len(lines), len(lines[-1]) + 1
        source = lines[line - 1].removesuffix("\r")
        return kind(message, line=line, column=column, source=source)


def whole_number(text: str, low: int, high: int) -> int | None:
    """Return the number that a text spells in ASCII digits; None if it is none from low to high.

    Python itself reads other digits and underscores, too, and refuses 4,301 digits in its own way.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(high))):
        return None
    number = int(text)
    return number if low <= number <= high else None


def replace_surrogates(text: str) -> str:
    """Replace each surrogate code point in a text, which UTF-8 cannot encode, by U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def find_surrogate(text: str) -> int | None:
    """Return the offset of a text's first surrogate, which UTF-8 cannot encode, or None."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None
