"""What was found, kept so that nothing is found twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Found = TypeVar("Found")

#: Stands for what was not found yet: what was may be None.
_MISSING: Final[Any] = object()


class Memory:
    """Things by their keys; all are dropped where there would be more than ``most``.

    Threads may share it: those that find one thing at the same time all get the first.
    """

    def __init__(self, most: int) -> None:
        self._found: dict[Hashable, Any] = {}
        self._most = most

    def once(self, key: Hashable, find: Callable[[*Arguments], Found], *args: *Arguments) -> Found:
        """Return what ``find`` gives for ``args``; it is called once for the same key."""
        known: Found = self._found.get(key, _MISSING)
        return self.keep(key, find(*args)) if known is _MISSING else known

    def keep(self, key: Hashable, found: Found) -> Found:
        """Keep what was found; return what is kept, which is older if there was something."""
        if len(self._found) >= self._most:
            self._found.clear()
        kept: Found = self._found.setdefault(key, found)
        return kept

    def known(self, key: Hashable) -> Any:
        """Return what is kept, None if there is nothing."""
        return self._found.get(key)

    def drop(self, key: Hashable) -> None:
        """Forget what was found, if it is kept."""
        self._found.pop(key, None)
