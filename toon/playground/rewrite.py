"""JSON texts written anew: with other whitespace, put into an array, or taken from other texts.

All but whitespace stays as typed: numbers, escapes, the order of keys and repeated keys.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from toon.errors import FormatError, JsonDecodeError, TextError
from toon.formats import json as json_format
from toon.formats.json import JSON_COMPACT
from toon.limits import EDITOR_BYTES
from toon.text import Notice
from toon.values.json_text import parse_json

_LINE: Final = json.JSONDecoder(parse_int=str, parse_float=str)
_INDENT: Final = "  "
#: The parts of minified JSON between which lines may break.
_PART: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|\[\]|{}|[\[\]{},:]', re.S)


def minify(text: str) -> str:
    """Remove the whitespace between tokens of a JSON text; raise TextError if it is no JSON."""
    parse_json(text)
    return json_format.minify(text)


def indent(text: str) -> str:
    """Write a JSON text with a line for each item, two spaces a level; change nothing else.

    Raises:
        TextError: The text is no JSON, or the result would be larger than the editors take.
    """
    data = minify(text)
    depth, size = 0, len(data.encode())

    def add_space(part: re.Match[str]) -> str:
        nonlocal depth, size
        match part[0]:
            case ":":
                space = ": "
            case "," | "[" | "{" as sign:
                depth += sign != ","
                space = f"{sign}\n{_INDENT * depth}"
            case "]" | "}" as sign:
                depth -= 1
                space = f"\n{_INDENT * depth}{sign}"
            case as_typed:  # a string, or an empty container
                return as_typed
        if (size := size + len(space) - 1) > EDITOR_BYTES:
            raise TextError(f"indented it would be larger than {EDITOR_BYTES // 1_000_000} MB")
        return space

    return _PART.sub(add_space, data)


# -- texts that are no JSON, but hold some -----------------------------------------------------


class Obstacle(FormatError):
    """The error of a pasted text that was recognised, as Python code, but has no JSON form."""


class Conversion(NamedTuple):
    """A JSON text made from a pasted text that is not JSON, and notices about what was changed."""

    text: str
    notices: tuple[Notice, ...] = ()


def convert(value: Any, *notes: str) -> Conversion:
    """Return a Python value as indented JSON text, with each text of ``notes`` as a notice."""
    return Conversion(indent(JSON_COMPACT.dumps(value)), tuple(map(Notice, notes)))


def make_array(items: Iterable[str], *notes: str) -> Conversion:
    """Join JSON texts to one array, each as it stands; a single text is returned without an array.

    Raises:
        ValueError: A text is no JSON, or there are no texts.
    """
    texts = list(items)
    for item in texts:
        _LINE.decode(item)
    array = texts[0] if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]"
    parse_json(array)
    return Conversion(array, tuple(map(Notice, notes)))


def convert_lines(text: str) -> Conversion:
    """Join the lines of JSON Lines to an array, commas at their ends dropped.

    Raise ValueError for a single line, or one that is no JSON.
    """
    lines = (line.strip(" \t\r").removesuffix(",") for line in text.split("\n"))
    items = [line for line in lines if line]
    if len(items) < 2:
        raise ValueError("one line is no list")
    return make_array(items)


def convert_body(text: str) -> Conversion:
    """Return the body of an HTTP message, given as text, if it is JSON; JSON Lines become an array.

    Raises:
        Obstacle: The body is not JSON.
    """
    text = text.strip(" \t\r\n")
    try:
        return Conversion(text) if is_json(text) else convert_lines(text)
    except ValueError:
        raise Obstacle("its body is not JSON") from None


def is_json(text: str) -> bool:
    try:
        parse_json(text)
    except JsonDecodeError:
        return False
    return True
