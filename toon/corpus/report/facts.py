"""What a report says: how the run was measured, every caveat, and the figures.

:mod:`.html`, :mod:`.markdown` and :mod:`.csv` write the same facts and the dashboard shows them.
Text from files (groups, names, errors, searches) is not escaped here but where it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np

from toon.corpus.analysis import Analysis, Filter, Rows
from toon.corpus.analysis.policy import MIX, Advice
from toon.corpus.analysis.spread import Bar
from toon.corpus.totals import Total, apart_reason
from toon.costs import prices
from toon.costs.answer import Rung
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.tokenizers import TOKENIZERS
from toon.values.fractions import fraction
from toon.wording import UNKNOWN, count, plural, signed_percent

PRETTY: Final = "json-pretty"

#: A caveat is given where a month is projected from fewer days.
_SHORT_WINDOW: Final = 7.0


@dataclass(frozen=True, slots=True)
class Report:
    """A run's ``name``, its rows, the analysis to report, and when the report was ``made``."""

    name: str
    rows: Rows
    analysis: Analysis
    made: datetime

    @property
    def estimated(self) -> bool:
        """Whether the numbers of tokens are estimates."""
        return not self.rows.exact(self.analysis.choice.tokenizer)

    def tokens(self, number: float | None) -> str:
        """A number of tokens, marked where it is an estimate: ``≈ 1,204``."""
        if number is None:
            return UNKNOWN
        return f"{'≈ ' if self.estimated else ''}{count(number)}"


def tokenizer_label(rows: Rows, name: str) -> str:
    """A tokenizer's label and name, and whether it is exact."""
    known = TOKENIZERS[name].label.removeprefix("≈ ") if name in TOKENIZERS else name
    return f"{known} ({name}), {'exact' if rows.exact(name) else '≈ an estimate'}"


def bar_range(bar: Bar) -> str:
    """The differences that a bar counts: ``−5.0 % to ±0.0 %``. The last bar has no upper end."""
    if bar.high >= 1:
        return f"{signed_percent(bar.low)} or more"
    return f"{signed_percent(bar.low)} to {signed_percent(bar.high)}"


def day(seconds: float) -> str:
    """A moment in UTC, to the minute."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def facts(report: Report) -> list[tuple[str, str]]:
    """What was measured, how and when: names and values."""
    rows, analysis = report.rows, report.analysis
    about, choice = rows.about, analysis.choice
    return [
        ("Run", report.name),
        ("Payloads", f"{analysis.payloads:,}"),
        ("Bad records", f"{analysis.selected.bad.size:,}"),
        ("Tokenizer", tokenizer_label(rows, choice.tokenizer)),
        ("Sent today (baseline)", label(choice.now)),
        ("Explaining a format", explaining(analysis)),
        ("Further baselines", ", ".join(label(name) for name in (COMPACT, PRETTY))),
        ("Formats measured", "; ".join(map(label, rows.formats))),
        ("Filter", describe(choice.filter) or "none: the whole run"),
        ("Rate", _rate(analysis)),
        ("Prices", _prices(report)),
        ("Measured", str(about.get("finished", "unknown"))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in about["versions"].items())),
        ("Report made", report.made.astimezone(UTC).isoformat(timespec="minutes")),
    ]


def explaining(analysis: Analysis) -> str:
    """The setting of explanations in words, with the user's own wordings."""
    own = [f"{label(name)}: {text!r}" for name, text in analysis.explaining.wordings]
    return "; ".join([analysis.explaining.assumption, *own])


def describe(filter: Filter) -> str:
    """A filter in words; "" if every row passes it."""
    parts = []
    if filter.groups:
        parts.append(f"groups: {', '.join(filter.groups)}")
    if filter.since is not None:
        parts.append(f"from {day(filter.since)} UTC")
    if filter.until is not None:
        parts.append(f"until {day(filter.until)} UTC")
    if filter.smallest is not None:
        parts.append(f"at least {plural(filter.smallest, 'byte')}")
    if filter.largest is not None:
        parts.append(f"at most {plural(filter.largest, 'byte')}")
    if filter.search.strip():
        parts.append(f"search: {filter.search.strip()}")
    return "; ".join(parts)


def _rate(analysis: Analysis) -> str:
    rate, given = analysis.rate, analysis.choice.monthly
    if given is not None:
        return f"{plural(round(given), 'payload')} a month, given"
    if rate is None:
        return f"unknown: {no_rate(analysis)}"
    return (
        f"{plural(round(rate.monthly), 'payload')} a month, observed from {day(rate.first)} to "
        f"{day(rate.last)} UTC"
    )


def no_rate(analysis: Analysis) -> str:
    """Why no rate could be observed."""
    if analysis.series is None:
        return "the payloads carry no times"
    return "the times lie within less than a minute"


def _prices(report: Report) -> str:
    model = report.analysis.choice.model
    if model is None:
        return "not asked for"
    known = prices.offers().get(model)
    name = f"{known.name} of {known.provider}" if known else model
    return f"{name}; {prices.price_source()}, in force on {report.made:%Y-%m-%d}"


def monthly(report: Report) -> str:
    """What figures in money assume: ``US$ a month, at 1,000,000 payloads``."""
    bill = report.analysis.bill
    return f"US$ a month, at {plural(round(bill.rate), 'payload')}" if bill else "US$ a month"


def caveats(report: Report) -> list[str]:
    """Every limit on what the figures mean, the most serious first."""
    return [
        *_caveats_of_rows(report),
        *_caveats_of_formats(report),
        *_caveats_of_money(report.analysis),
    ]


