"""The walk through a record of a log that finds the results of tools.

:mod:`.language` defines results, calls, messages and the members to pass over. A record may be one
message, a request, a whole session, or anything around these, also as text. Texts inside a message
are somebody's words and are not opened, but for the marks that programs write results behind.
"""

import re
from collections import deque
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final, NamedTuple

from toon.errors import TextError
from toon.traffic.keys import Path, Table, at, beginning, plain
from toon.traffic.language import (
    ARGUMENTS,
    CALLS,
    CONTENTS,
    HELD,
    MAPS,
    RUNS,
    STEPS,
    SURE_IDS,
    TELLING,
    TOOLS,
    WITH_ID,
    Outline,
    call_id,
    called,
    is_conversation,
    is_message,
    is_result,
    name_of,
    outline_of,
)
from toon.traffic.locate import Node, find_model, name_group
from toon.traffic.times import own_time
from toon.traffic.tools import UNKNOWN_TOOL, Calls, announced_by, seek, written_in
from toon.traffic.usage import Call, find_call
from toon.values.paths import STAR

_DEEPEST: Final = 60
_SHORTEST: Final = 12
_OPENING: Final = frozenset("{[ \n\t\r\ufeff")
#: Lists of messages in a record that a later one is compared with.
_TOLD: Final = 12
#: Names of which a text with a log has at least one.
_MARKED: Final = re.compile(
    r'"(?:role|messages|(?:tool|function)\w{0,30}|call_?[iI]d|parts)\\{0,9}"\s{0,9}:'
)
_IN_MESSAGES: Final = re.compile(r'"(?:tool_?(?:result|use_id|call_?id)|call_id|functionResponse)')
#: Keys of objects whose members are named by ids.
_BY_ID: Final = frozenset(["mapping", "messages", "history"])
#: Keys of objects and items about one call; ``json`` is an item of n8n.
_ITEMS: Final = _BY_ID | {"json"}
#: The first word of a command line, which names no file and sets no variable.
_COMMAND: Final = re.compile(r"[\w-]{1,60}(?=\s|$)")
#: Paths to the content of a message, and of an agent's step, that go first.
_FIRST: Final[dict[str, tuple[Path, ...]]] = {
    "said": Table(sorted(CONTENTS, key=lambda path: path[0] != "content")),
    "observed": Table([("observation",)]),
}
_ON_PAGE: Final = "tool-"
#: Keys of a call's arguments beside its tool.
_GIVEN: Final = ("toolinput", "rawinput", "toolargs")
_NAMED: Final = ("toolname", "tool")
_NO_MODEL: Final = "<synthetic>"


class Result(NamedTuple):
    """A tool's result in a record of a log: the tool's name, the content, and facts around it.

    These are the call's id, time, model, the message's id, and the number of the model's billed
    calls before it in the walk.
    """

    tool: str
    content: Node
    id: str | None = None
    time: float | None = None
    model: str | None = None
    uuid: str | None = None
    calls: int = 0


class _Around(NamedTuple):
    """Facts from the objects around a value in a log, which hold for it unless it has its own."""

    time: float | None = None
    model: str | None = None
    uuid: str | None = None
    name: str | None = None
    is_said: bool = False
    is_marked: bool = False
    is_billed: bool = False


