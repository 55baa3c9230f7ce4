"""What ``toon tap`` records: one call a line, with both sides as they were sent.

A line says in ``tap`` what it is: a call of MCP (``mcp``), a call of a model (``model``), any other
exchange, of which nothing was kept (``other``), or a note about what could not be recorded
(``note``), which is a bad record. A line whose exchange has no answer holds no payload. Of a
recording of figures it is a payload's (``figures``), or names tools: those that were called, and
the figures of those that were defined (``tools``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.definitions import Definition
from toon.traffic.envelopes import chat, mcp
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import find_model, name_group, read_record
from toon.traffic.payload import Figures, Record
from toon.traffic.times import find_time

_KINDS: Final = ("mcp", "model", "other", "note", "figures", "tools")
#: Tokenizers whose counts of a definition are read.
_MOST_COUNTS: Final = 50


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """The payloads of one call.

    Raises:
        TextError: It is damaged.
    """
    node = read_record(record.text)
    value = node.value if isinstance(node.value, dict) else {}
    if value.get("tap") == "note":
        yield origin.bad(record.number, str(value.get("note")))
    elif value.get("tap") == "figures":
        figures = node.get("figures")
        text = figures.text if figures else "{}"
        group, model = name_group(value.get("group")), find_model(value)
        origin.account.definitions.call(group)
        yield Figures(origin.name, record.number, group, text, find_time(value), model, "figures")
    elif value.get("tap") == "tools":
        try:
            _note_tools(value, origin)
        except (LookupError, TypeError, ValueError, AttributeError):
            yield origin.bad(record.number, "its figures of tools are damaged")
    elif value.get("tap") == "mcp":
        yield from mcp.read(record, origin)
    elif value.get("tap") == "model":
        status = value.get("status")
        if isinstance(status, int) and status >= 400:
            yield origin.bad(record.number, f"the call was refused with status {status}")
            return
        time, model = find_time(value), find_model(value)
        origin.note(node, time, model)
        messages = chat.find_messages(node)
        yield from chat.answers(messages, record.number, origin, time, model)


def _note_tools(value: dict[str, Any], origin: Origin) -> None:
    """Notes the tools that were called, and those whose definitions were counted."""
    is_listed, definitions = bool(value["listed"]), origin.account.definitions
    found = [_counted(each, origin.group if is_listed else "") for each in value["defined"]]
    for tool in value["called"]:
        definitions.call(name_group(tool))
    definitions.add_counted(found, find_time(value), is_listed=is_listed)


def _counted(figures: dict[str, Any], server: str) -> Definition:
    counts = list(figures["tokens"].items())[:_MOST_COUNTS]
    read = tuple((name, _number(sent), _number(least)) for name, (sent, least) in counts)
    return Definition(name_group(figures["tool"]), server or _server(figures), "", read)


def _server(figures: dict[str, Any]) -> str:
    return name_group(figures["server"]) if figures["server"] else ""


def _number(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError("a count is not one")
    return value


def recognises(value: Any) -> bool:
    return isinstance(value, dict) and value.get("tap") in _KINDS


KIND: Final = Envelope(
    name="tap",
    label="recording of the tap",
    records="results of tools, by tool",
    nothing="no result of a tool in it",
    kept="the file that python -m toon tap writes",
    recognises=recognises,
    read=read,
)
