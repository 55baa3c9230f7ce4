"""From a record to its payload, group and time: what the kinds of files share.

A payload is a JSON object or array. A string that holds one is unwrapped, as often as need be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import orjson

from toon.corpus.paths import url_template
from toon.corpus.payload import BadRecord, Payload
from toon.corpus.readers.json_stream import Record
from toon.corpus.readers.slices import slice_at
from toon.errors import JsonDecodeError, TextError
from toon.formats.base import plain_text
from toon.values.json_text import parse_json
from toon.values.paths import Step, member, pattern_text

#: Where a record says when it happened, the first that can be read.
TIME_KEYS: Final = (
    "timestamp", "@timestamp", "time", "ts", "datetime", "date", "created", "created_at",
    "startedDateTime",
)  # fmt: skip

#: The group of a record that has nothing at the group's path.
NO_GROUP: Final = "(none)"

_LONGEST_GROUP: Final = 200
_BLANKS: Final = " \t\r\n\ufeff"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: Seconds since 1970 between the years 2000 and 2100; milli-, micro- and nanoseconds likewise.
_EPOCH: Final = (946_684_800, 4_102_444_800)


@dataclass(frozen=True, slots=True)
class Source:
    """Where records come from and how they are to be read.

    ``group`` is the group of those that name none. ``whole`` says that a JSON text is one payload
    even if it is an array.
    """

    name: str
    group: str
    payload_path: tuple[Step, ...] | None = None
    group_path: tuple[Step, ...] | None = None
    whole: bool = False

    def bad(self, number: int, reason: str) -> BadRecord:
        return BadRecord(self.name, number, clean(reason))


class Reading(Protocol):
    """What one record after the other is put through."""

    def payloads(self, record: Record) -> Iterator[Payload | BadRecord]:
        """The payloads of a record.

        Raises:
            TextError: it cannot be read.
        """
        ...


def load(text: str) -> Any:
    """The value of a JSON text, for looking into: its numbers may be rounded.

    Raises:
        TextError: the text is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TextError("not UTF-8") from None
    try:
        return parse_json(text).value
    except JsonDecodeError as error:
        raise TextError(_reason(error)) from None


def unwrap(text: str) -> tuple[str, Any]:
    """The object or array ``text`` holds: as it is written, and its value.

    Raises:
        TextError: it holds none.
    """
    value: Any = text
    while isinstance(value, str):
        text = value.strip(_BLANKS)
        if not text:
            raise TextError("an empty text")
        value = load(text) if text[0] in '{["' else None
    if value is None:
        raise TextError("neither an object nor an array, but plain text")
    return text, value


def located(text: str, value: Any, path: Sequence[Step]) -> tuple[str, Any]:
    """What :func:`unwrap` gives for the value at ``path`` in the JSON ``text`` of ``value``.

    Strings on the way that hold JSON are stepped into as well.

    Raises:
        TextError: there is no object or array.
    """
    walked: list[str | int] = []
    try:
        for step in path:
            if isinstance(value, str):
                text, value = unwrap(value)
                walked = []
            walked.append(member(value, step))
            value = value[walked[-1]]
    except LookupError:
        raise TextError(f"nothing at the path {pattern_text(path)!r}") from None
    if isinstance(value, str):
        return unwrap(value)
    if not isinstance(value, dict | list):
        raise TextError(f"neither an object nor an array, but {_kind(value)}")
    return exact_slice(text, walked), value


def exact_slice(text: str, path: Sequence[str | int]) -> str:
    """The piece of ``text`` at ``path``, where one lies.

    Raises:
        TextError: it is nested too deeply.
    """
    try:
        return slice_at(text, path)
    except RecursionError:
        raise TextError("nested too deeply") from None


# -- groups and times ------------------------------------------------------------------------


def clean(text: str) -> str:
    """``text`` on one line, without characters that would show as something else."""
    return _CONTROL.sub("\ufffd", text)


def group_text(value: Any) -> str:
    """A group's name for a value; a URL in it, as in the line of a request, is folded, so that
    its query and ids are not kept."""
    if value is None or isinstance(value, dict | list):
        return NO_GROUP
    text = clean(value if isinstance(value, str) else plain_text(value)).strip()
    text = " ".join(url_template(word) if _is_url(word) else word for word in text.split(" "))
    return text[:_LONGEST_GROUP] or NO_GROUP


def _is_url(word: str) -> bool:
    return "://" in word or word.startswith("/") or "?" in word.rstrip("?")


def time_of(value: Any) -> float | None:
    """When a record says that it happened: seconds since 1970, or None."""
    if not isinstance(value, dict):
        return None
    times = (seconds(value[key]) for key in TIME_KEYS if key in value)
    return next((time for time in times if time is not None), None)


def seconds(moment: Any) -> float | None:
    """Seconds since 1970 of an ISO 8601 text (UTC where it names no zone) or a count.

    A count is of seconds, milli-, micro- or nanoseconds. None for what falls in none of the years
    from 2000 to 2100: such texts and counts are zeros of some kind, or no times.
    """
    if isinstance(moment, str):
        text = moment.strip()
        if not re.fullmatch(r"[0-9]{9,20}(\.[0-9]{1,9})?", text):
            return _iso(text)
        moment = float(text)
    if isinstance(moment, bool) or not isinstance(moment, int | float):
        return None
    for unit in (1, 1_000, 1_000_000, 1_000_000_000):
        if _EPOCH[0] * unit <= moment < _EPOCH[1] * unit:
            return moment / unit
    return None


def _iso(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        found = moment.timestamp()
    except (ValueError, OverflowError):
        return None
    return found if _EPOCH[0] <= found < _EPOCH[1] else None


def _reason(error: JsonDecodeError) -> str:
    if error.line is None:
        return error.message
    place = f"column {error.column}"
    return f"{error.message} ({place if error.line == 1 else f'line {error.line}, {place}'})"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return "a boolean" if isinstance(value, bool) else "a number"
