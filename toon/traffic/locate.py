"""Lookup of a record's payload, group, model and conversation, for all kinds of files.

A payload is a JSON object or array. If it lies in a string, or in strings within strings, it is
unwrapped. A path may lead through strings that hold JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import orjson

from toon.errors import JsonDecodeError, TextError
from toon.formats.base import plain_text
from toon.secrets import is_secret_name
from toon.text import clean
from toon.traffic.keys import chosen
from toon.traffic.language import ABOUT_MODEL, CONVERSATIONS, MODELS
from toon.traffic.slices import NotJson, cut_slice
from toon.traffic.streams import NOT_UTF8
from toon.traffic.urls import ID, fold_url, hide
from toon.values.json_text import parse_json
from toon.values.paths import PathError, Star, Step, member, parse_typed, pattern_text

#: The keys that name a record's group where no path to it is given; the first found counts.
GROUP_KEYS: Final = (
    "tool", "tool_name", "endpoint", "route", "operation", "operation_name", "operationName",
    "function", "function_name",
)  # fmt: skip

#: The key of a record's payload, if no path to it is given.
PAYLOAD_KEY: Final = "payload"

#: Wrappers in wrappers that are searched for a model.
_MODEL_DEPTH: Final = 8

#: The group of a record without a value at the group's path.
NO_GROUP: Final = "(none)"

_LONGEST_GROUP: Final = 200
#: Longer texts are not read as names: a key that is cut off might no longer look like a key.
_LONGEST_READ: Final = 4_000
_BLANKS: Final = " \t\r\n\ufeff"


def parse_path(path: str | None) -> tuple[Step, ...] | None:
    """Return the steps of a path such as ``a[].b`` (:mod:`toon.values.paths`).

    They are () for ``$``, and None for no path or a blank one.

    Raises:
        ValueError: The text is not a path.
    """
    if path is None or not path.strip():
        return None
    text = path.strip()
    try:
        return parse_typed(text)
    except PathError as error:
        if text[error.at : error.at + 1] in (".", ""):
            reason = "has an empty step: write it as in a.b.c"
        else:
            reason = f"cannot be read: {error}"
        raise ValueError(f"the path {path!r} {reason}") from None


def parse_group_path(path: str | None) -> tuple[Step, ...] | None:
    """Return the steps of a path to a group, which must lead to a single value.

    Raises:
        ValueError: The text is not a path, or leads to many values.
    """
    steps = parse_path(path)
    if None in (steps or ()):
        raise ValueError(f"the path {path!r} leads to many values, and a group has one name")
    return steps


def parse(text: str) -> Any:
    """Parse a JSON text to look into it, not to measure it: its numbers may be rounded.

    Raises:
        TextError: The text is not JSON.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    if not is_unicode(text):
        raise TextError(NOT_UTF8)
    try:
        return parse_json(text).value
    except JsonDecodeError as error:
        raise TextError(_reason(error)) from None