@dataclass(slots=True)
class Walk:
    """A search through a record of a log for the results of tools, with what it has found.

    If it ``asks``, the usage of tokens in messages is found too (``billed``). ``converses`` is set
    when a message or a conversation is found. ``told`` are the last lists of messages.
    """

    calls: Calls
    asks: bool = False
    results: list[Result] = field(default_factory=list)
    billed: list[tuple[Call, float | None, str | None]] = field(default_factory=list)
    converses: bool = False
    told: deque[list[Any]] = field(default_factory=lambda: deque(maxlen=_TOLD))

    def walk(self, node: Node, key: str, around: _Around, depth: int = 0) -> None:
        if depth > _DEEPEST:
            return
        if isinstance(node.value, dict):
            self._object(node, key, around, depth)
        elif isinstance(node.value, list):
            self._list(node, key, around, depth)
        elif isinstance(node.value, str):
            self._text(node, key, around, depth)

    def _list(self, node: Node, key: str, around: _Around, depth: int) -> None:
        start = 0 if around.is_said else self._known(node.value)
        behind = None
        for index in range(start, len(node.value)):
            item = node.value[index]
            if behind and isinstance(item, dict) and isinstance(item.get("text"), str):
                self._add(behind, node.child(index).child("text"), None, around)
                behind = None
            elif isinstance(item, dict | list):
                self.walk(node.child(index), key, around, depth + 1)
                behind = announced_by(item) if around.is_said else None

    def _add(self, tool: str, content: Node, id: str | None, around: _Around) -> None:
        about = around.time, around.model, around.uuid
        self.results.append(Result(tool, content, id, *about, len(self.billed)))

    def _text(self, node: Node, key: str, around: _Around, depth: int) -> None:
        """Add the tools' results in a string: in its JSON, or as programs write them in text."""
        text = node.value
        if around.is_said:
            for tool, id, piece in written_in(text):
                self._add(tool, Node(piece, "", (), node.place), id, around)
        marks = _IN_MESSAGES if around.is_said else _MARKED
        if text.lstrip()[:1] in ("{", "[") and marks.search(text):
            try:
                opened = node.opened()
            except TextError:
                return
            self.walk(opened, key, around, depth + 1)

    def _known(self, values: list[Any]) -> int:
        """Return how many first messages of a list an earlier list of the record has too."""
        if not any(map(is_message, values)):
            self.converses = self.converses or is_conversation(values)
            return 0
        most = 0
        for each in self.told:
            alike = takewhile(lambda pair: pair[0] == pair[1], zip(values, each, strict=False))
            most = max(most, sum(1 for _ in alike))
        self.told.append(values)
        return most

    def _object(self, node: Node, around_key: str, around: _Around, depth: int) -> None:
        value = node.value
        outline = outline_of(value)
        keys = outline.keys
        if outline.may_look:
            around = self._look(value, keys, around)
        marks = [value[mark] for mark in outline.marks if isinstance(value[mark], str)]
        is_call = around_key in CALLS or outline.is_given or any(map(_may_be_call, marks))
        call = called(value) if outline.may_call and is_call else None
        for id in call[0] if call else ():
            self.calls.remember(id, call[1] if call else "")
        may_be = outline.may_be or around_key in HELD or around_key in CALLS
        how = _known_by(value, outline, around_key, around.is_marked) if may_be else None
        content = _content(node, keys, how) if how else None
        inner = [value[keys[key]] for key in ("rawitem", "parts") if content and key in keys]
        if content and not any(map(_holds_results, (content.value, *inner))):
            answered, tool = self._named(value, keys, around)
            self._add(tool, content, answered, around)
            return
        is_said = around.is_said or (outline.may_say and is_message(value))
        self.converses |= is_said
        if is_said != around.is_said or around.is_marked != (how is not None):
            around = _Around(*around[:4], is_said, how is not None, around.is_billed)
        if self.asks and outline.may_bill and not around.is_billed:
            is_item = bool(node.place) and isinstance(node.place[-1], int)
            # a whole record's usage may be a sum
            billed = find_call(node) if is_item or is_said or around_key in _ITEMS else None
            if billed is not None:
                self.billed.append((billed, around.time, around.model))
                around = around._replace(is_billed=True)
        for key, spelled in outline.members:
            member = value[key]
            if isinstance(member, str):
                may_hold = len(member) >= _SHORTEST and (
                    member[0] in _OPENING
                    or (is_said and ("<tool_response>" in member or "<details" in member))
                )
                if may_hold and not (call and spelled in ARGUMENTS):
                    self._text(node.child(key), spelled, around, depth + 1)
            elif isinstance(member, dict | list) and not (call and spelled in ARGUMENTS):
                if spelled == STEPS and around.name:
                    continue
                about = around._replace(name=key) if around_key == RUNS else around
                if spelled in MAPS and isinstance(member, dict):
                    self._mapped(node.child(key), about)
                    continue
                found = node.child(key)
                if around_key in _BY_ID and isinstance(member, dict):
                    found = replace(found, place=(*node.place, STAR))
                self.walk(found, spelled, about, depth + 1)

    def _mapped(self, node: Node, around: _Around) -> None:
        """Add the results of tools in an object that maps calls' ids to results."""
        for id in node.value:
            content = node.get(id, "content")
            if content is not None:
                content = replace(content, place=(*node.place, STAR, "content"))
                tool = self.calls.get(self.calls.key(id)) or UNKNOWN_TOOL
                self._add(tool, content, id, around)

    def _look(self, value: dict[str, Any], keys: dict[str, str], around: _Around) -> _Around:
        """Return ``around`` with the time, model and id that an object of a log names itself."""
        time = own_time(value)
        if time is None and isinstance(info := value.get("info"), dict):
            time = own_time(info)
        model = find_model(value, 7)
        if model and model != _NO_MODEL:
            self.calls.model = model
        uuid = value.get(keys.get("uuid", ""))
        return _Around(
            around.time if time is None else time,
            self.calls.model,
            uuid if isinstance(uuid, str) else around.uuid,
            *around[3:],
        )

    def _named(
        self, value: dict[str, Any], keys: dict[str, str], around: _Around
    ) -> tuple[str | None, str]:
        """Return the id of the call that a result answers, and the name of its tool."""
        own = value.get(keys.get("toolid" if "toolid" in keys else "id", ""))
        id = call_id(value) or (own if isinstance(own, str) and own else None)
        named = name_of(value)
        if not named and (call := called(value)):
            named = call[1]
        named = named or around.name or _acted(value, keys)
        kind = value.get(keys.get("type", ""))
        if not named and isinstance(kind, str) and kind.startswith(_ON_PAGE):
            named = kind.removeprefix(_ON_PAGE)
        if not named and isinstance(value.get(keys.get("toolcalls", "")), list):
            first = next(iter(value[keys["toolcalls"]]), None)
            found = called(first) if isinstance(first, dict) else None
            named = found[1] if found else None
        known = self.calls.get(self.calls.key(id)) if id else None
        return id, known or (name_group(named) if named else UNKNOWN_TOOL)


