"""The answers about the texts in the editors, found once: the routes and the pages ask the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Final, Generic, NamedTuple, TypeVar

from toon.bounded import Stopped
from toon.costs.explanation import Explaining
from toon.costs.headline import Picture
from toon.playground.panes import Options, Side

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class Question(NamedTuple):
    """What a picture depends on; ``payload`` is a :func:`payload_key`."""

    payload: str
    tokenizer: str
    explaining: Explaining


def payload_key(side: Side, options: Options, name: str) -> str:
    """What stands for a text with how it is read; ``name`` is its id in ``DOCUMENTS``."""
    return f"{side} {options} {name}"


class Recent(Generic[Key, Result]):
    """The last results by key, the least recently asked dropped first. For all threads.

    Who asks for a result that another thread is finding waits for that one.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._found: OrderedDict[Key, Future[Result]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, find: Callable[[], Result]) -> Result:
        """The result for ``key``, or what ``find`` gives now. What it raises is not kept."""
        mine: Future[Result] = Future()
        with self._lock:
            found = self._found.setdefault(key, mine)
            self._found.move_to_end(key)
            while len(self._found) > self.most:
                self._found.popitem(last=False)
        if found is mine:
            try:
                mine.set_result(find())
            except BaseException as error:
                mine.set_exception(error)
                with self._lock:
                    self._found.pop(key, None)
        try:
            return found.result()
        except Stopped:
            if found is mine:
                raise
        return self.get(key, find)  # the one who was finding it has gone


#: A picture is a few thousand bytes, whatever its text is.
PICTURES: Final[Recent[Question, Picture]] = Recent(64)