def is_unicode(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8; one decoded from invalid bytes cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def unwrap(text: str) -> tuple[str, Any]:
    """Return the exact text and the value of the JSON object or array in a string.

    It may lie in JSON strings within the string. White space around it stays; a byte-order mark is
    dropped.

    Raises:
        TextError: The text holds neither.
    """
    value: Any = text
    while isinstance(value, str):
        text = value.removeprefix("\ufeff")
        start = text.lstrip(_BLANKS)[:1]
        if not start:
            raise TextError("an empty text")
        value = parse(text) if start in '{["' else None
    if value is None:
        raise TextError("neither an object nor an array, but plain text")
    return text, value


@dataclass(slots=True, eq=False)  # a frozen one takes three times as long to make
class Node:
    """A JSON value in a record, with the source text and the path to the value in that text.

    ``place`` is the path to it in the record, which may lead through strings that hold JSON.
    """

    value: Any
    source: str
    steps: tuple[str | int, ...] = ()
    place: tuple[str | int, ...] = ()

    @property
    def text(self) -> str:
        """The JSON text of the value as the source has it, with its digits and blanks.

        Raises:
            TextError: The value is nested too deeply, or the source is not JSON.
        """
        try:
            return cut_slice(self.source, self.steps) if self.steps else self.source
        except RecursionError:
            raise TextError("nested too deeply") from None
        except NotJson:  # our parser and Python's might differ somewhere
            raise TextError("damaged JSON") from None

    @property
    def kind(self) -> tuple[Step, ...]:
        """The path to a JSON value in its record, with ``[]`` for each index of an array."""
        return tuple(None if isinstance(step, int) else step for step in self.place)

    def at(self, step: Step) -> Node:
        """Return the member of this JSON value at a key or index; raise LookupError without one."""
        return self.child(member(self.value, step))

    def child(self, key: str | int) -> Node:
        """Return the member of this JSON value at a key or an index that is known to exist."""
        return Node(self.value[key], self.source, (*self.steps, key), (*self.place, key))

    def get(self, *steps: Step) -> Node | None:
        """Return this JSON value's member at a path of keys, also in strings of JSON, or None."""
        node = self
        try:
            for step in steps:
                node = node.opened()
                if isinstance(node.value, dict) and step not in node.value:
                    return None
                node = node.at(step)
        except (LookupError, TextError):
            return None
        return node

    def members(self) -> Iterator[Node]:
        """Yield each member of this JSON object or array as a Node; other values have none."""
        if isinstance(self.value, dict):
            yield from (self.at(key) for key in self.value)
        elif isinstance(self.value, list):
            yield from (self.at(index) for index in range(len(self.value)))

    def items(self, key: str) -> Iterator[Node]:
        """Yield the objects in this object's array at ``key``, which may be a string of JSON."""
        found = self.get(key)
        try:
            found = found.opened() if found else None
        except TextError:
            return
        if found and isinstance(found.value, list):
            yield from (item for item in found.members() if isinstance(item.value, dict))

    def opened(self) -> Node:
        """Return the JSON object or array in a string as a node of its own; any other node itself.

        Raises:
            TextError: The string holds neither.
        """
        if not isinstance(self.value, str):
            return self
        text, value = unwrap(self.value)
        return Node(value, text, (), self.place)


def read_record(text: str) -> Node:
    """Parse the JSON text of a log's record into a Node; raise TextError if it is not JSON."""
    return Node(parse(text), text)


def locate(node: Node, path: Sequence[Step]) -> Iterator[Node]:
    """Yield the payloads at ``path`` in a record: objects, arrays, and the texts without JSON.

    In a path ``[]`` is every item of an array, and ``*`` any depth: null and empty texts at these
    are passed over.

    Raises:
        TextError: There is another value at the path, or none, or damaged JSON.
    """
    found = list(_follow(node, path, set()))
    if any(step is None or isinstance(step, Star) for step in path):
        found = [each for each in found if each.value not in (None, "")] or found
    if not found:
        raise TextError(f"nothing at the path {pattern_text(path)!r}")
    for each in found:
        if not _is_plain(each.value):
            each = each.opened()
            if not isinstance(each.value, dict | list):
                raise TextError(f"neither an object nor an array, but {_kind(each.value)}")
        yield each


def _is_plain(value: Any) -> bool:
    """Return whether a value is a text, not blank, that begins with no brace, bracket or quote."""
    return isinstance(value, str) and value.lstrip(_BLANKS)[:1] not in ("", "{", "[", '"')


def _follow(
    node: Node, path: Sequence[Step], dead: set[tuple[object, int]], is_one_of_many: bool = False
) -> Iterator[Node]:
    """Yield the values at a path below a JSON value; a found value is not searched further.

    One of many texts that cannot begin JSON leads nowhere and is no error. ``dead`` are pairs of a
    place and a number of last steps that led nowhere: several ``*`` reach a place in many ways.
    """
    if not path:
        yield node
        return
    if (node.place, len(path)) in dead:
        return
    step, rest = path[0], path[1:]
    try:
        node = node.opened()
        if not isinstance(step, Star) and step is not None:
            yield from _follow(node.at(step), rest, dead, is_one_of_many)
            return
    except LookupError:
        return
    except TextError:
        if any(isinstance(each, Star) for each in path) or step is None:
            return
        if is_one_of_many and (node.value == "" or _is_plain(node.value)):
            return
        raise
    if isinstance(step, Star) and isinstance(node.value, dict) and "*" in node.value:
        yield from _follow(node.at("*"), rest, dead)
        return
    is_dead = True
    for inner in node.members():
        found = list(_follow(inner, rest, dead, is_one_of_many=True))
        if not found and isinstance(step, Star):
            found = list(_follow(inner, path, dead))
        is_dead = is_dead and not found
        yield from found
    if is_dead and any(isinstance(each, Star) for each in rest):
        dead.add((node.place, len(path)))


def name_group(value: Any) -> str:
    """Turn the value at a group's path into the group's name, without secrets.

    URLs in it, such as a request line's, are folded, so no query and no id is kept. Secrets and
    mail addresses are hidden wherever they stand; other ids and numbers stay. A value that names
    nothing, such as an object, gives "(none)".
    """
    if value is None or isinstance(value, dict | list):
        return NO_GROUP
    text = clean(value if isinstance(value, str) else plain_text(value)).strip()
    text = text[:_LONGEST_READ].rpartition(" ")[0] if len(text) > _LONGEST_READ else text
    text = " ".join(
        fold_url(word) if "://" in word or word.startswith("/") or "?" in word.rstrip("?") else word
        for word in text.split(" ")
    )
    return hide(text)[:_LONGEST_GROUP] or NO_GROUP


def group_at(record: Node, path: Sequence[Step]) -> str:
    """Return the name of the group at ``path`` in a record, without secrets; "(none)" if absent."""
    if any(isinstance(step, str) and is_secret_name(step) for step in path):
        return ID
    found = record.get(*path)
    return name_group(found.value if found else None)


def find_group(value: Any) -> str | None:
    """Return the tool or endpoint that a record names under one of ``GROUP_KEYS``, or None.

    A function may be an object with a name, as in calls of chat models.
    """
    if not isinstance(value, dict):
        return None
    for key in GROUP_KEYS:
        named = value.get(key)
        named = named.get("name") if isinstance(named, dict) else named
        if isinstance(named, str) and named.strip():
            return name_group(named)
    return None


def is_envelope(value: Any) -> bool:
    """Return whether a record holds its payload under ``payload`` and names its group beside it."""
    if find_group(value) is None:
        return False
    payload = value.get(PAYLOAD_KEY)
    if isinstance(payload, str):
        return payload.lstrip(_BLANKS)[:1] in ("{", "[")
    return isinstance(payload, dict | list)


def find_model(value: Any, depth: int = 0) -> str | None:
    """Return the name of the model in a record, or in an object that it wraps; else None."""
    if not isinstance(value, dict):
        return None
    for key in chosen(value, MODELS):
        if isinstance(named := value[key], str) and named.strip():
            return _name_model(named)
    provider = value.get("provider")
    if isinstance(provider, dict) and ":" in (id := str(provider.get("id"))):  # promptfoo
        return _name_model(id.rpartition(":")[2])
    for key in chosen(value, ABOUT_MODEL) if depth < _MODEL_DEPTH else ():
        if found := find_model(value[key], depth + 1):
            return found
    return None


@lru_cache(1 << 10)
def _name_model(named: str) -> str:
    named = named.rpartition("/")[2] if named.startswith("arn:") else named
    return hide(clean(named).strip())[:_LONGEST_GROUP]


def find_conversation(value: Any) -> str | None:
    """Return the id of the conversation that a record or its metadata names, or None."""
    if not isinstance(value, dict):
        return None
    for place in (value, value.get("metadata"), value.get("info"), value.get("data")):
        if not isinstance(place, dict):
            continue
        for key in chosen(place, CONVERSATIONS):
            if found := name_conversation(place[key]):
                return found
    return None


def name_conversation(id: Any) -> str | None:
    """Return the id of a conversation as text; None if it is no id or too long to keep."""
    return id if isinstance(id, str) and 0 < len(id) <= _LONGEST_GROUP else None


def _reason(error: JsonDecodeError) -> str:
    if error.line is None:
        return error.message
    place = f"column {error.column}"
    return f"{error.message} ({place if error.line == 1 else f'line {error.line}, {place}'})"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    return "a boolean" if isinstance(value, bool) else "a number"
