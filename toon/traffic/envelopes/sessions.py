"""Readers of tools' results in logs of requests to models and in agents' sessions.

A request repeats the messages before it: they are counted again, because they were sent and paid
for again. A session says each message once. One that is resumed, forked, written again or compacted
begins with a copy of its parent, so a result counts once by the id of its call, across files too.
An id that is not drawn at random may come again: then the message, or the conversation's root, and
the text have to be the same.

The usage of a call of Codex is the ``last_token_usage`` of an event ``token_count``, as
``TokenUsageInfo`` of openai/codex has it. An event is told again where nothing was called since,
and a fork begins with a copy of its parent's: in one conversation, events with the same
``total_token_usage`` are one call.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final

import orjson

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.keys import at, chosen, plain
from toon.traffic.kinds import Entry, Origin
from toon.traffic.language import ROOTS, SESSIONS
from toon.traffic.locate import (
    Node,
    find_conversation,
    find_model,
    name_conversation,
    read_record,
)  # fmt: skip
from toon.traffic.payload import SKIPPED, Record
from toon.traffic.times import find_time
from toon.traffic.turns import START, find_project
from toon.traffic.usage import find_sums, has_usage, read_usage
from toon.traffic.walker import Result, walked
from toon.values.randomness import is_random

#: What names a line of a batch, which may hold an error or a request without messages.
_BATCH: Final = "custom_id"
_AWAY: Final = "input.inputbodys3path"
#: The usual id of a call, which needs no longer look.
_DRAWN: Final = re.compile(
    r"\A[a-z]{2,9}_(?=[A-Za-z]*\d+[A-Za-z]+\d)(?=\w*[A-Z]\w*[a-z]\w*[A-Z])[A-Za-z\d]{22,40}\Z"
)


def read_requests(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield payloads and bad records from tools' results in a model request that a gateway logged.

    Raises:
        TextError: The request lies in another file, or the record is not JSON.
    """
    node = read_record(record.text)
    value = node.value
    if not isinstance(value, dict | list):
        raise TextError("no message in it")
    time, model, conversation = find_time(value), find_model(value), find_conversation(value)
    entry = Entry(origin, record.number, time, model)
    origin.calls.session = conversation or ""
    walk = walked(node, origin.calls)
    if not walk.results:
        if at(value, _AWAY):
            raise TextError("its request lies in a file of its own, at inputBodyS3Path")
        if _BATCH not in value and not walk.converses:
            yield entry.bad(f"{SKIPPED}no message in it")
            return
    entry.note(node, conversation)
    for each in walk.results:
        inner = entry._replace(time=time or each.time, model=model or each.model)
        yield from inner.answer(each.tool, each.content)


def read_session(
    record: RawRecord, origin: Origin, passed: frozenset[str] = frozenset()
) -> Iterator[Record]:
    """Yield payloads and bad records from tools' results in an agent's session, or a record of one.

    ``passed`` are the types of records that only repeat others.

    Raises:
        TextError: The record is not JSON, is empty, or is neither an object nor an array.
    """
    node = read_record(record.text)
    value = node.value
    if not isinstance(value, dict | list) or not value:
        raise TextError("no record of a session")
    usages, calls = origin.account.usages, origin.calls
    turns, kind = usages.turns, at(value, "type")
    kind = plain(kind) if isinstance(kind, str) else ""
    thread, time = find_conversation(value) or origin.name, find_time(value)
    entry = Entry(origin, record.number, time, calls.model)
    before = turns.find(value, thread)
    if kind in passed:
        if at(value, "payload.type") == "token_count":
            before = _note_codex(node.at("payload"), entry, before)
        turns.leave(value, thread, before)
        return
    if kind in SESSIONS:
        calls.conversation = _find_root(value) or calls.conversation
        calls.project = find_project(value) or calls.project
    conversation = find_conversation(value) or calls.conversation
    if asks := has_usage(record.text):
        calls.project = find_project(value, origin.name) or calls.project
    walk, asked = walked(node, calls, asks=asks), [before]
    for call, at_time, model in walk.billed:
        moment = time if at_time is None else at_time
        asked.append(usages.add(call, model, moment, conversation, calls.project, asked[-1]))
    for model, call in find_sums(value) if asks else ():
        usages.add(call, model, time, conversation, calls.project)
    entry = entry._replace(model=calls.model)
    own = entry.note(node, conversation, before, is_billed=len(asked) > 1)
    turns.leave(value, thread, asked[-1] if own is None else own)
    for each in walk.results:
        if origin.account.is_new(_key(each, conversation or origin.name)):
            last = asked[each.calls] if own is None else own
            turn = None if last == START else last
            model = each.model or (None if turn is None else turns.model_of(turn))
            when = each.time if each.time is not None else time
            inner = Entry(origin, record.number, when, model, turn)
            yield from inner.answer(each.tool, each.content)


def _find_root(value: Any) -> str | None:
    """Return the parent's id that a session's first record names, or the session's own, or None."""
    for place in (at(value, "payload"), at(value, "data"), value):
        for key in chosen(place, ROOTS) if isinstance(place, dict) else ():
            if found := name_conversation(place[key]):
                return found
    return None


def _key(result: Result, conversation: str) -> bytes | None:
    """Return a hash that is equal for a tool's result and its copies in other sessions.

    None if the result has no id, or no text.
    """
    if result.id is None:
        return None
    if _DRAWN.search(result.id) or is_random(result.id):
        return hashlib.blake2b(result.id.encode(errors="replace"), digest_size=16).digest()
    value = result.content.value
    try:
        text = value.encode(errors="replace") if isinstance(value, str) else orjson.dumps(value)
    except (TypeError, RecursionError):
        return None
    scope = f"{result.uuid or conversation}\0{result.id}\0"
    return hashlib.blake2b(scope.encode(errors="replace") + text, digest_size=16).digest()


def _note_codex(event: Node, entry: Entry, before: int) -> int:
    """Count the model call that an event ``token_count`` of Codex reports.

    Return the number of the last call so far, which is ``before`` if the event reports none.
    """
    used, total = event.get("info", "last_token_usage"), event.get("info", "total_token_usage")
    if used is None or total is None or not isinstance(total.value, dict):
        return before
    conversation = entry.origin.calls.conversation
    id = f"{conversation or entry.origin.name} {read_usage(total.value)}"
    turn = entry.note(Node({"id": id, "usage": used.value}, ""), conversation, before)
    return before if turn is None else turn
