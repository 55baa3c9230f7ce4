"""The texts that the editors work on, kept only in this process's memory.

The browser sends a text once, by HTTP; from then on both it and the page's Python name it by its
digest. Nothing is written anywhere, and the oldest texts go when room is needed.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock
from typing import Final

from toon.limits import DOCUMENT_BYTES


class Documents:
    """Texts by digest, the least recently used dropped first. Safe to share between threads.

    ``capacity`` is in UTF-8 bytes; a single larger text is kept alone.
    """

    def __init__(self, capacity: int = DOCUMENT_BYTES) -> None:
        self.capacity = capacity
        self._texts: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def put(self, text: str) -> str:
        """Keeps ``text`` and returns its id."""
        data = text.encode()
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        with self._lock:
            if name in self._texts:
                self._texts.move_to_end(name)
                return name
            self._texts[name] = text, len(data)
            self._size += len(data)
            while self._size > self.capacity and len(self._texts) > 1:
                _, (_, dropped) = self._texts.popitem(last=False)
                self._size -= dropped
        return name

    def get(self, name: str) -> str | None:
        """The text with this id, or None if it was never here or has been dropped."""
        with self._lock:
            if name not in self._texts:
                return None
            self._texts.move_to_end(name)
            return self._texts[name][0]


#: The one store of this process: the HTTP routes fill it, the pages read it.
DOCUMENTS: Final = Documents()
