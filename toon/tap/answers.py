"""Answers of MCP on their way to the client, in which a policy rewrites the results of its tools.

A command sends a message a line, HTTP a body or events. What is no answer of one of the policy's
tools is passed on as it came.
"""

from __future__ import annotations

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from toon.errors import TextError
from toon.limits import TAP_APPLIED_BYTES
from toon.tap.copies import Say
from toon.tap.rewriting import Rewriter
from toon.traffic.rpc import is_message
from toon.traffic.slices import NotJson

#: What can go wrong with a message that a stranger wrote; it is passed on then.
_FAULTS: Final = (ValueError, LookupError, RecursionError, TextError, NotJson)
#: Calls that wait for their answers, and sessions of HTTP, of which the oldest are forgotten.
_MOST_CALLS: Final = 10_000
_MOST_SESSIONS: Final = 1_000
_END_OF_EVENT: Final = re.compile(rb"(?:\r\n|\n|\r(?!\n)){2}")
_LINES: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_DATA: Final = b"data:"


class Session:
    """One conversation of MCP: the tools that were called in it, and the formats explained."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._tools: OrderedDict[str, str] = OrderedDict()
        self._noted: set[str] = set()
        self._lock = threading.Lock()

    def asked(self, message: bytes) -> bool:
        """Remembers the tools that a message of the client calls; whether one is the policy's."""
        if b'"tools/call"' not in message:
            return False
        value, found = _value(message), False
        for each in value if isinstance(value, list) else [value]:
            params = each.get("params") if isinstance(each, dict) else None
            if isinstance(params, dict) and isinstance(params.get("name"), str):
                self._tools[repr(each.get("id"))] = params["name"]
                found = found or self._rewriter.applies_to(params["name"])
                if len(self._tools) > _MOST_CALLS:
                    self._tools.popitem(last=False)
        return found

    def answered(self, message: bytes) -> bytes:
        """What to send for a message of the server; whatever goes wrong, the message."""
        if b'"result"' not in message:
            return message
        value = _value(message)
        id = repr(value.get("id")) if isinstance(value, dict) else ""
        tool = self._tools.pop(id, None)
        if tool is None:
            return message
        with self._lock:
            try:
                return self._rewriter.answer(message.decode(), tool, self._noted).encode()
            except _FAULTS:
                return message


class Answers:
    """The answers of a command, message by message."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._session = Session(rewriter)
        self._ahead = {"client": b"", "server": b""}
        self._is_long = {"client": False, "server": False}

    def asked(self, data: bytes) -> bytes:
        """What the client sends, unchanged; the names of the tools that it calls are remembered."""
        for line in _cut(self._lines("client", data)):
            self._session.asked(line)
        return data

    def answered(self, data: bytes) -> bytes:
        """What to send for a part of what the server sends; the rest of a message comes later."""
        return b"".join(map(self._answer, _cut(self._lines("server", data))))

    def rest(self) -> bytes:
        """What the server has left of a message."""
        rest, self._ahead["server"] = self._ahead["server"], b""
        return rest

    def _lines(self, side: str, data: bytes) -> bytes:
        """The whole lines so far; of a line that is too long all that has come."""
        whole, end, rest = (self._ahead[side] + data).rpartition(b"\n")
        if self._is_long[side] and not end:
            return rest
        self._is_long[side] = len(rest) > TAP_APPLIED_BYTES
        self._ahead[side] = b"" if self._is_long[side] else rest
        return whole + end + (rest if self._is_long[side] else b"")

    def _answer(self, line: bytes) -> bytes:
        return self._session.answered(line) if line.endswith(b"\n") else line


class Events:
    """The events of an answer of HTTP, each passed on when it is whole."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ahead = b""
        self._is_long = False

    def answered(self, data: bytes) -> bytes:
        """What to send for a part of the events; the rest of an event comes later."""
        seen = max(0, len(self._ahead) - 3)
        events, at, data = [], 0, self._ahead + data
        for end in _END_OF_EVENT.finditer(data, seen):
            event = data[at : end.end()]
            events.append(event if self._is_long else self._event(event))
            at, self._is_long = end.end(), False
        rest = data[at:]
        self._is_long = self._is_long or len(rest) > TAP_APPLIED_BYTES
        self._ahead = rest[-2:] if self._is_long else rest
        return b"".join(events) + rest[: len(rest) - len(self._ahead)]

    def rest(self) -> bytes:
        """What is left of an event that the answer broke off in."""
        rest, self._ahead = self._ahead, b""
        return rest

    def _event(self, event: bytes) -> bytes:
        """An event with its message rewritten, on as many lines of data as it came on."""
        lines = _LINES.findall(event)
        places = [place for place, line in enumerate(lines) if line.startswith(_DATA)]
        if not places:
            return event
        message = b"\n".join(lines[place][len(_DATA) :].rstrip(b"\r\n") for place in places)
        written = self._session.answered(message).split(b"\n")
        for place, data in zip(places, written, strict=True):
            end = lines[place][len(lines[place].rstrip(b"\r\n")) :]
            lines[place] = _DATA + data + end
        return b"".join(lines)


class Body:
    """A body of JSON, passed on when it is whole, or as it comes if it is too long."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ahead = b""
        self._is_long = False

    def answered(self, data: bytes) -> bytes:
        self._ahead += data
        self._is_long = self._is_long or len(self._ahead) > TAP_APPLIED_BYTES
        return self._taken() if self._is_long else b""

    def rest(self) -> bytes:
        """What to send when all of it has come."""
        return self._session.answered(self._taken())

    def _taken(self) -> bytes:
        taken, self._ahead = self._ahead, b""
        return taken


class Applied:
    """A policy applied to what goes through a proxy."""

    def __init__(self, rewriter: Rewriter, say: Say) -> None:
        self._rewriter, self._say = rewriter, say
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def request(self, body: bytes, name: str) -> tuple[bytes, Session | None]:
        """What to send for the body of a request, and the session whose tools it calls.

        Whatever goes wrong, the body is sent. ``name`` is that of the session; "" is none.
        """
        value = _value(body)
        if is_message(value[0] if isinstance(value, list) and value else value):
            session = self._session(name)
            return body, session if session.asked(body) else None
        try:
            return self._rewriter.request(body.decode()).encode(), None
        except _FAULTS:
            return body, None

    def open(self, name: str) -> Session | None:
        """The session of that name if something was asked in it."""
        return self._sessions.get(name)

    def change(self, session: Session, headers: Mapping[bytes, bytes]) -> Events | Body | None:
        """What rewrites an answer with these headers; None if it is to be left alone."""
        kind = headers.get(b"content-type", b"").lower()
        packed = headers.get(b"content-encoding", b"identity").decode("latin-1")
        if packed != "identity":
            self._say(f"an answer is left alone: it is packed as {packed[:40]}")
            return None
        if kind.startswith(b"text/event-stream"):
            return Events(session)
        return Body(session) if kind.startswith(b"application/json") else None

    def _session(self, name: str) -> Session:
        with self._lock:
            session = self._sessions.pop(name, None) or Session(self._rewriter)
            if name:
                self._sessions[name] = session
                if len(self._sessions) > _MOST_SESSIONS:
                    self._sessions.popitem(last=False)
            return session


def _cut(lines: bytes) -> list[bytes]:
    """The lines, each with its end."""
    *whole, rest = lines.split(b"\n")
    return [*(line + b"\n" for line in whole), *([rest] if rest else [])]


def _value(message: bytes) -> Any:
    try:
        return json.loads(message)
    except (ValueError, RecursionError):
        return None
