"""The exact piece of a JSON text that holds a value: its digits, escapes and blanks survive."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

_BLANK: Final = re.compile(r"[ \t\r\n]*+")


class NotJson(ValueError):
    """No JSON value at a place; ``at`` is the offset it fails at, None where that is unknown."""

    def __init__(self, at: int | None) -> None:
        super().__init__("no JSON value here")
        self.at = at


def _refuse(name: str) -> NoReturn:
    raise NotJson(None)


# Numbers stay texts: no time goes into them and none is too long.
_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


def skip_blank(text: str, at: int) -> int:
    """The offset of the first character from ``at`` on that is no JSON whitespace."""
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def value_end(text: str, at: int) -> int:
    """The offset after the JSON value that starts at ``at``.

    Raises:
        NotJson: there is none.
        RecursionError: it is nested too deeply.
    """
    try:
        return _DECODER.raw_decode(text, at)[1]
    except json.JSONDecodeError as error:
        unclosed = error.msg.startswith("Unterminated")
        raise NotJson(len(text) if unclosed else error.pos) from None


def slice_at(text: str, path: Sequence[str | int]) -> str:
    """The piece of the valid JSON ``text`` that holds the value at ``path``.

    Of duplicate keys the last counts. ``text`` itself for no path, without outer blanks.

    Raises:
        LookupError: nothing lies there.
        RecursionError: it is nested too deeply.
    """
    start = skip_blank(text, 0)
    end = value_end(text, start)
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


def _members(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """Key or index, start and end of each member of the valid object or array at ``at``."""
    is_object = text[at] == "{"
    at = skip_blank(text, at + 1)
    index = 0
    while text[at] not in "]}":
        key: str | int = index
        if is_object:
            end = value_end(text, at)
            key = json.loads(text[at:end])
            at = skip_blank(text, skip_blank(text, end) + 1)
        end = value_end(text, at)
        yield key, at, end
        at = skip_blank(text, end)
        if text[at] == ",":
            at = skip_blank(text, at + 1)
        index += 1
