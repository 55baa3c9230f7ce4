"""A report of a run: what was measured and how, every caveat, and the figures; as Markdown here.

The same facts go into the HTML of :mod:`.html` and the CSV of :mod:`.csv`. Text that
came out of a file (groups, names, errors, searches) is escaped for what it is written to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from toon.corpus.analysis import Analysis, Filter, Rows
from toon.corpus.analysis.spread import Bar
from toon.corpus.measuring import AS_TYPED, COMPACT
from toon.corpus.totals import Total
from toon.costs import prices
from toon.formats import FORMATS
from toon.tokenizers import TOKENIZERS
from toon.values.fractions import fraction

PRETTY: Final = "json-pretty"

#: A month told from a shorter window says so: days.
_SHORT_WINDOW: Final = 7.0


@dataclass(frozen=True, slots=True)
class Report:
    """A run's ``name``, its rows, what is shown of them, and when the report was ``made``."""

    name: str
    rows: Rows
    analysis: Analysis
    made: datetime

    @property
    def estimated(self) -> bool:
        """Whether its tokens are estimates."""
        return not self.rows.exact(self.analysis.choice.tokenizer)


def label(format: str) -> str:
    """A format as people know it; a name that is not in the table as it is."""
    if format == AS_TYPED:
        return "JSON as typed"
    return FORMATS[format].label if format in FORMATS else format


def tokenizer_label(rows: Rows, name: str) -> str:
    """A tokenizer as people know it, and whether it is exact."""
    known = TOKENIZERS[name].label.removeprefix("≈ ") if name in TOKENIZERS else name
    return f"{known} ({name}), {'exact' if rows.exact(name) else '≈ an estimate'}"


def signed(value: float | None) -> str:
    """A fraction as per cent with its sign, a real minus; an en dash where there is none."""
    if value is None:
        return "–"
    text = f"{100 * value:+.1f} %".replace("-", "−")
    return "±0.0 %" if text[1:] == "0.0 %" else text


def signed_count(value: float) -> str:
    """A whole number with its sign, a real minus."""
    return f"{value:+,.0f}".replace("-", "−") if round(value) else "±0"


def dollars(amount: Decimal | None, estimated: bool = False) -> str:
    """US dollars a month, marked where they are estimated; "unknown" where no price is known."""
    if amount is None:
        return "unknown"
    digits = 2 if abs(amount) >= 1 or not amount else 4
    about = "≈ " if estimated else ""
    return f"{about}{'−' if amount < 0 else ''}${abs(amount):,.{digits}f}"


def bar_range(bar: Bar) -> str:
    """The differences that a bar holds; the last one possible has no end."""
    if bar.high >= 1:
        return f"{signed(bar.low)} or more"
    return f"{signed(bar.low)} to {signed(bar.high)}"


def some(count: int, noun: str) -> str:
    """A count with its noun: ``1 payload``, ``2 payloads``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def day(seconds: float) -> str:
    """A moment in UTC, to the minute."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


# -- facts -----------------------------------------------------------------------------------


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
    """A filter in words; "" if it lets everything through."""
    parts = []
    if filter.groups:
        parts.append(f"groups: {', '.join(filter.groups)}")
    if filter.since is not None:
        parts.append(f"from {day(filter.since)} UTC")
    if filter.until is not None:
        parts.append(f"until {day(filter.until)} UTC")
    if filter.smallest is not None:
        parts.append(f"at least {filter.smallest:,} bytes")
    if filter.largest is not None:
        parts.append(f"at most {filter.largest:,} bytes")
    if filter.search.strip():
        parts.append(f"search: {filter.search.strip()}")
    return "; ".join(parts)


def _rate(analysis: Analysis) -> str:
    rate, given = analysis.rate, analysis.choice.monthly
    if given is not None:
        return f"{given:,.0f} payloads a month, given"
    if rate is None:
        return f"unknown: {no_rate(analysis)}"
    return (
        f"{rate.monthly:,.0f} payloads a month, observed from {day(rate.first)} to "
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
    """Everything that limits what the figures say, the gravest first."""
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
            f"{some(analysis.selected.bad.size, 'bad record')}, which could not be read or "
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
            "Explaining a format that is not JSON to the model takes tokens of its own; they are "
            "not counted."
        )


def _caveats_of_formats(report: Report) -> Iterable[str]:
    for name in report.rows.formats:
        total = report.analysis.sums.total(name)
        if total.payloads < report.analysis.payloads:
            yield (
                f"{label(name)} can carry {total.payloads:,} of "
                f"{some(report.analysis.payloads, 'payload')}: its figures are of those."
            )
        if not report.rows.lossless(name):
            yield (
                f"{label(name)} is lossy: {total.unproven:,} of {some(total.payloads, 'payload')} "
                "did not come back. It is never recommended."
            )
        elif total.unproven:
            yield f"{label(name)}: {some(total.unproven, 'payload')} did not come back from it."


