"""The facts of a report: how its run was measured, every caveat, and how figures are written.

:mod:`.html`, :mod:`.markdown` and :mod:`.csv` write the same facts and the dashboard shows them.
Text from files (groups, names, errors, searches) is not escaped here but where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypeAlias

from toon.analysis import Analysis, Filter
from toon.analysis.analysis import Way
from toon.analysis.money import SHORT_WINDOW, Named
from toon.costs import prices
from toon.costs.models import MODELS
from toon.costs.worth import COMPACT
from toon.formats import label
from toon.reports.read_as import read_as_lines
from toon.tokenizers import TOKENIZERS
from toon.traffic.account import Account
from toon.values.fractions import fraction
from toon.wording import (
    UNKNOWN,
    capitalised,
    count,
    dollars,
    duration,
    join_all,
    listed,
    plural,
    signed_percent,
)

PRETTY: Final = "json-pretty"
#: A line of a table: its cells by the heads of their columns.
Line: TypeAlias = Mapping[str, object]

#: The choice of a model where each payload is priced for the one that its record names.
AS_LOGGED: Final = "each record's own, from your log"
#: The most models that a list names.
MODELS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made from: the ``name`` and analysis of a run, when the report was ``made``,
    and the report of an earlier run to compare with, or None.
    """

    name: str
    analysis: Analysis
    made: datetime
    before: Report | None = None

    def tokens(self, number: float | None) -> str:
        """Write a number of tokens with commas, as in ``1,204``; a dash for None."""
        return UNKNOWN if number is None else count(number)

    def saving(self, amount: Decimal | None, before: Way | None = None) -> Decimal | None:
        """Return how many dollars ``amount``, a month's price, is below that of ``before``, by
        default of today's way to send; None if unknown.
        """
        today = (before or self.analysis.ways["now"]).dollars
        return None if amount is None or today is None else today - amount

    def money(self, amount: Decimal | None) -> str:
        """Write a month's price and what it saves against today: ``$420.44, saving $82.03``.

        It is a dash without a price, or a rate of payloads a month.
        """
        if self.analysis.monthly is None:
            return UNKNOWN
        return ", ".join(filter(None, [dollars(amount), self.change(self.saving(amount))]))

    def change(self, saved: Decimal | None) -> str:
        """Write dollars as ``saving $82.03``, or ``adding`` if negative; "" for 0 and None."""
        if not saved:
            return ""
        return f"{'saving' if saved > 0 else 'adding'} {dollars(abs(saved))}"


class Section(NamedTuple):
    """A section of the report: a title, sentences (``words``), and tables with titles.

    Its ``place``: with what was spent, which is first, with what formats change, or behind.
    """

    key: str
    title: str
    words: list[str]
    tables: Sequence[tuple[str, Sequence[Line]]]
    place: Literal["spent", "formats", "behind"] = "behind"

    def cell(self, value: object) -> str:
        """Write a value: a float as signed per cent, an integer with commas, None as a dash."""
        if value is None:
            return UNKNOWN
        if isinstance(value, float):
            return signed_percent(value)
        return count(value) if isinstance(value, int) else str(value)


def tokenizer_label(name: str) -> str:
    """Write a tokenizer's name for people as ``label (name)``; an unknown one is its own label."""
    return f"{TOKENIZERS[name].label if name in TOKENIZERS else name} ({name})"


