"""The dashboard's tabs Tools, Time and Definitions: charts and sections of the savings report."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from pages.parts.dashboard.choices import DATES
from pages.parts.faults import guard
from pages.parts.markdown import escape_markdown
from pages.parts.static import Card, draw_cards, draw_details
from pages.parts.tables import draw_table
from toon.analysis import analyse
from toon.analysis.analysis import Way
from toon.colours import sign_name
from toon.costs.worth import COMPACT
from toon.formats import vs_label
from toon.reports.billed import billed_cost
from toon.reports.charts import Chart, styles
from toon.reports.facts import Report, Section, assumption, caveats, day, no_price, no_rate
from toon.reports.figures import flip_words, has_month, list_ways, projection_words
from toon.reports.html import changes_by_group, kinds_by_group, tokens_over_time
from toon.reports.noted import sections
from toon.wording import BADGES, capitalised, dollars, duration, plural, signed_percent

#: The most lines of a table that stands in text; a longer one scrolls.
_FEW_LINES: Final = 30
#: Seconds of a day: calls within one day are not compared.
_DAY: Final = 86_400.0
_AGAINST: Final = vs_label(COMPACT)


def draw_chart(chart: Chart | None) -> None:
    """Draw one chart of the savings report, with title and note; nothing if ``chart`` is None."""
    if chart is None:
        return
    st.subheader(escape_markdown(chart.title), anchor=False)
    st.html(f"<style>{styles()}</style>{chart.html}")
    if chart.note:
        st.caption(escape_markdown(chart.note))


def _draw_section(section: Section) -> None:
    st.markdown("\n".join(f"- {escape_markdown(text)}" for text in section.words))
    for place, (title, lines) in enumerate(section.tables):
        st.subheader(title, anchor=False)
        names = list(dict.fromkeys(name for line in lines for name in line))
        counts, percents = (
            [name for name in names if any(isinstance(line.get(name), kind) for line in lines)]
            for kind in (int, float)
        )
        draw_table(
            lines,
            f"dashboard_{section.key}_{place}" if len(lines) > _FEW_LINES else "",
            counts=counts,
            percents=percents,
            alt=f"{section.title}, {title.lower()}.",
        )


def draw_time(report: Report) -> None:
    """Draw what a log was billed by model, day and so on, its tokens over time, and changes."""
    by_key = sections(report)
    if "bill" in by_key:
        _draw_section(by_key["bill"])
    else:
        st.caption("This log names no usage, so nothing is said as billed.")
    if "spent" in by_key:
        tables = dict(by_key["spent"].tables)
        chosen = st.segmented_control(
            "As billed",
            list(tables),
            default=next(iter(tables)),
            required=True,
            key="dashboard_billed_by",
        )
        _draw_section(by_key["spent"]._replace(tables=[(chosen, tables[chosen])]))
    if not report.analysis.payloads:
        return
    if report.analysis.series is None:
        st.caption("These payloads carry no times.")
    draw_chart(tokens_over_time(report))
    times = report.analysis.rows.time[report.analysis.selected.measured]
    if np.isnan(times).all() or np.nanmax(times) - np.nanmin(times) < _DAY:
        return
    day = st.date_input(
        "Compare the tools before a day and since", None, *DATES, key="dashboard_since", width=300
    )
    if isinstance(day, date):
        _draw_section(sections(_split(report, day))["compared"])


def _split(report: Report, day: date) -> Report:
    """Return a report of a log's calls since ``day`` (UTC), compared with the calls before."""
    choice, moment = report.analysis.choice, datetime(day.year, day.month, day.day, tzinfo=UTC)
    start = moment.timestamp()
    own, end = choice.filter, float(np.nextafter(start, 0))
    until = end if own.until is None else min(end, own.until)
    before = replace(choice, filter=replace(own, until=until))
    start = start if own.since is None else max(start, own.since)
    since = replace(choice, filter=replace(own, since=start))
    earlier, later = (analyse(report.analysis.rows, part) for part in (before, since))
    return Report(
        report.name, later, report.made, Report(f"the calls before {day}", earlier, report.made)
    )


def draw_definitions(report: Report) -> None:
    """Draw what the tool definitions in a log's prompts cost, and which tools were never called."""
    if section := sections(report).get("fixed"):
        _draw_section(section)
    else:
        st.caption("This log holds no definitions of tools.")


