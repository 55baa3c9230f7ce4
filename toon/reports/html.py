"""The report as one HTML file with charts: it runs no script and loads nothing."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from toon import colours, wording
from toon.costs.worth import COMPACT
from toon.formats import label
from toon.reports import charts
from toon.reports.charts import Chart
from toon.reports.facts import Report, day
from toon.reports.figures import bar_range
from toon.reports.templates import render
from toon.values.fractions import fraction
from toon.wording import BADGES, plural, signed_count, signed_percent

#: Groups that a chart draws; a table has them all.
DRAWN: Final = 25

_SAVINGS: Final = {"saves": "fewer tokens", "costs": "more tokens"}
_APART: Final = {"apart": "a format that is not recommended"}


def as_html(report: Report) -> str:
    """Write a report as an HTML page that opens offline and runs no script; values are escaped."""
    return render(
        "report.html.jinja",
        report,
        autoescape=True,
        palette=colours.css_variables(),
        chart_styles=charts.styles(),
        groups=changes_by_group(report),
        kinds=kinds_by_group(report),
        spread=spread_of_payloads(report),
        series=tokens_over_time(report),
    )


def _styles(report: Report) -> tuple[tuple[str, str], Mapping[str, str]]:
    """Return the CSS classes of savings and losses in charts, and their key; both are grey if the
    chosen format is not recommended.
    """
    if report.analysis.apart:
        return ("apart", "apart"), _APART
    return ("saves", "costs"), _SAVINGS


def changes_by_group(report: Report, limit: int = DRAWN) -> Chart:
    """Draw by how many tokens the chosen format differs from today's, a bar a group, for groups
    that it carries completely; of more than ``limit``, the largest savings and losses.
    """
    sums, choice = report.analysis.sums, report.analysis.choice
    carried = sums.columns[choice.format].carried == sums.payloads
    costs, now = (sums.columns[name].cost.tolist() for name in (choice.format, choice.now))
    changes = sorted(
        (cost - today, group, fraction(cost, today))
        for cost, today, group, carries in zip(costs, now, sums.groups, carried, strict=True)
        if carries
    )
    losses = [change for change in changes[-(limit // 2) :] if change[0] > 0]
    shown = [*changes[: limit - len(losses)], *losses] if len(changes) > limit else changes
    bars = [
        (group, tokens, f"{signed_count(tokens)} ({signed_percent(vs)})")
        for tokens, group, vs in shown
    ]
    notes = []
    if reason := report.analysis.apart:
        notes.append(f"{label(choice.format)} is {BADGES['not-recommended']}: {reason}.")
    if small := len(changes) - len(shown):
        notes.append(f"Left out: {plural(small, 'group')} with smaller changes.")
    if partial := int((~carried).sum()):
        groups = plural(partial, "group")
        left_out = f"{groups} in which {label(choice.format)} cannot carry every payload"
        notes.append(f"Left out: {left_out}.")
    title = f"{label(choice.format)} against {label(choice.now)}, tokens by group"
    styles, key = _styles(report)
    return Chart(title, charts.signed_bars(bars, styles), key, " ".join(notes))


def kinds_by_group(report: Report) -> Chart:
    """Draw the tokens of each group as minified JSON, by kind of text, the largest groups first."""
    kinds, groups = report.analysis.kinds, report.analysis.sums.groups
    places = np.argsort(-np.sum(list(kinds.values()), axis=0), kind="stable")[:DRAWN]
    bars = [
        (groups[place], {kind: float(tokens[place]) for kind, tokens in kinds.items()})
        for place in places
    ]
    title = f"Where the tokens go: {label(COMPACT)} by kind of text"
    key = {kind: wording.KINDS[kind] for kind in kinds}
    rest = len(groups) - len(bars)
    note = f"Left out: {plural(rest, 'group')} with fewer tokens." if rest else ""
    return Chart(title, charts.stacked_bars(bars), key, note)


def spread_of_payloads(report: Report) -> Chart | None:
    """Draw how many payloads take how many per cent more or fewer tokens in the chosen format than
    today; None if none can be compared.
    """
    spread, choice = report.analysis.vs, report.analysis.choice
    if not spread.bars:
        return None
    (saves, costs), key = _styles(report)
    bars = [
        (bar_range(bar), float(bar.payloads), saves if bar.low < 0 else costs)
        for bar in spread.bars
    ]
    title = f"Single payloads: {label(choice.format)} against {label(choice.now)}"
    first, last = spread.bars[0], spread.bars[-1]
    end = bar_range(last) if last.high >= 1 else signed_percent(last.high)
    drawing = charts.columns(bars, (signed_percent(first.low), end))
    low, lower, middle, upper, high = map(signed_percent, spread.quantiles)
    note = (
        f"{plural(spread.fewer, 'payload takes', 'payloads take')} fewer tokens, "
        f"{spread.same:,} as many, {spread.more:,} more. Median {middle}; "
        f"half lie between {lower} and {upper}, nine in ten between {low} and {high}."
    )
    return Chart(title, drawing, key, note)


def tokens_over_time(report: Report) -> Chart | None:
    """Draw the tokens of a log as sent today over time; None where no payload has a time."""
    series = report.analysis.series
    if series is None:
        return None
    title = f"Tokens sent today, by {series.unit}"
    bars = [
        (f"{day(start)}: tokens", float(tokens), "today")
        for start, tokens in zip(series.starts, series.tokens, strict=True)
    ]
    drawing = charts.columns(bars, (day(series.starts[0]), day(series.starts[-1])))
    untimed = series.untimed and f"{plural(series.untimed, 'payload')} without a time."
    return Chart(title, drawing, note=untimed or "")
