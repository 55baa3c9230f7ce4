"""Frames of traffic that the forwarder copies to the recorder, and the lines and events in them.

A command has two streams, one a direction; an HTTP exchange has two of its own.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from toon.limits import RECORD_BYTES

#: Kinds of frames: the head of a request or an answer as JSON, bytes of a stream, the end of a
#: stream with facts as JSON, and the number of lost bytes.
OPEN: Final = b"o"
DATA: Final = b"d"
END: Final = b"e"
GAP: Final = b"g"


class Frame(NamedTuple):
    """A copied piece of traffic: its kind, stream, bytes, and time in seconds since 1970."""

    kind: bytes
    stream: int
    time: float
    data: bytes


class Line(NamedTuple):
    """A line of traffic, of ``size`` bytes; if it is too long, ``text`` has only its beginning.

    ``whole`` is false for an unfinished last line.
    """

    text: bytes
    size: int
    time: float
    whole: bool = True


class Lines:
    """A splitter of traffic into lines, which keeps at most ``most`` bytes of a line."""

    def __init__(self, most: int = RECORD_BYTES) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = self._held = 0
        self._is_torn = self._has_begun = False

    def feed(self, frame: Frame) -> Iterator[Line]:
        """Yield the lines of traffic that end in the next frame."""
        data, at = frame.data, 0
        while (end := data.find(b"\n", at)) >= 0:
            self._add(data[at:end])
            yield from self._take(frame.time)
            at = end + 1
        if at < len(data):
            self._add(data[at:])

    def tear(self) -> None:
        """Drop the text up to the next line break, because bytes of the stream were lost."""
        self._parts, self._size, self._held = [], 0, 0
        self._is_torn, self._has_begun = True, False

    def rest(self, time: float) -> Iterator[Line]:
        """Yield the unfinished line at the end of a stream of traffic, if there is one."""
        for line in self._take(time):
            if line.size:
                yield line._replace(whole=False)

    def _add(self, part: bytes) -> None:
        if self._is_torn:
            return
        self._has_begun = True
        self._size += len(part)
        if self._held <= self._most:
            self._parts.append(part)
            self._held += len(part)
            if self._held > self._most:
                self._parts = [b"".join(self._parts)[:1_000]]

    def _take(self, time: float) -> Iterator[Line]:
        if self._has_begun and not self._is_torn:
            yield Line(b"".join(self._parts), self._size, time)
        self._parts, self._size, self._held = [], 0, 0
        self._is_torn = self._has_begun = False


class Events:
    """A splitter of traffic into the data of server-sent events; lines end in CR, LF or both.

    A too long event keeps only its beginning, as a line does.
    """

    def __init__(self, most: int = RECORD_BYTES) -> None:
        self._most = most
        self._lines = Lines(most)
        self._data: list[bytes] = []
        self._size = 0
        self._ended_in_cr = False

    def feed(self, frame: Frame) -> Iterator[Line]:
        """Yield the data of the server-sent events that end in the next frame of traffic."""
        data = frame.data.removeprefix(b"\n") if self._ended_in_cr else frame.data
        if frame.data:
            self._ended_in_cr = frame.data.endswith(b"\r")
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        for line in self._lines.feed(frame._replace(data=data)):
            if line.text.startswith(b"data:"):
                self._add(line)
            elif not line.text and self._data:
                yield Line(b"\n".join(self._data), self._size, frame.time)
                self._data, self._size = [], 0

    def _add(self, line: Line) -> None:
        part = line.text[5:].removeprefix(b" ")
        self._size += line.size - len(line.text) + len(part) + bool(self._data)
        self._data.append(part)
        if self._size > self._most:
            self._data = [b"\n".join(self._data)[:1_000]]
