"""How far the recorder has come, as the forwarder sees it without asking.

Two numbers lie in memory that both processes share: every frame that ends at or before ``needed``
is not needed any more, and what was complete at ``done`` is in the file. A recorder that takes the
place of a dead one is given all frames since ``needed``, and writes nothing again that was done.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from typing import Final

_FIELDS: Final = struct.Struct("QQ")


class Marks:
    """The two positions, in the file with this descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory = mmap.mmap(descriptor, _FIELDS.size)

    @classmethod
    def new(cls) -> Marks:
        with tempfile.TemporaryFile() as file:
            file.truncate(_FIELDS.size)
            return cls(os.dup(file.fileno()))

    def read(self) -> tuple[int, int]:
        """The positions ``needed`` and ``done``."""
        needed, done = _FIELDS.unpack_from(self._memory)
        return needed, done

    def write(self, needed: int, done: int) -> None:
        _FIELDS.pack_into(self._memory, 0, needed, done)

    def close(self) -> None:
        self._memory.close()
        os.close(self.descriptor)
