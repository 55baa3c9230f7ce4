"""The report as one HTML file: no script, nothing loaded from anywhere, charts included."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from toon.corpus.measuring import COMPACT
from toon.corpus.report import charts
from toon.corpus.report.facts import (
    PRETTY,
    Report,
    bar_range,
    caveats,
    day,
    dollars,
    facts,
    groups_left_out,
    headline,
    label,
    sent_ways,
    signed,
    signed_count,
    some,
    totals_by_format,
)
from toon.values.fractions import fraction

#: Groups that a chart draws; the table below it has them all.
DRAWN: Final = 25
#: Characters of a group's name in a table.
_LONGEST: Final = 200

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1b2430; --paper: #fff; --quiet: #5d6978;
  --line: #d5dbe3; --panel: #f4f6f8; --saves: #2f7fb8; --costs: #c9541e;
  --names: #0072b2; --punctuation: #e69f00; --whitespace: #9aa5b1; --values: #00875f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf2; --paper: #12161c; --quiet: #9aa7b8;
  --line: #343d4a; --panel: #1b212a; --saves: #4aa8e8; --costs: #f58a55;
  --names: #4aa8e8; --punctuation: #f2b134; --whitespace: #7d8896; --values: #3ecf9c; } }
@media print { body { max-width: none !important; } h2 { break-after: avoid; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 58rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.3; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
.wide { overflow-x: auto; }
th, td { text-align: right; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem;
  overflow-wrap: anywhere; }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere;
  padding: 0.12rem 0.6rem; }
.facts td:first-child { color: var(--quiet); width: 11rem;
  min-width: 7rem; }
.caveats { background: var(--panel); border-left: 4px solid var(--costs);
  padding: 0.6rem 1rem 0.6rem 2rem; }
.loss { color: var(--costs); font-weight: 700; } .gain { color: var(--saves); }
.note { color: var(--quiet); font-size: 0.9rem; }
.key span { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em; }
svg { width: 100%; height: auto; min-width: 38rem; }
text { font: 12px system-ui, sans-serif; fill: var(--ink); }
text.quiet { fill: var(--quiet); } .axis { stroke: var(--quiet); stroke-width: 1; }
.saves { fill: var(--saves); background: var(--saves); }
.costs { fill: var(--costs); background: var(--costs); }
.today { fill: var(--names); }
.names { fill: var(--names); background: var(--names); }
.punctuation { fill: var(--punctuation); background: var(--punctuation); }
.whitespace { fill: var(--whitespace); background: var(--whitespace); }
.values { fill: var(--values); background: var(--values); }
"""

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def as_html(report: Report) -> str:
    """The report as a page that opens offline and runs nothing."""
    title = f"Token savings: {report.name}"
    sections = [
        f"<h1>{escape(headline(report))}</h1>",
        _facts(report),
        _ways(report),
        _groups(report),
        _advice(report),
        _formats(report),
        _kinds(report),
        _spread(report),
        _series(report),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(filter(None, sections))
        + "\n</body></html>\n"
    )


def _table(head: list[str], lines: Iterable[list[str]], style: str = "") -> str:
    """Cells are HTML already."""
    top = f"<tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
    return _wide(f'<table class="{style}">{top}{body}</table>')


def _wide(html: str) -> str:
    """What may be wider than a small screen, to be moved sideways there."""
    return f'<div class="wide">{html}</div>'


def _signed(value: float | None) -> str:
    style = "" if not value else "loss" if value > 0 else "gain"
    return f'<span class="{style}">{signed(value)}</span>'


def _count(report: Report, tokens: float | None) -> str:
    if tokens is None:
        return "–"
    return f"{'≈ ' if report.estimated else ''}{tokens:,.0f}"


def _facts(report: Report) -> str:
    warned = "".join(f"<li>{escape(text)}</li>" for text in caveats(report))
    known = _table([], [[escape(name), escape(value)] for name, value in facts(report)], "facts")
    return f'{known}<h2>Caveats</h2><ul class="caveats">{warned}</ul>'


def _ways(report: Report) -> str:
    now, compact = report.analysis.policy.now, report.analysis.policy.compact
    lines = []
    for name, tokens, money in sent_ways(report):
        shares = [None if tokens is None else fraction(tokens, base) for base in (now, compact)]
        cells = [escape(name), _count(report, tokens), *map(_signed, shares)]
        worth = dollars(money, report.estimated) if report.analysis.bill else "–"
        lines.append([*cells, worth])
    head = ["Everything sent as", "Tokens", "vs today", "vs compact JSON", "US$ a month"]
    return "<h2>Ways to send it</h2>" + _table(head, lines)


def _groups(report: Report) -> str:
    """The chosen format against what is sent today, group by group."""
    found, choice = report.analysis.sums, report.analysis.choice
    column, now = found.columns[choice.format], found.columns[choice.now]
    whole = [
        (float(column.tokens[place] - now.tokens[place]), group, float(now.tokens[place]))
        for place, group in enumerate(found.groups)
        if column.carried[place] == found.payloads[place]
    ]
    drawn = _extremes(sorted(whole))
    bars = [
        (group, change, f"{signed_count(change)} ({signed(change / base if base else None)})")
        for change, group, base in drawn
    ]
    title = _told(f"{label(choice.format)} against {label(choice.now)}, tokens by group", report)
    note = _note(groups_left_out(report.analysis, len(bars)))
    return f"<h2>{escape(title)}</h2>{_KEY}{_wide(charts.signed_bars(title, bars))}{note}"


