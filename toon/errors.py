"""Errors as facts: what is wrong, where, and what would fix it.

    ValueError
    ├── TextError             a text that cannot be read: message, line, column, source, hint
    │   ├── ToonDecodeError   the text is not TOON
    │   ├── FormatError       the text is not the YAML, XML, CSV or TRON it was read as
    │   ├── DialectError      the text is not in the dialect it was read as
    │   ├── TemplateError     (toon.compact.templates) the text is not a template
    │   └── JsonDecodeError   the text is not JSON
    ├── RunError              a file that is no run, or a run that cannot be read here
    └── EncodeError           a value that has no TOON form: message, path

    OSError
    ├── WriteError            a file that cannot be written and is as it was before
    └── HeldError             a folder that another process works in: holder

:func:`render` turns a :class:`TextError` into lines of text, for pages and the command line.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


class TextError(ValueError):
    """The error that a text (JSON, TOON or another format) cannot be read, with its place.

    ``line`` and ``column`` are 1-based and count characters; they are None if the error concerns
    the whole text. ``source`` is the line, ``hint`` says what would probably fix it.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.source = source
        self.hint = hint

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        return f"line {self.line}, column {self.column}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message,), self.__dict__

    def as_dict(self) -> dict[str, str | int | None]:
        """Return message, line, column, source line and hint of the error as a dict for JSON."""
        return {
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "source": self.source,
            "hint": self.hint,
        }


class ToonDecodeError(TextError):
    """The error that a text is not TOON (SPEC 4.4 §14)."""


class FormatError(TextError):
    """The error that a text is not the YAML, XML, CSV, TRON or JSON by columns it was read as."""


class DialectError(TextError):
    """The error that a text is not in the dialect it was read as: tickets, pipe tables, VibeMCP."""


class JsonDecodeError(TextError):
    """The error that a text is not JSON (RFC 8259)."""


class EncodeError(ValueError):
    """The error that a value has no TOON form; ``path`` is its place, as ``$.orders[3].note``."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class RunError(ValueError):
    """The error that a file is no measured run (Parquet), is damaged, or cannot be read here."""


class WriteError(OSError):
    """The error that a file cannot be written; the file is as it was before.

    The arguments are the number of the error, the system's words, and the file's name.
    """

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}"


class HeldError(OSError):
    """The error that another process, ``holder``, works in a folder and has locked it."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is in use by {holder}")
        self.path = path
        self.holder = holder


def clip(source: str, column: int, width: int = 80) -> tuple[str, int]:
    """Cut a line of text to at most ``width`` characters around a column, with secrets masked.

    Return the part, which has … where it was cut, and the column within it.
    """
    from toon.secrets import mask  # few programs show an error

    source = mask(source)
    start = min(max(0, column - 1 - width * 3 // 4), max(0, len(source) - width))
    head = "…" if start else ""
    tail = "…" if start + width < len(source) else ""
    return head + source[start : start + width] + tail, column - start + len(head)


def render(error: TextError) -> str:
    """Return an error in a text as lines for people: place and message, source, caret, hint.

    Source line, caret and hint are left out if unknown.
    """
    lines = [str(error)]
    if error.source is not None and error.column is not None:
        shown, column = clip(error.source, error.column)
        shown = "".join(c if c.isprintable() else "→" if c == "\t" else "�" for c in shown)
        lines += [f"  {shown}", "  " + " " * (column - 1) + "^"]
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)
