"""Lines of a stream that comes in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toon.limits import RECORD_BYTES
from toon.tap.frames import Frame


class Line(NamedTuple):
    """A line of ``size`` bytes; of one that is too long ``text`` is the beginning alone.

    ``whole`` is false for the last one of a stream that broke off.
    """

    text: bytes
    size: int
    time: float
    whole: bool = True


class Lines:
    """Cuts a stream at its line breaks. Memory is bounded by the longest line that is kept."""

    def __init__(self, most: int = RECORD_BYTES) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = self._held = 0
        self._is_torn = self._has_begun = False

    def feed(self, frame: Frame) -> Iterator[Line]:
        """The lines that end in a frame."""
        data, at = frame.data, 0
        while (end := data.find(b"\n", at)) >= 0:
            self._add(data[at:end])
            yield from self._take(frame.time)
            at = end + 1
        if at < len(data):
            self._add(data[at:])

    def tear(self) -> None:
        """Bytes were lost: what comes up to the next line break is no line."""
        self._parts, self._size, self._held = [], 0, 0
        self._is_torn, self._has_begun = True, False

    def rest(self, time: float) -> Iterator[Line]:
        """The line that the stream broke off in."""
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