def results(node: Node, calls: Calls) -> list[Result]:
    """Return all results of tools in a record of a log; add the tools it calls to ``calls``."""
    return walked(node, calls).results


def walked(node: Node, calls: Calls, *, asks: bool = False) -> Walk:
    """Search a record of a log for results of tools; return the search, with what it found.

    The tools that the record calls are added to ``calls``. Where several lists of a record begin
    alike, as in a log that repeats a request in its answer, the shared messages count once.
    """
    walk = Walk(calls, asks)
    walk.walk(node, "", _Around())
    return walk


def speaks(value: Any) -> bool:
    """Return whether a JSON value holds a conversation, message or tool's result, at any depth."""
    walk = walked(Node(value, ""), Calls())
    return walk.results != [] or walk.converses


def _known_by(value: dict[str, Any], outline: Outline, key: str, is_marked: bool) -> str | None:
    """Return by what sign a log's object is a tool's result; None if it is none.

    The signs are a speaker (``said``), an agent's observation (``observed``), a type (``marked``),
    and other keys (``told``).
    """
    for path in outline.speakers:
        who = value.get(path) if path in value else at(value, path)
        if isinstance(who, str) and (is_result(who) or plain(who) in TOOLS):
            return "said"
    marks = [value[mark] for mark in outline.marks if isinstance(value[mark], str)]
    if any(map(is_result, marks)) or key in HELD:
        return "marked"
    keys = outline.keys
    if not outline.may_tell:
        is_called = key in CALLS and not isinstance(value.get("role"), str)
        return "told" if is_called and name_of(value) is not None else None
    text = value.get(keys.get("observation", ""))
    if isinstance(text, str) and not keys.keys().isdisjoint(("cause", "extras", "action")):
        return "said" if "content" in keys else "observed"
    if "toolcalls" in keys and isinstance(value.get(keys.get("observations", "")), str):
        return "marked"
    if isinstance(value.get("role"), str):
        return None
    if "mcp_call" in marks and "output" in keys:
        return "told"
    is_weak = any(plain(mark) in WITH_ID or mark.startswith(_ON_PAGE) for mark in marks)
    if is_weak:
        given = (value[keys[key]] for key in ARGUMENTS if key in keys)  # an object, also as text
        is_named = any(isinstance(g, dict) or (isinstance(g, str) and g[:1] == "{") for g in given)
    else:
        is_named = not keys.keys().isdisjoint(_GIVEN) and not keys.keys().isdisjoint(_NAMED)
    is_called = is_named or key in CALLS
    if (is_called and name_of(value)) or ((is_weak or is_marked) and call_id(value)):
        return "told"
    return "told" if not SURE_IDS.isdisjoint(keys) else None


def _content(node: Node, keys: dict[str, str], how: str) -> Node | None:
    """Return the member of a tool's result that holds its content; None without one.

    ``how`` is the sign that :func:`_known_by` gives.
    """
    for path in beginning(node.value, _FIRST.get(how, CONTENTS)):
        if how == "told" and ".".join(path) not in TELLING:
            continue
        if (found := seek(node, path)) is not None:
            found = _joined(found) if "parsedargs" in keys else found
            return _alone(found) if ".".join(path) == "response" else found
    return None


def _acted(value: dict[str, Any], keys: dict[str, str]) -> str | None:
    """Return the action, or a command's first word, that an agent's observation is of, or None."""
    key = "observation" if "content" in keys else "action" if "action" in keys else "command"
    action = value.get(keys.get(key, ""))
    command = _COMMAND.match(action) if isinstance(action, str) else None
    return command[0] if command else None


def _joined(items: Node) -> Node:
    """Join the items of a context in Continue's log into the one text that its model reads.

    Other values are returned as they are.
    """
    value = items.value if isinstance(items.value, list) else []
    texts = [each["content"] for each in value if isinstance(each, dict) and "content" in each]
    if not texts or not all(isinstance(text, str) for text in texts):
        return items
    return Node("\n\n".join(texts), "", (), items.place)


def _alone(response: Node) -> Node:
    """Return the string in a function's response of one key, which an API demands as an object.

    Other responses are returned as they are.
    """
    value = response.value
    if isinstance(value, dict) and len(value) == 1:
        ((key, text),) = value.items()
        if isinstance(text, str) and key in ("output", "error", "result"):
            return response.at(key)
    return response


def _holds_results(content: Any) -> bool:
    """Return whether a result's content is or lists results of its own; then only these count."""
    items = content if isinstance(content, list) else [content]
    for each in items:
        if isinstance(each, dict):
            outline = outline_of(each)
            if not HELD.isdisjoint(outline.keys) or _known_by(each, outline, "", True):
                return True
    return False


@lru_cache(1 << 12)
def _may_be_call(mark: str) -> bool:
    return re.search("call|use(?!r)|request|invocation", plain(mark)) is not None
