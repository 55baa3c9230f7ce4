"""JSON texts written anew: with other whitespace, put into an array, or taken from other texts.

All but whitespace stays as typed: numbers, escapes, the order of keys and repeated keys.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toon.errors import FormatError, JsonDecodeError, TextError
from toon.formats import json as json_format
from toon.formats.json import JSON_COMPACT
from toon.layout.json import json_layout
from toon.layout.spans import PUNCTUATION
from toon.limits import EDITOR_BYTES
from toon.text import Notice
from toon.values.json_text import parse_json

_LINE: Final = json.JSONDecoder(parse_int=str, parse_float=str)
_INDENT: Final = 2
#: Bytes of a block: the places of its bytes take eight times as many.
_BLOCK: Final = 1 << 20


def minified(text: str) -> str:
    """Remove the whitespace between the tokens of JSON; raise TextError if a text is no JSON."""
    parse_json(text)
    return json_format.minified(text)


def indented(text: str) -> str:
    """Write the JSON text with a line for each item, two spaces a level.

    Raises:
        TextError: The text is no JSON, or the result would be larger than the editors take.
    """
    data = minified(text).encode()
    raw = np.frombuffer(data, np.uint8)
    gaps = _gaps(raw, json_layout(data.decode()) == PUNCTUATION)
    if raw.size + int(gaps.sum(dtype=np.int64)) > EDITOR_BYTES:
        raise TextError(f"indented it would be larger than {EDITOR_BYTES // 1_000_000} MB")
    return b"".join(_spaced(raw, gaps)).decode()


def _gaps(raw: NDArray[np.uint8], marks: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Count the bytes to insert after each byte of minified JSON to indent it."""
    opens, closes = marks & np.isin(raw, list(b"[{")), marks & np.isin(raw, list(b"]}"))
    breaks = opens | (marks & (raw == ord(",")))
    breaks[:-1] |= closes[1:]
    breaks[:-1] &= ~(opens[:-1] & closes[1:])  # an empty container stays on its line
    depth = np.cumsum(opens.view(np.int8) - closes.view(np.int8), dtype=np.int16)
    depth[:-1] -= closes[1:]  # a closing bracket stands as far left as the line it was opened on
    gaps = np.where(breaks, 1 + _INDENT * depth, 0).astype(np.int16)
    gaps[marks & (raw == ord(":"))] = 1
    return gaps


def _spaced(raw: NDArray[np.uint8], gaps: NDArray[np.int16]) -> Iterator[bytes]:
    """Yield the pieces of minified JSON with the breaks and blanks that ``gaps`` counts."""
    for start in range(0, raw.size, _BLOCK):
        block, gap = raw[start : start + _BLOCK], gaps[start : start + _BLOCK]
        ends = np.cumsum(gap + 1, dtype=np.intp)
        places = ends - gap - 1
        spaced = np.full(ends[-1], ord(" "), np.uint8)
        spaced[places] = block
        broken = (gap > 0) & (block != ord(":"))
        spaced[places[broken] + 1] = ord("\n")
        yield spaced.tobytes()


# -- texts that are no JSON, but hold some -----------------------------------------------------


class Obstacle(FormatError):
    """A text of a known kind that holds something without a JSON form."""


class Converted(NamedTuple):
    """The JSON taken from a text that is no JSON, and notices about what was changed."""

    text: str
    notices: tuple[Notice, ...] = ()


def converted(value: Any, *said: str) -> Converted:
    """Return a value as indented JSON, with a notice for each text of ``said``."""
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
