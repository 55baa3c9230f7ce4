"""The analysis of a run's rows for a comparison of formats."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, partial

from toon.analysis.columns import Floats
from toon.analysis.filters import Filter, Selected, select
from toon.analysis.money import (
    Named,
    Rate,
    find_named,
    flat_rate,
    observe_rate,
    price_calls,
    price_logged,
)
from toon.analysis.policy import Policy, recommend
from toon.analysis.rows import Rows
from toon.analysis.spread import Series, Spread, find_spread, sum_over_time
from toon.analysis.sums import Sums, cost_in_groups, cost_of_each, sum_groups, sum_kinds
from toon.costs.explanation import Explaining
from toon.costs.models import Model
from toon.costs.prices import cached_rate, price_notice
from toon.costs.why import family
from toon.costs.worth import COMPACT
from toon.measuring.totals import NO_PAYLOADS, NOTHING, exclusion
from toon.tokenizers import EXACT
from toon.values.fractions import fraction


@dataclass(frozen=True, slots=True)
class Comparison:
    """The choices of an analysis: a tokenizer, the format that is sent ``now``, and one to compare.

    ``filter`` selects the rows of the run. ``explaining`` is how formats are explained to the
    model; None takes the run's setting. ``model`` is the one whose price applies; None: no money.
    With ``logged`` each payload has the price of the model that its record names, if the tokenizer
    counts that; what is read from the cache then costs as with that model whose cache saves least.
    ``monthly`` is the number of payloads a month; None uses the observed rate.

    Raises:
        ValueError: Another tokenizer is the model's.
    """

    tokenizer: str
    now: str
    format: str
    filter: Filter = field(default_factory=Filter)
    explaining: Explaining | None = None
    model: Model | None = None
    monthly: float | None = None
    logged: bool = False

    def __post_init__(self) -> None:
        if (model := self.model) and model.tokenizer != self.tokenizer:
            raise ValueError(
                f"{model.label} is counted by {model.tokenizer}: tokens of {self.tokenizer} have no"
                " price there"
            )


@dataclass(frozen=True, slots=True)
class Way:
    """One way to send all payloads of a log: ``tokens``, and ``cost``, these plus explanations.

    Both are of all payloads only if it ``carries_all``; else the changes are None. The changes are
    signed fractions: ``step`` from the way before it, ``vs_now`` from what is sent today,
    ``vs_compact`` from compact JSON. ``dollars`` a month are None where the price or the rate is
    unknown. ``apart`` says why this way is not recommended, and has no money; "" if it may be.
    """

    tokens: int
    cost: float
    carries_all: bool
    step: float | None
    vs_now: float | None
    vs_compact: float | None
    dollars: Decimal | None
    apart: str


@dataclass(frozen=True)
class Analysis:
    """The results of a comparison of formats over the ``rows`` of a run that pass its filter.

    ``explaining`` is the setting in force. ``apart`` says why the chosen format is not recommended;
    "" if it may be. What every view needs is a field; what only some views draw is worked out when
    it is asked for.
    """

    rows: Rows
    choice: Comparison
    explaining: Explaining
    selected: Selected
    sums: Sums
    policy: Policy
    rate: Rate | None
    apart: str

    @cached_property
    def kinds(self) -> Mapping[str, Floats]:
        """Tokens of compact JSON by kind of text, such as names, as an array with an item a group.

        The run's first tokenizer counts them.
        """
        return sum_kinds(self.rows, self.selected.measured)

    @cached_property
    def vs(self) -> Spread:
        """Spread of the changes in payloads' tokens from what is sent now to the chosen format."""
        choice = self.choice
        each = partial(cost_of_each, self.rows, self.selected.measured, choice.tokenizer)
        return find_spread(each(choice.format, self.explaining), each(choice.now, self.explaining))

    @cached_property
    def flips(self) -> dict[str, dict[str, str]]:
        """The groups that another tokenizer would send in another format, with that format.

        By tokenizer and group, those of most payloads first. Delimiters of TOON are one format. A
        tokenizer that is not known here is left out, for it counts no explanation.
        """
        found = {}
        others = [name for name in self.rows.tokenizers if name != self.choice.tokenizer]
        for name in filter(EXACT.__contains__, others):
            sums = sum_groups(self.rows, self.selected.measured, name, self.explaining)
            sent = recommend(sums, self.choice.now, self.explaining).sent
            both = zip(sums.payloads, sums.groups, sent, self.policy.sent, strict=True)
            flipped = sorted(
                (-n, group, its) for n, group, its, ours in both if family(its) != family(ours)
            )
            found[name] = {group: its for _, group, its in flipped}
        return found

    @cached_property
    def sent(self) -> dict[str, tuple[str, ...]]:
        """Formats of the groups by way to send a log: ``now``, ``compact``, ``mix``, ``format``."""
        groups, choice = len(self.sums.groups), self.choice
        return {
            "now": (choice.now,) * groups,
            "compact": (COMPACT,) * groups,
            "mix": self.policy.sent,
            "format": (choice.format,) * groups,
        }

    @cached_property
    def series(self) -> Series | None:
        """Tokens of the payloads as sent now, summed over time; None without times."""
        times = self.rows.time[self.selected.measured]
        return sum_over_time(times, self._costs(self.sent["now"]))

    @cached_property
    def ways(self) -> dict[str, Way]:
        """Ways to send a log, by name: ``now``, ``compact``, ``mix`` (as recommended), ``format``.

        ``compact`` is left out where it is sent now, and ``format`` where it is compact JSON or
        sent now.
        """
        choice, ways = self.choice, dict[str, Way]()
        again = {"compact": choice.now == COMPACT, "format": choice.format in (choice.now, COMPACT)}
        for way in self.sent:
            if not again.get(way):
                ways[way] = self._way(way, list(ways.values()))
        return ways

    def _way(self, way: str, above: list[Way]) -> Way:
        sent, columns = self.sent[way], self.sums.columns
        is_format = way == "format"
        carries_all = not is_format or self.sums.carries_all(self.choice.format)
        tokens = sum(int(columns[name].tokens[place]) for place, name in enumerate(sent))
        cost = sum(float(columns[name].cost[place]) for place, name in enumerate(sent))
        apart = self.apart if is_format else ""

        def vs(before: float | None) -> float | None:
            return fraction(cost, before) if carries_all and before is not None else None

        return Way(
            tokens=tokens,
            cost=cost,
            carries_all=carries_all,
            step=vs(above[-1].cost if above and not is_format else None),
            vs_now=vs(above[0].cost if above else cost),
            vs_compact=vs(self.sums.total(COMPACT).tokens),
            dollars=self._dollars(sent, cost) if carries_all and not apart else None,
            apart=apart,
        )

    @cached_property
    def named(self) -> list[Named]:
        """The models that a log's records name, those of most tokens first."""
        return find_named(self.rows, self.selected.measured)

    @cached_property
    def priced(self) -> list[Named]:
        """The models that a log's records name and that have a price and the chosen tokenizer."""
        return [named for named in self.named if named.is_priced(self.choice.tokenizer)]

    @cached_property
    def monthly(self) -> float | None:
        """Payloads a month, given or observed, to work money out; None without price or rate."""
        choice = self.choice
        if choice.logged:
            has_price = bool(self.priced)
        else:
            has_price = choice.model is not None and not price_notice(choice.model)
        if not has_price:
            return None
        return self.rate.monthly if self.rate and choice.monthly is None else choice.monthly

    def _dollars(self, sent: tuple[str, ...], cost: float) -> Decimal | None:
        """Return US dollars a month if group i is sent in format ``sent[i]``; None if unknown."""
        if self.monthly is None:
            return None
        if not self.payloads:
            return Decimal(0)
        price = self._price(sent, cost)
        return None if price is None else price * Decimal(self.monthly) / self.payloads

    def _price(self, sent: tuple[str, ...], cost: float) -> Decimal | None:
        """Return US dollars for sending each payload once, group i as ``sent[i]``, or None."""
        if self.choice.logged:
            measured = self.selected.measured
            return price_logged(self.rows, measured, self._costs(sent), self.priced)
        if self.choice.model is None:
            return None
        key, counts = self.choice.model.price or "", self.rows.tokens[self.choice.tokenizer]
        most = (counts.raw(n).max(initial=0) + self.sums.columns[n].share.max() for n in set(sent))
        rate = flat_rate(key, float(max(most)))  # None: the size of each call decides
        return price_calls(key, self._costs(sent)) if rate is None else rate * Decimal(cost)

    def _costs(self, sent: tuple[str, ...]) -> Floats:
        """Return each payload's tokens, explanation included, if group i is sent in ``sent[i]``."""
        measured = self.selected.measured
        return cost_in_groups(self.rows, measured, self.choice.tokenizer, self.sums, sent)

    @property
    def payloads(self) -> int:
        """Number of measured payloads that pass the filter of an analysis."""
        return int(self.selected.measured.size)

    @property
    def nothing(self) -> str | None:
        """A sentence on why the formats of a log cannot be compared, or None if they can."""
        if not self.payloads:
            return NO_PAYLOADS
        return None if self.sums.comparable.any() else NOTHING


def analyse(rows: Rows, choice: Comparison) -> Analysis:
    """Analyse the rows of a run that pass a comparison's filter, without counting a payload again.

    Return the selected rows with their sums by group, a recommended format a group and the observed
    rate.

    Raises:
        KeyError: The run was not measured with the tokenizer or a format.
        RuntimeError, ValueError: The tokenizer, which counts explanations, cannot be loaded
            here.
    """
    selected = select(rows, choice.filter)
    explaining = rows.explaining if choice.explaining is None else choice.explaining
    if choice.logged and explaining.cached:
        named = find_named(rows, selected.measured)
        models = (each.model for each in named if each.is_priced(choice.tokenizer))
        explaining = replace(explaining, rate=max(map(cached_rate, models), default=1.0))
    sums = sum_groups(rows, selected.measured, choice.tokenizer, explaining)
    return Analysis(
        rows=rows,
        choice=choice,
        explaining=explaining,
        selected=selected,
        sums=sums,
        policy=recommend(sums, choice.now, explaining),
        rate=observe_rate(rows, selected.measured, choice.filter),
        apart=exclusion(choice.format, sums.total(choice.format)),
    )
