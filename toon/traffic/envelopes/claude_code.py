"""Sessions of Claude Code: the results of tools, by the name of the tool.

A record is an event of a session or of one of its sub-agents. A result is counted once, as the
message that brought it to the model; ``toolUseResult`` beside it and events of progress say the
same again and are not read. Its model is the one that spoke last before it. There is no public
schema: the shape is as public notes on such files describe it, among them those of
Huntehhh/claude-code-chat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.envelopes.chat import answers, find_messages
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import find_conversation, find_model, read_record
from toon.traffic.messages import is_message
from toon.traffic.payload import Record
from toon.traffic.times import find_time

_SESSION: Final = ("sessionId", "session_id")
_SAID: Final = ("user", "assistant")
#: The model of messages that the program writes itself.
_NO_MODEL: Final = "<synthetic>"


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """What tools answered in an event.

    Raises:
        TextError: It is no event, or is not JSON.
    """
    node = read_record(record.text)
    if not isinstance(node.value, dict) or not isinstance(node.value.get("type"), str):
        raise TextError("no event of a session")
    message = node.get("message")
    if node.value["type"] not in _SAID or message is None or not is_message(message.value):
        return
    model = find_model(message.value)
    if model and model != _NO_MODEL:
        origin.calls.model = model
    time = find_time(node.value)
    origin.note(message, time, model, find_conversation(node.value))
    yield from answers(find_messages(message), record.number, origin, time, origin.calls.model)


def recognises(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("type") in _SAID
        and any(isinstance(value.get(key), str) for key in _SESSION)
        and is_message(value.get("message"))
    )


KIND: Final = Envelope(
    name="claude_code",
    label="Claude Code session",
    records="what tools answered, by tool",
    nothing="no tool result in it",
    kept="~/.claude/projects, a folder for each project",
    recognises=recognises,
    read=read,
)
