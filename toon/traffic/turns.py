"""Calls of sessions, each linked to the call before it in its context: what is sent again.

A call sends all that earlier calls of its context sent, so a tool's result is paid with every later
call. A session, a sub-agent or a compaction begins a context. Claude Code's records name the record
before them, so a fork or a sub-agent in the same file has its own context; in others' sessions
calls follow one another. A copy of a session joins the calls that it copies.

Where no record marks a compaction, a prompt of less than half the one before tells it.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from toon.costs.billed import Billed
from toon.text import clean
from toon.traffic.keys import at, keys_of, plain
from toon.traffic.language import PROJECTS
from toon.traffic.urls import hide

#: Calls that are kept; results of later ones have no figure of what is sent again.
MAX_TURNS: Final = 200_000
#: Records, and sessions, whose last call is remembered.
MAX_RECORDS: Final = 50_000
#: The number before a context's first call.
START: Final = -1

#: Keys of a record's id, of the record before it, and of a part's message.
_OWN: Final = ("uuid", "id")
_BEFORE: Final = "parentuuid"
_MESSAGE: Final = "messageid"
#: Marks of a context that was cut down to a summary.
_COMPACTED: Final = frozenset(["compacted", "compactboundary", "compaction", "contextcompacted"])
_SUMMARY: Final = "iscompactsummary"
_MARKS: Final = ("type", "subtype")
_SHRUNK: Final = 0.5
#: The folder of Gemini CLI's sessions, by a project's name, or a hash that is shown in part.
_CHATS: Final = re.compile(r"(?:^|/)tmp/([^/]+)/chats/")
_LONGEST_HASH: Final = 12
_LONGEST: Final = 200


@dataclass(slots=True)
class Turns:
    """The model calls of agents' sessions, as columns indexed by the call's number.

    Attributes:
        models: The names of models with their numbers.
        before: The number of the call before in its context, or ``START``.
        model: The number of its model.
        time: Seconds since 1970; NaN if unknown.
        input, cached, written, hour: Its tokens, as in :class:`.Billed`.
        thread: Its session, if its calls follow one another; else -1.
        lost: Calls with a successor beyond the bound.
    """

    models: dict[str, int] = field(default_factory=dict)
    before: array[int] = field(default_factory=lambda: array("i"))
    model: array[int] = field(default_factory=lambda: array("i"))
    time: array[float] = field(default_factory=lambda: array("d"))
    input: array[int] = field(default_factory=lambda: array("q"))
    cached: array[int] = field(default_factory=lambda: array("q"))
    written: array[int] = field(default_factory=lambda: array("q"))
    hour: array[int] = field(default_factory=lambda: array("q"))
    thread: array[int] = field(default_factory=lambda: array("i"))
    lost: set[int] = field(default_factory=set)
    _known: OrderedDict[str, int] = field(default_factory=OrderedDict)
    _threads: dict[str, int] = field(default_factory=dict)
    _mixed: set[int] = field(default_factory=set)

    def find(self, record: Any, thread: str) -> int:
        """Return the number of the call before a session's record in its context, or ``START``."""
        keys = keys_of(record) if isinstance(record, dict) else {}
        if at(record, _SUMMARY) is True or _COMPACTED.intersection(_marks(record)):
            return START
        if _BEFORE in keys:
            parent = record[keys[_BEFORE]]
            return self._known.get(parent, START) if isinstance(parent, str) else START
        if isinstance(message := at(record, _MESSAGE), str) and message in self._known:
            return self._known[message]
        return self._known.get(f"\0{thread}", START)

    def add(self, before: int, tokens: Billed, model: str, time: float | None) -> int:
        """Append a call that follows call ``before``; return its number; ``START`` if full."""
        if len(self.before) >= MAX_TURNS:
            self.lost |= {before} - {START}
            return START
        self.before.append(self._behind(before, tokens.input))
        self.thread.append(-1)
        self.model.append(self.models.setdefault(model, len(self.models)))
        self.time.append(float("nan") if time is None else time)
        self.input.append(tokens.input)
        self.cached.append(tokens.cached)
        self.written.append(tokens.written)
        self.hour.append(tokens.hour)
        return len(self.before) - 1

    def leave(self, record: Any, thread: str, last: int) -> None:
        """Remember that call ``last`` is the one before what follows ``record`` in a session."""
        keys = keys_of(record) if isinstance(record, dict) else {}
        if _MESSAGE in keys:
            return
        names = [record[keys[key]] for key in _OWN if key in keys]
        if _BEFORE not in keys and last >= 0 and self.thread[last] < 0:
            self.thread[last] = self._threads.setdefault(thread, len(self._threads))
            before = self._known.get(f"\0{thread}", START)
            if before >= 0 and self.time[last] < self.time[before]:
                self._mixed.add(self.thread[last])
        for name in (f"\0{thread}", *names):
            if isinstance(name, str):
                self._known[name] = last
                self._known.move_to_end(name)
        while len(self._known) > MAX_RECORDS:
            self._known.popitem(last=False)

    def model_of(self, call: int) -> str | None:
        """Return the model of a call by its number; None if the log names none."""
        return list(self.models)[self.model[call]] or None

    def _behind(self, before: int, input: int) -> int:
        """Return call ``before``, or ``START`` if ``input`` tokens are too few to follow it."""
        return before if before >= 0 and input >= _SHRUNK * self.input[before] else START

    def _in_order(self) -> list[int]:
        """Return for each call the one before it, by time where a session has another order."""
        before, sessions = list(self.before), defaultdict[int, list[int]](list)
        for call, thread in enumerate(self.thread):
            if thread in self._mixed:
                sessions[thread].append(call)
        for calls in sessions.values():
            calls.sort(key=self.time.__getitem__)
            for earlier, call in zip((START, *calls), calls, strict=False):
                before[call] = self._behind(earlier, self.input[call])
        return before

    def facts(self) -> dict[str, Any]:
        """Return the columns of all calls as lists, for JSON; an unknown time is None."""
        columns: dict[str, Any] = {name: list(getattr(self, name)) for name in COLUMNS}
        columns["before"] = self._in_order()
        columns["time"] = [None if time != time else time for time in self.time]
        return {"models": list(self.models), "lost": sorted(self.lost), **columns}


def _marks(record: Any) -> Iterator[str]:
    """Yield the values of ``type`` and ``subtype`` in a session's record and in its ``payload``."""
    for value in (record, at(record, "payload")):
        marks = [value.get(key) for key in _MARKS] if isinstance(value, dict) else []
        yield from (plain(mark) for mark in marks if isinstance(mark, str))


#: The columns of :meth:`Turns.facts` beside the names of models.
COLUMNS: Final = ("before", "model", "time", "input", "cached", "written", "hour")


def find_project(value: Any, file: str = "") -> str | None:
    """Return the name of the folder that a record's session works in, or None.

    Parent folders may name people and are dropped. Gemini CLI names the project in the ``file``.
    """
    folders = (at(value, path) for path in PROJECTS)
    named = next((each for each in folders if isinstance(each, str) and each.strip("/\\")), None)
    if named is None:
        found = _CHATS.search(file)
        return found[1][:_LONGEST_HASH] if found else None
    name = re.split(r"[/\\]", named.rstrip("/\\"))[-1]
    return hide(clean(name))[:_LONGEST]
