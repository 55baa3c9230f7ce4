"""The report as CSV: a table of every group and format, for a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import Any

from toon.corpus.report.facts import PRETTY, Report, caveats, facts, totals_by_format
from toon.corpus.totals import Total
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED
from toon.values.fractions import fraction


def as_csv(report: Report) -> str:
    """A line per group and format, before them what was measured and the caveats.

    The first column says what a line is: ``about`` (a name and its value follow), ``caveat`` (a
    sentence), ``all`` or ``group``. Fractions are signed, negative is fewer tokens.
    """
    analysis, rows = report.analysis, report.rows
    now = analysis.choice.now
    lines: list[list[Any]] = [
        [
            "line", "group", "format", "payloads", "tokens", "vs_today", "vs_json_compact",
            "vs_json_pretty", "not_come_back", "lossless", "recommended",
        ],
    ]  # fmt: skip
    lines += [["about", name, value, *[""] * 8] for name, value in facts(report)]
    lines += [["caveat", text, *[""] * 9] for text in caveats(report)]
    today = analysis.sums.columns[now].tokens
    for name, total in totals_by_format(report):
        promise = "" if name == AS_TYPED else rows.lossless(name)
        whole = total.payloads == analysis.payloads
        vs_today = fraction(total.tokens, int(today.sum())) if whole else None
        lines.append(["all", "", name, *_figures(total, vs_today), promise, ""])
    chosen = {row.group: row.format for row in analysis.policy.switches}
    for place, group in enumerate(analysis.sums.groups):
        for name in (AS_TYPED, *rows.formats):
            total = analysis.sums.total(name, place)
            whole = total.payloads == analysis.sums.payloads[place]
            vs_today = fraction(total.tokens, int(today[place])) if whole else None
            promise = "" if name == AS_TYPED else rows.lossless(name)
            mark = "yes" if chosen.get(group, now) == name else ""
            lines.append(["group", group, name, *_figures(total, vs_today), promise, mark])
    target = io.StringIO()
    csv.writer(target, lineterminator="\r\n").writerows([[*map(_cell, line)] for line in lines])
    return target.getvalue()


def _figures(total: Total, vs_today: float | None) -> list[Any]:
    shares = (vs_today, total.vs(COMPACT), total.vs(PRETTY))
    rounded = ["" if share is None else round(share, 6) for share in shares]
    return [total.payloads, total.tokens, *rounded, total.unproven]


def _cell(value: Any) -> Any:
    """Text that a spreadsheet does not take for a formula."""
    if isinstance(value, str) and value.lstrip()[:1] in tuple("=+-@"):
        return f"'{value}"
    if isinstance(value, str) and value[:1] in ("\t", "\r", "\n"):
        return f"'{value}"
    return value