def _caveats_of_money(analysis: Analysis) -> Iterable[str]:
    if analysis.bill is None:
        return
    yield (
        "Money is for input tokens of the payloads alone: each sent once, uncached, priced as a "
        "call of its own size."
    )
    yield "The tokenizer should be the one that belongs to the priced model."
    rate = analysis.rate
    if analysis.choice.monthly is not None or rate is None:
        return
    days = (rate.last - rate.first) / 86_400
    if days < _SHORT_WINDOW:
        yield f"The month is projected from a window of only {days:,.1f} days."
    if untimed := analysis.payloads - rate.timed:
        yield f"The observed rate leaves out {some(untimed, 'payload')} without a time."


# -- tables ----------------------------------------------------------------------------------


def headline(report: Report) -> str:
    """What the mix would save, in a sentence; groups are counted, not named."""
    chosen, choice = report.analysis.policy, report.analysis.choice
    about = "about " if report.estimated else ""
    groups = len(chosen.advice)
    if not chosen.switches:
        return f"Nothing measured takes fewer tokens than {label(choice.now)} in any group"
    change = chosen.tokens - chosen.now
    return (
        f"Switching {len(chosen.switches)} of {some(groups, 'group')} saves {about}{-change:,} "
        f"tokens against {label(choice.now)} ({signed(fraction(chosen.tokens, chosen.now))})"
    )


def groups_left_out(analysis: Analysis, drawn: int) -> str:
    """Which groups a chart of the chosen format leaves out; "" if it draws them all."""
    found, format = analysis.sums, analysis.choice.format
    part = int((found.columns[format].carried < found.payloads).sum())
    between = len(found.groups) - part - drawn
    said = [f"Left out: {some(between, 'group')} with smaller changes."] if between else []
    if part:
        said.append(f"Left out: {some(part, 'group')} that {label(format)} cannot carry whole.")
    return " ".join(said)


def sent_ways(report: Report) -> list[tuple[str, int | None, Decimal | None]]:
    """Ways to send everything: name, tokens (None: some payloads cannot be), dollars a month."""
    analysis = report.analysis
    chosen, choice, bill = analysis.policy, analysis.choice, analysis.bill
    ways: list[tuple[str, int | None, Decimal | None]] = [
        (f"Today: {label(choice.now)}", chosen.now, bill.now if bill else None),
        (
            f"All {label(choice.format)}",
            analysis.all_format,
            bill.all_format if bill else None,
        ),
        ("Recommended mix", chosen.tokens, bill.mix if bill else None),
    ]
    return ways


def totals_by_format(report: Report) -> list[tuple[str, Total]]:
    """Every format's sums, as-typed first."""
    return [(name, report.analysis.sums.total(name)) for name in (AS_TYPED, *report.rows.formats)]


def _table(head: list[str], lines: Iterable[list[str]]) -> list[str]:
    return [
        f"| {' | '.join(head)} |",
        "|" + " --- |" * len(head),
        *(f"| {' | '.join(line)} |" for line in lines),
        "",
    ]


def as_markdown(report: Report) -> str:
    """The report as GitHub's Markdown, without charts."""
    analysis = report.analysis
    about = "≈ " if report.estimated else ""
    lines = [f"# {headline(report)}", ""]
    lines += _table(["", ""], [[name, markdown(value)] for name, value in facts(report)])
    lines += ["**Caveats**", "", *(f"- {markdown(each)}" for each in caveats(report)), ""]
    lines += ["## Ways to send it", ""]
    lines += _table(
        ["Sent as", "Tokens", "vs today", "vs compact JSON", "US$ a month"],
        [
            [
                markdown(name),
                "–" if tokens is None else f"{about}{tokens:,}",
                *(
                    "–" if tokens is None else signed(fraction(tokens, base))
                    for base in (analysis.policy.now, analysis.policy.compact)
                ),
                dollars(money, report.estimated),
            ]
            for name, tokens, money in sent_ways(report)
        ],
    )
    lines += ["## Formats", ""]
    lines += _table(
        ["Format", "Payloads", "Tokens", "vs compact JSON", "vs indented JSON", "Not come back"],
        [
            [
                markdown(label(name)),
                f"{total.payloads:,}",
                f"{about}{total.tokens:,}",
                signed(total.vs(COMPACT)),
                signed(total.vs(PRETTY)),
                f"{total.unproven:,}",
            ]
            for name, total in totals_by_format(report)
        ],
    )
    lines += ["## Recommendations, most saved first", ""]
    lines += _table(
        ["Group", "Payloads", "Recommended", "Tokens", "vs today", "in tokens"],
        [
            [
                markdown(row.group),
                f"{row.payloads:,}",
                markdown(label(row.format)) if row.switch else "leave as it is",
                f"{about}{row.tokens if row.switch else row.now:,}",
                signed(row.vs_now) if row.switch else "±0.0 %",
                signed_count(row.change) if row.switch else "±0",
            ]
            for row in analysis.policy.advice
        ],
    )
    return "\n".join(lines)


def markdown(text: str) -> str:
    """Text that Markdown shows as it is, in a cell too."""
    return re.sub(r"([\\`*_{}\[\]<>|#&~])", r"\\\1", re.sub(r"\s", " ", text))
