"""Which format to send each group in, and what that mix comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toon.corpus.analysis.rows import Floats, Places, Rows
from toon.corpus.analysis.sums import Sums
from toon.costs.choice import COMPACT, cheapest
from toon.formats import RECOMMENDED
from toon.values.fractions import fraction

_OTHERS = frozenset(RECOMMENDED) - {COMPACT}


@dataclass(frozen=True, slots=True)
class Advice:
    """One group: ``format`` is recommended; ``tokens`` it takes, ``now`` is what is sent today.

    Both include the explanation of the format where that is counted.
    """

    group: str
    payloads: int
    format: str
    tokens: int
    now: int
    compact: int

    @property
    def change(self) -> int:
        """Tokens against today, signed: negative is fewer."""
        return self.tokens - self.now

    @property
    def switch(self) -> bool:
        """Whether sending the recommended format saves anything."""
        return self.change < 0

    @property
    def vs_now(self) -> float | None:
        """The change as a signed fraction."""
        return fraction(self.tokens, self.now)


@dataclass(frozen=True, slots=True)
class Policy:
    """All groups, those that save most first. A group that gains nothing is left as it is."""

    advice: tuple[Advice, ...]

    @property
    def tokens(self) -> int:
        """Of the mix: the recommended format where switching saves, today's elsewhere."""
        return sum(row.tokens if row.switch else row.now for row in self.advice)

    @property
    def now(self) -> int:
        """What the same payloads take today."""
        return sum(row.now for row in self.advice)

    @property
    def compact(self) -> int:
        """What they take as compact JSON."""
        return sum(row.compact for row in self.advice)

    @property
    def switches(self) -> tuple[Advice, ...]:
        """The groups worth switching, most tokens saved first."""
        return tuple(row for row in self.advice if row.switch)

    @property
    def formats(self) -> dict[str, str]:
        """The recommended format by group, of those to switch."""
        return {row.group: row.format for row in self.switches}


def policy(rows: Rows, found: Sums, now: str, primers: Mapping[str, int] | None = None) -> Policy:
    """The format to send for each group: the cheapest that all of its payloads came back from.

    Over the group's total, since an endpoint sends one format. ``primers`` are tokens that
    explaining a format adds to each call, by format; those left out add none.
    """
    extra = primers or {}
    usable = [COMPACT, *(name for name in rows.formats if name in _OTHERS)]
    costs = {name: _cost(found, name, extra.get(name, 0)) for name in usable}
    advice = []
    for place, group in enumerate(found.groups):
        tokens = {name: float(cost[place]) for name, cost in costs.items()}
        format = cheapest(tokens, lambda _: True)  # what fails a payload costs infinitely much
        payloads = int(found.payloads[place])
        sent = int(found.columns[now].tokens[place]) + extra.get(now, 0) * payloads
        compact = int(tokens[COMPACT])
        advice.append(Advice(group, payloads, format, int(tokens[format]), sent, compact))
    return Policy(tuple(sorted(advice, key=lambda row: (row.change, row.group))))


def _cost(found: Sums, name: str, extra: int) -> Floats:
    """Tokens by group; infinite where the format fails a payload."""
    column = found.columns[name]
    cost = column.tokens + extra * found.payloads
    if name == COMPACT:
        return cost
    fails = (column.carried < found.payloads) | (column.unproven > 0)
    return np.where(fails, np.inf, cost)


def mixed(
    rows: Rows,
    measured: Places,
    tokenizer: str,
    now: str,
    chosen: Policy,
    primers: Mapping[str, int],
) -> Floats:
    """The tokens of every row at ``measured`` as the policy would send it, explanations added."""
    counts = rows.tokens[tokenizer]
    tokens = counts[now][measured].copy()
    formats = [chosen.formats.get(name, now) for name in rows.names]
    for name in set(formats) - {now}:
        codes = np.array([format == name for format in formats], np.bool_)
        where = codes[rows.group[measured]]
        tokens[where] = counts[name][measured[where]] + primers.get(name, 0)
    return tokens


def explained(formats: tuple[str, ...], tokenizer: str) -> dict[str, int]:
    """Tokens by which explaining each format exceeds explaining compact JSON, once a call.

    Raises:
        RuntimeError: The tokenizer cannot be loaded here.
    """
    from toon.costs.explanation import explanation_tokens

    return {name: explanation_tokens(name, tokenizer) for name in formats}
