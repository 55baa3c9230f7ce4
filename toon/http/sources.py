"""Reads the text of a body: its value and its notices."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from toon.codec.text import NAMED_DELIMITERS
from toon.errors import TextError
from toon.formats import FORMATS, Format
from toon.formats.base import OneWay
from toon.formats.toon import TOON, ToonFormat
from toon.http.replies import Refused
from toon.playground.conversion import excerpt
from toon.playground.detection import read_any
from toon.text import Parsed

#: Values of ``from``; ``auto`` recognises JSON, XML, TOON and its dialects.
SOURCES: Final = ("auto", "json", *FORMATS)


def text_of(body: bytes) -> str:
    """The body as text.

    Raises:
        Refused: It is not UTF-8.
    """
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        message = f"the body is not UTF-8: {error.reason} at byte {error.start}"
        details = {"byte": error.start}
        raise Refused(400, "INVALID_BODY", message, details=details) from None


def read(text: str, source: str, indent: int) -> tuple[Parsed, str]:
    """The value of ``text``, and the format it was read as.

    Args:
        source: A name in ``SOURCES``.
        indent: Spaces of a level, for TOON.

    Raises:
        Refused: The text is not of that format (400), or that format is one way (422).
    """
    try:
        if source == "auto":
            return read_any(text, replace(TOON, indent_size=indent))
        return format_of(source, indent).read(text), source
    except TextError as error:
        facts = excerpt(error)
        details = {name: fact for name, fact in facts.items() if name not in ("message", "hint")}
        raise Refused(
            400, "INVALID_BODY", error.message, details=details, hint=error.hint
        ) from None
    except OneWay as reason:
        raise Refused(422, "NOT_APPLICABLE", str(reason), details={"from": source}) from None
    except ValueError as error:
        raise Refused(400, "INVALID_BODY", str(error)) from None


def format_of(name: str, indent: int, delimiter: str | None = None) -> Format:
    """The format ``name``; TOON gets this indent, and this delimiter unless it is None."""
    format = FORMATS["json-compact" if name == "json" else name]
    if not isinstance(format, ToonFormat):
        return format
    character = format.delimiter if delimiter is None else NAMED_DELIMITERS[delimiter]
    return replace(format, indent_size=indent, delimiter=character)
