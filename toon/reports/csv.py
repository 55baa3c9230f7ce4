"""The report as CSV: every group and format, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED
from toon.measuring.measure import Cell
from toon.measuring.totals import apart_reason
from toon.reports.facts import PRETTY, Report, caveats, facts, headline
from toon.reports.ways import sent_ways
from toon.values.fractions import fraction

_HEAD: Final = (
    "line", "group", "format", "payloads", "tokens", "explanation", "vs_before", "vs_today",
    "vs_json_compact", "vs_json_pretty", "lossless", "recommended", "why_not", "us_dollars_a_month",
    "saved_a_month", "saved_within", "band",
)  # fmt: skip


def as_csv(report: Report) -> str:
    """One line per step of the ladder, per format, and per group and format.

    The first column says what a line holds: ``about`` (a name and its value follow), ``caveat`` (a
    sentence), ``way``, ``all`` or ``group``. Before all others stand the facts and caveats, and
    nothing else where nothing can be compared. ``tokens`` are those of the texts, ``explanation``
    is what explaining the format adds. Fractions are of both together and signed: negative is
    fewer tokens. Why a format is none to recommend stands in ``why_not``. ``band`` is that of the
    tokens and of the money; a saving in money is within ``saved_within`` of the real one.
    """
    analysis = report.analysis
    lines: list[Sequence[Cell]] = [_HEAD, ("about", "Answer", headline(report))]
    lines += [("about", name, value) for name, value in facts(report)]
    lines += [("caveat", text) for text in caveats(report)]
    lines += [] if analysis.nothing else [*_ways(report), *_formats(report)]
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    for line in lines:
        writer.writerow([*map(_escape, line), *[""] * (len(_HEAD) - len(line))])
    return target.getvalue()


def _ways(report: Report) -> list[Sequence[Cell]]:
    """The lines of the ladder, and of everything in the chosen format."""
    policy = report.analysis.policy
    lines: list[Sequence[Cell]] = []
    for way in sent_ways(report):
        shares = map(_rounded, (way.step, way.vs(policy.now), way.vs(policy.compact)))
        money = "" if way.dollars is None else str(round(way.dollars, 6))
        parts: tuple[Cell, Cell] = ("", "")
        if way.tokens is not None:
            parts = (round(way.tokens - way.explanation), round(way.explanation, 3))
        cells = (report.analysis.payloads, *parts, *shares)
        saved = ["" if each is None else str(round(each, 6)) for each in report.saved(way.dollars)]
        ending = (way.apart, money, *saved, report.counter.band)
        lines.append(("way", "", way.name, *cells, "", "", "", *ending))
    return lines


def _formats(report: Report) -> list[Sequence[Cell]]:
    """The lines of every format, over all groups and group by group."""
    analysis = report.analysis
    formats = analysis.sums.columns
    lines: list[Sequence[Cell]] = []
    lines += [["all", "", *_format_cells(report, name, None, "")] for name in formats]
    for place, group in enumerate(analysis.sums.groups):
        for name in formats:
            mark = "yes" if name == analysis.policy.sent[place] else ""
            lines.append(["group", group, *_format_cells(report, name, place, mark)])
    return lines


def _format_cells(report: Report, name: str, place: int | None, mark: str) -> list[Cell]:
    """The cells of one format, over all groups or of the group at index ``place``."""
    analysis = report.analysis
    total, today = (analysis.total(each, place) for each in (name, analysis.choice.now))
    vs_today = fraction(total.cost, today.cost) if total.payloads == today.payloads else None
    shares = map(_rounded, (None, vs_today, total.vs(COMPACT), total.vs(PRETTY)))
    promise = "" if name == AS_TYPED else report.rows.lossless(name)
    extra, reason = round(total.explanation, 3), apart_reason(name, total)
    cells = [name, total.payloads, total.tokens, extra, *shares, promise, mark, reason]
    return [*cells, "", "", "", report.counter.band]


def _rounded(share: float | None) -> Cell:
    return "" if share is None else round(share, 6)


def _escape(cell: Cell) -> Cell:
    """Text that a spreadsheet does not take for a formula."""
    if isinstance(cell, str) and (
        cell.lstrip()[:1] in tuple("=+-@") or cell[:1] in ("\t", "\r", "\n")
    ):
        return f"'{cell}"
    return cell
