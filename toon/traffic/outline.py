"""Facts about an object from its keys alone, cached: a log has few kinds of objects."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from toon.traffic.keys import keys_of, plain
from toon.traffic.language import (
    ABOUT_MODEL,
    AGAIN,
    ARGUMENTS,
    CALL_IDS,
    MARKS,
    MESSAGES_IN,
    MODELS,
    NESTED_IDS,
    PASSED,
    SPEAKERS,
    TIMES,
    USAGES,
    WRAPPERS,
)

_FEW: Final = 64


class Outline(NamedTuple):
    """Facts about an object from its keys: what it may be, and the members to walk."""

    keys: dict[str, str]
    members: tuple[tuple[str, str], ...]
    speakers: tuple[str, ...]
    marks: tuple[str, ...]
    may_be: bool
    may_look: bool
    may_call: bool
    may_say: bool
    may_tell: bool
    may_bill: bool
    is_given: bool


_LOOKED: Final = frozenset([*TIMES, *MODELS, *ABOUT_MODEL, "uuid", "provider"])
_GIVEN: Final = frozenset(ARGUMENTS)
_IDS: Final = frozenset(["id", "toolid", *CALL_IDS])
_BILLING: Final = frozenset([*USAGES, *WRAPPERS, *MESSAGES_IN])
_SAYING: Final = frozenset(["type", *MESSAGES_IN, *(path.partition(".")[0] for path in SPEAKERS)])
_TELLING: Final = frozenset([
    *CALL_IDS, *(path.partition(".")[0] for path in NESTED_IDS), "observation", "observations",
    "toolname", "tool", "output",
])  # fmt: skip


def _outline(names: tuple[str, ...]) -> Outline:
    keys = keys_of(dict.fromkeys(names))
    again = {said for key, said in AGAIN.items() if key in keys}
    members = ((name, plain(name)) for name in names)
    speakers = tuple(path for path in SPEAKERS if path.partition(".")[0] in keys)
    marks = tuple(keys[mark] for mark in MARKS if mark in keys)
    may_tell = not _TELLING.isdisjoint(keys)
    return Outline(
        keys,
        tuple(each for each in members if each[1] not in PASSED and each[1] not in again),
        speakers,
        marks,
        bool(speakers or marks or may_tell),
        not _LOOKED.isdisjoint(keys),
        not _IDS.isdisjoint(keys),
        not _SAYING.isdisjoint(keys),
        may_tell,
        not _BILLING.isdisjoint(keys),
        not _GIVEN.isdisjoint(keys),
    )


_known_outline = lru_cache(1 << 12)(_outline)


def outline_of(value: dict[str, Any]) -> Outline:
    return (_known_outline if len(value) < _FEW else _outline)(tuple(value))
