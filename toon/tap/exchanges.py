"""Pairs of HTTP requests and answers: calls of models, and messages of MCP in bodies.

A call of a model is ``{"tap": "model", "time", "seconds", "path", "status", "request",
"response"}``: the bodies as they were written. An answer of events is kept as its model and usage,
or as the object that ends OpenAI's Responses: nothing else of it is counted. MCP's messages make
the lines of :mod:`.calls`. All other exchanges are kept as method, path, status and size. Headers
and queries are never kept.
"""

import json
import zlib
from collections import OrderedDict
from typing import Any, Final

from toon.limits import RECORD_BYTES
from toon.tap.calls import Calls, Write, read_json, record_line
from toon.tap.lines import DATA, END, GAP, OPEN, Events, Frame, Line
from toon.traffic.exchange import is_message
from toon.traffic.keys import chosen
from toon.traffic.language import MODELS, PROMPTS, USAGES, is_conversation
from toon.traffic.urls import fold_url

#: The most sessions whose open requests are remembered.
_MOST_SESSIONS: Final = 1_000
_INFLATED: Final = ("gzip", "x-gzip", "deflate")
#: Encodings that only pyarrow unpacks, by its names; it needs the whole body.
_OPENED: Final = {"br": "brotli", "zstd": "zstd"}
_DAMAGED: Final = "damaged: it does not unpack"


class _Body:
    """The body of an HTTP request or answer, unpacked while it arrives.

    ``size`` counts its unpacked bytes. ``lack`` says why the body cannot be recorded: its packing
    is unknown, it is damaged, no JSON, or longer than the limit; else it is "".
    """

    def __init__(self, head: dict[str, Any]) -> None:
        self.head, self.size, self.lack = head, 0, ""
        packed = str(head.get("packed", "identity")).strip().lower()
        self._inflate = zlib.decompressobj(47) if packed in _INFLATED else None
        self._codec = _OPENED.get(packed, "")
        self._packed, self._kept = bytearray(), bytearray()
        if packed not in ("", "identity", *_INFLATED, *_OPENED):
            self.lack = f"packed as {packed[:40]}, which is not opened here"

    def add(self, data: bytes, *, keep: bool = True) -> bytes:
        """Add a part, stored if ``keep``; return it unpacked, or b"" if only :meth:`open` can."""
        if self.lack:
            return b""
        if self._codec:
            self._packed += data
            if len(self._packed) > RECORD_BYTES:
                self._packed.clear()
                self.lack = _too_long()
            return b""
        if self._inflate:
            try:
                data = self._inflate.decompress(data, RECORD_BYTES + 1)
            except zlib.error:
                self.lack = _DAMAGED
                return b""
            if self._inflate.unconsumed_tail:
                self.lack = _too_long()
        self._keep(data, keep=keep)
        return data

    def open(self) -> bytes:
        """Unpack a complete body of brotli or zstd and return its bytes; b"" for other packings."""
        packed, codec, self._codec = bytes(self._packed), self._codec, ""
        self._packed.clear()
        if not packed or self.lack:
            return b""
        from pyarrow import BufferReader, CompressedInputStream  # few answers need it

        try:
            with CompressedInputStream(BufferReader(packed), codec) as stream:
                data: bytes = stream.read(RECORD_BYTES + 1)
        except OSError:
            self.lack = _DAMAGED
            return b""
        self._keep(data, keep=True)
        return data

    def _keep(self, data: bytes, *, keep: bool) -> None:
        self.size += len(data)
        if keep:
            self._kept += data
            if self.size > RECORD_BYTES:
                self._kept.clear()
                self.lack = _too_long()

    @property
    def text(self) -> bytes:
        return bytes(self._kept)

    def value(self) -> Any:
        """Return the JSON value of the body; on failure return None and set ``lack``."""
        try:
            return read_json(self.text) if not self.lack else None
        except (ValueError, RecursionError):
            self.lack = f"not JSON: {self.size:,} bytes"
            return None


def _too_long() -> str:
    return f"more than {RECORD_BYTES:,} bytes, the limit TOON_RECORD_BYTES"


class _EventFacts:
    """What is recorded of an answer of server-sent events: its model and usage.

    Of OpenAI's Responses it is the object that ends the answer.
    """

    def __init__(self) -> None:
        self._about: dict[str, Any] = {}
        self._whole: bytes | None = None
        self.lack = ""

    def take(self, line: Line) -> None:
        if line.size > RECORD_BYTES:
            self.lack = f"an event of {line.size:,} bytes: {_too_long()}"
            return
        if not any(mark in line.text for mark in (b'"usage', b'"model', b'"response')):
            return
        try:
            event = read_json(line.text)
        except (ValueError, RecursionError):
            self.lack = f"an event is not JSON: {line.size:,} bytes"
            return
        if not isinstance(event, dict):
            return
        inner = event.get("response")
        if isinstance(inner, dict) and str(event.get("type", "")).startswith("response."):
            if inner.get("usage"):  # the answer is complete
                self._whole = json.dumps(inner, ensure_ascii=False).encode(errors="replace")
            return
        for each in (event.get("message"), event):
            if not isinstance(each, dict):
                continue
            for key in chosen(each, MODELS):
                if isinstance(each[key], str):
                    self._about.setdefault(key, each[key])
            for key in chosen(each, USAGES):
                if isinstance(each[key], dict):
                    self._about[key] = {**self._about.get(key, {}), **each[key]}

    @property
    def text(self) -> bytes:
        return self._whole or json.dumps(self._about).encode()


