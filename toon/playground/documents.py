"""The texts that the editors work on, kept only in this process's memory.

The browser sends a text once, by HTTP; from then on the browser and the page's Python name it by
its digest. Nothing is written to disk. When a text arrives, texts that nobody asked for in some
minutes are dropped with their results, and the oldest ones where room is needed; the browser sends
a dropped text again.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final, NamedTuple

from toon.limits import DOCUMENT_BYTES, DOCUMENT_SECONDS
from toon.playground.panes import Options, Pane, Side

#: The most panes with their results: those of a small text may take a hundred times its bytes.
_PANES: Final = 64


class _Kept(NamedTuple):
    """A text, its number of UTF-8 bytes, and the time it was last asked for."""

    text: str
    size: int
    asked: float


class Documents:
    """Texts by digest, the least recently used dropped first. Safe to share between threads.

    ``capacity`` is in UTF-8 bytes; a single larger text is kept alone. ``seconds`` is how long an
    unused text is kept.
    """

    def __init__(
        self,
        capacity: int = DOCUMENT_BYTES,
        seconds: float = DOCUMENT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity, self._seconds, self._clock = capacity, seconds, clock
        self._texts: OrderedDict[str, _Kept] = OrderedDict()
        self._panes: OrderedDict[tuple[str, Side, Options], Pane] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def put(self, text: str) -> str:
        """Keep ``text`` and return its id.

        Texts that are unused for too long, or lack room, are dropped.
        """
        data = text.encode()
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        with self._lock:
            if (known := self._texts.pop(name, None)) is not None:
                self._size -= known.size
            now = self._clock()
            self._texts[name] = _Kept(text, len(data), now)
            self._size += len(data)
            while len(self._texts) > 1:
                oldest, kept = next(iter(self._texts.items()))
                if kept.asked > now - self._seconds and self._size <= self._capacity:
                    break
                del self._texts[oldest]
                self._size -= kept.size
                for key in [key for key in self._panes if key[0] == oldest]:
                    del self._panes[key]
        return name

    def get(self, name: str) -> str | None:
        """Return the text with this id; None if it was never here or is dropped."""
        with self._lock:
            kept = self._texts.pop(name, None)
            if kept is None:
                return None
            self._texts[name] = kept._replace(asked=self._clock())
            return kept.text

    def pane(self, side: Side, name: str, options: Options) -> Pane | None:
        """Return the shared pane of the text with this id, or None."""
        text = self.get(name)
        return None if text is None else self.open(side, text, options, name)

    def open(self, side: Side, text: str, options: Options, name: str = "") -> Pane:
        """Return the shared pane of ``text`` on one side; keep a text that has no ``name`` yet."""
        name = name or self.put(text)
        with self._lock:
            key = name, side, options
            found = self._panes.pop(key, None) or Pane(side, text, options, name)
            if name in self._texts:  # no other thread has dropped it meanwhile
                self._panes[key] = found
            if len(self._panes) > _PANES:
                self._panes.popitem(last=False)
        return found
