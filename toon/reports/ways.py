"""The tables of a report: ways to send everything, and every format with its totals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from toon.analysis.policy import MIX
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.measuring.totals import Total, apart_reason
from toon.reports.facts import Report
from toon.values.fractions import fraction


@dataclass(frozen=True, slots=True)
class Way:
    """One way to send everything: ``now``, ``compact``, ``mix`` or ``format``.

    ``tokens`` include the ``explanation``; None where a format cannot carry every payload.
    ``dollars`` a month are None where the price or the rate is unknown. ``apart`` says why this is
    no way to recommend, and so has no money; "" if it may be. ``before`` is the step of the ladder
    before.
    """

    key: str
    name: str
    tokens: float | None
    explanation: float
    dollars: Decimal | None
    apart: str = ""
    before: Way | None = None

    def vs(self, baseline: float) -> float | None:
        """The tokens as a signed fraction of a baseline's; negative is fewer."""
        return None if self.tokens is None else fraction(self.tokens, baseline)

    @property
    def step(self) -> float | None:
        """The change from the step before, as a signed fraction; None where there is none."""
        if self.before is None or self.before.tokens is None:
            return None
        return self.vs(self.before.tokens)


def sent_ways(report: Report) -> list[Way]:
    """The steps of the ladder, and everything in the chosen format if that is another way."""
    analysis, choice = report.analysis, report.analysis.choice
    dollars = analysis.bill.dollars if analysis.bill else {}
    names = {
        COMPACT: ("compact", "Minified: compact JSON"),
        MIX: ("mix", "Recommended mix"),
        choice.now: ("now", f"Today: {label(choice.now)}"),
    }
    ways: list[Way] = []
    for rung in analysis.policy.ladder:
        key, name = names[rung["format"]]
        before = ways[-1] if ways else None
        cost, extra = rung["cost"], rung["explanation"]
        ways.append(Way(key, name, cost, extra, dollars.get(key), before=before))
    if choice.format not in (choice.now, COMPACT):
        name, money = f"All {label(choice.format)}", dollars.get("format")
        extra = analysis.total(choice.format).explanation
        ways.append(Way("format", name, analysis.all_format, extra, money, analysis.apart))
    return ways


def totals(report: Report) -> list[tuple[str, Total]]:
    """Every format that may be recommended, and JSON as typed."""
    return [(name, total) for name, total, reason in _judged(report) if not reason]


def totals_apart(report: Report) -> list[tuple[str, Total, str]]:
    """The formats that stand apart, each with the reason."""
    return [(name, total, reason) for name, total, reason in _judged(report) if reason]


def _judged(report: Report) -> Iterable[tuple[str, Total, str]]:
    for name in report.analysis.sums.columns:
        total = report.analysis.total(name)
        yield name, total, apart_reason(name, total)
