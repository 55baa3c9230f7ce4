"""Reading of the time that a record of a log names."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from toon.traffic.keys import chosen
from toon.traffic.language import TIMES, WRAPPERS
from toon.traffic.locate import Node
from toon.traffic.tools import wrapped

#: Seconds since 1970 between the years 2000 and 2100; milli-, micro- and nanoseconds likewise.
_EPOCH: Final = (946_684_800, 4_102_444_800)

#: The common log format.
_COMMON: Final = "%d/%b/%Y:%H:%M:%S %z"
_DIGITS: Final = re.compile(r"[0-9]{9,20}(\.[0-9]{1,9})?")
#: Keys that mark the answer of a model, whose time counts.
_ANSWER: Final = frozenset(["object", "model"])
_MARKS: Final = ('"created', '\\"created')
_DEEPEST: Final = 4


def find_time(value: Any) -> float | None:
    """Return the time that a JSON record of a log names, in seconds since 1970, or None.

    Where the record names none, the model's answer in it may. Times of other objects in a record
    are data, and do not date the call.
    """
    time = own_time(value)
    if time is not None or not isinstance(value, dict):
        return time
    inner = (node.value for node in wrapped(Node(value, ""), WRAPPERS, _MARKS, _DEEPEST))
    times = (own_time(each) for each in inner if each.keys() >= _ANSWER)
    return next((time for time in times if time is not None), None)


def own_time(value: Any) -> float | None:
    """Return the time under a known key of a JSON object, in seconds since 1970, or None."""
    if not isinstance(value, dict):
        return None
    for key in chosen(value, TIMES):
        moment = value[key]
        time = own_time(moment) if isinstance(moment, dict) else parse_time(moment)
        if time is not None:
            return time
    return None


def parse_time(moment: Any) -> float | None:
    """Parse a time in a log: a number, or a text of ISO 8601 (UTC without a zone) or of nginx.

    Return seconds since 1970. A number counts seconds, milli-, micro- or nanoseconds. A time
    outside the years 2000 to 2100 is a placeholder or no time, and gives None.
    """
    if isinstance(moment, str):
        text = moment.strip()
        if not _DIGITS.fullmatch(text):
            return _iso(text)
        moment = float(text)
    if isinstance(moment, bool) or not isinstance(moment, int | float):
        return None
    for unit in (1, 1_000, 1_000_000, 1_000_000_000):
        if _EPOCH[0] * unit <= moment < _EPOCH[1] * unit:
            return moment / unit
    return None


@lru_cache(1 << 8)
def _iso(text: str) -> float | None:
    try:
        is_common = "/" in text[:8]
        moment = (
            datetime.strptime(text.strip("[]"), _COMMON)
            if is_common
            else datetime.fromisoformat(text)
        )
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        time = moment.timestamp()
    except (ValueError, OverflowError):
        return None
    return time if _EPOCH[0] <= time < _EPOCH[1] else None
