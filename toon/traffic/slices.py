"""The exact part of a JSON text that holds a value, with its digits, escapes and blanks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

_BLANK: Final = re.compile(r"[ \t\r\n]*+")


class NotJson(ValueError):
    """There is no JSON value here; ``at`` is the offset of the failure, None if unknown."""

    def __init__(self, at: int | None) -> None:
        super().__init__("no JSON value here")
        self.at = at


def _refuse(name: str) -> NoReturn:
    raise NotJson(None)


# Numbers stay strings: that is faster, and no number is too long.
_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


def skip_blank(text: str, at: int) -> int:
    """The offset of the first character at or after ``at`` that is not JSON whitespace."""
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def find_end(text: str, at: int) -> int:
    """The offset after the JSON value that starts at ``at``.

    Raises:
        NotJson: There is no value.
        RecursionError: It is nested too deeply.
    """
    try:
        return _DECODER.raw_decode(text, at)[1]
    except json.JSONDecodeError as error:
        unclosed = error.msg.startswith("Unterminated")
        raise NotJson(len(text) if unclosed else error.pos) from None


def cut_slice(text: str, path: Sequence[str | int]) -> str:
    """The part of the valid JSON ``text`` that holds the value at ``path``.

    Of duplicate keys the last counts. An empty path gives the whole text without outer blanks.

    Raises:
        LookupError: There is no value at the path.
        RecursionError: It is nested too deeply.
    """
    start = skip_blank(text, 0)
    end = find_end(text, start)
    for step in path:
        place: tuple[int, int] | None = None
        if text[start] in "{[":
            for key, first, last in _members(text, start):
                if key == step or (isinstance(key, int) and str(key) == step):
                    place = first, last
        if place is None:
            raise LookupError(step)
        start, end = place
    return text[start:end]


def cut_members(text: str) -> Iterator[str]:
    """The texts of the items of a valid JSON array, in one pass.

    Raises:
        NotJson, RecursionError: As for :func:`find_end`.
    """
    for _, first, last in _members(text, skip_blank(text, 0)):
        yield text[first:last]


def _members(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """The key or index, start and end of each member of the valid object or array at ``at``."""
    is_object = text[at] == "{"
    at = skip_blank(text, at + 1)
    index = 0
    while text[at] not in "]}":
        key: str | int = index
        if is_object:
            end = find_end(text, at)
            key = json.loads(text[at:end])
            at = skip_blank(text, skip_blank(text, end) + 1)
        end = find_end(text, at)
        yield key, at, end
        at = skip_blank(text, end)
        if text[at] == ",":
            at = skip_blank(text, at + 1)
        index += 1
