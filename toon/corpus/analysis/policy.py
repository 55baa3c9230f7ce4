"""The policy: which format to send each group in, and the tokens of that mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from toon.corpus.analysis.rows import Floats, Places, Rows
from toon.corpus.analysis.sums import Sums
from toon.costs.choice import COMPACT, cheapest
from toon.costs.explanation import ALONE
from toon.formats import FORMATS, RECOMMENDED
from toon.values.fractions import fraction

_BESIDES_COMPACT = frozenset(RECOMMENDED) - {COMPACT}


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation for one group.

    ``tokens`` are those of the recommended ``format``, ``now`` those of today's, ``compact`` those
    of compact JSON. The first two include explanations where they are counted.
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
    """The advice for all groups, most tokens saved first. A group without savings stays as is."""

    advice: tuple[Advice, ...]

    @property
    def tokens(self) -> int:
        """Tokens of the mix: the recommended format where switching saves, today's elsewhere."""
        return sum(row.tokens if row.switch else row.now for row in self.advice)

    @property
    def now(self) -> int:
        """Tokens of the same payloads today."""
        return sum(row.now for row in self.advice)

    @property
    def compact(self) -> int:
        """Tokens of the same payloads as compact JSON."""
        return sum(row.compact for row in self.advice)

    @property
    def switches(self) -> tuple[Advice, ...]:
        """The groups worth switching, most tokens saved first."""
        return tuple(row for row in self.advice if row.switch)

    @property
    def formats(self) -> dict[str, str]:
        """The recommended format of each group worth switching."""
        return {row.group: row.format for row in self.switches}


def recommend(rows: Rows, sums: Sums, now: str, primers: Mapping[str, int] | None = None) -> Policy:
    """Recommends a format for each group: the cheapest that gave all of its payloads back.

    Compact JSON needs no such proof. The group's total decides, since an endpoint sends one format.
    ``primers`` are the tokens that explaining a format adds to each call, by format; the default is
    0.
    """
    extra = primers or {}
    usable = [COMPACT, *(name for name in rows.formats if name in _BESIDES_COMPACT)]
    costs = {name: _cost(sums, name, extra.get(name, 0)) for name in usable}
    advice = []
    for place, group in enumerate(sums.groups):
        tokens = {name: float(cost[place]) for name, cost in costs.items()}
        format = cheapest(tokens, lambda _: True)  # a format that fails a payload costs infinity
        payloads = int(sums.payloads[place])
        sent = int(sums.columns[now].tokens[place]) + extra.get(now, 0) * payloads
        compact = int(tokens[COMPACT])
        advice.append(Advice(group, payloads, format, int(tokens[format]), sent, compact))
    return Policy(tuple(sorted(advice, key=lambda row: (row.change, row.group))))


def _cost(sums: Sums, name: str, extra: int) -> Floats:
    """Tokens by group, explanations included.

    They are infinite where a payload cannot be carried or did not come back.
    """
    column = sums.columns[name]
    cost = column.tokens + extra * sums.payloads
    if name == COMPACT:
        return cost
    fails = (column.carried < sums.payloads) | (column.unproven > 0)
    return np.where(fails, np.inf, cost)


def mix_tokens(
    rows: Rows,
    measured: Places,
    tokenizer: str,
    now: str,
    policy: Policy,
    primers: Mapping[str, int],
) -> Floats:
    """The tokens of each row at ``measured`` under the policy; switched groups pay explanations."""
    counts = rows.tokens[tokenizer]
    tokens = counts[now][measured].copy()
    formats = [policy.formats.get(name, now) for name in rows.names]
    for name in set(formats) - {now}:
        codes = np.array([format == name for format in formats], np.bool_)
        where = codes[rows.group[measured]]
        tokens[where] = counts[name][measured[where]] + primers.get(name, 0)
    return tokens


def count_explanations(formats: tuple[str, ...], tokenizer: str) -> dict[str, int]:
    """By format, the tokens by which its explanation exceeds compact JSON's, per call.

    Raises:
        RuntimeError: The tokenizer cannot be loaded here.
    """
    return {
        name: ALONE.tokens(name, frozenset(FORMATS[name].uses("")), tokenizer) for name in formats
    }
