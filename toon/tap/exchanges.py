"""Pairs of HTTP requests and answers: calls of models, and messages of MCP in bodies.

A call of a model is ``{"tap": "model", "time", "seconds", "path", "status", "request",
"response"}``: the bodies as they were written. An answer of events is kept as its model and usage,
or as the object that ends OpenAI's Responses: nothing else of it is counted. MCP's messages make
the lines of :mod:`.calls`. All other exchanges are kept as method, path, status and size. Headers
and queries are never kept.
"""

from __future__ import annotations

import json
import zlib
from collections import OrderedDict
from typing import Any, Final

from toon.limits import RECORD_BYTES
from toon.tap.calls import Calls, Write, read_json, record_line
from toon.tap.frames import DATA, END, GAP, OPEN, Frame
from toon.tap.lines import Events, Line
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
    """A body, unpacked while it arrives; a body beyond the limit is only counted."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.head = head
        self.size = 0
        self.lack = ""
        packed = str(head.get("packed", "identity")).strip().lower()
        self._inflate = zlib.decompressobj(47) if packed in _INFLATED else None
        self._codec = _OPENED.get(packed, "")
        self._packed: list[bytes] = []
        self._packed_size = 0
        if packed not in ("", "identity", *_INFLATED, *_OPENED):
            self.lack = f"packed as {packed[:40]}, which is not opened here"
        self._parts: list[bytes] = []

    def add(self, data: bytes, *, keep: bool = True) -> bytes:
        """Add a part, and return it unpacked; b"" if it can only be unpacked at the end."""
        if self.lack:
            return b""
        if self._codec:
            self._hold(data)
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
        """Unpack a body that is only unpacked when complete, and return it; b"" for others."""
        packed, codec, self._codec = b"".join(self._packed), self._codec, ""
        self._packed = []
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

    def _hold(self, data: bytes) -> None:
        self._packed.append(data)
        self._packed_size += len(data)
        if self._packed_size > RECORD_BYTES:
            self._packed = []
            self.lack = _too_long()

    def _keep(self, data: bytes, *, keep: bool) -> None:
        self.size += len(data)
        if keep:
            self._parts.append(data)
            if self.size > RECORD_BYTES:
                self._parts = []
                self.lack = _too_long()

    @property
    def text(self) -> bytes:
        return b"".join(self._parts)

    def value(self) -> Any:
        """Return the JSON value of the body; on failure return None and set ``lack``."""
        try:
            return read_json(self.text) if not self.lack else None
        except (ValueError, RecursionError):
            self.lack = f"not JSON: {self.size:,} bytes"
            return None


def _too_long() -> str:
    return f"more than {RECORD_BYTES:,} bytes, the limit TOON_RECORD_BYTES"


class _Told:
    """The model and usage in the events of a model's answer."""

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
            self._note(each if isinstance(each, dict) else {})

    def _note(self, event: dict[str, Any]) -> None:
        for key in chosen(event, MODELS):
            if isinstance(event[key], str):
                self._about.setdefault(key, event[key])
        for key in chosen(event, USAGES):
            if isinstance(event[key], dict):
                self._about[key] = {**self._about.get(key, {}), **event[key]}

    @property
    def text(self) -> bytes:
        return self._whole or json.dumps(self._about).encode()


class _Exchange:
    """One request and its answer, as far as they have arrived."""

    def __init__(self, head: dict[str, Any], frame: Frame) -> None:
        self.request = _Body(head)
        self.response: _Body | None = None
        self.time = frame.time
        self.what = ""  # "mcp", "model" or "other", once the request is complete
        self.told = _Told()
        self.events = Events(RECORD_BYTES)
        self.gap = 0

    @property
    def has_events(self) -> bool:
        kind = str(self.response.head.get("kind", "")) if self.response else ""
        return "event-stream" in kind.lower()


