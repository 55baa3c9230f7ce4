"""The analysis of a run: sums by group, spread, time, policy and money.

    run -> Rows -> Filter -> Selected -> Sums, Policy, Spread, Series, Bill = Analysis

The dashboard draws an :class:`Analysis` and the report writes it. It is array arithmetic over rows
that were measured before: a hundred thousand rows take some tens of milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from toon.corpus.analysis.money import Bill, Rate, observe_rate, price_month
from toon.corpus.analysis.policy import Policy, count_explanations, mix_tokens, recommend
from toon.corpus.analysis.rows import Filter, Floats, Rows, Selected, load, select
from toon.corpus.analysis.spread import Series, Spread, find_spread, sum_over_time
from toon.corpus.analysis.sums import Sums, sum_groups, sum_kinds


@dataclass(frozen=True, slots=True)
class Choice:
    """What to analyse: a tokenizer, the format that is sent ``now``, and a ``format`` to compare.

    With ``explain`` the explanation of a format is counted with every call. ``model`` is a key of
    ``toon.costs.prices``. ``monthly`` is the number of payloads a month; None uses the observed
    rate.
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
    """The results for the rows that pass the choice's filter.

    ``kinds`` are tokens of compact JSON by kind and group, by the run's first tokenizer. ``vs``
    is the spread of the format against what is sent now. ``series`` holds ``now``, ``format`` and
    ``mix``. ``bill`` is None without a model or a rate. ``primers`` are the tokens that explaining
    a format adds to each call, by format, or {} if explanations are not counted. The policy, the
    mix, the series and the bill include them.
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
        """Tokens of all payloads in the chosen format, with explanations if they are counted.

        None where the format cannot carry every payload.
        """
        if not self.sums.carries_all(self.choice.format):
            return None
        explanations = self.primers.get(self.choice.format, 0) * self.payloads
        return self.sums.total(self.choice.format).tokens + explanations


def analyse(rows: Rows, choice: Choice) -> Analysis:
    """Analyses the rows that pass the choice's filter. No tokens are counted again.

    Raises:
        KeyError: The run was not measured with the tokenizer or a format.
        RuntimeError: Explanations are to be counted and the tokenizer cannot be loaded here.
    """
    tokenizer, now = choice.tokenizer, choice.now
    selected = select(rows, choice.filter)
    measured = selected.measured
    sums = sum_groups(rows, measured, tokenizer)
    primers = count_explanations(rows.formats, tokenizer) if choice.explain else {}
    policy = recommend(rows, sums, now, primers)
    counts = rows.tokens[tokenizer]
    sent = counts[now][measured]
    format = counts[choice.format][measured]
    explained_format = format + primers.get(choice.format, 0)
    mix = mix_tokens(rows, measured, tokenizer, now, policy, primers)
    rate = observe_rate(rows, measured, choice.filter)
    monthly = choice.monthly if choice.monthly is not None else rate.monthly if rate else None
    whole = None if np.isnan(format).any() else explained_format
    return Analysis(
        choice=choice,
        selected=selected,
        sums=sums,
        kinds=sum_kinds(rows, measured),
        policy=policy,
        vs=find_spread(format, sent),
        series=sum_over_time(
            rows.time[measured], {"now": sent, "format": explained_format, "mix": mix}
        ),
        rate=rate,
        bill=None
        if choice.model is None or monthly is None
        else price_month(choice.model, monthly, (sent, whole, mix)),
        primers=primers,
    )


__all__ = [
    "Analysis",
    "Choice",
    "Filter",
    "Rows",
    "Series",
    "Spread",
    "analyse",
    "load",
    "select",
]
