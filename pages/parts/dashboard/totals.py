"""What to do and what that saves a month: the answer, and its waterfall of money."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from html import escape
from typing import Final

import streamlit as st

from pages.parts.dashboard.opened import Opened
from pages.parts.markdown import escape_markdown
from pages.parts.static import Card, draw_cards, draw_details
from toon.analysis.analysis import Way
from toon.colours import sign_name
from toon.costs.choice import COMPACT
from toon.errors import RunError
from toon.formats import versus
from toon.reports.billed import spent
from toon.reports.caveats import caveats
from toon.reports.csv import as_csv
from toon.reports.deck import as_deck
from toon.reports.facts import Report, advised, day, no_rate, unpriced
from toon.reports.figures import act, named_ways, projected
from toon.reports.html import as_html
from toon.reports.markdown import as_markdown
from toon.wording import BADGES, dollars, duration, plural, signed_percent

_AGAINST: Final = versus(COMPACT)


def draw_totals(opened: Opened, report: Report) -> None:
    """What was spent, what to do and what that saves; below it the waterfall and the caveats."""
    if bill := spent(report):
        st.header(escape_markdown(bill[0]), anchor=False)
        st.caption(escape_markdown(bill[1]))
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.header(escape_markdown(act(report)), anchor=False)
        _draw_download(opened, report)
    analysis = report.analysis
    basis = "" if analysis.policy.switches or analysis.monthly is None else projected(report)
    said = advised(report), unpriced(analysis)
    st.caption(" ".join(filter(None, [*said, basis and f"Money:{basis[1:]}."])))
    widest = max(map(partial(_size, report), analysis.ways.values())) or 1
    draw_cards((_way(report, *named, widest) for named in named_ways(report)), "falls")
    draw_cards([_payloads(report)], "facts")
    _draw_caveats(report)


def draw_nothing(report: Report) -> None:
    """The one sentence about payloads that no format writes differently."""
    st.info(f"{report.analysis.nothing}.")
    _draw_caveats(report)


def _draw_caveats(report: Report) -> None:
    found = caveats(report)
    draw_details(plural(len(found), "caveat"), found)


def _payloads(report: Report) -> Card:
    """How many payloads the figures are about, and how many they leave out."""
    selected = report.analysis.selected
    skipped = f"{selected.skipped.size:,} skipped: no JSON payload" if selected.skipped.size else ""
    return Card(
        "Payloads",
        f"{report.analysis.payloads:,}",
        plural(selected.bad.size, "bad record"),
        "orange" if selected.bad.size else "gray",
        tuple(filter(None, (skipped, _rate(report)))),
    )


def _size(report: Report, way: Way) -> float:
    """How long the bar of a way is: its money, where that of today is known, else its tokens."""
    if not way.carries_all:
        return 0.0
    if report.analysis.ways["now"].dollars is None:
        return way.cost
    return float(way.dollars or 0)


def _way(report: Report, name: str, way: Way, widest: float) -> Card:
    """One way to send everything: its price, its change from today, and what that depends on."""
    now, before = report.analysis.ways["now"], _before(report, way)
    change = None if way is now else way.vs_now
    words = "sent today" if way is now else "leaves payloads out"
    tokens, end = plural(round(way.cost), "token"), _size(report, way)
    figure = tokens if way.carries_all else "not possible"
    if way.dollars is not None:
        figure = f"{dollars(way.dollars)} a month"
    return Card(
        name,
        figure,
        words if change is None else signed_percent(change),
        sign_name(None if way.apart else change),
        tuple(_below(report, way, before)),
        "" if way.dollars is None else f"{tokens} measured",
        (end / widest, _size(report, before) / widest) if end else None,
    )


def _before(report: Report, way: Way) -> Way:
    """The way that a step down is from; a mix that leaves much as it is may be none."""
    ways = list(report.analysis.ways.values())
    is_down = way.step is not None and way.step <= 0
    return ways[ways.index(way) - 1] if is_down else ways[0]


def _below(report: Report, way: Way, before: Way) -> Iterator[str]:
    """What stands below a way's bar: what it saves by what, or why it has no money."""
    analysis = report.analysis
    ways = analysis.ways
    if not way.carries_all:
        total = analysis.sums.total(analysis.choice.format)
        vs = signed_percent(total.vs(COMPACT))
        yield f"carries {plural(total.payloads, 'payload')}: {vs} {_AGAINST} on those"
    elif saving := report.change(report.saved(way.dollars)):
        if way is ways.get("compact"):
            yield f"{saving} by minifying: any JSON library does that"
        elif before is ways["now"]:
            yield saving
        else:
            words = report.change(report.saved(way.dollars, before)).partition(" ")[2]
            yield f"{saving}, {words or 'nothing'} of it by the formats"
    if way.apart:
        yield f"{BADGES['not-recommended']}, so no money: {way.apart}"
    elif analysis.monthly is None and not unpriced(analysis):
        yield "rate unknown"


def _rate(report: Report) -> str:
    """The payloads a month, and whether that rate was given or observed."""
    rate, given = report.analysis.rate, report.analysis.choice.monthly
    if given is not None:
        return f"{given:,} a month, as given"
    if rate is None:
        return f"{no_rate(report.analysis)}: give the payloads a month"
    return (
        f"{rate.monthly:,.0f} a month, observed over {duration(rate.window)}: "
        f"{day(rate.first)} to {day(rate.last)} UTC"
    )


# -- the report as files ----------------------------------------------------------------------


def _draw_download(opened: Opened, report: Report) -> None:
    """The button beside the answer: the whole report as one page."""
    st.download_button(
        "Download report",
        partial(_page, report),
        f"savings-{_stem(opened.name)}.html",
        "text/html",
        key="dashboard_download_report",
        on_click="ignore",
        help="An HTML page with every figure and caveat. It opens offline and runs no scripts.",
    )


def _page(report: Report) -> str:
    """The report; of a run that turns out to be damaged, why there is none.

    Reading all of a run before somebody presses would cost every visit of the page.
    """
    try:
        return as_html(report)
    except RunError as error:
        return f"<!doctype html><title>No report</title><p>{escape(str(error))}.</p>"


def draw_downloads(opened: Opened, report: Report) -> None:
    """A button for each file, which is written when the button is pressed.

    What the files need of the run is read before: a press that fails says nothing of why.
    """
    dict(opened.rows.kinds)
    st.header("Report", anchor=False)
    st.caption(
        "What is shown above, filters included, with every caveat.",
        help="The HTML page opens offline and runs no scripts. The run opens here, in pandas or in "
        "DuckDB.",
    )
    forms = (
        ("HTML", "html", "text/html", lambda: as_html(report)),
        ("Markdown", "md", "text/markdown", lambda: as_markdown(report)),
        ("Slides", "slides.html", "text/html", lambda: as_deck(report, opened.about)),
        ("CSV", "csv", "text/csv", lambda: as_csv(report)),
        ("Run (.parquet)", "parquet", "application/vnd.apache.parquet", opened.path.read_bytes),
    )
    with st.container(horizontal=True):
        for title, ending, mime, data in forms:
            st.download_button(
                title,
                data,
                f"savings-{_stem(opened.name)}.{ending}",
                mime,
                key=f"dashboard_download_{ending.partition('.')[0]}",
                on_click="ignore",
            )


def _stem(name: str) -> str:
    """What a file about the run of this name is called, without its ending."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name.partition(".")[0]).strip("-") or "run"
