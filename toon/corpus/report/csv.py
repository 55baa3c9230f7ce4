"""The report as CSV: every group and format, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from toon.corpus.measuring import Cell
from toon.corpus.report.facts import PRETTY, Report, caveats, facts
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED
from toon.values.fractions import fraction

_HEAD: Final = (
    "line", "group", "format", "payloads", "tokens", "vs_today", "vs_json_compact",
    "vs_json_pretty", "not_come_back", "lossless", "recommended",
)  # fmt: skip


def as_csv(report: Report) -> str:
    """One line per format, and one per group and format; before them the facts and caveats.

    The first column says what a line holds: ``about`` (a name and its value follow), ``caveat`` (a
    sentence), ``all`` or ``group``. Fractions are signed; negative is fewer tokens.
    """
    lines: list[Sequence[Cell]] = [_HEAD]
    lines += [("about", name, value) for name, value in facts(report)]
    lines += [("caveat", text) for text in caveats(report)]
    formats = report.analysis.sums.columns
    lines += [["all", "", *_format_cells(report, name, None), ""] for name in formats]
    for place, group in enumerate(report.analysis.sums.groups):
        chosen = report.analysis.policy.formats.get(group, report.analysis.choice.now)
        for name in formats:
            mark = "yes" if name == chosen else ""
            lines.append(["group", group, *_format_cells(report, name, place), mark])
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    for line in lines:
        writer.writerow([*map(_escape, line), *[""] * (len(_HEAD) - len(line))])
    return target.getvalue()


def _format_cells(report: Report, name: str, place: int | None) -> list[Cell]:
    """The cells of one format, over all groups or of the group at index ``place``."""
    sums = report.analysis.sums
    total, today = (sums.total(format, place) for format in (name, report.analysis.choice.now))
    vs_today = fraction(total.tokens, today.tokens) if total.payloads == today.payloads else None
    shares = (vs_today, total.vs(COMPACT), total.vs(PRETTY))
    rounded = ["" if share is None else round(share, 6) for share in shares]
    promise = "" if name == AS_TYPED else report.rows.lossless(name)
    return [name, total.payloads, total.tokens, *rounded, total.unproven, promise]


def _escape(cell: Cell) -> Cell:
    """Text that a spreadsheet does not take for a formula."""
    if isinstance(cell, str) and (
        cell.lstrip()[:1] in tuple("=+-@") or cell[:1] in ("\t", "\r", "\n")
    ):
        return f"'{cell}"
    return cell
