"""The program that records: ``python -m toon.tap.recorder OPTIONS``.

:mod:`.copies` starts it with the copies of the traffic on standard input. It says what it cannot do
on standard error, once, and goes on: a call that could not be recorded is named in the file as soon
as that can be written again.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from toon import logs
from toon.limits import TAP_BYTES
from toon.tap.calls import SIDES, Calls, note_line
from toon.tap.exchanges import Http
from toon.tap.frames import DATA, GAP, Frame, read_frames
from toon.tap.lines import Lines
from toon.tap.log import KEY, Log
from toon.tap.marks import Marks

#: Bytes of traffic for which a recorder that is started anew is given open requests again.
_PINNED: Final = TAP_BYTES // 2
_NAMED: Final = 5
#: Recording gives way to the traffic, also when both want to run at once.
_NICENESS: Final = 19


class Traffic(Protocol):
    """One way that traffic comes in: what is put together, and what is not complete."""

    def take(self, frame: Frame) -> None: ...

    def first(self) -> int | None:
        """Where the oldest of what is not complete begins; None if all is complete."""

    def forget_before(self, position: int) -> None: ...

    def end(self, time: float, last: int) -> None: ...


class Stdio:
    """The two streams of a command, each with a message of JSON-RPC a line."""

    def __init__(self, write: Callable[[bytes, int], None]) -> None:
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
            open = f" Open were {_listed(self._calls.names)}." if self._calls.names else ""
            what = f"{int(frame.data):,} bytes from the {SIDES[frame.stream]} were not recorded."
            self._write(note_line(frame.time, what + open), frame.position)

    def first(self) -> int | None:
        starts = (self._calls.first, *(lines.first for lines in self._lines))
        return min((start for start in starts if start is not None), default=None)

    def forget_before(self, position: int) -> None:
        self._calls.forget_before(position)

    def end(self, time: float, last: int) -> None:
        for side, lines in enumerate(self._lines):
            for line in lines.rest(time, last):
                self._calls.take(line, side)
        self._calls.end(time, last)


class Writer:
    """Writes lines that no recorder before this one has written, and names those that it cannot.

    Args:
        append: Writes a line; an OSError if it cannot.
        done: Up to which position lines are written already.
        say: Says on standard error that lines cannot be written, once.
    """

    def __init__(
        self, append: Callable[[bytes], None], done: int, say: Callable[[str], None]
    ) -> None:
        self._append, self._before, self._say = append, done, say
        self.done = done
        self._missed: list[str] = []
        self._is_said = False

    def write(self, line: bytes, last: int) -> None:
        if last <= self._before:
            return
        try:
            if self._missed:
                what = f"{_listed(self._missed)} could not be written"
                self._append(note_line(time.time(), what))
                self._missed.clear()
            self._append(line)
        except OSError as error:
            self._missed.append(_called(line))
            if not self._is_said:
                self._is_said = True
                self._say(f"{error.strerror or error}: calls go on unrecorded until it can be")
        self.done = max(self.done, last)


def _called(line: bytes) -> str:
    """What the line of a call is called, in few words."""
    try:
        value = json.loads(line)
        asked = value.get("exchange", [{}])[0]
        name = (asked.get("params") or {}).get("name") or asked.get("method") or value.get("path")
        return f"{name or value['tap']} of {value['time']}"
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return "a call"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def record(frames: Iterable[Frame], traffic: Traffic, writer: Writer, marks: Marks) -> None:
    """Records everything, and marks how far it came after each frame."""
    position = marks.read()[0]
    for frame in frames:
        traffic.take(frame)
        position = frame.position
        traffic.forget_before(position - _PINNED)
        first = traffic.first()
        needed = position if first is None else max(first, position - _PINNED)
        marks.write(needed, max(writer.done, 0))
    traffic.end(time.time(), position + 1)


def _frames(source: BinaryIO, rest: BinaryIO, position: int) -> Iterator[Frame]:
    """The frames that are sent, and then those that were left in a file at the end."""
    for frame in read_frames(source, position):
        position = frame.position
        yield frame
    rest.seek(0)
    yield from read_frames(rest, position)


def main() -> None:
    """Records until standard input ends, which also happens when the forwarder dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
    if hasattr(os, "SCHED_BATCH"):  # Linux: what wakes up here displaces nobody
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    logs.guard()
    options: dict[str, Any] = json.loads(sys.argv[1])
    marks = Marks(options["marks"])
    key = os.environ.pop(KEY).encode()
    log = Log(Path(options["output"]), options["most"], options["kept"], key)
    append: Callable[[bytes], None] = log.append
    if options["figures"]:  # nothing else here needs what counts tokens
        from toon.measuring.measure import DEFAULT_FORMATS, Settings
        from toon.tap.figures import Figures

        append = Figures(append, Settings.of(options["figures"], DEFAULT_FORMATS))
    writer = Writer(append, marks.read()[1], lambda text: say(f"{log.path}: {text}"))
    with open(0, "rb", buffering=1 << 20) as source, open(options["rest"], "rb") as rest:
        traffic = (Http if options["http"] else Stdio)(writer.write)
        record(_frames(source, rest, options["position"]), traffic, writer, marks)


def say(text: str) -> None:
    print(f"toon tap: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