def _told(title: str, report: Report) -> str:
    """A chart's title, which marks its figures where they are estimates."""
    return f"{title} (≈ estimates)" if report.estimated else title


def _note(text: str) -> str:
    return f'<p class="note">{escape(text)}</p>' if text else ""


_KEY: Final = (
    '<p class="note key"><span class="saves"></span>fewer tokens'
    '<span class="costs"></span>more tokens</p>'
)


def _extremes(ordered: list[tuple[float, str, float]]) -> list[tuple[float, str, float]]:
    """The largest savings and the largest losses, where there are too many to draw."""
    if len(ordered) <= DRAWN:
        return ordered
    losses = [entry for entry in ordered[-(DRAWN // 2) :] if entry[0] > 0]
    return [*ordered[: DRAWN - len(losses)], *losses]


def _advice(report: Report) -> str:
    lines = [
        [
            _name(row.group),
            _signed(row.vs_now if row.switch else 0.0),
            escape(label(row.format)) if row.switch else "leave as it is",
            _count(report, row.now),
            _count(report, row.tokens if row.switch else row.now),
            f"{row.payloads:,}",
        ]
        for row in report.analysis.policy.advice
    ]
    head = ["Group", "Change", "Recommended", "Tokens today", "Tokens then", "Payloads"]
    note = (
        "The cheapest lossless format with a public library that every payload of the group came "
        "back from; most tokens "
        "saved first."
    )
    return f'<h2>What to switch first</h2><p class="note">{note}</p>{_table(head, lines)}'


def _name(group: str) -> str:
    """A group's name, cut where it would fill the page; all of it where one points at it."""
    if len(group) <= _LONGEST:
        return escape(group)
    cut = f"{group[:_LONGEST]}… ({len(group):,} characters)"
    return f'<span title="{escape(group)}">{escape(cut)}</span>'


def _formats(report: Report) -> str:
    lines = []
    for name, total in totals_by_format(report):
        shares = [total.vs(COMPACT), total.vs(PRETTY)]
        cells = [escape(label(name)), f"{total.payloads:,}", _count(report, total.tokens)]
        lines.append([*cells, *map(_signed, shares), f"{total.unproven:,}"])
    head = [
        "Everything as", "Payloads", "Tokens", "vs compact JSON", "vs indented JSON",
        "Did not come back",
    ]  # fmt: skip
    return "<h2>Every format</h2>" + _table(head, lines)


def _kinds(report: Report) -> str:
    analysis = report.analysis
    order = sorted(
        range(len(analysis.sums.groups)),
        key=lambda place: -sum(tokens[place] for tokens in analysis.kinds.values()),
    )[:DRAWN]
    bars = [
        (
            analysis.sums.groups[place],
            {kind: float(tokens[place]) for kind, tokens in analysis.kinds.items()},
        )
        for place in order
    ]
    first = report.rows.tokenizers[0]
    estimate = "" if report.rows.exact(first) else " (≈ estimates)"
    title = f"Where the tokens go: compact JSON by kind of text{estimate}"
    left_out = len(analysis.sums.groups) - len(bars)
    rest = f"Left out: {some(left_out, 'group')} with fewer tokens." if left_out else ""
    key = "".join(f'<span class="{kind}"></span>{kind}' for kind in analysis.kinds)
    drawn = _wide(charts.stacked_bars(title, bars))
    return f'<h2>{title}</h2><p class="note key">{key}</p>{drawn}{_note(rest)}'


def _spread(report: Report) -> str:
    found, choice = report.analysis.vs, report.analysis.choice
    if not found.bars:
        return ""
    bars = [
        (
            bar_range(bar),
            float(bar.payloads),
            "saves" if bar.low < 0 else "costs",
        )
        for bar in found.bars
    ]
    title = _told(f"Single payloads: {label(choice.format)} against {label(choice.now)}", report)
    note = (
        f"{found.fewer:,} payloads take fewer tokens, {found.same:,} as many, {found.more:,} more; "
        f"half of all lie between {signed(found.quantiles[1])} and {signed(found.quantiles[3])}, "
        f"the median at {signed(found.quantiles[2])}."
    )
    last = found.bars[-1]
    ends = signed(found.bars[0].low), bar_range(last) if last.high >= 1 else signed(last.high)
    zero = sum(bar.low < 0 for bar in found.bars)
    drawn = _wide(charts.columns(title, bars, ends, zero))
    return f'<h2>{escape(title)}</h2>{_KEY}{drawn}<p class="note">{note}</p>'


def _series(report: Report) -> str:
    found = report.analysis.series
    if found is None:
        return ""
    title = _told(f"Tokens sent today, by {found.unit}", report)
    bars = [
        (f"{day(start)}: tokens", float(tokens), "today")
        for start, tokens in zip(found.starts, found.tokens["now"], strict=True)
    ]
    ends = day(found.starts[0]), day(found.starts[-1])
    untimed = f"{some(found.untimed, 'payload')} without a time." if found.untimed else ""
    drawn = _wide(charts.columns(title, bars, ends))
    return f"<h2>{title}</h2>{drawn}{_note(untimed)}"
