"""The JSON in a text log, which stands after a logger's prefix, and in server-sent events.

The playground and the reader of text logs share these rules, which hold for every logger: a prefix
may have brackets of its own, and JSON may be laid out over several lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from typing import Final, NoReturn, TypeVar

from toon.limits import RECORD_BYTES

Line = TypeVar("Line")

#: Characters, and brackets, that may stand before JSON.
_LONGEST: Final = 2_000
_ATTEMPTS: Final = 40

#: A logger's prefix has a time, a level or an address.
_LOGGED: Final = re.compile(
    r"""\d\d:\d\d:\d\d | \d{4}-\d\d-\d\d\b | \d{1,3}(?:\.\d{1,3}){3}\s
    |\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b
    |\blevel=\w+ | \[(?i:trace|debug|info|notice|warn|warning|error|fatal|critical)\]""",
    re.X,
)
_BRACKET: Final = re.compile(r"[{\[]")
#: Only JSON begins like this. Where it cannot be read it is damaged, and no part of it is taken.
_OBJECT: Final = re.compile(r'\[?\s*\{\s*"(?:[^"\\]++|\\.)*+(?:"\s*:|\Z)', re.S)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_READER: Final = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)


_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_DATA: Final = re.compile(r"data: ?")


def read_events(text: str) -> Iterator[list[str]]:
    """Yield the data lines of each server-sent event in a text, without their ``data:``."""
    for _, lines in groupby(_LINE_END.split(text), lambda line: not line.strip()):
        data = [line[match.end() :] for line in lines if (match := _DATA.match(line))]
        if data:
            yield data


def is_logged(line: str) -> bool:
    """Return whether a log's line begins as loggers do: with a time, a level or an address."""
    place = find_json(line)
    start = min(place.start if place else len(line), 300)
    return _LOGGED.search(line, 0, start) is not None


def find_json(text: str, at: int = 0) -> slice[int, int, None] | None:
    """Find the JSON in an entry of a text log: its first object, or array of several values.

    A damaged object reaches to the end. Return the slice of the text, or None if there is no JSON,
    or nothing but empty objects and arrays.
    """
    spare, after = None, at
    for bracket in islice(_BRACKET.finditer(text, at, at + _LONGEST), _ATTEMPTS):
        start = bracket.start()
        if start < after:  # in an array that was passed over
            continue
        try:
            value, after = _READER.raw_decode(text, start)
        except (ValueError, RecursionError):
            if _OBJECT.match(text, start):
                return slice(start, len(text))
            continue
        if isinstance(value, dict) or any(isinstance(item, dict | list) for item in value):
            if value:
                return slice(start, after)
        elif len(value) > 1:  # a single number in brackets is a process
            spare = spare or slice(start, after)
    return spare


def group_entries(lines: Iterable[Line], text_of: Callable[[Line], str]) -> Iterator[list[Line]]:
    """Group the lines of a text log into entries: a line each, or the lines of indented JSON.

    Such JSON ends with a line that begins with a closing bracket. ``text_of`` gives the text of a
    line without its line end.
    """
    entry, size = list[Line](), 0
    for line in lines:
        text = text_of(line)
        size += len(text)
        if entry and text[:1] in ("}", "]"):
            yield [*entry, line]
            entry = []
        elif entry and text[:1] in (" ", "\t", "") and size <= RECORD_BYTES:
            entry.append(line)
        else:
            yield from ([line] for line in entry)
            entry, size = [], len(text)
            entry = [line]
            if text.rstrip()[-1:] not in ("{", "["):
                yield entry
                entry = []
    yield from ([line] for line in entry)