class _Exchange:
    """The parts of an HTTP request and its answer that have arrived, to be recorded at the end."""

    def __init__(self, number: int, head: dict[str, Any], time: float) -> None:
        self.request, self.time = _Body(head), time
        self.response: _Body | None = None
        self.what = ""  # "mcp", "model" or "other", once the request is complete
        #: The session of MCP; a request without one is a session of its own.
        self.session: str = head.get("session") or f"exchange {number}"
        self.facts, self.events, self.gap = _EventFacts(), Events(RECORD_BYTES), 0

    @property
    def has_events(self) -> bool:
        kind = str(self.response.head.get("kind", "")) if self.response else ""
        return "event-stream" in kind.lower()


class Http:
    """A reader of a proxy's traffic that writes each HTTP exchange to the recording at its end."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._exchanges: OrderedDict[int, _Exchange] = OrderedDict()
        self._sessions: OrderedDict[str, Calls] = OrderedDict()

    def take(self, frame: Frame) -> None:
        number, side = divmod(frame.stream, 2)
        if frame.kind == OPEN and side == 0:
            self._exchanges[number] = _Exchange(number, json.loads(frame.data), frame.time)
            return
        exchange = self._exchanges.get(number)
        if exchange is None:  # its beginning was lost
            return
        if frame.kind == OPEN:
            exchange.response = _Body(json.loads(frame.data))
            self._begin_answer(exchange)
        elif frame.kind == GAP:
            exchange.gap += int(frame.data)
        elif frame.kind == DATA and side == 0:
            exchange.request.add(frame.data)
        elif frame.kind == DATA:
            assert exchange.response is not None
            keep = not exchange.has_events and exchange.what != "other"
            data = exchange.response.add(frame.data, keep=keep)
            self._take_events(exchange, frame._replace(data=data))
        elif frame.kind == END:
            del self._exchanges[number]
            self._end(exchange, frame)

    def end(self, time: float) -> None:
        for exchange in self._exchanges.values():
            self._end(exchange, Frame(END, 0, time, b'{"fault": "the tap ended"}'))
        for calls in self._sessions.values():
            calls.end(time)

    def _begin_answer(self, exchange: _Exchange) -> None:
        """Classify an HTTP exchange by its complete request: MCP, a model's call, or another.

        Messages of MCP in the request are passed on.
        """
        request = exchange.request
        request.open()
        value = request.value()
        many = value if isinstance(value, list) and value else [value]
        if all(is_message(each) for each in many):
            exchange.what = "mcp"
            self._calls(exchange).take(Line(request.text, request.size, exchange.time), 0)
        elif isinstance(value, dict) and (
            str(request.head.get("path", "")).endswith("/responses")
            or any(is_conversation(value.get(key)) for key in PROMPTS)
        ):
            exchange.what = "model"
        elif request.head.get("session") and exchange.has_events:
            exchange.what = "mcp"
        else:
            exchange.what = "other"

    def _take_events(self, exchange: _Exchange, frame: Frame) -> None:
        """Read the server-sent events that end in an unpacked part of an exchange's answer."""
        for event in exchange.events.feed(frame) if exchange.has_events else ():
            if exchange.what == "model":
                exchange.facts.take(event)
            elif exchange.what == "mcp":
                self._calls(exchange).take(event, 1)

    def _end(self, exchange: _Exchange, frame: Frame) -> None:
        """Record an HTTP exchange that has ended: a model's call, messages of MCP, or another."""
        response = exchange.response
        if response:
            rest = response.open() + b"\n\n"  # the body may end inside an event
            self._take_events(exchange, frame._replace(data=rest))
        fault = str(json.loads(frame.data).get("fault", ""))
        if exchange.gap:
            fault = f"{exchange.gap:,} bytes were not recorded"
        if exchange.what != "mcp":
            self._write(_line(exchange, frame.time, fault))
            return
        calls, head = self._calls(exchange), exchange.request.head
        if response and not exchange.has_events and response.text.strip():
            calls.take(Line(response.text, response.size, frame.time), 1)
        if fault:
            self._write(_line(exchange, frame.time, fault))
        if head.get("method") == "DELETE" or not head.get("session"):
            calls.end(frame.time)
            self._sessions.pop(exchange.session, None)

    def _calls(self, exchange: _Exchange) -> Calls:
        """Return the open JSON-RPC requests of an exchange's MCP session, new at its first call."""
        if exchange.session not in self._sessions:
            self._sessions[exchange.session] = Calls(self._write)
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        self._sessions.move_to_end(exchange.session)
        return self._sessions[exchange.session]


def _line(exchange: _Exchange, end: float, fault: str) -> bytes:
    """Return the JSON line that records an HTTP exchange, which ended at the time ``end``.

    A call of a model has both bodies, any other exchange only the size of the answer.
    """
    request, response, events = exchange.request, exchange.response, exchange.facts
    if exchange.what == "model":
        answer = b"null"
        if response and exchange.has_events:
            answer = events.text
        elif response and response.value() is not None:
            answer = response.text
        kind = "model"
        parts = [("seconds", f"{max(0.0, end - exchange.time):.6f}".encode())]
        bodies = [("request", request.text), ("response", answer)]
    else:
        kind, parts = "other", [("method", _json(request.head.get("method", "")))]
        bodies = [("bytes", str(response.size if response else 0).encode())]
    parts.append(("path", _json(fold_url(str(request.head.get("path", ""))))))
    if response:
        parts.append(("status", str(response.head.get("status")).encode()))
    lacks = [request.lack, response.lack if response else "", events.lack, fault]
    if any(lacks):
        parts.append(("fault", _json("; ".join(filter(None, lacks)))))
    return record_line(kind, exchange.time, *parts, *bodies)


def _json(text: str) -> bytes:
    return json.dumps(text).encode()
