"""Slices of a JSON text: the exact part that holds a value, with its digits, escapes and blanks."""

import json
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NoReturn

_BLANK: Final = re.compile(r"[ \t\r\n]*+")
#: A key that JSON can write in one way alone, but for numeric escapes.
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_SPELLED: Final = re.compile(r"\\u00(?:2[dD]|3[0-9]|[4-7])")


class NotJson(ValueError):
    """The error of a text that is no JSON; ``at`` is the offset of the failure, None if unknown."""

    def __init__(self, at: int | None) -> None:
        super().__init__("no JSON value here")
        self.at = at


def _refuse(name: str) -> NoReturn:
    raise NotJson(None)


# Numbers stay strings: that is faster, and no number is too long.
_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


def skip_blank(text: str, at: int) -> int:
    """Return the offset of the first character from ``at`` on that is no JSON whitespace."""
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def find_end(text: str, at: int) -> int:
    """Return the offset after the JSON value that starts at offset ``at`` of a text.

    Raises:
        NotJson: There is no value.
        RecursionError: The value is nested too deeply.
    """
    try:
        return _DECODER.raw_decode(text, at)[1]
    except json.JSONDecodeError as error:
        unclosed = error.msg.startswith("Unterminated")
        raise NotJson(len(text) if unclosed else error.pos) from None


def cut_slice(text: str, path: Sequence[str | int]) -> str:
    """Return the exact text of the value at ``path`` in a valid JSON text.

    Of duplicate keys the last counts. An empty path gives the whole text without outer blanks.

    Raises:
        LookupError: There is no value at the path.
        RecursionError: The value is nested too deeply.
    """
    start = skip_blank(text, 0)
    if not path:
        return text[start : find_end(text, start)]
    limit, quick = len(text), None
    is_spelled = _SPELLED.search(text) is not None
    for place, step in enumerate(path):
        if text[start] not in "{[":
            raise LookupError(step)
        quick = None if is_spelled else _find_only(text, start, limit, path[place:])
        if quick is None:
            numbers, starts, ends = _places(text, start)
            number = numbers[step]
            start, limit = starts[number], ends[number]
        else:
            start = quick
    return text[start : limit if quick is None else find_end(text, start)]


def _find_only(text: str, at: int, limit: int, path: Sequence[str | int]) -> int | None:
    """Return the offset of the value at a path's first step if it is found at once, else None.

    That is so for the first item of an array, and where the JSON text from ``at`` to ``limit`` has
    the key only as often as the path: the first of equal keys is the outermost. The keys of the
    text must have no escapes.
    """
    step = path[0]
    if isinstance(step, int):
        first = skip_blank(text, at + 1)
        return first if step == 0 and text[at] == "[" and text[first] != "]" else None
    key = f'"{step}"'
    if _PLAIN_KEY.fullmatch(step) is None or text.count(key, at, limit) != path.count(step):
        return None
    place = text.find(key, at)
    colon = skip_blank(text, place + len(key))
    return skip_blank(text, colon + 1) if text.startswith(":", colon) else None


@lru_cache(maxsize=64)
def _places(text: str, at: int) -> "tuple[Any, array[int], array[int]]":
    """Find the members of the JSON object or array that starts at offset ``at`` of a text.

    Return the number of each member by its key or index, and the start and end offset of each by
    its number. They are cached for the next value of the same text, or many would take quadratic
    time.
    """
    numbers, starts, ends = dict[Any, int](), array("q"), array("q")
    for key, start, end in _members(text, at):
        if text[at] == "{":
            numbers[key] = len(starts)
        starts.append(start)
        ends.append(end)
    return numbers if text[at] == "{" else range(len(starts)), starts, ends


def forget() -> None:
    """Clear the cache of the offsets of members in JSON texts."""
    _places.cache_clear()


def cut_members(text: str) -> Iterator[str]:
    """Yield the texts of the items of a valid JSON array, in one pass.

    Raises:
        NotJson, RecursionError: As for :func:`find_end`.
    """
    for _, first, last in _members(text, skip_blank(text, 0)):
        yield text[first:last]


def _members(text: str, at: int) -> Iterator[tuple[Any, int, int]]:
    """Yield the key or index, start and end of each member of a JSON object or array.

    The object or array starts at offset ``at`` of the text; start and end are offsets too.
    """
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
