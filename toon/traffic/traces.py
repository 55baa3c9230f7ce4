"""One result in several spans of a trace: which of them stands for what was sent.

The input of a model's span is what was sent, each time that it was. Where no model's span of a
trace holds a tool's result, the tools' own spans count, once each; where there are none of these
either, the span of an agent, which repeats its whole conversation.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final

from toon.traffic.locate import name_conversation
from toon.traffic.payload import Record

#: Characters of results, and results, that wait for a model's span. Beyond them the oldest trace
#: counts as one without, so a model's span that comes later still repeats it.
MAX_HELD: Final = 32_000_000
MAX_RESULTS: Final = 100_000
#: Traces that are remembered.
MAX_TRACES: Final = 100_000


class Place(IntEnum):
    """The kind of a span that holds results; the highest in a trace counts."""

    AGENT = 0
    TOOL = 1
    MODEL = 2


class Traces:
    """The results in the traces of a file that may yet turn up where they were sent."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._held: OrderedDict[str, list[Record]] = OrderedDict()
        self._conversations: OrderedDict[str, str] = OrderedDict()
        self._given: dict[tuple[str, bytes, Place], int] = {}
        self._results = self._size = 0

    def belong(self, trace: object, conversation: object) -> None:
        """Notes the conversation of a trace, if both are named."""
        named = name_conversation(conversation)
        if isinstance(trace, str) and named:
            self._conversations[trace] = named
            if len(self._conversations) > MAX_TRACES:
                self._conversations.popitem(last=False)

    def conversation(self, trace: str) -> str | None:
        """The conversation of a trace, if it was noted before."""
        return self._conversations.get(trace)

    def add(self, trace: str, place: Place, records: Iterable[Record]) -> Iterator[Record]:
        """Takes the results in one span of a trace; gives those that certainly count.

        Spans that name no trace are told apart from no others, so all of theirs count.
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
                self._hold(trace, record)
                while self._size > MAX_HELD or self._results > MAX_RESULTS:
                    yield from self._forget(next(iter(self._held)))

    def rest(self, *, grows: bool = False) -> Iterator[Record]:
        """The results that no model's span held until the end of the file. If it ``grows``, those
        that none held so far: where such a span comes later, they are not given again.
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
        """Whether a result was given of a span that counts less; each is asked about once."""
        for lower in Place if self._given else ():
            key = trace, _known_by(record), lower
            if lower < place and key in self._given:
                self._given[key] -= 1
                if not self._given[key]:
                    del self._given[key]
                return True
        return False

    def _hold(self, trace: str, record: Record) -> None:
        self._held.setdefault(trace, []).append(record)
        self._results += 1
        self._size += len(record.text)

    def _forget(self, trace: str) -> list[Record]:
        records = self._held.pop(trace, [])
        self._results -= len(records)
        self._size -= sum(len(record.text) for record in records)
        return records


def _known_by(record: Record) -> bytes:
    """By what a result is known where it is written with other whitespace."""
    text = "".join(record.text.split()).encode(errors="surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()
