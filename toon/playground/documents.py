"""The texts that the editors work on, kept only in this process's memory.

The browser sends a text once, by HTTP; from then on both it and the page's Python name it by its
digest. Nothing is written anywhere. A text, and all that was found out about it, goes when nobody
has asked for it for some minutes, with the next that comes, and the oldest when room is needed; the
browser sends it again then.
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

#: Panes whose findings are kept: those of a small text may take a hundred times its bytes.
_PANES: Final = 64


class _Kept(NamedTuple):
    """A text, its UTF-8 bytes, and when it was asked for."""

    text: str
    size: int
    asked: float


class Documents:
    """Texts by digest, the least recently used dropped first. Safe to share between threads.

    ``capacity`` is in UTF-8 bytes; a single larger text is kept alone. ``seconds`` is how long a
    text is kept that nobody asks for.
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
        """Keeps ``text`` and returns its id."""
        data = text.encode()
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        with self._lock:
            if (known := self._texts.pop(name, None)) is not None:
                self._size -= known.size
            self._texts[name] = _Kept(text, len(data), self._clock())
            self._size += len(data)
            self._drop()
        return name

    def get(self, name: str) -> str | None:
        """The text with this id, or None if it was never here or has been dropped."""
        with self._lock:
            if name not in self._texts:
                return None
            kept = self._texts.pop(name)
            self._texts[name] = kept._replace(asked=self._clock())
            return kept.text

    def open(self, side: Side, text: str, options: Options) -> Pane:
        """Keeps ``text`` and gives it on one side of the editors."""
        name = self.put(text)
        return self.pane(side, name, options) or Pane(side, text, options, name)

    def pane(self, side: Side, name: str, options: Options) -> Pane | None:
        """The text with this id on one side of the editors, shared by all who ask, or None."""
        text = self.get(name)
        if text is None:
            return None
        with self._lock:
            key = name, side, options
            found = self._panes.pop(key, None) or Pane(side, text, options, name)
            self._panes[key] = found
            if len(self._panes) > _PANES:
                self._panes.popitem(last=False)
        return found

    def _drop(self) -> None:
        """Drops what nobody has asked for in time, and what there is no room for."""
        oldest = self._clock() - self._seconds
        while len(self._texts) > 1:
            name, first = next(iter(self._texts.items()))
            if first.asked > oldest and self._size <= self._capacity:
                break
            del self._texts[name]
            self._size -= first.size
            for key in [key for key in self._panes if key[0] == name]:
                del self._panes[key]
