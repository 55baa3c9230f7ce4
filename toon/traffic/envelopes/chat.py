"""Logs of chat completions: the results of tools, by the name of the tool.

A record is one message, or a request with a list of messages, in any of the forms that
:mod:`.messages` knows. A request repeats the messages before it; they are counted again, because
they were sent and paid for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import Node, find_conversation, find_model, read_record
from toon.traffic.messages import is_message, results
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.tools import inside

#: Keys of the list of messages in a request or an answer.
LISTS: Final = ("messages", "input", "contents", "output", "choices", "events")
_REQUESTS: Final = (
    "request", "body", "payload", "data", "kwargs", "params", "inputs", "response", "result",
    "full_request", "full_response",
)  # fmt: skip
#: Requests in requests that are looked into.
_DEEPEST: Final = 20
#: Lists of a record that a later one is compared with.
_TOLD: Final = 12
#: What names a line of a batch, which may hold an error or a request without messages.
_BATCH: Final = "custom_id"


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in the messages of a record.

    Raises:
        TextError: It holds no message, or is not JSON.
    """
    node = read_record(record.text)
    found = list(find_messages(node))
    if not found and not (isinstance(node.value, dict) and _BATCH in node.value):
        raise TextError("no message in it")
    time, model = find_time(node.value), find_model(node.value)
    conversation = find_conversation(node.value)
    origin.calls.session = conversation or ""
    origin.note(node, time, model, conversation)
    yield from answers(found, record.number, origin, time, model)


def answers(
    messages: Iterable[Node],
    number: int,
    origin: Origin,
    time: float | None,
    model: str | None,
) -> Iterator[Record]:
    """What tools answered in the messages of a record."""
    for message in messages:
        for result in results(message, origin.calls):
            yield from origin.answer(number, result.tool, result.content, time, model)


def find_messages(node: Node) -> Iterator[Node]:
    """A chat message itself, or those in a request and its answer.

    Where several lists of a record begin alike, as in a log that tells a request twice or repeats
    it in its answer, those messages count once.
    """
    told: deque[list[Node]] = deque(maxlen=_TOLD)
    for listed in _lists(node, 0):
        known = max((_shared(listed, each) for each in told), default=0)
        told.append(listed)
        yield from listed[known:]


def _shared(messages: list[Node], others: list[Node]) -> int:
    """With how many messages both lists begin."""
    pairs = zip(messages, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].value == pair[1].value, pairs))


def _lists(node: Node, depth: int) -> Iterator[list[Node]]:
    """The lists of messages in a request; a message is one."""
    if is_message(node.value):
        yield [node]
    elif isinstance(node.value, dict):
        listed = [[item for item in node.items(key) if is_message(item.value)] for key in LISTS]
        yield from filter(None, listed)
        if not any(listed) and depth < _DEEPEST:
            for inner in inside(node, _REQUESTS, '"role"'):
                yield from _lists(inner, depth + 1)


def recognises(value: Any) -> bool:
    return next(find_messages(Node(value, "")), None) is not None


KIND: Final = Envelope(
    name="chat",
    label="chat-completion log",
    records="what tools answered, by tool",
    nothing="no tool result in it",
    kept="the JSON Lines or JSON that your program, gateway or batch job writes of its requests",
    recognises=recognises,
    read=read,
)
