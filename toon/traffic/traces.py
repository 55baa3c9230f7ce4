"""The choice among spans of a trace that repeat one tool's result: each sending counts once.

Results in the input of a model's span count each time. Where no model's span of a trace holds one,
the tools' own spans count, once each; without these, an agent's span, which repeats its whole
conversation.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final

from toon.traffic.locate import name_conversation
from toon.traffic.payload import Record

#: Characters and number of results that wait for a model's span. Beyond them the oldest trace
#: counts as one without: a later model's span repeats its results.
MAX_HELD: Final = 32_000_000
MAX_RESULTS: Final = 100_000
#: Traces that are remembered.
MAX_TRACES: Final = 100_000


class Place(IntEnum):
    """The kinds of spans that hold tools' results, in rising order: a trace's highest counts."""

    AGENT = 0
    TOOL = 1
    MODEL = 2


class Traces:
    """The tools' results in a log file's traces, held back until it is clear which span's count."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._held: OrderedDict[str, list[Record]] = OrderedDict()
        self._conversations: OrderedDict[str, str] = OrderedDict()
        self._given: dict[tuple[str, bytes, Place], int] = {}
        self._results = self._size = 0

    def belong(self, trace: object, conversation: object) -> None:
        """Remember the conversation that a trace belongs to; do nothing if either has no name."""
        named = name_conversation(conversation)
        if isinstance(trace, str) and named:
            self._conversations[trace] = named
            if len(self._conversations) > MAX_TRACES:
                self._conversations.popitem(last=False)

    def conversation(self, trace: str) -> str | None:
        """Return the conversation that a trace belongs to, or None."""
        return self._conversations.get(trace)

    def add(self, trace: str, place: Place, records: Iterable[Record]) -> Iterator[Record]:
        """Take the results in one span of ``trace``; yield those that are certain to count.

        The others wait for another span: ``place`` is the kind of this one. All results of spans
        without a trace count.
        """
        if not trace:
            yield from records
            return
        for record in records:
            known = self._places.get(trace)
            if self._was_given(trace, place, record):
                self._places[trace] = place if known is None else max(known, place)
                continue
            if known is not None and known > place:
                return
            if known != place:
                self._forget(trace)
                self._places[trace] = place
                if len(self._places) > MAX_TRACES:
                    self._places.popitem(last=False)
            if place is Place.MODEL:
                yield record
            else:
                self._held.setdefault(trace, []).append(record)
                self._results += 1
                self._size += len(record.text)
                while self._size > MAX_HELD or self._results > MAX_RESULTS:
                    yield from self._forget(next(iter(self._held)))

    def rest(self, *, grows: bool = False) -> Iterator[Record]:
        """Yield tools' results held back for which no model's span came, at the end of the file.

        If the file ``grows``, yield those until now; they are not yielded again if a model's span
        repeats them later.
        """
        while self._held:
            trace = next(iter(self._held))
            place = self._places.get(trace, Place.TOOL)
            for record in self._forget(trace):
                if grows and len(self._given) < MAX_RESULTS:
                    key = trace, _known_by(record), place
                    self._given[key] = self._given.get(key, 0) + 1
                yield record

    def _was_given(self, trace: str, place: Place, record: Record) -> bool:
        """Return whether a span of a lower kind gave a trace's result before, and strike it out."""
        for lower in Place if self._given else ():
            key = trace, _known_by(record), lower
            if lower < place and key in self._given:
                self._given[key] -= 1
                if not self._given[key]:
                    del self._given[key]
                return True
        return False

    def _forget(self, trace: str) -> list[Record]:
        records = self._held.pop(trace, [])
        self._results -= len(records)
        self._size -= sum(len(record.text) for record in records)
        return records


def _known_by(record: Record) -> bytes:
    """Return a hash of a result's text without whitespace, to recognise the result again."""
    text = "".join(record.text.split()).encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()