class Http:
    """The exchanges of a proxy; each has two streams, for its request and its answer."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._exchanges: OrderedDict[int, _Exchange] = OrderedDict()
        self._sessions: OrderedDict[str, Calls] = OrderedDict()

    def take(self, frame: Frame) -> None:
        number, side = divmod(frame.stream, 2)
        if frame.kind == OPEN and side == 0:
            self._exchanges[number] = _Exchange(json.loads(frame.data), frame)
            return
        exchange = self._exchanges.get(number)
        if exchange is None:  # its beginning was lost
            return
        if frame.kind == OPEN:
            exchange.response = _Body(json.loads(frame.data))
            self._begin_answer(exchange, number, frame)
        elif frame.kind == GAP:
            exchange.gap += int(frame.data)
        elif frame.kind == DATA and side == 0:
            exchange.request.add(frame.data)
        elif frame.kind == DATA:
            self._add_answer(exchange, number, frame)
        elif frame.kind == END:
            del self._exchanges[number]
            self._end(exchange, number, frame)

    def end(self, time: float) -> None:
        for number, exchange in list(self._exchanges.items()):
            frame = Frame(END, 0, time, b'{"fault": "the tap ended"}')
            self._end(exchange, number, frame)
        for calls in self._sessions.values():
            calls.end(time)

    def _begin_answer(self, exchange: _Exchange, number: int, frame: Frame) -> None:
        """Classify an exchange by its request, now complete, and pass on the request's messages."""
        exchange.request.open()
        value = exchange.request.value()
        many = value if isinstance(value, list) and value else [value]
        if all(is_message(each) for each in many):
            exchange.what = "mcp"
            line = self._line(exchange.request, exchange.time)
            self._calls(exchange, number).take(line, 0)
        elif isinstance(value, dict) and _is_of_model(value, exchange.request.head):
            exchange.what = "model"
        elif exchange.request.head.get("session") and exchange.has_events:
            exchange.what = "mcp"
        else:
            exchange.what = "other"

    def _add_answer(self, exchange: _Exchange, number: int, frame: Frame) -> None:
        assert exchange.response is not None
        keep = not exchange.has_events and exchange.what != "other"
        self._unpacked(exchange, number, frame, exchange.response.add(frame.data, keep=keep))

    def _unpacked(self, exchange: _Exchange, number: int, frame: Frame, data: bytes) -> None:
        if exchange.has_events:
            for event in exchange.events.feed(frame._replace(data=data)):
                if exchange.what == "model":
                    exchange.told.take(event)
                elif exchange.what == "mcp":
                    self._calls(exchange, number).take(event, 1)

    def _end(self, exchange: _Exchange, number: int, frame: Frame) -> None:
        """Write the record of an exchange."""
        if exchange.response:
            rest = exchange.response.open() + b"\n\n"  # the body may end inside an event
            self._unpacked(exchange, number, frame, rest)
        fault = str(json.loads(frame.data).get("fault", ""))
        if exchange.gap:
            fault = f"{exchange.gap:,} bytes were not recorded"
        if exchange.what == "mcp":
            self._end_mcp(exchange, number, frame, fault)
        elif exchange.what == "model":
            self._write(self._model_line(exchange, frame.time, fault))
        else:
            self._write(self._other_line(exchange, fault))

    def _end_mcp(self, exchange: _Exchange, number: int, frame: Frame, fault: str) -> None:
        response, calls = exchange.response, self._calls(exchange, number)
        if response and not exchange.has_events and response.text.strip():
            calls.take(self._line(response, frame.time), 1)
        if fault:
            self._write(self._other_line(exchange, fault))
        is_over = exchange.request.head.get("method") == "DELETE"
        if is_over or not exchange.request.head.get("session"):
            calls.end(frame.time)
            self._sessions.pop(self._key(exchange, number), None)

    @staticmethod
    def _line(body: _Body, time: float) -> Line:
        return Line(body.text, body.size, time)

    @staticmethod
    def _key(exchange: _Exchange, number: int) -> str:
        return exchange.request.head.get("session") or f"exchange {number}"

    def _calls(self, exchange: _Exchange, number: int) -> Calls:
        key = self._key(exchange, number)
        if key not in self._sessions:
            self._sessions[key] = Calls(self._write)
            if len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
        self._sessions.move_to_end(key)
        return self._sessions[key]

    def _model_line(self, exchange: _Exchange, end: float, fault: str) -> bytes:
        response, answer = exchange.response, b"null"
        if response and exchange.has_events:
            answer = exchange.told.text
        elif response and response.value() is not None:
            answer = response.text
        parts = [
            ("seconds", f"{max(0.0, end - exchange.time):.6f}".encode()),
            *_about(exchange, fault),
            ("request", exchange.request.text),
            ("response", answer),
        ]
        return record_line("model", exchange.time, *parts)

    @staticmethod
    def _other_line(exchange: _Exchange, fault: str) -> bytes:
        size = str(exchange.response.size if exchange.response else 0).encode()
        about = [("method", _text(exchange.request.head.get("method", "")))]
        return record_line(
            "other", exchange.time, *about, *_about(exchange, fault), ("bytes", size)
        )


def _is_of_model(value: dict[str, Any], head: dict[str, Any]) -> bool:
    """Return whether a request is a conversation with a model."""
    is_response = str(head.get("path", "")).endswith("/responses")
    return is_response or any(is_conversation(value.get(key)) for key in PROMPTS)


def _about(exchange: _Exchange, fault: str) -> list[tuple[str, bytes]]:
    response = exchange.response
    lacks = [exchange.request.lack, response.lack if response else "", exchange.told.lack, fault]
    path = fold_url(str(exchange.request.head.get("path", "")))
    parts = [("path", _text(path))]
    if response:
        parts.append(("status", str(response.head.get("status")).encode()))
    if any(lacks):
        parts.append(("fault", _text("; ".join(filter(None, lacks)))))
    return parts


def _text(text: str) -> bytes:
    return json.dumps(text).encode()
