"""Lines of a stream that comes in pieces, each with its place in the traffic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toon.limits import RECORD_BYTES
from toon.tap.frames import Frame


class Line(NamedTuple):
    """A line from position ``first`` to ``last``; of one that is too long only its ``size``.

    ``text`` is then its beginning. ``whole`` is false for the last one of a stream that broke off.
    """

    text: bytes
    size: int
    time: float
    first: int
    last: int
    whole: bool = True


class Lines:
    """Cuts a stream at its line breaks. Memory is bounded by the longest line that is kept."""

    def __init__(self, most: int = RECORD_BYTES) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = self._held = 0
        self._is_torn = False
        #: Where the line begins that has no end yet; None between two lines.
        self.first: int | None = None

    def feed(self, frame: Frame) -> Iterator[Line]:
        """The lines that end in a frame."""
        data, start = frame.data, frame.position - len(frame.data)
        at = 0
        while (end := data.find(b"\n", at)) >= 0:
            self._add(data[at:end], start + at)
            yield from self._take(frame.time, start + end + 1)
            at = end + 1
        if at < len(data):
            self._add(data[at:], start + at)

    def tear(self) -> None:
        """Bytes were lost: what comes up to the next line break is no line."""
        self._parts, self._size, self._held = [], 0, 0
        self._is_torn, self.first = True, None

    def rest(self, frame_time: float, last: int) -> Iterator[Line]:
        """The line that the stream broke off in."""
        for line in self._take(frame_time, last):
            if line.size:
                yield line._replace(whole=False)

    def _add(self, part: bytes, start: int) -> None:
        if self._is_torn:
            return
        self.first = start if self.first is None else self.first
        self._size += len(part)
        if self._held <= self._most:
            self._parts.append(part)
            self._held += len(part)
            if self._held > self._most:
                self._parts = [b"".join(self._parts)[:1_000]]

    def _take(self, time: float, last: int) -> Iterator[Line]:
        if self.first is not None and not self._is_torn:
            yield Line(b"".join(self._parts), self._size, time, self.first, last)
        self._parts, self._size, self._held = [], 0, 0
        self._is_torn, self.first = False, None
