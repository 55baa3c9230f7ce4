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

from toon import wording
from toon.analysis import Analysis, Choice, Filter, Rows
from toon.analysis.policy import Advice
from toon.analysis.rows import Facts
from toon.analysis.spread import Bar
from toon.costs import prices
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.measuring.totals import left_out
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
    def counter(self) -> Facts:
        """What is known of the numbers of tokens: as of a text as long as they are on average."""
        fewest = min(rung["tokens"] for rung in self.analysis.policy.ladder)
        mean = fewest / max(1, self.analysis.payloads)
        return self.rows.facts(self.analysis.choice.tokenizer).at(mean)

    @property
    def caveat(self) -> str:
        """What stands beside tokens and differences: their band as a sentence, or ""."""
        return _sentence(self.counter.caveat)

    @property
    def caveat_of_kinds(self) -> str:
        """What stands beside kinds of text, which the run's first tokenizer counted."""
        first, selected = self.rows.tokenizers[0], self.analysis.selected
        places = np.concatenate([selected.measured, selected.unlike])
        unlike = int(self.rows.unlike[first][places].sum())
        caveat = _sentence(self.rows.facts(first).kinds_caveat)
        return f"{caveat} {_sentence(left_out(unlike, places.size))}".strip()

    def tokens(self, number: float | None) -> str:
        """A number of tokens, marked where it is an estimate: ``≈ 1,204``."""
        if number is None:
            return UNKNOWN
        return self.marked(count(number))

    def marked(self, figure: str) -> str:
        """A figure made of tokens, marked where it is an estimate: ``≈ −16.5 %``."""
        return wording.marked(figure, exact=self.counter.exact)

    def saved(self, amount: Decimal | None) -> tuple[Decimal | None, Decimal | None]:
        """What a price is below today's, and what an estimate of that is within; None: unknown."""
        bill = self.analysis.bill
        today = bill.dollars["now"] if bill else None
        if amount is None or today is None:
            return None, None
        if amount == today:  # mostly of the same texts
            return Decimal(0), None
        return today - amount, prices.saved_within(self.counter.error, amount, today)

    def money(self, amount: Decimal | None, per: str = "") -> str:
        """A month's price and what it saves: ``≈ $420.44 ±4 %, saving ≈ $82.03 ±$12.10``."""
        if self.analysis.bill is None:
            return UNKNOWN
        words = f"{prices.price_words(amount, self.counter.band)}{per}"
        saved, within = self.saved(amount)
        if not saved:
            return words
        change = prices.price_words(abs(saved), self.counter.band, within)
        return f"{words}, {'saving' if saved > 0 else 'adding'} {change}"


def _sentence(text: str) -> str:
    return text and f"{text}."


def tokenizer_label(rows: Rows, name: str) -> str:
    """A tokenizer's label and name, and its band."""
    known = TOKENIZERS[name].label.removeprefix("≈ ") if name in TOKENIZERS else name
    return f"{known} ({name}), {rows.facts(name).band}"


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
    skipped = analysis.selected.skipped.size
    return [
        ("Run", report.name),
        ("Payloads", f"{analysis.payloads:,}"),
        ("Bad records", f"{analysis.selected.bad.size:,}"),
        *([("Skipped: not JSON", f"{skipped:,}")] if skipped else []),
        ("Model", choice.priced.label if choice.priced else "none: a tokenizer alone"),
        ("Tokenizer", tokenizer_label(rows, choice.tokenizer)),
        ("Evidence", _evidence(choice)),
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


def _evidence(choice: Choice) -> str:
    """What the counts were compared with, or where they come from."""
    if choice.priced:
        return choice.priced.evidence
    known = TOKENIZERS.get(choice.tokenizer)
    return known.evidence if known else "none: the tokenizer is not known here"


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
    model = report.analysis.choice.priced
    offer = model and prices.price_of(model)
    if offer is None:
        return unpriced(report.analysis)
    name = f"{offer.name} of {offer.provider}"
    return f"{name}; {prices.price_source()}, in force on {report.made:%Y-%m-%d}"


def unpriced(analysis: Analysis) -> str:
    """Why there is no price, in a sentence; "" if there is one."""
    model = analysis.choice.priced
    if model is None:
        return "A tokenizer alone has no price: choose a model."
    return prices.unpriced(model) or ""


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
    if caveat := report.caveat:
        yield f"{caveat} Prices are made of them."
    if words := unlike(report):
        yield words
    if described := describe(choice.filter):
        yield f"A filter is in force ({described}): rows outside it are in no figure."
    if analysis.selected.bad.size:
        yield (
            f"{plural(analysis.selected.bad.size, 'bad record')}, which could not be read or "
            "measured: in no figure."
        )
    if analysis.selected.skipped.size:
        yield f"{plural(analysis.selected.skipped.size, 'record')} skipped: not JSON, in no figure."
    if choice.tokenizer != rows.tokenizers[0]:
        yield (
            "Kinds of text were counted by the run's first tokenizer, "
            f"{tokenizer_label(rows, rows.tokenizers[0])}."
        )
    yield "Recommendations are judged by the same payloads they were drawn from."


def unlike(report: Report) -> str:
    """How many payloads have no figures because the estimate was not made for such; "" if none."""
    analysis = report.analysis
    return _sentence(left_out(analysis.unlike, analysis.payloads + analysis.unlike))


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
    rate = analysis.rate
    if analysis.choice.monthly is not None and analysis.unlike:
        yield "The payloads a month are priced as if all were like those with figures."
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
    today, whole = label(analysis.choice.now), fraction(policy.cost, policy.now)
    if not policy.switches:
        return f"No change is worth it against {today}"
    minified, mix = policy.ladder[-2:]
    if minified is policy.ladder[0] or mix["change"] > 0:
        # What is not worth a change stays as it is, so all of it minified may have fewer tokens.
        change = _step(report, policy.cost - policy.now, whole)
        return f"The recommended mix {change} against {today}"
    steps = [f"Minifying {_step(report, minified['change'], minified['vs_before'])}"]
    if round(mix["change"]):
        mixed = _step(report, mix["change"], mix["vs_before"])
        steps.append(f"then the recommended mix {mixed}: {report.marked(signed_percent(whole))}")
    return f"{', '.join(steps)} against {today}"


def _step(report: Report, change: float, share: float | None) -> str:
    """``saves 48,873 tokens (−4.7 %)``: what one step changes."""
    tokens = report.marked(plural(abs(round(change)), "token"))
    return f"{'adds' if change > 0 else 'saves'} {tokens} ({signed_percent(share)})"


def assumed(report: Report) -> str:
    """What stands with every table: the assumption, and how far estimates are to be trusted."""
    return f"{report.analysis.explaining.assumption}. {report.caveat}".rstrip()


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
    policy, assumption = report.analysis.policy, report.analysis.explaining.assumption
    worth, groups = len(policy.switches), len(policy.advice)
    if not worth:
        return f"{assumption[:1].upper()}{assumption[1:]}."
    of = f" for {worth:,} of {groups:,} groups" if groups > 1 else ""
    return f"A change is worth it{of}; {assumption}."


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
