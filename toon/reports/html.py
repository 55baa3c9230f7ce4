"""The report as one HTML file with charts: it runs no script and loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from markupsafe import Markup

from toon import colours, wording
from toon.costs.choice import COMPACT
from toon.formats import label
from toon.layout.spans import KINDS
from toon.reports import charts
from toon.reports.facts import Report, assumed, day
from toon.reports.figures import (
    bar_range,
    group_changes,
    groups_left_out,
    largest_groups,
    smaller_groups,
    spread_words,
    untimed,
    why_apart,
)
from toon.reports.templates import render
from toon.wording import capitalised, signed_count, signed_percent

#: Groups that a chart draws; the table below it has them all.
DRAWN: Final = 25

_SAVINGS: Final = {"saves": "fewer tokens", "costs": "more tokens"}
_APART: Final = {"apart": "a format that is not recommended"}

#: The colour of each bar that is no kind of text, by its class.
_FILLS: Final = {
    "saves": colours.SAVES,
    "costs": colours.COSTS,
    "apart": colours.GREY,
    "today": colours.TODAY,
}


@dataclass(frozen=True, slots=True)
class _Chart:
    """A chart with its title, its key (words by style) and a note below it."""

    title: str
    drawing: Markup  # SVG, in which :mod:`.charts` has escaped the texts
    key: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def as_html(report: Report) -> str:
    """The report as a page that opens offline and runs nothing. Every value in it is escaped."""
    return render(
        "report.html.jinja",
        report,
        autoescape=True,
        palette=_palette,
        fills=(*_FILLS, *KINDS),
        groups=_groups(report),
        kinds=_kinds(report),
        spread=_spread(report),
        series=_series(report),
    )


def _palette(mode: Literal["light", "dark"]) -> str:
    """The colours of figures and bars on a theme, as variables of CSS."""
    figures = {"gain": colours.SAVES_TEXT[mode], "loss": colours.COSTS_TEXT[mode]}
    kinds = dict(zip(KINDS, colours.KINDS[mode], strict=True))
    return " ".join(f"--{name}: {text};" for name, text in (figures | _FILLS | kinds).items())


def _styles(report: Report) -> tuple[tuple[str, str], Mapping[str, str]]:
    """The styles of savings and losses, and their key; grey for a format that stands apart."""
    if report.analysis.apart:
        return ("apart", "apart"), _APART
    return ("saves", "costs"), _SAVINGS


def _note(report: Report, more: str) -> str:
    """A chart's note: the assumption, why its format stands apart, and more."""
    text = " ".join(filter(None, [assumed(report), why_apart(report.analysis), more]))
    return capitalised(text)


def _groups(report: Report) -> _Chart:
    """The chosen format against what is sent today, group by group."""
    choice = report.analysis.choice
    bars = [
        (
            change.group,
            change.tokens,
            f"{signed_count(change.tokens)} ({signed_percent(change.vs)})",
        )
        for change in group_changes(report.analysis, DRAWN)
    ]
    title = f"{label(choice.format)} against {label(choice.now)}, tokens by group"
    styles, key = _styles(report)
    note = _note(report, groups_left_out(report.analysis, len(bars)))
    return _Chart(title, Markup(charts.signed_bars(title, bars, styles)), key, note)


def _kinds(report: Report) -> _Chart:
    """The tokens of compact JSON by kind of text and group, the largest groups first."""
    bars = largest_groups(report.analysis, DRAWN)
    title = f"Where the tokens go: {label(COMPACT)} by kind of text"
    note = smaller_groups(report.analysis, len(bars))
    svg = charts.stacked_bars(title, bars)
    return _Chart(
        title, Markup(svg), {kind: wording.KINDS[kind] for kind in report.analysis.kinds}, note
    )


def _spread(report: Report) -> _Chart | None:
    """How many payloads change by how much."""
    spread, choice = report.analysis.vs, report.analysis.choice
    if not spread.bars:
        return None
    (saves, costs), key = _styles(report)
    bars = [
        (bar_range(bar), float(bar.payloads), saves if bar.low < 0 else costs)
        for bar in spread.bars
    ]
    title = f"Single payloads: {label(choice.format)} against {label(choice.now)}"
    note = _note(report, spread_words(report))
    first, last = spread.bars[0], spread.bars[-1]
    end = bar_range(last) if last.high >= 1 else signed_percent(last.high)
    zero = sum(bar.low < 0 for bar in spread.bars)
    svg = charts.columns(title, bars, (signed_percent(first.low), end), zero)
    return _Chart(title, Markup(svg), key, note)


def _series(report: Report) -> _Chart | None:
    """Tokens over time, as sent today."""
    series = report.analysis.series
    if series is None:
        return None
    title = f"Tokens sent today, by {series.unit}"
    bars = [
        (f"{day(start)}: tokens", float(tokens), "today")
        for start, tokens in zip(series.starts, series.tokens["now"], strict=True)
    ]
    ends = day(series.starts[0]), day(series.starts[-1])
    note = untimed(series)
    return _Chart(title, Markup(charts.columns(title, bars, ends)), note=note)