def day(seconds: float) -> str:
    """Write seconds since 1970 as a day and time in UTC: ``2026-07-01 12:30``."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def facts(report: Report) -> list[tuple[str, str]]:
    """Return the facts at the head of a report as pairs of name and value: the run, its payloads,
    model and tokenizer, formats, prices, and when it was measured.
    """
    analysis = report.analysis
    rows, choice = analysis.rows, analysis.choice
    about = rows.about
    files = Account.of_facts(about.get("read_as"))
    skipped = analysis.selected.skipped.size
    model = choice.model
    named_model = model.label if model else "none: a tokenizer alone"
    named = [f"{logged.name} {logged.payloads:,}{_status(logged)}" for logged in analysis.named]
    source = model or TOKENIZERS.get(choice.tokenizer)
    return [
        ("Run", report.name),
        ("Payloads", f"{analysis.payloads:,}"),
        ("Bad records", f"{analysis.selected.bad.size:,}"),
        *([("Skipped: no JSON payload", f"{skipped:,}")] if skipped else []),
        *(("Read as", line) for line in read_as_lines(files, quoting=False)),
        ("Model", AS_LOGGED if choice.logged else named_model),
        *([("Models in the log", listed(named, MODELS_SHOWN))] if named else []),
        ("Tokenizer", tokenizer_label(choice.tokenizer)),
        # What the counts were compared with, or where they come from.
        ("Evidence", source.evidence if source else "none: the tokenizer is not known here"),
        ("Sent today (baseline)", label(choice.now)),
        ("Note to the model", note_words(analysis)),
        ("Further baselines", ", ".join(label(name) for name in (COMPACT, PRETTY))),
        ("Formats measured", "; ".join(map(label, rows.formats))),
        ("Filter", describe(choice.filter) or "none: the whole run"),
        ("Rate", _rate(analysis)),
        ("Prices", _prices(report)),
        ("Measured", str(about.get("finished", "unknown"))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in about["versions"].items())),
        ("Report made", report.made.astimezone(UTC).isoformat(timespec="minutes")),
    ]


def _status(named: Named) -> str:
    """Say in brackets that a model of a log is unknown and how it is counted; "" if it is known."""
    if named.model is None:
        return " (not known here)"
    is_known = named.model.name in MODELS
    return "" if is_known else f" (n{named.model.source[1:].rstrip('.')})"


def note_words(analysis: Analysis) -> str:
    """Say how notes that explain formats to a model are counted, and quote those the user wrote."""
    own = [f"{label(name)}: {text!r}" for name, text in analysis.explaining.wordings]
    return "; ".join([analysis.explaining.assumption, *own])


def describe(filter: Filter) -> str:
    """Say in words which rows of a run a filter keeps: groups, times, search; "" for all."""
    search = filter.search.strip()
    parts = [
        f"groups: {', '.join(filter.groups)}" if filter.groups else "",
        "" if filter.since is None else f"from {day(filter.since)} UTC",
        "" if filter.until is None else f"until {day(filter.until)} UTC",
        f"search: {search}" if search else "",
    ]
    return "; ".join(part for part in parts if part)


def _rate(analysis: Analysis) -> str:
    rate, monthly = analysis.rate, analysis.choice.monthly
    if monthly is not None:
        return f"{plural(round(monthly), 'payload')} a month, given"
    if rate is None:
        return f"unknown: {no_rate(analysis)}"
    return (
        f"{plural(round(rate.monthly), 'payload')} a month, observed from {day(rate.first)} to "
        f"{day(rate.last)} UTC"
    )


def no_rate(analysis: Analysis) -> str:
    """Say why a log does not tell how many payloads are sent a month."""
    if analysis.series is None:
        return "the payloads carry no times"
    return "the times lie within less than a minute"


def _prices(report: Report) -> str:
    if report.analysis.choice.logged and report.analysis.priced:
        names = {pricing.model.label for pricing in report.analysis.priced if pricing.model}
        return f"{join_all(sorted(names))}; {_source(report)}"
    model = report.analysis.choice.model
    offer = model and prices.price_of(model)
    if offer is None:
        return no_price(report.analysis)
    name = f"{offer.name} of {offer.provider}"
    return f"{name}; {_source(report)}"


def _source(report: Report) -> str:
    date = report.made.astimezone(UTC)
    model = report.analysis.choice.model
    is_hourly = model and model.price and prices.is_hourly(model.price)
    hour = f" at {date:%H:%M} UTC, as its prices change with the hour" if is_hourly else ""
    return f"{prices.price_source()}, in force on {date:%Y-%m-%d}{hour}"


def no_price(analysis: Analysis) -> str:
    """Say in a sentence why the payloads of a log have no price in dollars; "" if they have."""
    model = analysis.choice.model
    if analysis.choice.logged:
        return "" if analysis.priced else "No payload names a model that has a price here."
    if model is None:
        return "A tokenizer alone has no price: choose a model."
    return prices.price_notice(model) or ""


def month_heading(report: Report) -> str:
    """Return the head of a column of prices: ``US$ a month, at 1,000,000 payloads``."""
    payloads = report.analysis.monthly
    rate = "" if payloads is None else f", at {plural(round(payloads), 'payload')}"
    return f"US$ a month{rate}"


def headline(report: Report) -> str:
    """Return the headline of a report: what minifying a log's payloads saves in tokens, and what
    the recommended format of each group saves besides.
    """
    analysis = report.analysis
    if analysis.nothing:
        return analysis.nothing
    today = label(analysis.choice.now)
    if not analysis.policy.switches:
        return f"No change is worth it against {today}"
    ways = analysis.ways
    now, mix, minified = ways["now"], ways["mix"], ways.get("compact")
    if minified is None or mix.cost > minified.cost:
        # What is not worth a change stays as it is, so all of it minified may have fewer tokens.
        return f"The recommended mix {_step(now, mix)} against {today}"
    steps = [f"Minifying {_step(now, minified)}"]
    if round(mix.cost - minified.cost):
        change = signed_percent(mix.vs_now)
        steps.append(f"then the recommended mix {_step(minified, mix)}: {change}")
    return f"{', '.join(steps)} against {today}"


def _step(before: Way, after: Way) -> str:
    """Say what a change of the way to send a log saves: ``saves 48,873 tokens (−4.7 %)``."""
    change = after.cost - before.cost
    tokens = plural(abs(round(change)), "token")
    share = signed_percent(fraction(after.cost, before.cost))
    return f"{'adds' if change > 0 else 'saves'} {tokens} ({share})"


def assumption(report: Report) -> str:
    """Return a sentence on how notes that explain formats to a model are counted in a report."""
    return f"{report.analysis.explaining.assumption}."


def advice(report: Report) -> str:
    """Say for how many groups of payloads another format is worth it, and how notes are counted."""
    policy, counting = report.analysis.policy, report.analysis.explaining.assumption
    worth, groups = len(policy.switches), len(policy.advice)
    if not worth:
        return f"{capitalised(counting)}."
    scope = f" for {worth:,} of {groups:,} groups" if groups > 1 else ""
    return f"A change is worth it{scope}; {counting}."


def caveats(report: Report) -> list[str]:
    """Return a sentence for each limit on a report's figures, such as bad records, worst first."""
    analysis = report.analysis
    of_money = () if analysis.monthly is None else _caveats_of_money(analysis)
    return [*_caveats_of_rows(analysis), *of_money]


