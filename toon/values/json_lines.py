"""One JSON text, or JSON Lines, to a value."""

from __future__ import annotations

import json
import re

from toon.codec.numbers import NumberRangeError
from toon.errors import JsonDecodeError
from toon.text import Notice, Notices, Parsed, compile_later
from toon.values.json_text import (
    MARK_IGNORED,
    Constant,
    Reader,
    parse_json,
    refuse_lone_surrogates,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_LINE: Final = compile_later(r"^[ \t\r]*+[^ \t\r\n][^\n]*+", re.MULTILINE)
_NO_VALUE: Final = (
    Constant,
    NumberRangeError,
    JsonDecodeError,
    json.JSONDecodeError,
    RecursionError,
)


def parse_json_or_lines(text: str) -> Parsed:
    """Read a JSON text, or JSON Lines as the array of their values; return the value and notices.

    JSON Lines are two or more lines with one JSON value each; blank lines do not count.

    Raises:
        JsonDecodeError: As for :func:`parse_json`; of JSON Lines in the line that is wrong.
    """
    try:
        return parse_json(text)
    except JsonDecodeError:
        values, notices = _parse_lines(text.removeprefix("\ufeff"))
        if len(values) < 2:
            raise
    if text.startswith("\ufeff"):
        notices.insert(0, MARK_IGNORED)
    return Parsed(values, tuple(notices))


def _parse_lines(text: str) -> tuple[list[Any], Notices]:
    """Read JSON Lines; return values and notices, or no values if one of the first two is wrong.

    Raises:
        JsonDecodeError: A later line is wrong; its place is that in the whole text.
    """
    keys: dict[str, str] = {}  # the decoder shares those of one line only
    reader = Reader(text, lambda items: {keys.setdefault(key, key): item for key, item in items})
    values: list[Any] = []
    notices = Notices()
    breaks = at = 0  # the line breaks before a place
    for match in _LINE.finditer(text):
        line, value = match[0], None
        try:
            value = reader.decoder.decode(line)
            if reader.may_have_halves:
                refuse_lone_surrogates(line)
        except _NO_VALUE:
            reader.found_odd = True
        if reader.found_odd:  # read again, for the notices or the error
            reader.found_odd = False
            breaks, at = breaks + text.count("\n", at, match.start()), match.start()
            try:
                value, remarks = parse_json(line)
            except JsonDecodeError as error:
                if len(values) < 2:
                    return [], notices
                error.line = breaks + (error.line or 1)
                raise
            for notice in remarks:
                notices.add(notice.message, breaks + (notice.line or 1), notice.column)
        values.append(value)
    notices.insert(0, Notice(f"JSON Lines: read as an array of {len(values):,} values"))
    return values, notices
