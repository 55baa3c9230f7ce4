"""The analysis of a run: sums by group, spread, time, policy and money.

    run -> Rows -> Filter -> Selected -> Sums, Policy, Spread, Series, Bill = Analysis

The dashboard draws an :class:`Analysis` and the report writes it. It is array arithmetic over rows
that were measured before: a hundred thousand rows take some tens of milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, partial

from toon.analysis.columns import Floats
from toon.analysis.explained import Explained, explain_groups
from toon.analysis.money import Bill, Rate, flat_rate, observe_rate, price_calls
from toon.analysis.policy import Policy, cost_rows, recommend
from toon.analysis.rows import Filter, Rows, Selected, load, select
from toon.analysis.single import cost_of_each
from toon.analysis.spread import Series, Spread, find_spread, sum_over_time
from toon.analysis.sums import Sums, sum_groups, sum_kinds
from toon.costs import models
from toon.costs.choice import COMPACT
from toon.costs.explanation import Explaining
from toon.costs.models import Model
from toon.costs.prices import unpriced
from toon.measuring.totals import ALL_UNLIKE, NO_PAYLOADS, NOTHING, Total, apart_reason


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


@dataclass(frozen=True)
class Analysis:
    """The results for the ``rows`` that pass the choice's filter.

    ``explaining`` is the setting in force and ``explained`` what it takes: policy, spread, series
    and bill include it, the ``sums`` do not. ``apart`` says why the chosen format is none to
    recommend; "" if it may be. What every view needs is a field; what only some views draw is
    worked out when it is asked for.
    """

    rows: Rows
    choice: Choice
    explaining: Explaining
    explained: Explained
    selected: Selected
    sums: Sums
    policy: Policy
    rate: Rate | None
    apart: str

    @cached_property
    def kinds(self) -> Mapping[str, Floats]:
        """Tokens of compact JSON by kind and group, by the run's first tokenizer."""
        return sum_kinds(self.rows, self.selected.measured)

    @cached_property
    def vs(self) -> Spread:
        """The spread of the format against what is sent now."""
        choice = self.choice
        each = partial(cost_of_each, self.rows, self.selected.measured, choice.tokenizer)
        return find_spread(each(choice.format, self.explaining), each(choice.now, self.explaining))

    @cached_property
    def series(self) -> Series | None:
        """Sums over time of each of the ways; None without times."""
        ways = self._sent()  # what is sent now is often compact JSON, and so may be the mix
        costs = {sent: self._costs(sent) for sent in set(ways.values())}
        times = self.rows.time[self.selected.measured]
        return sum_over_time(times, {way: costs[sent] for way, sent in ways.items()})

    @cached_property
    def bill(self) -> Bill | None:
        """What each of the ways costs in a month; None without a price or a rate."""
        choice = self.choice
        model = None if choice.priced is None or unpriced(choice.priced) else choice.priced
        monthly = self.rate.monthly if self.rate and choice.monthly is None else choice.monthly
        if model is None or monthly is None:
            return None
        is_apart = self.apart or not self.sums.carries_all(choice.format)
        dollars = {
            way: None if way == "format" and is_apart else self._monthly(model, monthly, sent)
            for way, sent in self._sent().items()
        }
        return Bill(model, monthly, dollars)

    def _monthly(self, model: Model, monthly: float, sent: tuple[str, ...]) -> Decimal | None:
        """US dollars for a month of calls; ``sent`` has the format of each group."""
        if not self.payloads:
            return Decimal(0)
        key, counts = model.price or "", self.rows.tokens[self.choice.tokenizer]
        most = max(counts.most(name) + self.explained.share[name].max() for name in set(sent))
        rate = flat_rate(key, most)
        if rate is None:  # the size of each call decides
            price = price_calls(key, self._costs(sent))
        else:
            groups = enumerate(sent)
            price = rate * Decimal(
                sum(self.explained.cost(self.sums, name, place) for place, name in groups)
            )
        return None if price is None else price * Decimal(monthly) / self.payloads

    def _sent(self) -> dict[str, tuple[str, ...]]:
        """The format of each group: as now, in compact JSON, in the chosen format, in the mix."""
        groups, choice = len(self.sums.groups), self.choice
        alone = {"now": choice.now, "compact": COMPACT, "format": choice.format}
        return {**{way: (name,) * groups for way, name in alone.items()}, "mix": self.policy.sent}

    def _costs(self, sent: tuple[str, ...]) -> Floats:
        """What each payload costs; ``sent`` has the format of each group."""
        measured, tokenizer = self.selected.measured, self.choice.tokenizer
        return cost_rows(self.rows, measured, tokenizer, self.sums, self.explained, sent)

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
    explaining = rows.explaining if choice.explaining is None else choice.explaining
    selected = select(rows, choice.filter, choice.tokenizer)
    sums = sum_groups(rows, selected.measured, choice.tokenizer)
    explained = explain_groups(sums, explaining, choice.tokenizer)
    return Analysis(
        rows=rows,
        choice=choice,
        explaining=explaining,
        explained=explained,
        selected=selected,
        sums=sums,
        policy=recommend(sums, choice.now, explaining, explained),
        rate=observe_rate(rows, selected.measured, choice.filter),
        apart=apart_reason(choice.format, sums.total(choice.format)),
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
