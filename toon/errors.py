"""Errors as facts: what is wrong, where, and what would mend it.

    ValueError
    ├── TextError             a text that cannot be read: message, line, column, source, hint
    │   ├── ToonDecodeError   the text is not TOON
    │   ├── FormatError       the text is not of the format it was read as: YAML, XML, CSV
    │   ├── DialectError      the text is not of the dialect it was read as
    │   ├── TemplateError     (toon.compact.templates) the text is no template
    │   └── JsonDecodeError   the text is not JSON
    └── EncodeError           a value that has no TOON form: message, path

:func:`render` is the one place that turns a :class:`TextError` into lines for a person; the
page and the command line both use it.
"""

from __future__ import annotations

from typing import Any, TypedDict


class ErrorFacts(TypedDict):
    """What is known of an error in a text, ready for JSON."""

    message: str
    line: int | None
    column: int | None
    source: str | None
    hint: str | None


class TextError(ValueError):
    """A text that cannot be read.

    ``line`` and ``column`` are 1-based and count characters; they are None where the text as a
    whole is at fault. ``source`` is the line itself, ``hint`` what would probably mend it.
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,), self.__dict__

    def as_dict(self) -> ErrorFacts:
        """The five facts, ready for JSON."""
        return {
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "source": self.source,
            "hint": self.hint,
        }


class ToonDecodeError(TextError):
    """The text is not TOON (SPEC 4.4 §14)."""


class FormatError(TextError):
    """A text that is not of the format it was read as: YAML, XML, CSV."""


class DialectError(TextError):
    """A text that is not of the dialect it was read as: tickets, pipe tables, VibeMCP."""


class JsonDecodeError(TextError):
    """The text is not JSON (RFC 8259)."""


class EncodeError(ValueError):
    """A value that has no TOON form; ``path`` says which, as in ``$.orders[3].note``."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, path)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


def clip(source: str, column: int, width: int = 80) -> tuple[str, int]:
    """At most ``width`` characters of ``source`` around ``column``, and the column in them."""
    start = min(max(0, column - 1 - width * 3 // 4), max(0, len(source) - width))
    head = "…" if start else ""
    tail = "…" if start + width < len(source) else ""
    return head + source[start : start + width] + tail, column - start + len(head)


def render(error: TextError) -> str:
    """The error as lines of text: message and place, source line, caret, hint."""
    lines = [str(error)]
    if error.source is not None and error.column is not None:
        shown, column = clip(error.source, error.column)
        shown = "".join(c if c.isprintable() else "→" if c == "\t" else "�" for c in shown)
        lines += [f"  {shown}", "  " + " " * (column - 1) + "^"]
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)
