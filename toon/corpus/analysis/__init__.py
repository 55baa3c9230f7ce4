"""The analysis of a run: sums by group, spread, time, policy and money.

    run -> Rows -> Filter -> Selected -> Sums, Policy, Spread, Series, Bill = Analysis

The dashboard draws an :class:`Analysis` and the report writes it. It is array arithmetic over rows
that were measured before: a hundred thousand rows take some tens of milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from toon.corpus.analysis.columns import Floats
from toon.corpus.analysis.explained import Explained, explain_groups
from toon.corpus.analysis.money import Bill, Rate, observe_rate, price_month
from toon.corpus.analysis.policy import Policy, cost_rows, recommend
from toon.corpus.analysis.rows import Filter, Rows, Selected, load, select
from toon.corpus.analysis.single import cost_of_each
from toon.corpus.analysis.spread import Series, Spread, find_spread, sum_over_time
from toon.corpus.analysis.sums import Sums, sum_groups, sum_kinds
from toon.corpus.totals import ALL_UNLIKE, NO_PAYLOADS, NOTHING, Total, apart_reason
from toon.costs import models
from toon.costs.choice import COMPACT
from toon.costs.explanation import Explaining
from toon.costs.models import Model
from toon.costs.prices import unpriced


@dataclass(frozen=True, slots=True)
class Choice:
    """What to analyse: a tokenizer, the format that is sent ``now``, and a ``format`` to compare.

    ``explaining`` is how formats are explained; None takes the run's own setting. ``model`` is the
    name of a model, whose price applies; None: no money. ``monthly`` is the number of payloads a
    month; None uses the observed rate.

    Raises:
        ValueError: There is no such model, or another tokenizer is the model's.
    """

    tokenizer: str
    now: str
    format: str
    filter: Filter = field(default_factory=Filter)
    explaining: Explaining | None = None
    model: str | None = None
    monthly: float | None = None

    def __post_init__(self) -> None:
        if (model := self.priced) and model.tokenizer != self.tokenizer:
            raise ValueError(
                f"{model.label} is counted by {model.tokenizer}: tokens of {self.tokenizer} have no"
                " price there"
            )

    @property
    def priced(self) -> Model | None:
        """The model whose price applies."""
        return None if self.model is None else models.get(self.model)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The results for the rows that pass the choice's filter.

    ``explaining`` is the setting in force and ``explained`` what it takes: policy, spread, series
    and bill include it, the ``sums`` do not. ``kinds`` are tokens of compact JSON by kind and
    group, by the run's first tokenizer. ``vs`` is the spread of the format against what is sent
    now. ``series`` holds ``now``, ``format`` and ``mix``. ``bill`` is None without a price or a
    rate. ``apart`` says why the chosen format is none to recommend; "" if it may be.
    """

    choice: Choice
    explaining: Explaining
    explained: Explained
    selected: Selected
    sums: Sums
    kinds: Mapping[str, Floats]
    policy: Policy
    vs: Spread
    series: Series | None
    rate: Rate | None
    bill: Bill | None
    apart: str

    @property
    def payloads(self) -> int:
        return int(self.selected.measured.size)

    def total(self, format: str, place: int | None = None) -> Total:
        """The format's sums, explained: over all groups, or of the group at index ``place``."""
        total = self.sums.total(format, place)
        where = slice(None) if place is None else slice(place, place + 1)
        total.explanation = float(self.explained.costs(self.sums, format)[where].sum())
        total.explanation -= total.tokens
        return total

    @property
    def all_format(self) -> float | None:
        """The cost of all payloads in the chosen format; None where it cannot carry them all."""
        if not self.sums.carries_all(self.choice.format):
            return None
        return self.total(self.choice.format).cost

    @property
    def unlike(self) -> int:
        """How many payloads are left out, because the estimate was not made for such."""
        return int(self.selected.unlike.size)

    @property
    def nothing(self) -> str | None:
        """Why there is nothing to compare, or None."""
        if not self.payloads:
            return ALL_UNLIKE if self.unlike else NO_PAYLOADS
        return None if self.sums.comparable.any() else NOTHING


def analyse(rows: Rows, choice: Choice) -> Analysis:
    """Analyses the rows that pass the choice's filter. No payload is counted again.

    Raises:
        KeyError: The run was not measured with the tokenizer or a format.
        RuntimeError, ValueError: The tokenizer, which counts explanations, cannot be loaded here.
    """
    tokenizer, now, format = choice.tokenizer, choice.now, choice.format
    explaining = rows.explaining if choice.explaining is None else choice.explaining
    selected = select(rows, choice.filter, tokenizer)
    measured = selected.measured
    sums = sum_groups(rows, measured, tokenizer)
    explained = explain_groups(sums, explaining, tokenizer)
    policy = recommend(sums, now, explaining, explained)

    @cache  # what is sent now is often compact JSON, and so may be the mix
    def cost(sent: tuple[str, ...]) -> Floats:
        return cost_rows(rows, measured, tokenizer, sums, explained, sent)

    def each(name: str) -> Floats:
        return cost_of_each(rows, measured, tokenizer, name, explaining)

    groups = len(sums.groups)
    ways = {
        "now": cost((now,) * groups),
        "compact": cost((COMPACT,) * groups),
        "format": cost((format,) * groups),
        "mix": cost(policy.sent),
    }
    apart = apart_reason(format, sums.total(format))
    rate = observe_rate(rows, measured, choice.filter)
    monthly = choice.monthly if choice.monthly is not None else rate.monthly if rate else None
    model = None if choice.priced is None or unpriced(choice.priced) else choice.priced
    priced = ways | ({"format": None} if apart or not sums.carries_all(format) else {})
    return Analysis(
        choice=choice,
        explaining=explaining,
        explained=explained,
        selected=selected,
        sums=sums,
        kinds=sum_kinds(rows, measured),
        policy=policy,
        vs=find_spread(each(format), each(now)),
        series=sum_over_time(rows.time[measured], ways),
        rate=rate,
        bill=None if model is None or monthly is None else price_month(model, monthly, priced),
        apart=apart,
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
