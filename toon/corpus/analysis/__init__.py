"""What a run shows, from its rows alone: sums by group, spread, time, policy, money.

    run -> Rows -> Filter -> Selected -> Sums, Policy, Spread, Series, Bill = Analysis

The page draws an :class:`Analysis`, the report writes it down. Everything is array arithmetic
over rows that were measured before; a hundred thousand take some tens of milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from toon.corpus.analysis.money import Bill, Rate, bill, observed
from toon.corpus.analysis.policy import Advice, Policy, explained, mixed, policy
from toon.corpus.analysis.rows import Filter, Floats, Rows, Selected, load, select
from toon.corpus.analysis.spread import Series, Spread, series, spread
from toon.corpus.analysis.sums import Sums, kinds_by_group, sums


@dataclass(frozen=True, slots=True)
class Choice:
    """What to look at: the names of a tokenizer, of what is sent ``now``, and of a format.

    ``explain`` counts the explanation of a format with every call. ``model`` is a key of
    ``toon.costs.prices``; ``monthly`` is the rate of payloads, or None for the one observed.
    """

    tokenizer: str
    now: str
    format: str
    filter: Filter = field(default_factory=Filter)
    explain: bool = False
    model: str | None = None
    monthly: float | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the rows that pass a choice's filter show.

    ``kinds`` are tokens of compact JSON by kind and group, by the run's first tokenizer. ``vs``
    is the spread of the format against what is sent now. ``series`` holds ``now``, ``format`` and
    ``mix``. ``bill`` is None without a model or a rate. ``primers`` are the tokens that explaining
    a format adds to a call, by format; {} if that is not counted. The policy, the mix, the series
    and the money include them.
    """

    choice: Choice
    selected: Selected
    sums: Sums
    kinds: Mapping[str, Floats]
    policy: Policy
    vs: Spread
    series: Series | None
    rate: Rate | None
    bill: Bill | None
    primers: Mapping[str, int]

    @property
    def payloads(self) -> int:
        return int(self.selected.measured.size)

    @property
    def all_format(self) -> int | None:
        """Tokens of everything in the chosen format, explained if that is counted.

        None where it cannot carry every payload.
        """
        if not self.sums.carries_all(self.choice.format):
            return None
        explanations = self.primers.get(self.choice.format, 0) * self.payloads
        return self.sums.total(self.choice.format).tokens + explanations


def analyse(rows: Rows, choice: Choice) -> Analysis:
    """Everything about the rows that pass; counts no token again.

    Raises:
        KeyError: A tokenizer or format that the run was not measured with.
        RuntimeError: Explanations are asked for and the tokenizer cannot be loaded here.
    """
    tokenizer, now = choice.tokenizer, choice.now
    selected = select(rows, choice.filter)
    measured = selected.measured
    found = sums(rows, measured, tokenizer)
    primers = explained(rows.formats, tokenizer) if choice.explain else {}
    advice = policy(rows, found, now, primers)
    counts = rows.tokens[tokenizer]
    sent = counts[now][measured]
    format = counts[choice.format][measured]
    explained_format = format + primers.get(choice.format, 0)
    mix = mixed(rows, measured, tokenizer, now, advice, primers)
    rate = observed(rows, measured, choice.filter)
    monthly = choice.monthly if choice.monthly is not None else rate.monthly if rate else None
    whole = None if np.isnan(format).any() else explained_format
    return Analysis(
        choice=choice,
        selected=selected,
        sums=found,
        kinds=kinds_by_group(rows, measured),
        policy=advice,
        vs=spread(format, sent),
        series=series(rows.time[measured], {"now": sent, "format": explained_format, "mix": mix}),
        rate=rate,
        bill=None
        if choice.model is None or monthly is None
        else bill(choice.model, monthly, (sent, whole, mix)),
        primers=primers,
    )


__all__ = [
    "Advice",
    "Analysis",
    "Bill",
    "Choice",
    "Filter",
    "Policy",
    "Rate",
    "Rows",
    "Selected",
    "Series",
    "Spread",
    "Sums",
    "analyse",
    "load",
    "select",
]
