"""The policy: which format to send each group in, and the tokens of that mix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from toon.analysis.columns import Floats, Places
from toon.analysis.explained import Explained
from toon.analysis.rows import Rows
from toon.analysis.sums import Sums
from toon.costs.choice import CANDIDATES, COMPACT, is_worth, worth_from
from toon.costs.explanation import Explaining
from toon.costs.verdict import Rung, climb
from toon.formats import RECOMMENDED, label
from toon.measuring.measure import best_format
from toon.values.fractions import fraction

#: What the last step of the ladder is called, among the names of formats.
MIX: Final = "recommended mix"


@dataclass(frozen=True, slots=True)
class Worth:
    """From how many ``payloads`` in one prompt a ``format`` is worth it, on a group's averages."""

    format: str
    payloads: int


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation for one group.

    ``tokens`` are those of its payloads in the recommended ``format``, ``explanation`` is what they
    bear of explaining it, and ``cost`` is both. ``now`` is the cost of what is sent today,
    ``compact`` the tokens of compact JSON. ``switch`` says whether a change is worth making.
    ``worth`` is about the format or, if that is compact JSON, about the first that could be worth
    it; None where there is none.
    """

    group: str
    payloads: int
    format: str
    tokens: int
    explanation: float
    now: float
    compact: int
    switch: bool
    worth: Worth | None

    @property
    def cost(self) -> float:
        return self.tokens + self.explanation

    @property
    def change(self) -> float:
        """Cost against today, signed: negative is fewer tokens."""
        return self.cost - self.now

    @property
    def vs_now(self) -> float | None:
        """The change as a signed fraction."""
        return fraction(self.cost, self.now)


@dataclass(frozen=True, slots=True)
class Policy:
    """The advice for all groups, most tokens saved first. A group not worth a change stays as is.

    ``sent`` has the format of each group of the sums under this policy. ``ladder`` leads from
    today's format over compact JSON to this mix.
    """

    advice: tuple[Advice, ...]
    sent: tuple[str, ...]
    ladder: tuple[Rung, ...]

    @property
    def cost(self) -> float:
        """Tokens of the mix, explanations included."""
        return self.ladder[-1]["cost"]

    @property
    def now(self) -> float:
        """The cost of the same payloads today."""
        return self.ladder[0]["cost"]

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


def recommend(sums: Sums, now: str, explaining: Explaining, explained: Explained) -> Policy:
    """Recommends a format for each group, by the rule that holds for one payload.

    The group's averages decide, since an endpoint sends one format; the fewest tokens that make
    a difference are those of all its payloads. A format is proven if all of
    the group's payloads came back from it.
    """
    advice = [_advise(sums, place, now, explaining, explained) for place in range(len(sums.groups))]
    sent = tuple(row.format if row.switch else now for row in advice)
    ladder = climb(_steps(sums, now, sent, explained))
    advice.sort(key=lambda row: (row.change if row.switch else 0.0, row.group))
    return Policy(tuple(advice), sent, tuple(ladder))


def _advise(
    sums: Sums, place: int, now: str, explaining: Explaining, explained: Explained
) -> Advice:
    payloads = int(sums.payloads[place])
    proven = {name for name in RECOMMENDED if name in sums.columns and _proven(sums, name, place)}
    averages = {name: float(sums.columns[name].tokens[place]) / payloads for name in proven}
    averages[COMPACT] = float(sums.columns[COMPACT].tokens[place]) / payloads
    usable = [name for name in CANDIDATES if name in averages and sums.comparable[place]]
    costs = {name: averages[name] + float(explained.share[name][place]) for name in usable}
    format = best_format(costs, proven.__contains__, payloads)
    tokens = int(sums.columns[format].tokens[place])
    share = float(explained.share[format][place])
    today = float(sums.columns[now].tokens[place]) / payloads + float(explained.share[now][place])
    others = [name for name in usable if name == format or format == COMPACT]
    return Advice(
        group=sums.groups[place],
        payloads=payloads,
        format=format,
        tokens=tokens,
        explanation=share * payloads,
        now=explained.cost(sums, now, place),
        compact=int(sums.columns[COMPACT].tokens[place]),
        switch=is_worth(averages[format] + share, today, payloads),
        worth=None
        if explaining.together is None
        else _worth(
            averages, {name: float(explained.once[name][place]) for name in others}, payloads
        ),
    )


def _proven(sums: Sums, name: str, place: int) -> bool:
    column = sums.columns[name]
    return bool(column.carried[place] == sums.payloads[place] and not column.unproven[place])


def _worth(averages: Mapping[str, float], once: Mapping[str, float], payloads: int) -> Worth | None:
    """The format that is worth it from the fewest payloads on; of equals the one that saves most.

    None if none is worth it however many payloads share a prompt.
    """
    compact = averages[COMPACT]
    found = [
        (together, averages[name], name)
        for name, extra in once.items()
        if name != COMPACT
        and (together := worth_from(averages[name], compact, extra, payloads)) is not None
    ]
    if not found:
        return None
    together, _, name = min(found, key=lambda entry: entry[:2])
    return Worth(name, together)


def _steps(
    sums: Sums, now: str, sent: Sequence[str], explained: Explained
) -> Iterator[tuple[str, str, int, float]]:
    """The steps of the ladder: format, label, tokens and cost."""
    ways = {name: [name] * len(sent) for name in (now, COMPACT)} | {MIX: sent}
    for way, formats in ways.items():
        tokens, cost = 0, 0.0
        for place, name in enumerate(formats):
            tokens += int(sums.columns[name].tokens[place])
            cost += explained.cost(sums, name, place)
        yield way, label(way), tokens, cost


def cost_rows(
    rows: Rows,
    measured: Places,
    tokenizer: str,
    sums: Sums,
    explained: Explained,
    sent: Sequence[str],
) -> Floats:
    """The tokens of each row at ``measured`` with its share of the explanation.

    ``sent`` has the format of each group of the sums. The cost is NaN where it cannot carry the
    row.
    """
    groups = np.searchsorted(sums.codes, rows.group[measured])
    names = np.array(sent)
    costs = np.zeros(measured.size)
    for name in set(sent):
        where = np.flatnonzero((names == name)[groups]) if len(set(sent)) > 1 else slice(None)
        costs[where] = rows.tokens[tokenizer].at(name, measured[where])
        costs[where] += explained.share[name][groups[where]]
    return costs
