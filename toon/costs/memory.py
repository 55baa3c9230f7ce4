"""A memory of results, so that each is computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Found = TypeVar("Found")

#: A mark for missing results: a result may be None.
_MISSING: Final[Any] = object()


class Memory:
    """A bounded cache of results by key; all are dropped where there would be more than ``most``.

    Threads may share it: those that compute one result at the same time all get the first.
    """

    def __init__(self, most: int) -> None:
        self._found: dict[Hashable, Any] = {}
        self._most = most

    def once(self, key: Hashable, find: Callable[[*Arguments], Found], *args: *Arguments) -> Found:
        """Return the result of ``find`` for ``args``, which is called once for each ``key``."""
        known: Found = self._found.get(key, _MISSING)
        return self.keep(key, find(*args)) if known is _MISSING else known

    def keep(self, key: Hashable, found: Found) -> Found:
        """Keep a result unless there is one for ``key``; return the kept one."""
        if len(self._found) >= self._most:
            self._found.clear()
        kept: Found = self._found.setdefault(key, found)
        return kept

    def known(self, key: Hashable) -> Any:
        """Return the kept result, or None."""
        return self._found.get(key)

    def drop(self, key: Hashable) -> None:
        """Forget the result for ``key``, if kept."""
        self._found.pop(key, None)
