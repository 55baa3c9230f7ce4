"""What ``toon tap`` records: one call a line, with both sides as they were sent.

A line says in ``tap`` what it is: a call of MCP (``mcp``), a call of a model (``model``), any other
exchange, of which nothing was kept (``other``), or a note about what could not be recorded
(``note``), which is a bad record. A line whose exchange has no answer holds no payload. Lines of
figures alone (``figures``, ``tools``), which the tap wrote before 1.1, are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.envelopes import mcp
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Envelope, Origin
from toon.traffic.locate import find_model, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.walker import results

_FIGURES: Final = ("figures", "tools")
_KINDS: Final = ("mcp", "model", "other", "note", *_FIGURES)
_WITHOUT_TEXT: Final = (
    "recorded by tap --figures, which is gone: it has no text to measure; record the calls again"
)


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """The payloads of one call.

    Raises:
        TextError: It is damaged.
    """
    node = read_record(record.text)
    value = node.value if isinstance(node.value, dict) else {}
    if value.get("tap") == "note":
        yield origin.bad(record.number, str(value.get("note")))
    elif value.get("tap") in _FIGURES:
        yield origin.bad(record.number, _WITHOUT_TEXT)
    elif value.get("tap") == "mcp":
        yield from mcp.read(record, origin)
    elif value.get("tap") == "model":
        status = value.get("status")
        if isinstance(status, int) and status >= 400:
            yield origin.bad(record.number, f"the call was refused with status {status}")
            return
        time, model = find_time(value), find_model(value)
        origin.note(node, time, model)
        for each in results(node, origin.calls):
            yield from origin.answer(record.number, each.tool, each.content, time, model)


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
