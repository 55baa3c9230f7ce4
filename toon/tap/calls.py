"""Pairs of JSON-RPC messages: each request with its answer, on one line of the record.

A line is ``{"tap": "mcp", "time", "seconds", "exchange": [REQUEST, ANSWER]}``, with both as they
were written. Requests without an answer, and text that is no message, get a line that says so.
"""

import json
import re
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from toon.limits import RECORD_BYTES
from toon.tap.lines import Line
from toon.traffic.exchange import is_message, key_of
from toon.traffic.slices import cut_members
from toon.traffic.tools import MAX_CALLS

#: Writes a line to the recording.
Write: TypeAlias = Callable[[bytes], None]
#: The side that a request came from, and the id of the request.
_Key: TypeAlias = tuple[int, str]

SIDES: Final = ("client", "server")
_ID: Final = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]+)')


def record_line(kind: str, time: float, *parts: tuple[str, bytes]) -> bytes:
    """Return a line of a traffic recording: JSON with its kind, its time and ``parts``.

    A part is a key and the JSON of its value; the time is given in seconds since 1970.
    """
    stamp = datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
    members = b"".join(b',"%s":%s' % (key.encode(), value) for key, value in parts)
    line = b'{"tap":"%s","time":"%s"%s}' % (kind.encode(), stamp.encode(), members)
    return line.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"  # in JSON both are blanks


def note_line(time: float, note: str) -> bytes:
    """Return a JSON line for a recording of traffic that says what traffic is missing there."""
    return record_line("note", time, ("note", json.dumps(note).encode()))


def read_json(text: bytes) -> Any:
    """Parse a JSON text; accept also what only Python's reader does, such as lone surrogates.

    Raises:
        ValueError: The text is not JSON.
        RecursionError: The text is nested too deeply.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


class _Open(NamedTuple):
    """A request of JSON-RPC for which no answer has been seen yet."""

    text: bytes
    name: str
    time: float


class Calls:
    """The open requests of a JSON-RPC session, and the function ``write`` for lines of a recording.

    A request is written with its answer, when that comes.
    """

    def __init__(self, write: Write) -> None:
        self._write = write
        self._open: OrderedDict[_Key, _Open] = OrderedDict()

    @property
    def names(self) -> list[str]:
        """Names of the requests that wait for an answer, such as ``tools/call find (id 1)``."""
        return [request.name for request in self._open.values()]

    def take(self, line: Line, side: int) -> None:
        """Read messages in a line of the client (``side`` 0) or server (1); record whole calls."""
        text = line.text.strip()
        if not text:
            return
        if line.size > RECORD_BYTES:
            match = _ID.search(line.text)
            key = 1 - side, repr(json.loads(match[1])) if match else ""
            request = self._open.pop(key, None)
            self._note(
                line,
                f"{f'{request.name}: ' if request else ''}{line.size:,} bytes in one message from"
                f" the {SIDES[side]}, more than {RECORD_BYTES:,}, the limit TOON_RECORD_BYTES",
            )
            return
        try:
            value = read_json(text)
            if isinstance(value, list):
                parts = [part.encode() for part in cut_members(text.decode())]
                pairs = list(zip(value, parts, strict=True))
            else:
                pairs = [(value, text)]
        except RecursionError:
            self._note(line, f"nested too deeply: {line.size:,} bytes from the {SIDES[side]}")
        except ValueError:
            what = "not JSON" if line.whole else "half a message"
            self._note(line, f"{what}: {line.size:,} bytes from the {SIDES[side]}")
        else:
            for each, part in pairs:
                self._message(each, part, line, side)

    def end(self, time: float) -> None:
        """Write the requests that had no answer to the recording, at the session's end."""
        for request in self._open.values():
            self._write(record_line("mcp", request.time, ("exchange", b"[%s]" % request.text)))
            self._write(note_line(time, f"{request.name}: no answer"))
        self._open.clear()

    def _message(self, value: Any, text: bytes, line: Line, side: int) -> None:
        if not is_message(value):
            self._note(line, f"no message of JSON-RPC: {line.size:,} bytes from the {SIDES[side]}")
        elif not isinstance(value.get("method"), str):
            key = 1 - side, key_of(value)
            request = self._open.pop(key, None)
            if request is None:
                self._note(line, f"an answer to no request that was recorded, id {key[1]}")
                return
            seconds = f"{max(0.0, line.time - request.time):.6f}".encode()
            parts = [("seconds", seconds), ("exchange", b"[%s,%s]" % (request.text, text))]
            self._write(record_line("mcp", request.time, *parts))
        elif "id" in value:
            key = side, key_of(value)
            self._open[key] = _Open(text, _name(value), line.time)
            if len(self._open) > MAX_CALLS:
                self._open.popitem(last=False)
        elif value["method"] == "notifications/cancelled":
            params = value.get("params")
            id = params.get("requestId") if isinstance(params, dict) else None
            if request := self._open.pop((side, key_of({"id": id})), None):
                parts = [("cancelled", b"true"), ("exchange", b"[%s]" % request.text)]
                self._write(record_line("mcp", request.time, *parts))

    def _note(self, line: Line, note: str) -> None:
        self._write(note_line(line.time, note))


def _name(request: dict[str, Any]) -> str:
    """Return the method, the tool and the id of a request of JSON-RPC, for a note about it."""
    params = request.get("params")
    tool = params.get("name") if isinstance(params, dict) else None
    words = [request["method"], *([tool] if isinstance(tool, str) else [])]
    return f"{' '.join(words)} (id {request['id']!r})"
