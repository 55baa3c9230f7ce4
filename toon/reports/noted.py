"""What readers noted of the files beside payloads, as sections: tools' definitions and the bill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from toon.analysis import Filter
from toon.reports.billed import bill_lines, bill_words, change_words, log_bills
from toon.reports.facts import Report
from toon.reports.fixed import MINIFIED, fixed_bill, fixed_words, server_lines, tool_lines
from toon.wording import UNKNOWN, count, signed_percent

#: Columns of whole numbers, and of signed fractions.
COUNTS: Final = (
    "Tools", "Tools called", "Tokens", MINIFIED, "Requests", "Tokens sent", "Calls", "Input",
    "From cache", "To cache", "Output",
)  # fmt: skip
PERCENTS: Final = ("vs the log",)

Line = Mapping[str, object]


class Section(NamedTuple):
    """A part of the report: ``words`` are sentences, ``tables`` have their title and lines."""

    key: str
    title: str
    words: list[str]
    tables: list[tuple[str, Sequence[Line]]]

    def cell(self, column: str, value: object) -> str:
        """A cell of a table, as it is written."""
        if value is None:
            return UNKNOWN
        if isinstance(value, float):
            return signed_percent(value)
        return count(value) if isinstance(value, int) else str(value)


def sections(report: Report) -> list[Section]:
    """The sections that the report's run has anything for; they are of the whole run."""
    found = [*_fixed(report), *_bill(report)]
    if report.analysis.choice.filter != Filter():
        for section in found:
            section.words.append("Of the whole run: filters have no part in it.")
    return found


def _fixed(report: Report) -> Iterator[Section]:
    if (bill := fixed_bill(report)) is None:
        return
    yield Section(
        "fixed",
        "Tool definitions",
        list(fixed_words(report, bill)),
        [("By server", server_lines(bill)), ("By tool", tool_lines(bill))],
    )


def _bill(report: Report) -> Iterator[Section]:
    if bills := log_bills(report):
        words = [*bill_words(report, bills), *change_words(report, bills)]
        yield Section("bill", "As billed", words, [("By model", bill_lines(bills))])
