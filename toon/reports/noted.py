"""What a report says, as sections of sentences and tables, which every surface draws alike."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from toon.analysis import Filter
from toon.costs.worth import COMPACT, tried
from toon.formats import label, versus
from toon.reports.billed import bill_lines, bill_words, log_bills, part_tables
from toon.reports.facts import PRETTY, Report, assumed, monthly
from toon.reports.figures import flips, named_ways, totals, untested, worth_from
from toon.reports.fixed import fixed_bill, fixed_words, server_lines, tool_lines
from toon.reports.tools import (
    compared_lines,
    compared_tools,
    compared_words,
    ranked_lines,
    ranked_tools,
    tool_words,
)
from toon.wording import UNKNOWN, count, formats_tried, signed_count, signed_percent

#: The order of sections by their keys.
_ORDER: Final = ("bill", "tools", "compared", "spent", "fixed")
_PARTS: Final = "Days are in UTC. A project is the name of the folder that a session works in."

Line = Mapping[str, object]


class Section(NamedTuple):
    """A part of the report: ``words`` are sentences, ``tables`` have their title and lines.

    Its ``place`` is among what was spent, which stands first, among what formats change, or behind.
    """

    key: str
    title: str
    words: list[str]
    tables: list[tuple[str, Sequence[Line]]]
    place: Literal["spent", "formats", "behind"] = "behind"

    def cell(self, value: object) -> str:
        """Return a cell of a table as it is written."""
        if value is None:
            return UNKNOWN
        if isinstance(value, float):
            return signed_percent(value)
        return count(value) if isinstance(value, int) else str(value)


def sections(report: Report) -> dict[str, Section]:
    """Return by key the sections that the run has anything for, what was spent first."""
    noted = [*_bill(report), *_fixed(report)]
    if report.analysis.choice.filter != Filter():
        for section in noted:
            section.words.append("Of the whole run: filters have no part in it.")
    found = {each.key: each for each in (*noted, *_tools(report), *_compared(report))}
    return {key: found[key] for key in _ORDER if key in found}


def format_sections(report: Report) -> list[Section]:
    """Return what each way to send the payloads takes; nothing where nothing can be compared."""
    if report.analysis.nothing:
        return []
    return [_ways(report), _groups(report), *_formats(report)]


def _ways(report: Report) -> Section:
    words = (
        "From today's format to the recommended mix of one format per group, step by step. "
        f"Tokens: {assumed(report)}"
    )
    lines = [
        {
            "Everything sent as": name,
            "Tokens": report.tokens(way.cost if way.carries_all else None),
            "vs the step before": way.step,
            "vs today": signed_percent(way.vs_now) if way.apart else way.vs_now,
            versus(COMPACT): signed_percent(way.vs_compact) if way.apart else way.vs_compact,
            monthly(report): f"none: {way.apart}" if way.apart else report.money(way.dollars),
        }
        for name, way in named_ways(report)
    ]
    return Section("ways", "Ways to send it", [words], [("", lines)], "formats")


def _groups(report: Report) -> Section:
    policy, tested = report.analysis.policy, tried(report.analysis.rows.formats)
    words = (
        f"The cheapest of {formats_tried(len(tested))} that every payload of the group came back "
        f"from; most tokens saved first; {assumed(report)}",
        "“Worth it from” is how many payloads of the group's average size must share a prompt "
        f"before the format is worth it against {label(COMPACT)}.",
        flips(report),
        untested(report),
    )
    lines = [
        {
            "Group": row.group,
            "vs today": row.vs_now if row.switch else 0.0,
            "Recommended": label(row.format) if row.switch else "keep today's format",
            "Tokens today": report.tokens(row.now),
            "Tokens then": report.tokens(row.cost if row.switch else row.now),
            "Worth it from": worth_from(row) or None,
            "Payloads": row.payloads,
        }
        for row in policy.advice
    ]
    said = list(filter(None, words))
    return Section("groups", "What to switch first", said, [("", lines)], "formats")


def _formats(report: Report) -> Iterator[Section]:
    """Say what everything takes in each format, those apart that are not recommended."""
    lines, apart = list[Line](), list[Line]()
    for name, total, reason in totals(report):
        extra = signed_count(total.explanation) if total.explanation else ""
        tokens = {"Payloads": total.payloads, "Tokens": report.tokens(total.tokens), "Note": extra}
        vs = total.vs(COMPACT)
        if reason:
            why = {"Everything as": label(name), "Why not": reason}
            apart.append({**why, **tokens, versus(COMPACT): signed_percent(vs)})
        else:
            against = {versus(COMPACT): vs, versus(PRETTY): total.vs(PRETTY)}
            lines.append({"Everything as": label(name), **tokens, **against})
    words = (
        "Tokens are those of the texts; “note” is what the note to the model adds. Differences: "
        f"{assumed(report)}"
    )
    yield Section("all", "Every format", [words], [("", lines)], "formats")
    if apart:
        yield Section("apart", "Not recommended for all payloads", [], [("", apart)], "formats")


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
        words, models = list(bill_words(report, bills)), ("By model", bill_lines(bills))
        yield Section("bill", "As billed", words, [models], "spent")
        if tables := list(part_tables(report)):
            yield Section("spent", "What was spent where", [_PARTS], tables)


def _tools(report: Report) -> Iterator[Section]:
    if tools := ranked_tools(report):
        words, lines = list(tool_words(report, tools)), ranked_lines(tools)
        yield Section("tools", "Tools", words, [("The dearest first", lines)], "spent")


def _compared(report: Report) -> Iterator[Section]:
    if report.before:
        tools, tables = compared_tools(report), list[tuple[str, Sequence[Line]]]()
        if tools:
            tables = [("Those that cost most now first", compared_lines(tools))]
        words = list(compared_words(report, tools))
        yield Section("compared", "Before and after", words, tables, "spent")
