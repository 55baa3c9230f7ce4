"""The figures of a report's tables and charts, and what stands below them."""

from typing import Final

from toon.analysis.analysis import Way
from toon.analysis.policy import Advice
from toon.analysis.spread import Bar
from toon.analysis.tools import split_names, tool_name
from toon.costs.why import family
from toon.formats import label
from toon.measuring.totals import Total, exclusion
from toon.reports.billed import log_bills
from toon.reports.facts import Report, headline, short_window, tokenizer_label
from toon.reports.fixed import MINIFIED
from toon.wording import dollars, join_all, listed, plural, signed_percent

#: The most groups that a sentence names.
_FLIPS: Final = 5


def list_ways(report: Report) -> list[tuple[str, Way]]:
    """Return pairs of name and way to send a log: today, minified, recommended mix, one format."""
    choice = report.analysis.choice
    names = {
        "now": f"Today: {label(choice.now)}",
        "compact": MINIFIED,
        "mix": "Recommended mix",
        "format": f"All {label(choice.format)}",
    }
    return [(names[key], way) for key, way in report.analysis.ways.items()]


def totals(report: Report) -> list[tuple[str, Total, str]]:
    """Return (name, a log's sums in it, why it is not recommended or "") of each format."""
    sums = ((name, report.analysis.sums.total(name)) for name in report.analysis.sums.columns)
    return [(name, total, exclusion(name, total)) for name, total in sums]


def bar_range(bar: Bar) -> str:
    """Write the range of changes that a chart's bar counts: ``−5.0 % to ±0.0 %``."""
    if bar.high >= 1:
        return f"{signed_percent(bar.low)} or more"
    return f"{signed_percent(bar.low)} to {signed_percent(bar.high)}"


def worth_words(advice: Advice) -> str:
    """Say how many payloads must share a prompt for a format to be worth its note: ``13 (TOON)``.

    The format is named if it is not the recommended one. "" if there is none.
    """
    worth = advice.worth
    if worth is None:
        return ""
    name = f" ({label(worth.format)})" if worth.format != advice.format else ""
    return f"{worth.payloads:,}{name}"


def flip_words(report: Report) -> str:
    """Say in which groups other tokenizers of the run recommend another format than the chosen one.

    "" where the run was counted by one alone.
    """
    analysis = report.analysis
    now, groups = analysis.choice.now, plural(len(analysis.sums.groups), "group")
    parts = []
    for name, sent in analysis.flips.items():
        formats = {
            group: "as today" if format == now else family(format) for group, format in sent.items()
        }
        examples = listed((f"{group}: {format}" for group, format in formats.items()), _FLIPS)
        if sent:
            parts.append(f"in {len(sent):,} of {groups} by {tokenizer_label(name)} ({examples})")
    same = [tokenizer_label(name) for name, sent in analysis.flips.items() if not sent]
    if not parts:
        return f"The same is to be sent by {join_all(same)}." if same else ""
    rest = f"; the same in all by {join_all(same)}" if same else ""
    return f"Another format is to be sent {'; '.join(parts)}{rest}."


def untested_words(report: Report) -> str:
    """Say how many more tokens formats would save that no model was tested with; "" if none."""
    advice = report.analysis.policy.advice
    offers = sorted((-row.offer.save, row.group, row.offer.format) for row in advice if row.offer)
    if not offers:
        return ""
    names = split_names(row.group for row in advice)
    saved = plural(-sum(save for save, *_ in offers), "token")
    tools = {(names[group], label(format)): None for _, group, format in offers}
    examples = listed((f"{tool_name(*name)}: {format}" for name, format in tools), _FLIPS)
    return f"Formats that no model was tested with would save {saved} more ({examples})."


def action(report: Report) -> str:
    """Return the report's advice, as in ``Switch 6 of 10 tools: saves $82.03 a month (−16.3 %)``.

    It counts tokens where there is no price, or a month would be projected from little.
    """
    analysis = report.analysis
    ways, switches = analysis.ways, analysis.policy.switches
    if not switches:
        return headline(report)
    saved = report.saving(ways["mix"].dollars)
    gain = plural(round(ways["now"].cost - ways["mix"].cost), "token")
    if saved and saved > 0 and has_month(report):
        gain = f"{dollars(saved)} a month"
    return f"{switch_words(report)}: saves {gain} ({signed_percent(ways['mix'].vs_now)})"


def switch_words(report: Report) -> str:
    """Say how many tools should change their format: ``Switch 6 of 10 tools``."""
    policy = report.analysis.policy
    names = split_names(advice.group for advice in policy.advice)
    tools, switches = set(names.values()), {names[switch.group] for switch in policy.switches}
    return f"Switch {'it' if len(tools) == 1 else f'{len(switches):,} of {len(tools):,} tools'}"


def has_month(report: Report) -> bool:
    """Return whether a month's price is known and ``projection_words`` says nothing against it."""
    return report.analysis.monthly is not None and not projection_words(report)


def projection_words(report: Report) -> str:
    """Say what weakens a month's price, as in ``projected from 87 minutes, uncached``: a short log,
    and a bill with cached tokens; "" if neither, or without a price.
    """
    if report.analysis.monthly is None:
        return ""
    window = short_window(report.analysis)
    is_cached = any(bill.tokens.cached for bill in log_bills(report))
    return ", ".join(filter(None, [window and f"projected from {window}", is_cached * "uncached"]))