def _caveats_of_rows(analysis: Analysis) -> Iterator[str]:
    rows, choice = analysis.rows, analysis.choice
    if not rows.about.get("complete", False):
        yield "The run was cancelled: it holds only the records measured before that."
    if described := describe(choice.filter):
        yield f"A filter is in force ({described}): rows outside it are in no figure."
    if analysis.selected.bad.size:
        yield (
            f"{plural(analysis.selected.bad.size, 'bad record')}, which could not be read or "
            "measured: in no figure."
        )
    if skipped := analysis.selected.skipped.size:
        yield f"{plural(skipped, 'record')} skipped: no JSON payload, in no figure of a format."
    if choice.tokenizer != rows.tokenizers[0]:
        yield (
            "Kinds of text were counted by the run's first tokenizer, "
            f"{tokenizer_label(rows.tokenizers[0])}."
        )
    yield "Recommendations are judged by the same payloads they were drawn from."
    every = f"{plural(analysis.payloads, 'payload')}: its figures are of those."
    for name in rows.formats:
        total = analysis.sums.total(name)
        if total.payloads < analysis.payloads:
            yield f"{label(name)} can carry {total.payloads:,} of {every}"


def _caveats_of_money(analysis: Analysis) -> Iterator[str]:
    yield (
        "Money covers the input tokens of the payloads alone: each is sent once, uncached, and "
        f"priced as one call. {analysis.explaining.payment}"
    )
    rate, choice = analysis.rate, analysis.choice
    if choice.logged:
        priced = sum(named.payloads for named in analysis.priced)
        if rest := analysis.payloads - priced:
            yield (
                f"Each payload has the price of the model that its record names; {rest:,} of "
                f"{plural(analysis.payloads, 'payload')} name none that is priced and counted by "
                f"{choice.tokenizer}, and have no part in the money."
            )
    if choice.monthly is not None or rate is None:
        return
    if window := short_window(analysis):
        yield f"The month is projected from a window of only {window}."
    if untimed := analysis.payloads - rate.timed:
        yield f"The observed rate leaves out {plural(untimed, 'payload')} without a time."


def short_window(analysis: Analysis) -> str:
    """Return the span that a log's rate of payloads a month is observed in, such as ``87 minutes``,
    if it is less than a week; "" otherwise, or if the report has no price of a month.
    """
    rate = analysis.rate if analysis.choice.monthly is None else None
    if analysis.monthly is None or rate is None or rate.window >= SHORT_WINDOW:
        return ""
    return duration(rate.window)
