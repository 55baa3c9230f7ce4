"""The recorder of traffic: one thread turns a queue of frames into lines of a file.

The forwarder calls :meth:`Recorder.put`, which never waits. Frames beyond ``TAP_BYTES`` bytes of
the queue are lost, and the record says where. A call that could not be written is named in the file
as soon as writing works again.
"""

import json
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias

from toon.limits import TAP_BYTES, TAP_SECONDS
from toon.tap.calls import SIDES, Calls, note_line
from toon.tap.exchanges import Http
from toon.tap.lines import DATA, GAP, Frame, Lines
from toon.tap.log import Log
from toon.wording import listed

#: Seconds that frames wait for more, so that recording does not slow a call down.
_GATHERED: Final = 0.01
#: Seconds after which the recording thread yields to the traffic; Python's default is 0.005.
_GIVES_WAY: Final = 0.0001

Say: TypeAlias = Callable[[str], None]


class Stdio:
    """A reader of an MCP server's input and output that records each JSON-RPC call by ``write``."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._calls = Calls(write)
        self._lines = (Lines(), Lines())

    def take(self, frame: Frame) -> None:
        lines = self._lines[frame.stream]
        if frame.kind == DATA:
            for line in lines.feed(frame):
                self._calls.take(line, frame.stream)
        elif frame.kind == GAP:
            lines.tear()
            open = f" Open were {listed(self._calls.names)}." if self._calls.names else ""
            what = f"{int(frame.data):,} bytes from the {SIDES[frame.stream]} were not recorded."
            self._write(note_line(frame.time, what + open))

    def end(self, time: float) -> None:
        for side, lines in enumerate(self._lines):
            for line in lines.rest(time):
                self._calls.take(line, side)
        self._calls.end(time)


class Writer:
    """A writer of a recording's lines; calls that it could not write are named in a later line.

    Args:
        append: Writes a line, or raises OSError.
        say: Writes a sentence to standard error; called once, when writing fails.
    """

    def __init__(self, append: Callable[[bytes], None], say: Say) -> None:
        self._append, self._say = append, say
        self._missed: list[str] = []
        self._is_said = False

    def write(self, line: bytes) -> None:
        try:
            if self._missed:
                what = f"{listed(self._missed)} could not be written"
                self._append(note_line(time.time(), what))
                self._missed.clear()
            self._append(line)
        except OSError as error:
            self._missed.append(_called(line))
            if not self._is_said:
                self._is_said = True
                self._say(f"{error.strerror or error}: calls go on unrecorded until it can be")


def _called(line: bytes) -> str:
    """Name the call that a recording's line is about for a note: ``find of 2026-02-18T14:30Z``."""
    try:
        value = json.loads(line)
        asked = value.get("exchange", [{}])[0]
        name = (asked.get("params") or {}).get("name") or asked.get("method") or value.get("path")
        return f"{name or value['tap']} of {value['time']}"
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return "a call"


class Recorder:
    """A queue of copied traffic, and the thread that records it in ``log``.

    Args:
        say: Writes a sentence about the recording to standard error.
        is_http: Whether the traffic is HTTP, else the input and output of an MCP server.
    """

    def __init__(self, log: Log, say: Say, *, is_http: bool) -> None:
        writer = Writer(log.append, lambda text: say(f"{log.path}: {text}"))
        self._traffic = Http(writer.write) if is_http else Stdio(writer.write)
        self._say = say
        self._waiting: deque[Frame] = deque()
        self._lost: dict[int, int] = {}
        self._size = self._taken = 0
        self._is_closing = self._is_loss_said = self._is_fault_said = False
        self._news = threading.Condition()
        sys.setswitchinterval(_GIVES_WAY)
        self._thread = threading.Thread(target=self._work, name="toon-tap-recorder", daemon=True)
        self._thread.start()

    def put(self, kind: bytes, stream: int, data: bytes = b"") -> None:
        """Queue a copy of traffic to be recorded; count its bytes as lost if the queue is full."""
        with self._news:
            if self._size + len(data) > TAP_BYTES:
                self._lost[stream] = self._lost.get(stream, 0) + len(data)
                if not self._is_loss_said:
                    self._is_loss_said = True
                    self._say(
                        f"the recorder is {TAP_BYTES:,} bytes behind: traffic goes on unrecorded"
                        " until it has caught up; the file will name the calls that are open"
                    )
                return
            self._add_losses()
            self._add(Frame(kind, stream, time.time(), data))

    def close(self) -> None:
        """Wait until all traffic is recorded, or nothing was recorded for ``TAP_SECONDS``."""
        with self._news:
            self._add_losses()
            self._is_closing = True
            self._news.notify()
        taken = -1
        while self._thread.is_alive() and taken != self._taken:
            taken = self._taken
            self._thread.join(TAP_SECONDS)
        if self._thread.is_alive():
            self._say("the recording does not go on; the last calls are not recorded")

    def _add(self, frame: Frame) -> None:
        self._size += len(frame.data)
        self._waiting.append(frame)
        if len(self._waiting) == 1:
            self._news.notify()

    def _add_losses(self) -> None:
        for stream, size in self._lost.items():
            self._add(Frame(GAP, stream, time.time(), str(size).encode()))
        self._lost.clear()

    def _work(self) -> None:
        """Record the queued frames until the traffic ends."""
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._is_closing)
                frames = list(self._waiting)
                self._waiting.clear()
            if not frames:
                break
            for frame in frames:
                try:
                    self._traffic.take(frame)
                except Exception as error:  # the rest must still be recorded
                    if not self._is_fault_said:
                        self._is_fault_said = True
                        self._say(f"a part of the traffic is not recorded: {type(error).__name__}")
                with self._news:
                    self._size -= len(frame.data)
                    self._taken += 1
            with self._news:
                self._news.wait_for(lambda: self._is_closing, _GATHERED)
        self._traffic.end(time.time())
