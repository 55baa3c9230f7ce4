"""The result of converting a text that is no JSON, and the error where it cannot be converted."""

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
    """A text of a known kind that holds something without a JSON form."""


class Converted(NamedTuple):
    """The JSON of a text, and notices about it."""

    text: str
    notices: tuple[Notice, ...] = ()


def converted(value: Any, *said: str) -> Converted:
    """Return the indented JSON of a value, with notices ``said``."""
    return Converted(indented(JSON_COMPACT.dumps(value)), tuple(map(Notice, said)))


def array_of(items: Iterable[str], *said: str) -> Converted:
    """Put JSON texts into an array, as they stand; return a single text alone.

    Raises:
        ValueError: A text is no JSON, or there are no texts.
    """
    found = list(items)
    for item in found:
        _LINE.decode(item)
    array = found[0] if len(found) == 1 else "[\n" + ",\n".join(found) + "\n]"
    parse_json(array)
    return Converted(array, tuple(map(Notice, said)))


def array_of_lines(text: str) -> Converted:
    """Put the lines of a text into an array; each stays as typed, without a comma at its end."""
    lines = (line.strip(" \t\r").removesuffix(",") for line in text.split("\n"))
    items = [line for line in lines if line]
    if len(items) < 2:
        raise ValueError("one line is no list")
    return array_of(items)


def body(text: str) -> Converted:
    """Return the JSON in the body of a message; several lines of JSON become an array.

    Raises:
        Obstacle: The body is not JSON.
    """
    text = text.strip(" \t\r\n")
    try:
        return Converted(text) if is_json(text) else array_of_lines(text)
    except ValueError:
        raise Obstacle("its body is not JSON") from None


def is_json(text: str) -> bool:
    """Return whether a text is JSON."""
    try:
        parse_json(text)
    except JsonDecodeError:
        return False
    return True
