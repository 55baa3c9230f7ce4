"""Tallies of model calls and their tokens: in all, and by day, project and conversation.

Claude Code logs a call once for each part of its answer; such a call counts once.
"""

import re
from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from toon.costs.billed import SIZES, Billed
from toon.costs.named import find_price
from toon.costs.prices import price_period
from toon.text import clean
from toon.traffic.turns import START, Turns
from toon.traffic.urls import hide
from toon.traffic.usage import Call

#: Keys that have tallies of their own; the calls of others count as unknown.
MAX_ROWS: Final = 2_000
MAX_SEEN: Final = 50_000
#: Conversations that are told apart, the number of all others, and rows of conversations.
MAX_CONVERSATIONS: Final = 1_000
BEYOND: Final = MAX_CONVERSATIONS + 1
MAX_SHARES: Final = 10_000
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SHOWN: Final = 40


class Key(NamedTuple):
    """The facts by which model calls are summed in one tally.

    They are the model, the period of its prices (``price_period``; "" without a time), the size
    among ``SIZES``, and whether the log names the cost.
    """

    model: str
    period: str
    size: int
    named: bool


@dataclass(slots=True)
class Tally:
    """The number of model calls of one key, with the sums of their tokens and costs.

    ``last`` is the time of the last call, in seconds since 1970.
    """

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
        """Return a tally's calls, tokens, cost and last time as a dictionary for JSON."""
        return {
            "calls": self.calls,
            "tokens": self.tokens._asdict(),
            "cost": self.cost,
            "last": self.last,
        }


@dataclass(slots=True)
class Usages:
    """Tallies of the model calls in log files: their tokens and costs, in bounded memory.

    ``rows`` sum by model and prices, ``shares`` also by conversation, numbered from 1 as read.
    ``days`` (in UTC) and ``projects`` have all calls; "" stands for no day and no project.
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
        """Count a model call; one seen before counts once, but its answer may have grown.

        Args:
            call: The call's usage.
            model, time, conversation, project: The log's names for the call.
            before: The call before it in its context, in :class:`.Turns`; None outside of
                sessions.

        Returns:
            The call's number among the turns; ``START`` if it has none.
        """
        tokens = call.tokens
        id = (call.id or "", tokens.input, tokens.cached, tokens.written)
        if call.id and id in self._seen:
            tallies, output, turn = self._seen[id]
            self._seen[id] = tallies, max(output, tokens.output), turn
            for tally in tallies:
                tally.tokens = tally.tokens.plus(Billed(output=max(0, tokens.output - output)))
            return turn
        key, tallies = self._key(call, model, time), list[Tally]()
        tallies.append(self.rows.setdefault(key, Tally()))
        day = "" if time is None else f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d}"
        parts: list[tuple[dict[Any, Tally], str | int, str | int]] = [
            (self.days, day, ""),
            (self.projects, project or "", ""),
        ]
        if conversation:
            parts.append((self.shares, self._number(conversation, project or ""), BEYOND))
        for part, name, beyond in parts:
            is_known = (name, key) in part or len(part) < MAX_SHARES
            tallies.append(part.setdefault((name if is_known else beyond, key), Tally()))
        for tally in tallies:
            tally.add(call, time)
        turn = START if before is None else self.turns.add(before, tokens, key.model, time)
        if call.id:
            self._seen[id] = tallies, tokens.output, turn
            if len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
        return turn

    def _key(self, call: Call, model: str | None, time: float | None) -> Key:
        price, period = find_price(model) if model else None, ""
        if price and time is not None:
            period = price_period(price, datetime.fromtimestamp(time, UTC))
        size, named = bisect_left(SIZES, call.tokens.input // call.calls), call.cost is not None
        key = Key(model or "", period, size, named)
        if key in self.rows or len(self.rows) < MAX_ROWS:
            return key
        return Key("", "", size, named)

    def _number(self, conversation: str, project: str) -> int:
        known = self._conversations
        if conversation not in known and len(known) < MAX_CONVERSATIONS:
            known[conversation] = len(known) + 1, project
        return known.get(conversation, (BEYOND, ""))[0]

    def facts(self) -> list[dict[str, Any]]:
        """Return the tallies by model and period of prices as dictionaries for JSON."""
        return [{**key._asdict(), **tally.facts()} for key, tally in sorted(self.rows.items())]

    def part_facts(self) -> dict[str, list[dict[str, Any]]]:
        """Return the tallies of conversations, days and projects as lists of dictionaries for JSON.

        Conversations (``shares``) have numbers; ``sessions`` has their names in that order: the
        first part of a UUID, or the log's name without secrets.
        """
        return {
            "shares": _facts("conversation", self.shares),
            "days": _facts("day", self.days),
            "projects": _facts("project", self.projects),
            "sessions": [
                {
                    "name": id[:8] if _UUID.fullmatch(id) else hide(clean(id))[:_SHOWN],
                    "project": project,
                }
                for id, (_, project) in self._conversations.items()
            ],
        }


def _facts(name: str, parts: dict[tuple[Any, Key], Tally]) -> list[dict[str, Any]]:
    return [
        {name: part, **key._asdict(), **tally.facts()}
        for (part, key), tally in sorted(parts.items())
    ]
