"""What the forwarder hands to the recorder: pieces of the traffic, each with its stream and time.

A command has two streams, one a direction; an HTTP exchange has two of its own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

#: The kinds of frames: an exchange begins (its head as JSON), bytes of a stream, a stream ended
#: (what is known of it as JSON), bytes that were lost (their number).
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
