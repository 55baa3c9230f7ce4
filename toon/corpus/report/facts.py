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
from toon.corpus.analysis.spread import Bar
from toon.costs import prices
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
        ("Further baselines", ", ".join(label(name) for name in (COMPACT, PRETTY))),
        ("Formats measured", "; ".join(map(label, rows.formats))),
        ("Filter", describe(choice.filter) or "none: the whole run"),
        ("Rate", _rate(analysis)),
        ("Prices", _prices(report)),
        ("Measured", str(about.get("finished", "unknown"))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in about["versions"].items())),
        ("Report made", report.made.astimezone(UTC).isoformat(timespec="minutes")),
    ]


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
    known = prices.models().get(model)
    name = f"{known.name} of {known.provider}" if known else model
    return f"{name}; {prices.price_source()}, in force on {report.made:%Y-%m-%d}"


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
    if choice.explain:
        yield (
            "The explanation of a format is counted with every call in the recommendations, the "
            "ways to send everything, the tokens over time and the money; elsewhere it is not."
        )
    else:
        yield (
            "Explaining a format other than JSON to the model takes more tokens, which are not "
            "counted."
        )


def _caveats_of_formats(report: Report) -> Iterable[str]:
    for name in report.rows.formats:
        total = report.analysis.sums.total(name)
        if total.payloads < report.analysis.payloads:
            yield (
                f"{label(name)} can carry {total.payloads:,} of "
                f"{plural(report.analysis.payloads, 'payload')}: its figures are of those."
            )
        if not report.rows.lossless(name):
            payloads = plural(total.payloads, "payload")
            yield (
                f"{label(name)} is lossy: {total.unproven:,} of {payloads} did not come back. "
                "It is never recommended."
            )
        elif total.unproven:
            yield f"{label(name)}: {plural(total.unproven, 'payload')} did not come back from it."


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
    """What the recommended mix would save, in a sentence; it counts groups and names none."""
    policy, now = report.analysis.policy, label(report.analysis.choice.now)
    if not policy.switches:
        return f"Nothing measured takes fewer tokens than {now} in any group"
    groups = f"{len(policy.switches)} of {plural(len(policy.advice), 'group')}"
    saved = f"{'about ' if report.estimated else ''}{plural(policy.now - policy.tokens, 'token')}"
    share = signed_percent(fraction(policy.tokens, policy.now))
    return f"Switching {groups} saves {saved} against {now} ({share})"


class Change(NamedTuple):
    """A group's ``tokens`` in the chosen format less those of today, and their signed share."""

    tokens: int
    group: str
    vs: float | None


def group_changes(analysis: Analysis, limit: int) -> list[Change]:
    """The changes of groups that the chosen format carries completely, the largest saving first.

    Of more than ``limit`` groups, those with the largest savings and the largest losses.
    """
    sums, choice = analysis.sums, analysis.choice
    column, now = sums.columns[choice.format], sums.columns[choice.now]
    changes = []
    for place, group in enumerate(sums.groups):
        if column.carried[place] == sums.payloads[place]:
            tokens, today = int(column.tokens[place]), int(now.tokens[place])
            changes.append(Change(tokens - today, group, fraction(tokens, today)))
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
    """One way to send everything.

    ``tokens`` is None where a format cannot carry every payload. ``dollars`` a month are None
    where the price or the rate is unknown.
    """

    name: str
    tokens: int | None
    dollars: Decimal | None

    def vs(self, baseline: int) -> float | None:
        """The tokens as a signed fraction of a baseline's; negative is fewer."""
        return None if self.tokens is None else fraction(self.tokens, baseline)


def sent_ways(report: Report) -> list[Way]:
    """Today's way, everything in the chosen format, and the recommended mix."""
    analysis = report.analysis
    policy, choice, bill = analysis.policy, analysis.choice, analysis.bill
    return [
        Way(f"Today: {label(choice.now)}", policy.now, bill.now if bill else None),
        Way(f"All {label(choice.format)}", analysis.all_format, bill.all_format if bill else None),
        Way("Recommended mix", policy.tokens, bill.mix if bill else None),
    ]
