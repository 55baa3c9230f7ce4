"""The report as CSV: every group and format, for a spreadsheet."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, cast

from toon.analysis.analysis import Way
from toon.analysis.billed import find_parts
from toon.costs.worth import COMPACT
from toon.formats import AS_TYPED
from toon.measuring.measure import Cell
from toon.measuring.totals import exclusion
from toon.reports.billed import log_bills
from toon.reports.facts import PRETTY, Report, caveats, facts, headline
from toon.reports.figures import list_ways
from toon.reports.fixed import fixed_bill
from toon.reports.tools import ranked_tools
from toon.values.fractions import fraction

_HEAD: Final = (
    "line", "group", "format", "payloads", "tokens", "explanation", "vs_before", "vs_today",
    "vs_json_compact", "vs_json_pretty", "lossless", "recommended", "why_not", "us_dollars_a_month",
    "saved_a_month", "us_dollars", "us_dollars_in_the_log", "us_dollars_carried",
    "us_dollars_saved", "share_of_the_bill",
)  # fmt: skip


def as_csv(report: Report) -> str:
    """Write a report as CSV: a line for each fact, bill, tool, way to send, format and group.

    The first column says what a line holds: ``about`` (a name and its value follow), ``caveat`` (a
    sentence), ``bill``, ``day``, ``project``, ``session``, ``tool``, ``way``, ``all``, ``group`` or
    ``definition``. Before all others stand the facts and caveats, then what was spent, and no ways,
    formats and groups where nothing can be compared. A ``bill`` is a model as the log names it,
    with the tokens of its calls, as a day, a project and a session are with those of their input. A
    ``tool`` has its results, ``payloads`` of them, the format to send and what the bill has for
    them; a ``definition`` is a tool with the tokens of all its sendings. ``tokens`` are those of
    the texts, ``explanation`` is what explaining the format adds. Fractions are of both together
    and signed: negative is fewer tokens. ``why_not`` says why a format is not recommended.
    """
    lines = [_line("about", *fact) for fact in [("Answer", headline(report)), *facts(report)]]
    lines += [_line("caveat", text, "") for text in caveats(report)]
    lines += [*_bills(report), *_tools(report)]
    if not report.analysis.nothing:
        lines += [_way(report, name, way) for name, way in list_ways(report)]
        lines += _formats(report)
    lines += _definitions(report)
    target = io.StringIO()
    writer = csv.DictWriter(target, _HEAD, restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _escape(cell) for name, cell in line.items()} for line in lines)
    return target.getvalue()


def _line(kind: str, group: str, format: str, **figures: object) -> dict[str, Cell]:
    """Return a line of the report's CSV as cells by column; floats are rounded to six decimals."""
    cells = {name: _cell(figure) for name, figure in figures.items()}
    return {"line": kind, "group": group, "format": format, **cells}


def _cell(figure: object) -> Cell:
    if isinstance(figure, float | Decimal):
        return round(float(figure), 6)
    return "" if figure is None else cast(Cell, figure)


def _way(report: Report, name: str, way: Way) -> dict[str, Cell]:
    return _line(
        "way",
        "",
        name,
        payloads=report.analysis.payloads,
        tokens=round(way.tokens) if way.carries_all else None,
        explanation=round(way.cost - way.tokens, 3) if way.carries_all else None,
        vs_before=way.step,
        vs_today=way.vs_now,
        vs_json_compact=way.vs_compact,
        why_not=way.apart,
        us_dollars_a_month=way.dollars,
        saved_a_month=report.saving(way.dollars),
    )


def _formats(report: Report) -> Iterator[dict[str, Cell]]:
    """Yield the CSV lines of each format over all groups, then of each format in each group."""
    sums, sent = report.analysis.sums, report.analysis.policy.sent
    for name in sums.columns:
        yield _line("all", "", name, **_format(report, name, None))
    for place, group in enumerate(sums.groups):
        for name in sums.columns:
            mark = "yes" if name == sent[place] else ""
            yield _line("group", group, name, recommended=mark, **_format(report, name, place))


def _format(report: Report, name: str, place: int | None) -> dict[str, object]:
    """Return the CSV figures of one format, over all groups or in the group at index ``place``."""
    analysis = report.analysis
    total, today = (analysis.sums.total(way, place) for way in (name, analysis.choice.now))
    same = total.payloads == today.payloads
    return {
        "payloads": total.payloads,
        "tokens": total.tokens,
        "explanation": round(total.explanation, 3),
        "vs_today": fraction(total.cost, today.cost) if same else None,
        "vs_json_compact": total.change(COMPACT),
        "vs_json_pretty": total.change(PRETTY),
        "lossless": "" if name == AS_TYPED else analysis.rows.about["formats"][name]["lossless"],
        "why_not": exclusion(name, total),
    }


def _definitions(report: Report) -> Iterator[dict[str, Cell]]:
    """Yield the CSV lines of tool definitions, two each: as they were sent, and minified."""
    bill = fixed_bill(report)
    for tool in bill.tools if bill else ():
        for format, tokens in ((AS_TYPED, tool.sent), (COMPACT, tool.sent_minified)):
            never = "" if tool.called else "never called"
            fields = {"payloads": tool.requests, "why_not": never, "tokens": tokens}
            yield _line("definition", tool.tool, format, **fields)


def _bills(report: Report) -> Iterator[dict[str, Cell]]:
    """Yield the CSV lines of a log's bill: tokens and price by model, day, project and session."""
    for bill in log_bills(report):
        for name in ("input", "cached", "written", "output"):
            tokens = getattr(bill.tokens, name)
            yield _line("bill", bill.model, name, payloads=bill.calls, tokens=tokens)
        named = bill.named if bill.named_calls else None
        price = {"us_dollars": bill.dollars, "us_dollars_in_the_log": named}
        yield _line("bill", bill.model, "all", payloads=bill.calls, **price)
    for name, parts in find_parts(report.analysis.rows.about).items():
        for part in parts:
            took = {"tokens": part.tokens.input, "us_dollars": part.dollars}
            yield _line(name, part.name, "input", payloads=part.calls, **took)


def _tools(report: Report) -> Iterator[dict[str, Cell]]:
    for tool in ranked_tools(report):
        yield _line(
            "tool",
            tool.name,
            tool.send_as or AS_TYPED,
            payloads=tool.calls,
            tokens=tool.tokens,
            us_dollars=tool.money,
            us_dollars_carried=tool.carried,
            us_dollars_saved=tool.saves_money,
            share_of_the_bill=tool.share,
        )


def _escape(cell: Cell) -> Cell:
    """Return a CSV cell; put an apostrophe before one that a spreadsheet takes for a formula."""
    if isinstance(cell, str) and (
        cell.lstrip()[:1] in tuple("=+-@") or cell[:1] in ("\t", "\r", "\n")
    ):
        return f"'{cell}"
    return cell
