"""Every limit on what a report's figures mean, in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from toon.analysis import Analysis
from toon.analysis.money import SHORT_WINDOW
from toon.formats import label
from toon.reports.facts import Report, describe, tokenizer_label
from toon.wording import duration, plural


def caveats(report: Report) -> list[str]:
    """Return every limit on what the figures mean, the most serious first."""
    return [
        *_caveats_of_rows(report),
        *_caveats_of_money(report.analysis),
    ]


def _caveats_of_rows(report: Report) -> Iterable[str]:
    analysis = report.analysis
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


def _caveats_of_money(analysis: Analysis) -> Iterable[str]:
    if analysis.monthly is None:
        return
    yield (
        "Money covers the input tokens of the payloads alone: each is sent once, uncached, and "
        f"priced as one call. {analysis.explaining.paid}"
    )
    if analysis.choice.logged:
        yield from _caveats_of_logged(analysis)
    rate = analysis.rate
    if analysis.choice.monthly is not None or rate is None:
        return
    if window := short_window(analysis):
        yield f"The month is projected from a window of only {window}."
    if untimed := analysis.payloads - rate.timed:
        yield f"The observed rate leaves out {plural(untimed, 'payload')} without a time."


def short_window(analysis: Analysis) -> str:
    """Return the window that a month is projected from, ``87 minutes``; "" if it is not short."""
    rate = analysis.rate if analysis.choice.monthly is None else None
    if analysis.monthly is None or rate is None or rate.window >= SHORT_WINDOW:
        return ""
    return duration(rate.window)


def _caveats_of_logged(analysis: Analysis) -> Iterable[str]:
    priced = sum(named.payloads for named in analysis.priced)
    if rest := analysis.payloads - priced:
        yield (
            f"Each payload has the price of the model that its record names; {rest:,} of "
            f"{plural(analysis.payloads, 'payload')} name none that is priced and counted by "
            f"{analysis.choice.tokenizer}, and have no part in the money."
        )
