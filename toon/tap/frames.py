"""What the forwarder hands to the recorder: pieces of the traffic, each with its stream and time.

A command has two streams, one a direction; an HTTP exchange has two of its own. The position of a
frame is the number of bytes of all frames up to its end.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

#: The kinds of frames: an exchange begins (its head as JSON), bytes of a stream, a stream ended
#: (what is known of it as JSON), bytes that were lost (their number).
OPEN: Final = b"o"
DATA: Final = b"d"
END: Final = b"e"
GAP: Final = b"g"

_HEAD: Final = struct.Struct(">cQdI")


class Frame(NamedTuple):
    kind: bytes
    stream: int
    time: float
    data: bytes
    position: int


def pack_head(kind: bytes, stream: int, time: float, data: bytes) -> bytes:
    """What stands before the bytes of a frame."""
    return _HEAD.pack(kind, stream, time, len(data))


def read_frames(source: BinaryIO, position: int) -> Iterator[Frame]:
    """The frames of a stream that begins at ``position``, up to its end or to a torn frame."""
    while len(head := source.read(_HEAD.size)) == _HEAD.size:
        kind, stream, time, size = _HEAD.unpack(head)
        data = source.read(size)
        if len(data) < size:
            return
        position += len(head) + size
        yield Frame(kind, stream, time, data, position)
