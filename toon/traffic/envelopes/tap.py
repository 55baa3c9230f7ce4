"""What ``toon tap`` records: one call a line, with both sides as they were sent.

A line says in ``tap`` what it is: a call of MCP (``mcp``), a call of a model (``model``), any other
exchange, of which nothing was kept (``other``), or a note about what could not be recorded
(``note``), which is a bad record. A line whose exchange has no answer holds no payload. Lines of
figures alone (``figures``, ``tools``), which the tap wrote before 1.1, are refused.
"""

from collections.abc import Iterator
from typing import Any, Final

from toon.traffic.envelopes import mcp
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Entry, Envelope, Origin
from toon.traffic.locate import find_model, read_record
from toon.traffic.payload import Record
from toon.traffic.times import find_time
from toon.traffic.walker import results

_FIGURES: Final = ("figures", "tools")
_WITHOUT_TEXT: Final = (
    "recorded by tap --figures, which is gone: it has no text to measure; record the calls again"
)


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """Yield payloads and bad records from a call in a recording that ``toon tap`` made.

    Raises:
        TextError: The record is not JSON.
    """
    node = read_record(record.text)
    value = node.value if isinstance(node.value, dict) else {}
    kind, status = value.get("tap"), value.get("status")
    entry = Entry(origin, record.number)
    if kind == "note":
        yield entry.bad(str(value.get("note")))
    elif kind in _FIGURES:
        yield entry.bad(_WITHOUT_TEXT)
    elif kind == "mcp":
        yield from mcp.read(record, origin)
    elif kind == "model" and isinstance(status, int) and status >= 400:
        yield entry.bad(f"the call was refused with status {status}")
    elif kind == "model":
        entry = entry._replace(time=find_time(value), model=find_model(value))
        entry.note(node)
        yield from entry.answers(results(node, origin.calls))


def recognises(value: Any) -> bool:
    kinds = ("mcp", "model", "other", "note", *_FIGURES)
    return isinstance(value, dict) and value.get("tap") in kinds


KIND: Final = Envelope(
    "tap", "recording of the tap", "results of tools, by tool",
    "the file that python -m toon tap writes", "no result of a tool in it",
    recognises=recognises, read=read,
)  # fmt: skip
