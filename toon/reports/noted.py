"""What a report says beside formats, as sections: the bill, its tools, tools' definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from toon.analysis import Filter
from toon.reports.billed import bill_lines, bill_words, change_words, log_bills, part_tables
from toon.reports.facts import Report
from toon.reports.fixed import MINIFIED, fixed_bill, fixed_words, server_lines, tool_lines
from toon.reports.tools import (
    compared_lines,
    compared_tools,
    compared_words,
    ranked_lines,
    ranked_tools,
    tool_words,
)
from toon.wording import UNKNOWN, count, signed_percent

#: Columns of whole numbers, and of signed fractions.
COUNTS: Final = (
    "Tools", "Tools called", "Tokens", MINIFIED, "Requests", "Tokens sent", "Calls", "Input",
    "From cache", "To cache", "Output", "Saves tokens", "Calls then", "Tokens a call then",
    "Tokens a call",
)  # fmt: skip
PERCENTS: Final = ("vs the log",)
#: The order of sections by their keys.
_ORDER: Final = ("bill", "tools", "compared", "spent", "fixed")
_PARTS: Final = "Days are in UTC. A project is the name of the folder that a session works in."

Line = Mapping[str, object]


class Section(NamedTuple):
    """A part of the report: ``words`` are sentences, ``tables`` have their title and lines.

    With ``leads`` it stands above what is projected.
    """

    key: str
    title: str
    words: list[str]
    tables: list[tuple[str, Sequence[Line]]]
    leads: bool = False

    def cell(self, column: str, value: object) -> str:
        """A cell of a table, as it is written."""
        if value is None:
            return UNKNOWN
        if isinstance(value, float):
            return signed_percent(value)
        return count(value) if isinstance(value, int) else str(value)


def sections(report: Report) -> list[Section]:
    """The sections that the report's run has anything for, what was spent first."""
    noted = [*_bill(report), *_fixed(report)]
    if report.analysis.choice.filter != Filter():
        for section in noted:
            section.words.append("Of the whole run: filters have no part in it.")
    found = [*noted, *_tools(report), *_compared(report)]
    return sorted(found, key=lambda section: _ORDER.index(section.key))


def _fixed(report: Report) -> Iterator[Section]:
    if (bill := fixed_bill(report)) is None:
        return
    yield Section(
        "fixed",
        "Tool definitions",
        list(fixed_words(report, bill)),
        [("By server", server_lines(report, bill)), ("By tool", tool_lines(bill))],
    )


def _bill(report: Report) -> Iterator[Section]:
    if bills := log_bills(report):
        words = [*bill_words(report, bills), *change_words(report, bills)]
        yield Section("bill", "As billed", words, [("By model", bill_lines(bills))], leads=True)
        if tables := list(part_tables(report)):
            yield Section("spent", "What was spent where", [_PARTS], tables)


def _tools(report: Report) -> Iterator[Section]:
    if tools := ranked_tools(report):
        words, lines = list(tool_words(report, tools)), ranked_lines(tools)
        yield Section("tools", "Tools", words, [("The dearest first", lines)], leads=True)


def _compared(report: Report) -> Iterator[Section]:
    if report.before:
        tools, tables = compared_tools(report), list[tuple[str, Sequence[Line]]]()
        if tools:
            tables = [("Those that cost most now first", compared_lines(tools))]
        words = list(compared_words(report, tools))
        yield Section("compared", "Before and after", words, tables, leads=True)
