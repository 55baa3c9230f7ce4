"""The sections of a report: sentences and tables that HTML, Markdown and the dashboard share."""

from collections.abc import Iterator
from typing import Final

from toon.analysis import Filter
from toon.costs.worth import COMPACT, keep_tested
from toon.formats import label, vs_label
from toon.reports.billed import bill_sections
from toon.reports.facts import PRETTY, Line, Report, Section, assumption, month_heading
from toon.reports.figures import flip_words, list_ways, totals, untested_words, worth_words
from toon.reports.fixed import fixed_sections
from toon.reports.tools import tool_sections
from toon.wording import count_tested, signed_count, signed_percent

#: The order of sections by their keys.
_ORDER: Final = ("bill", "tools", "compared", "spent", "fixed")


def sections(report: Report) -> dict[str, Section]:
    """Return the report's sections on a log's bill, tools, earlier run and tool definitions, as a
    dict by key in the order of a report; without those that have nothing to say.
    """
    noted = [*bill_sections(report), *fixed_sections(report)]
    if report.analysis.choice.filter != Filter():
        for section in noted:
            section.words.append("Of the whole run: filters have no part in it.")
    by_key = {section.key: section for section in (*noted, *tool_sections(report))}
    return {key: by_key[key] for key in _ORDER if key in by_key}


def format_sections(report: Report) -> list[Section]:
    """Return the report's sections on a log's tokens in each way to send it, in each group and in
    each format; [] where nothing can be compared.
    """
    if report.analysis.nothing:
        return []
    return [_ways(report), _groups(report), *_formats(report)]


def _ways(report: Report) -> Section:
    words = (
        "From today's format to the recommended mix of one format per group, step by step. "
        f"Tokens: {assumption(report)}"
    )
    lines = [
        {
            "Everything sent as": name,
            "Tokens": report.tokens(way.cost if way.carries_all else None),
            "vs the step before": way.step,
            "vs today": signed_percent(way.vs_now) if way.apart else way.vs_now,
            vs_label(COMPACT): signed_percent(way.vs_compact) if way.apart else way.vs_compact,
            month_heading(report): f"none: {way.apart}" if way.apart else report.money(way.dollars),
        }
        for name, way in list_ways(report)
    ]
    return Section("ways", "Ways to send it", [words], [("", lines)], "formats")


def _groups(report: Report) -> Section:
    policy, tested = report.analysis.policy, keep_tested(report.analysis.rows.formats)
    words = (
        f"The cheapest of {count_tested(len(tested))} that every payload of the group came back "
        f"from; most tokens saved first; {assumption(report)}",
        "“Worth it from” is how many payloads of the group's average size must share a prompt "
        f"before the format is worth it against {label(COMPACT)}.",
        flip_words(report),
        untested_words(report),
    )
    lines = [
        {
            "Group": row.group,
            "vs today": row.vs_now if row.switch else 0.0,
            "Recommended": label(row.format) if row.switch else "keep today's format",
            "Tokens today": report.tokens(row.now),
            "Tokens then": report.tokens(row.cost if row.switch else row.now),
            "Worth it from": worth_words(row) or None,
            "Payloads": row.payloads,
        }
        for row in policy.advice
    ]
    notes = list(filter(None, words))
    return Section("groups", "What to switch first", notes, [("", lines)], "formats")


def _formats(report: Report) -> Iterator[Section]:
    """Yield the sections on a log's tokens in each format: recommendable ones, then the others."""
    lines, excluded = list[Line](), list[Line]()
    for name, total, reason in totals(report):
        extra = signed_count(total.explanation) if total.explanation else ""
        tokens = {"Payloads": total.payloads, "Tokens": report.tokens(total.tokens), "Note": extra}
        vs = total.change(COMPACT)
        if reason:
            cells = {"Everything as": label(name), "Why not": reason}
            excluded.append({**cells, **tokens, vs_label(COMPACT): signed_percent(vs)})
        else:
            against = {vs_label(COMPACT): vs, vs_label(PRETTY): total.change(PRETTY)}
            lines.append({"Everything as": label(name), **tokens, **against})
    words = (
        "Tokens are those of the texts; “note” is what the note to the model adds. Differences: "
        f"{assumption(report)}"
    )
    yield Section("all", "Every format", [words], [("", lines)], "formats")
    if excluded:
        yield Section("apart", "Not recommended for all payloads", [], [("", excluded)], "formats")