def _caveats_of_rows(report: Report) -> Iterable[str]:
    rows, analysis = report.rows, report.analysis
    choice = analysis.choice
    if not rows.about.get("complete", False):
        yield "The run was cancelled: it holds only the records measured before that."
    if report.estimated:
        yield "≈ The tokenizer is an estimate: so are all tokens, differences and prices."
    if described := describe(choice.filter):
        yield f"A filter is in force ({described}): rows outside it are in no figure."
    if analysis.selected.bad.size:
        yield (
            f"{plural(analysis.selected.bad.size, 'bad record')}, which could not be read or "
            "measured: in no figure."
        )
    if choice.tokenizer != rows.tokenizers[0]:
        yield (
            "Kinds of text were counted by the run's first tokenizer, "
            f"{tokenizer_label(rows, rows.tokenizers[0])}."
        )
    yield "Recommendations are judged by the same payloads they were drawn from."


def _caveats_of_formats(report: Report) -> Iterable[str]:
    for name in report.rows.formats:
        total = report.analysis.sums.total(name)
        if total.payloads < report.analysis.payloads:
            yield (
                f"{label(name)} can carry {total.payloads:,} of "
                f"{plural(report.analysis.payloads, 'payload')}: its figures are of those."
            )


def _caveats_of_money(analysis: Analysis) -> Iterable[str]:
    if analysis.bill is None:
        return
    yield (
        "Money covers the input tokens of the payloads alone: each is sent once, uncached, and "
        "priced as one call."
    )
    yield "The tokenizer should be the one of the priced model."
    rate = analysis.rate
    if analysis.choice.monthly is not None or rate is None:
        return
    days = (rate.last - rate.first) / 86_400
    if days < _SHORT_WINDOW:
        yield f"The month is projected from a window of only {days:,.1f} days."
    if untimed := analysis.payloads - rate.timed:
        yield f"The observed rate leaves out {plural(untimed, 'payload')} without a time."


def headline(report: Report) -> str:
    """What each step of the ladder changes, in a sentence; it names no group."""
    analysis, policy = report.analysis, report.analysis.policy
    if analysis.nothing:
        return analysis.nothing
    steps = ", then ".join(_step(report, rung) for rung in policy.ladder[1:])
    whole = f": {signed_percent(fraction(policy.cost, policy.now))}"
    ending = f"{whole if len(policy.ladder) > 2 else ''} against {label(analysis.choice.now)}"
    return f"{steps[:1].upper()}{steps[1:]}{ending}"


def _step(report: Report, rung: Rung) -> str:
    """``minifying saves 48,873 tokens (−4.7 %)``: one step against the one before."""
    subject = "the recommended mix" if rung["format"] == MIX else "minifying"
    change = round(rung["change"])
    if not change:
        return f"{subject} changes nothing"
    verb = "saves" if change < 0 else "adds"
    about = "about " if report.estimated else ""
    share = signed_percent(rung["vs_before"])
    return f"{subject} {verb} {about}{plural(abs(change), 'token')} ({share})"


def worth_from(advice: Advice) -> str:
    """``13 (TOON)``: how many payloads in one prompt make a format worth its explanation.

    The format is named if it is another than the recommended one.
    """
    worth = advice.worth
    if worth is None:
        return ""
    other = f" ({label(worth.format)})" if worth.format != advice.format else ""
    return f"{worth.payloads:,}{other}"


def advised(report: Report) -> str:
    """How many groups a change is worth for, and under which assumption."""
    policy = report.analysis.policy
    worth, groups = len(policy.switches), len(policy.advice)
    words = "A change is worth it" if worth else "No change is worth it"
    if worth and groups > 1:
        words += f" for {worth:,} of {groups:,} groups"
    return f"{words}; {report.analysis.explaining.assumption}."


class Change(NamedTuple):
    """A group's cost in the chosen format less that of today, and the signed share."""

    tokens: float
    group: str
    vs: float | None


def group_changes(analysis: Analysis, limit: int) -> list[Change]:
    """The changes of groups that the chosen format carries completely, the largest saving first.

    Of more than ``limit`` groups, those with the largest savings and the largest losses.
    """
    sums, choice = analysis.sums, analysis.choice
    carried = sums.columns[choice.format].carried
    costs, now = (analysis.explained.costs(sums, name) for name in (choice.format, choice.now))
    changes = []
    for place, group in enumerate(sums.groups):
        if carried[place] == sums.payloads[place]:
            cost, today = float(costs[place]), float(now[place])
            changes.append(Change(cost - today, group, fraction(cost, today)))
    changes.sort(key=lambda change: change[:2])
    if len(changes) <= limit:
        return changes
    losses = [change for change in changes[-(limit // 2) :] if change.tokens > 0]
    return [*changes[: limit - len(losses)], *losses]


def largest_groups(analysis: Analysis, limit: int) -> list[int]:
    """The indices of the groups with most tokens of compact JSON."""
    whole = np.sum(list(analysis.kinds.values()), axis=0)
    return [int(place) for place in np.argsort(-whole, kind="stable")[:limit]]


def groups_left_out(analysis: Analysis, drawn: int) -> str:
    """Which groups a chart of the chosen format leaves out; "" if it draws all of them.

    ``drawn`` is the number of groups in the chart.
    """
    sums, format = analysis.sums, analysis.choice.format
    partial = int((sums.columns[format].carried < sums.payloads).sum())
    small = len(sums.groups) - partial - drawn
    parts = []
    if small:
        parts.append(f"Left out: {plural(small, 'group')} with smaller changes.")
    if partial:
        groups = plural(partial, "group")
        parts.append(f"Left out: {groups} in which {label(format)} cannot carry every payload.")
    return " ".join(parts)


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
