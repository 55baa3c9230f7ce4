"""What the calls in a reading of files took, added up: in all, by day, project and conversation.

A call that a log tells several times (Claude Code does, once for each part of an answer) is counted
once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, TypeAlias

from toon.costs.billed import SIZES, Billed
from toon.costs.named import price_named
from toon.costs.prices import price_period
from toon.text import clean
from toon.traffic.private import hide
from toon.traffic.turns import START, Turns
from toon.traffic.usage import Call

#: Models, periods and sizes that are told apart; the calls of others are counted as unknown.
MAX_ROWS: Final = 2_000
MAX_SEEN: Final = 50_000
#: Conversations that are told apart, and the number that all others have; rows of them.
MAX_CONVERSATIONS: Final = 1_000
BEYOND: Final = MAX_CONVERSATIONS + 1
MAX_SHARES: Final = 10_000
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SHOWN: Final = 40


class Key(NamedTuple):
    """What calls are told apart by: model, the period of its prices (``price_period``; "" without
    a time), their size among ``SIZES``, and whether the log names what they cost.
    """

    model: str
    period: str
    size: int
    named: bool


@dataclass(slots=True)
class Tally:
    """The calls of one key; ``last`` is the time of the last, in seconds since 1970."""

    calls: int = 0
    tokens: Billed = field(default_factory=Billed)
    cost: float = 0.0
    last: float | None = None

    def add(self, call: Call, time: float | None) -> None:
        self.calls += call.calls
        self.tokens = self.tokens.plus(call.tokens)
        self.cost += call.cost or 0.0
        if time is not None:
            self.last = time if self.last is None else max(self.last, time)

    def facts(self) -> dict[str, Any]:
        """The tally as plain values."""
        return {
            "calls": self.calls,
            "tokens": self.tokens._asdict(),
            "cost": self.cost,
            "last": self.last,
        }


@dataclass(slots=True)
class Usages:
    """The calls that a reading of files found, with bounded memory.

    ``shares`` are those of the calls that name a conversation, by its number: from 1, in the order
    of reading. ``days`` (in UTC) and ``projects`` have all calls; "" is no day and no project.
    ``turns`` are the calls of sessions in their contexts.
    """

    rows: dict[Key, Tally] = field(default_factory=dict)
    shares: dict[tuple[int, Key], Tally] = field(default_factory=dict)
    days: dict[tuple[str, Key], Tally] = field(default_factory=dict)
    projects: dict[tuple[str, Key], Tally] = field(default_factory=dict)
    turns: Turns = field(default_factory=Turns)
    _conversations: dict[str, tuple[int, str]] = field(default_factory=dict)
    _seen: OrderedDict[tuple[str, int, int, int], tuple[list[Tally], int, int]] = field(
        default_factory=OrderedDict
    )

    def add(
        self,
        call: Call,
        model: str | None,
        time: float | None,
        conversation: str | None = None,
        project: str | None = None,
        before: int | None = None,
    ) -> int:
        """Count a call. One that was seen is not counted again; its answer may have grown.

        Args:
            call: What it took.
            model, time, conversation, project: What the log names of it.
            before: The call before it in its context, of :class:`.Turns`; None: it is no session's.

        Returns:
            Its own number among the turns; ``START`` without one.
        """
        tokens = call.tokens
        id = (call.id or "", tokens.input, tokens.cached, tokens.written)
        if call.id and id in self._seen:
            tallies, output, turn = self._seen[id]
            self._seen[id] = tallies, max(output, tokens.output), turn
            for tally in tallies:
                tally.tokens = tally.tokens.plus(Billed(output=max(0, tokens.output - output)))
            return turn
        key, parts = self._key(call, model, time), self._parts(time, conversation, project or "")
        tallies = list(_tallies(self.rows, key, parts))
        for tally in tallies:
            tally.add(call, time)
        turn = START if before is None else self.turns.add(before, tokens, key.model, time)
        if call.id:
            self._seen[id] = tallies, tokens.output, turn
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
        return turn

    def _key(self, call: Call, model: str | None, time: float | None) -> Key:
        price, period = price_named(model) if model else None, ""
        if price and time is not None:
            period = price_period(price, datetime.fromtimestamp(time, UTC))
        size, named = bisect_left(SIZES, call.tokens.input // call.calls), call.cost is not None
        key = Key(model or "", period, size, named)
        if key in self.rows or len(self.rows) < MAX_ROWS:
            return key
        return Key("", "", size, named)

    def _parts(self, time: float | None, conversation: str | None, project: str) -> list[_Part]:
        """The parts of the bill that a call is in, each with the name of those beyond the bound."""
        day = "" if time is None else f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d}"
        parts: list[_Part] = [(self.days, day, ""), (self.projects, project, "")]
        if conversation:
            parts.append((self.shares, self._number(conversation, project), BEYOND))
        return parts

    def _number(self, conversation: str, project: str) -> int:
        known = self._conversations
        if conversation not in known and len(known) < MAX_CONVERSATIONS:
            known[conversation] = len(known) + 1, project
        return known.get(conversation, (BEYOND, ""))[0]

    def facts(self) -> list[dict[str, Any]]:
        """The rows as plain values, by model and period."""
        return [{**key._asdict(), **tally.facts()} for key, tally in sorted(self.rows.items())]

    def share_facts(self) -> list[dict[str, Any]]:
        """The shares of conversations as plain values; a conversation is named by its number."""
        return _facts("conversation", self.shares)

    def part_facts(self) -> dict[str, list[dict[str, Any]]]:
        """The other parts of the bill as plain values, and the ``sessions`` by their numbers."""
        return {
            "days": _facts("day", self.days),
            "projects": _facts("project", self.projects),
            "sessions": [
                {"name": name_session(id), "project": project}
                for id, (_, project) in self._conversations.items()
            ],
        }


#: Tallies of one kind of part, the part that a call is in, and what others are called.
_Part: TypeAlias = tuple[dict[tuple[Any, Key], Tally], Any, Any]


def _tallies(rows: dict[Key, Tally], key: Key, parts: list[_Part]) -> Iterator[Tally]:
    """The tallies of a call: that of all calls like it, and those of the parts that it is in."""
    yield rows.setdefault(key, Tally())
    for tallies, name, beyond in parts:
        share = name, key
        if share not in tallies and len(tallies) >= MAX_SHARES:
            share = beyond, key
        yield tallies.setdefault(share, Tally())


def _facts(name: str, parts: dict[tuple[Any, Key], Tally]) -> list[dict[str, Any]]:
    return [
        {name: part, **key._asdict(), **tally.facts()}
        for (part, key), tally in sorted(parts.items())
    ]


def name_session(id: str) -> str:
    """Return what a session is shown as: the beginning of a UUID; nothing private."""
    return id[:8] if _UUID.fullmatch(id) else hide(clean(id))[:_SHOWN]
