"""Records that wrap their payloads in an unknown way, and where the payloads may lie.

Such a record is never measured as if it had been sent. Its words tell it: keys that only agents'
logs have, both sides of a call, or other words of logs. Without these, JSON held as text tells it,
if it is a quarter of the record: an API's answer may have a little.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from toon.errors import TextError
from toon.secrets import is_secret_name, mask
from toon.text import clean
from toon.traffic.keys import keys_of, plain
from toon.traffic.language import MARKS, SPOKEN, names_call
from toon.traffic.locate import Node
from toon.traffic.urls import is_private
from toon.values.paths import STAR, Step, pattern_text

#: The share of a record's bytes from which JSON held as text makes it a wrapper.
_SHARE: Final = 0.25
#: The share from which a member is offered as a payload.
_OFFERED: Final = 0.1
_DEEPEST: Final = 8
#: Members of an object or array that are examined; further ones count as if like these.
_ITEMS: Final = 20
_MOST: Final = 8
_SHOWN: Final = 60
_MASKED: Final = 600
#: The fewest characters of JSON held as text that are examined.
_SHORTEST: Final = 16

_WHEN: Final = frozenset(["timestamp", "@timestamp", "time", "ts", "starttime", "startdatetime"])
#: Keys of a call's arguments, and of its answer.
_ASKED: Final = frozenset([
    "request", "req", "input", "inputs", "prompt", "arguments", "args", "params", "requestbody",
    "reqbody", "toolinput", "toolarguments", "toolargs", "toolparams",
])  # fmt: skip
_ANSWERED: Final = re.compile(r"(?i)(?:tool_?)?(?:resp|output|result|completion|answer|reply)")
_SENT: Final = re.compile(r"(?i)data|payload|body|rows|items|records|content")
#: Keys of an answer's body and of an address: both together make a call.
_BODIES: Final = frozenset(["body", "responsebody", "respbody"])
_WHERE: Final = frozenset(["url", "uri", "path", "endpoint", "route"])
#: Keys that only logs have, and keys that an API's answers may have too.
_LOGGED: Final = frozenset([
    "latency", "latencyms", "responsetime", "traceid", "spanid", "correlationid", "loglevel",
    "logger", "upstream", "elapsedms",
])  # fmt: skip
_CALLED: Final = frozenset(["durationms", "requestid", "sessionid", "level", "severity"])


@dataclass(slots=True)
class Candidate:
    """A path where records of an unknown log may hold payloads: how many do, and an example."""

    path: str
    example: str
    count: int = 0
    bytes: int = 0
    is_text: bool = False


class WrappedError(TextError):
    """The error of records that wrap their payloads in an unknown way.

    ``candidates`` are the paths where the payloads may lie.
    """

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        first = f", for instance --payload {candidates[0].path!r}" if candidates else ""
        super().__init__(
            "records that wrap their payloads in a way that is not known here: say where these lie"
            f"{first} (--payload $ takes the whole records)"
        )
        self.candidates = tuple(candidates)


def refuse_wrapped(values: Sequence[Any], start: tuple[Step, ...] = ()) -> None:
    """Refuse records of a log that name calls of tools or wrap their payloads.

    The records lie at the path ``start``, which begins the paths that are offered.

    Raises:
        WrappedError: One record names a call, or half of them wrap payloads.
    """
    looks = [_Look(value, len(values) > 1) for value in values if isinstance(value, dict | list)]
    size = sum(look.size for look in looks)
    wrappers = sum(look.is_wrapper for look in looks)
    if not any(look.speaks for look in looks) and (not wrappers or 2 * wrappers < len(looks)):
        return
    joined: dict[str, Candidate] = {}
    for look in looks:
        for kind, found in look.found.items():
            path = pattern_text((*start, *kind))
            entry = joined.setdefault(path, Candidate(path, found.example))
            entry.count += found.count
            entry.bytes += found.bytes
            entry.is_text |= found.is_text
    offered = [each for each in joined.values() if each.bytes >= _OFFERED * size]
    raise WrappedError(sorted(offered, key=lambda each: (not each.is_text, -each.bytes))[:_MOST])


class _Look:
    """A search of one record: paths that may hold payloads, and whether it wraps any."""

    def __init__(self, record: dict[str, Any] | list[Any], is_one_of_many: bool) -> None:
        self.found: dict[tuple[Step, ...], Candidate] = {}
        self.speaks = self.is_wrapper = False
        self.size = self._walk(Node(record, ""))
        texts = sum(each.bytes for each in self.found.values() if each.is_text)
        self.is_wrapper |= isinstance(record, dict) and _is_logged(record, is_one_of_many)
        self.is_wrapper |= texts >= max(_SHORTEST, _SHARE * self.size)

    def _walk(self, node: Node) -> int:
        """Search a JSON value for payloads that it wraps; return its approximate length as JSON."""
        if isinstance(node.value, str):
            self._note_text(node)
            return len(node.value) + 2
        if not isinstance(node.value, dict | list):
            return 4
        if len(node.place) > _DEEPEST:
            return _ITEMS  # a value so deep is neither a text nor a list of messages
        size = sum(map(self._walk, islice(node.members(), _ITEMS)), 2)
        if isinstance(node.value, dict):
            size += sum(len(key) + 4 for key in node.value)
            self.speaks |= node.place[-1:] != ("properties",) and _speaks(node.value)
            both = (node.value.get(key) for key in ("request", "response"))
            if node.place and all(isinstance(each, dict) for each in both):
                self.is_wrapper |= "startedDateTime" not in node.value  # a HAR has it
        size = size * max(_ITEMS, len(node.value)) // _ITEMS
        if node.place and node.value:
            self._note(node, size, is_text=False)
        return size

    def _note_text(self, node: Node) -> None:
        if len(node.value) < _SHORTEST or node.value.lstrip()[:1] not in ("{", "["):
            return
        try:
            opened = node.opened().value
        except TextError:
            return
        self.speaks |= isinstance(opened, dict) and _speaks(opened)
        self._note(node, len(node.value), is_text=True)

    def _note(self, node: Node, size: int, *, is_text: bool) -> None:
        if any(map(_is_secret, node.kind)):
            return
        kind = tuple(  # ids in a path become *
            STAR if isinstance(key, str) and is_private(key) else key for key in node.kind
        )
        if kind not in self.found:
            example = mask(node.value[:_MASKED] if is_text else _beginning(node.value))
            shown = example if len(example) <= _SHOWN else f"{example[:_SHOWN]}…"
            self.found[kind] = Candidate(pattern_text(kind), clean(" ".join(shown.split())))
        self.found[kind].is_text |= is_text
        self.found[kind].count += 1
        self.found[kind].bytes += size


def _is_secret(key: Step) -> bool:
    return isinstance(key, str) and (is_secret_name(key) or mask(key) != key)


def _speaks(value: dict[str, Any]) -> bool:
    """Return whether a JSON object has a key or type, with a value, that only agents' logs have."""
    keys = keys_of(value)
    spoken = SPOKEN & keys.keys()
    marks = (value[keys[mark]] for mark in MARKS if mark in keys)
    return any(value[keys[key]] not in (None, "", [], {}) for key in spoken) or any(
        isinstance(mark, str) and names_call(mark) for mark in marks
    )


def _beginning(value: Any) -> str:
    """Return the beginning of a JSON value as text, of a little over 600 characters."""
    text = ""
    for piece in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
        text += piece
        if len(text) > _MASKED:
            break
    return text


def _is_logged(record: dict[str, Any], is_one_of_many: bool) -> bool:
    """Return whether a record logs a call: it has both sides, or a response and a log's keys."""
    keys = keys_of(record).keys()
    held = [key for key, value in record.items() if isinstance(value, dict | list)]
    is_answered = any(map(_ANSWERED.match, held))
    has_sides = is_answered and not keys.isdisjoint(_ASKED & set(map(plain, held)))
    has_body = not keys.isdisjoint(_WHERE) and not _BODIES.isdisjoint(map(plain, held))
    codes = (record.get(key) for key in ("status", "status_code", "statusCode"))
    has_code = any(isinstance(code, int) and 100 <= code < 600 for code in codes)
    strong = len(keys & _LOGGED)
    marks = strong + len(keys & _CALLED) + has_code + bool(keys & _WHEN)
    is_told = marks >= 2 and (strong > 0 or is_one_of_many)
    return has_sides or has_body or (is_told and (is_answered or any(map(_SENT.match, held))))
