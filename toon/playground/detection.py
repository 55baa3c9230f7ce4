"""Which dialect a text is written in, by its first lines: people paste them all for TOON."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final, NoReturn

from toon.codec.normalise import normalise
from toon.dialects import pipe, ticket, vibemcp
from toon.errors import DialectError, EncodeError
from toon.formats import FORMATS
from toon.text import QUOTED, Notice, Parsed

# Unquoted, no text of TOON's holds a bracket or brace: this is none. The documents print envelopes
# without their marker, too.
_TICKET: Final = re.compile(
    r"TOON/[0-9]\S*\s+(?:T|BOARD|ERR)?\s*[\[{]"
    r"|(?:\[\s*)?T\{\s*id:|BOARD\{\s*(?:\}|[a-z]+:\s*\[)|ERR\{\s*code:"
)
_BLANK: Final = " \t\r\n\ufeff"
_VIBEMCP: Final = re.compile(rf"(?:{QUOTED}|[^\s\[]++)\[\d+\]\{{.*\}}\s*\Z")
_PIPE_ROW: Final = re.compile(r"[ \t]*\|[ \t].*[ \t]\|[ \t\r]*\Z")
_COMPACT: Final = re.compile(r'\{\s*"format"\s*:\s*"compact"')
# What stands alone above a block of pipe tables: a key without a colon, or the hyphen of an item.
_CONTAINER: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+|-)[ \t\r]*\Z")
_FIELD: Final = re.compile(rf"(?:{QUOTED}|[A-Za-z_][A-Za-z0-9_.]*+): ")
_LOOKED_AT: Final = 200


def dialect_of(text: str) -> str:
    """The name of the format ``text`` looks like, a key of ``toon.formats.FORMATS``.

    One of ``ticket``, ``vibemcp``, ``pipe``, ``compact``, and for everything else ``toon``. It is
    a look at the first lines, never a proof: the decoder of that format has the last word.
    """
    start = text.lstrip(_BLANK)
    if _TICKET.match(start):
        return "ticket"
    if _COMPACT.match(start):
        return "compact"
    # A comment is no line of any dialect, and none of TOON's values.
    shown = start[:100_000].split("\n", _LOOKED_AT)[:_LOOKED_AT]
    lines = [line for line in shown if line.strip() and line.lstrip()[0] != "#"]
    if not lines:
        return "toon"
    if _VIBEMCP.match(lines[0]):
        return "vibemcp"
    return "pipe" if len(lines) > 1 and _is_pipe(lines) else "toon"


def _is_pipe(lines: list[str]) -> bool:
    """A table at the start, or a container's line that has a table or a block below it."""
    if _PIPE_ROW.match(lines[0]):
        return True
    if _CONTAINER.match(lines[0]) and (lines[1].startswith("  ") or _FIELD.match(lines[1])):
        return True
    return any(
        _PIPE_ROW.match(below) and _CONTAINER.match(line.lstrip(" ")) and _may_hold(line, below)
        for line, below in itertools.pairwise(lines)
    )


def _may_hold(line: str, below: str) -> bool:
    """Whether the line below is deeper, or both are flush left: rows of TOON's are neither."""
    width, deeper = (len(text) - len(text.lstrip(" ")) for text in (line, below))
    return deeper > width or deeper == width == 0


def read_dialect(name: str, text: str, strict: bool) -> Parsed:
    """The value of a text that :func:`dialect_of` has named, no TOON; a notice names the dialect.

    Raises:
        DialectError: the text is not of that dialect after all, or one way; or its value is nested
            deeper than TOON can be.
    """
    label = FORMATS[name].label
    try:
        parsed = _READERS[name](text, strict)
        normalise(parsed.value)
    except DialectError as error:
        error.message = f"read as {label}: {error.message}"
        raise
    except EncodeError as error:
        raise DialectError(str(error), hint="no format here goes deeper") from None
    notice = Notice(f"this is not TOON: it was recognised and read as {label}")
    return replace(parsed, notices=(notice, *parsed.notices))


def _read_vibemcp(text: str, strict: bool) -> Parsed:
    """As deployed; what only the lossless profile has is read by that."""
    try:
        return vibemcp.read(text, strict=strict)
    except DialectError:
        with suppress(DialectError):
            return vibemcp.read(text, profile=vibemcp.LOSSLESS, strict=strict)
        raise


def _read_compact(text: str, strict: bool) -> NoReturn:
    raise DialectError(
        "they are written for a reader and cannot be read back",
        hint="they are JSON: paste them on the other side to see what they cost",
    )


def _read_ticket(text: str, strict: bool) -> Parsed:
    # Tolerant whatever was asked for, as its readers are: the documents themselves print texts
    # with bare blanks and line breaks.
    return ticket.decode(text)


_READERS: Final[dict[str, Callable[[str, bool], Parsed]]] = {
    "ticket": _read_ticket,
    "pipe": pipe.read,
    "vibemcp": _read_vibemcp,
    "compact": _read_compact,
}
