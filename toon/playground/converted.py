"""What a text that is no JSON was converted to, and what stands in the way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from toon.errors import FormatError, JsonDecodeError
from toon.formats.json import JSON_COMPACT
from toon.playground.rewrite import indented
from toon.text import Notice
from toon.values.json_text import parse_json

_LINE: Final = json.JSONDecoder(parse_int=str, parse_float=str)


class Obstacle(FormatError):
    """The text is of a kind, but holds what JSON cannot."""


class Converted(NamedTuple):
    """The JSON of a text, and what is said of it."""

    text: str
    notices: tuple[Notice, ...] = ()


def converted(value: Any, *said: str) -> Converted:
    """The indented JSON of a value, and what is said of it."""
    return Converted(indented(JSON_COMPACT.dumps(value)), tuple(map(Notice, said)))


def array_of(items: Iterable[str], *said: str) -> Converted:
    """JSON texts as they stand: one alone, else in an array.

    Raises:
        ValueError: One is no JSON, or there is none.
    """
    found = list(items)
    for item in found:
        _LINE.decode(item)
    array = found[0] if len(found) == 1 else "[\n" + ",\n".join(found) + "\n]"
    parse_json(array)
    return Converted(array, tuple(map(Notice, said)))


def array_of_lines(text: str) -> Converted:
    """The lines of a text as an array; each stays as typed, without a comma at its end."""
    lines = (line.strip(" \t\r").removesuffix(",") for line in text.split("\n"))
    items = [line for line in lines if line]
    if len(items) < 2:
        raise ValueError("one line is no list")
    return array_of(items)


def body(text: str) -> Converted:
    """The JSON in the body of a message; of several lines, an array of them.

    Raises:
        Obstacle: It holds something else.
    """
    text = text.strip(" \t\r\n")
    try:
        return Converted(text) if is_json(text) else array_of_lines(text)
    except ValueError:
        raise Obstacle("its body is not JSON") from None


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        parse_json(text)
    except JsonDecodeError:
        return False
    return True
