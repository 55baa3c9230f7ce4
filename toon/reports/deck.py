"""A measured log as five scenes: its cost, the dearest group, why, what to send, the saving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from toon.analysis.billed import ModelBill
from toon.costs.choice import COMPACT
from toon.costs.why import plain
from toon.drawing.bars import CLASSES
from toon.drawing.slides import (
    CELLS,
    NO_DISCOUNT,
    Scene,
    bar,
    columns,
    hundred,
    of_minifying,
    page,
    rows,
    slides,
)
from toon.formats import label
from toon.layout.spans import KINDS, VALUES
from toon.reports.billed import NO_MODEL, log_bills, spent
from toon.reports.facts import Report, assumed, headline, unpriced
from toon.reports.figures import named_ways, projected, switched
from toon.wording import (
    capitalised,
    count,
    dollars,
    listed,
    percent,
    plural,
    short_dollars,
    signed_percent,
)

#: Bars that a scene draws, and groups that a sentence names.
_DRAWN: Final = 5
_NAMED: Final = 3


def as_slides(report: Report, about: str) -> str:
    """The scenes as slides of HTML; ``about`` says what they are of."""
    return slides(scenes(report), about)


def as_deck(report: Report, about: str) -> str:
    """The scenes as an HTML page, which opens offline, runs nothing, and prints a slide a sheet."""
    return page(scenes(report), report.name, about)


def scenes(report: Report) -> Iterator[Scene]:
    """The scenes of a report: without money four, and one where there is nothing to compare."""
    yield _spent(report)
    if report.analysis.nothing:
        return
    yield from _dearest(report)
    yield _advice(report)
    yield from _saved(report)


def _spent(report: Report) -> Scene:
    """What was billed, else what a month of the payloads costs, else their tokens."""
    analysis = report.analysis
    now = analysis.ways["now"]
    bills = [bill for bill in log_bills(report) if bill.dollars]
    if bill := spent(report):
        whole = sum((each.dollars or Decimal(0) for each in bills), Decimal(0))
        title, figure, words = "What was spent, as it was billed", dollars(whole), bill[1]
    elif analysis.monthly is None:
        title, figure = "What these payloads take today", plural(round(now.cost), "token")
        words = f"{_payloads(report)}. {unpriced(analysis)}".strip()
    else:
        title, figure = "What these payloads cost a month", dollars(now.dollars)
        words = f"{capitalised(_month(report))}."
    return {
        "title": title,
        "figure": figure,
        "saves": False,
        "words": words if analysis.nothing is None else f"{words} {analysis.nothing}.",
        "drawing": _models(bills) if bill else _kinds(report),
    }


def _models(bills: Sequence[ModelBill]) -> str:
    """What was billed by model, as bars on one scale."""
    costs = [(bill.model or NO_MODEL, bill.dollars or Decimal(0)) for bill in bills[:_DRAWN]]
    most = max(cost for _, cost in costs)
    return rows((model, bar(dollars(cost), float(cost / most))) for model, cost in costs)


def _kinds(report: Report) -> str:
    """The tokens of all payloads as minified JSON, by kind."""
    kinds = [float(report.analysis.kinds[kind].sum()) for kind in KINDS]
    whole = sum(kinds) or 1
    pieces = "".join(
        f'<span class="{style}" style="width:{100 * tokens / whole:.3f}%">{count(tokens)}</span>'
        for style, tokens in zip(CLASSES, kinds, strict=False)
        if tokens
    )
    used = [tokens > 0 for tokens in kinds]
    return rows([(capitalised(label(COMPACT)), f'<div class="strip">{pieces}</div>')], used)


def _dearest(report: Report) -> Iterator[Scene]:
    """The group of most tokens today, and what they are."""
    analysis = report.analysis
    costs = analysis.sums.columns[analysis.choice.now].cost
    place = int(np.argmax(costs))
    group, whole = analysis.sums.groups[place], float(costs.sum()) or 1
    payloads = plural(int(analysis.sums.payloads[place]), "payload")
    most = float(costs[place]) or 1
    bars = (
        (
            analysis.sums.groups[each],
            bar(count(costs[each]), costs[each] / most, marked=each == place),
        )
        for each in np.argsort(-costs, kind="stable")[:_DRAWN]
    )
    yield {
        "title": f"The most expensive: {group}",
        "figure": percent(float(costs[place]) / whole),
        "saves": False,
        "words": f"{count(costs[place])} of {count(whole)} tokens, in {payloads}.",
        "drawing": rows(bars),
    }
    kinds = [float(analysis.kinds[kind][place]) for kind in KINDS]
    if not sum(kinds):
        return
    values = round(CELLS * kinds[VALUES] / sum(kinds))
    yield {
        "title": f"Why: how many of its tokens are data, as {label(COMPACT)}",
        "figure": f"{values} of {CELLS}",
        "saves": False,
        "words": f"The other {CELLS - values} are names and punctuation, paid with every payload.",
        "drawing": hundred(kinds),
    }


def _advice(report: Report) -> Scene:
    """What to send."""
    analysis = report.analysis
    ways = [(name, way) for name, way in named_ways(report) if way is not _aside(report)]
    most, switches = max(way.cost for _, way in ways) or 1, analysis.policy.switches
    named = listed((f"{each.group} → {plain(each.format)}" for each in switches), _NAMED)
    return {
        "title": switched(report) if switches else headline(report),
        "figure": signed_percent(analysis.ways["mix"].vs_now),
        "saves": bool(switches),
        "words": f"{named}; {assumed(report)}" if switches else capitalised(assumed(report)),
        "drawing": rows(
            (name, bar(count(way.cost), way.cost / most, marked=way is analysis.ways["mix"]))
            for name, way in ways
        ),
    }


def _saved(report: Report) -> Iterator[Scene]:
    """What that saves; nothing where nothing is saved or there is no money."""
    ways = report.analysis.ways
    saved = report.saved(ways["mix"].dollars)
    if not report.analysis.policy.switches or not saved or saved <= 0:
        return
    levels = [
        (name, dollars(way.dollars), float(way.dollars or 0))
        for name, way in named_ways(report)
        if way is not _aside(report)
    ]
    minified = report.saved(ways["compact"].dollars) if "compact" in ways else None
    is_step = minified is not None and 0 < minified <= saved
    of_it = of_minifying(dollars(saved), dollars(minified) if is_step else "")
    yield {
        "title": f"Saved: {dollars(saved)} a month",
        "figure": f"{short_dollars(12 * saved)} a year",
        "saves": True,
        "words": f"{of_it} {capitalised(_month(report))}.".strip(),
        "drawing": columns(levels),
    }


def _aside(report: Report) -> object:
    """The way that is compared beside the ladder, if there is one."""
    return report.analysis.ways.get("format")


def _payloads(report: Report) -> str:
    return plural(report.analysis.payloads, "payload")


def _month(report: Report) -> str:
    """What money assumes: the payloads a month, the model, and no discount."""
    analysis = report.analysis
    model = analysis.choice.model
    at = f" with {model.label}" if model else ""
    payloads = plural(round(analysis.monthly or 0), "payload")
    short = projected(report)
    return f"input of {payloads} a month{at}{short}, {NO_DISCOUNT}"
