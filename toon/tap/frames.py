"""Frames from the forwarder to the recorder: pieces of the traffic, with their stream and time.

A command has two streams, one a direction; an HTTP exchange has two of its own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: Kinds of frames: the head of a request or an answer as JSON, bytes of a stream, the end of a
#: stream with facts as JSON, and the number of lost bytes.
OPEN: Final = b"o"
DATA: Final = b"d"
END: Final = b"e"
GAP: Final = b"g"


class Frame(NamedTuple):
    """A piece of the traffic; ``time`` is in seconds since 1970."""

    kind: bytes
    stream: int
    time: float
    data: bytes
