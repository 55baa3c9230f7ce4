"""Every limit on what a report's figures mean, in sentences."""

from collections.abc import Iterator

from toon.analysis import Analysis
from toon.analysis.money import SHORT_WINDOW
from toon.formats import label
from toon.reports.facts import Report, describe, tokenizer_label
from toon.wording import duration, plural


def caveats(report: Report) -> list[str]:
    """Return a sentence for each limit on what a report's figures mean, the most serious first."""
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
        f"priced as one call. {analysis.explaining.paid}"
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
    """Return the span of time that a log's monthly rate is observed in, such as ``87 minutes``, if
    that is less than a week; else, or where the report has no money of a month, return "".
    """
    rate = analysis.rate if analysis.choice.monthly is None else None
    if analysis.monthly is None or rate is None or rate.window >= SHORT_WINDOW:
        return ""
    return duration(rate.window)