def draw_tools(report: Report) -> None:
    """Draw what a log's payloads cost in each way to send them, changes by tool, and caveats."""
    if report.analysis.payloads and not report.analysis.nothing:
        basis = projection_words(report) if _is_in_money(report) else ""
        words = capitalised(assumption(report)), basis and f"Money is {basis}."
        st.caption(escape_markdown(" ".join(filter(None, words))))
        widest = max(map(partial(_bar_length, report), report.analysis.ways.values())) or 1
        draw_cards((_make_card(report, *way, widest) for way in list_ways(report)), "falls")
        selected = report.analysis.selected
        bad, skipped = selected.bad.size, selected.skipped.size
        notes = (
            f"{skipped:,} skipped: no JSON payload" if skipped else "",
            "" if billed_cost(report) else _describe_rate(report),
        )
        payloads = Card(
            "Payloads",
            f"{report.analysis.payloads:,}",
            plural(bad, "bad record"),
            "orange" if bad else "gray",
            tuple(filter(None, notes)),
        )
        draw_cards([payloads], "facts")
        draw_chart(changes_by_group(report))
        guard(lambda: draw_chart(kinds_by_group(report)))()  # of columns that are read here alone
    lines = [*caveats(report), *filter(None, [flip_words(report)])]
    draw_details(plural(len(lines), "caveat"), lines)


def _is_in_money(report: Report) -> bool:
    """Return whether to show money a month: the calls a month were given, or could be observed."""
    return has_month(report) or report.analysis.choice.monthly is not None


def _bar_length(report: Report, way: Way) -> float:
    """Return a bar's length for a way to send payloads: money or tokens; 0 if it omits some."""
    if not way.carries_all:
        return 0.0
    if report.analysis.ways["now"].dollars is None or not _is_in_money(report):
        return way.cost
    return float(way.dollars or 0)


def _make_card(report: Report, name: str, way: Way, widest: float) -> Card:
    """Return a card on one way to send all payloads: its money or tokens, its change from today."""
    now = report.analysis.ways["now"]
    change = None if way is now else way.vs_now
    words = "sent today" if way is now else "leaves payloads out"
    tokens, end = plural(round(way.cost), "token"), _bar_length(report, way)
    figure = tokens if way.carries_all else "not possible"
    is_in_money = way.dollars is not None and _is_in_money(report)
    if is_in_money:
        figure = f"{dollars(way.dollars)} a month"
    return Card(
        name,
        figure,
        words if change is None else signed_percent(change),
        sign_name(None if way.apart else change),
        tuple(_list_notes(report, way)),
        f"{tokens} measured" if is_in_money else "",
        (end / widest, _bar_length(report, now) / widest) if end else None,
    )


def _list_notes(report: Report, way: Way) -> Iterator[str]:
    """Yield notes on one way to send all payloads: what it saves, or why it has no price."""
    analysis = report.analysis
    ways, steps = analysis.ways, list(analysis.ways.values())
    # A mix that leaves much as it is may be no step down.
    is_down = way.step is not None and way.step <= 0
    before = steps[steps.index(way) - 1] if is_down else steps[0]
    if not way.carries_all:
        total = analysis.sums.total(analysis.choice.format)
        vs = signed_percent(total.change(COMPACT))
        yield f"carries {plural(total.payloads, 'payload')}: {vs} {_AGAINST} on those"
    elif _is_in_money(report) and (saving := report.change(report.saving(way.dollars))):
        if way is ways.get("compact"):
            yield f"{saving} by minifying: any JSON library does that"
        elif before is ways["now"]:
            yield saving
        else:
            words = report.change(report.saving(way.dollars, before)).partition(" ")[2]
            yield f"{saving}, {words or 'nothing'} of it by the formats"
    if way.apart:
        yield f"{BADGES['not-recommended']}, so no money: {way.apart}"
    elif analysis.monthly is None and not no_price(analysis):
        yield "rate unknown"


def _describe_rate(report: Report) -> str:
    """Return words on how many payloads a month the figures assume: given, or observed in a log."""
    rate, given = report.analysis.rate, report.analysis.choice.monthly
    if given is not None:
        return f"{given:,} a month, as given"
    if rate is None:
        return f"{no_rate(report.analysis)}: give the payloads a month"
    return (
        f"{rate.monthly:,.0f} a month, observed over {duration(rate.window)}: "
        f"{day(rate.first)} to {day(rate.last)} UTC"
    )
