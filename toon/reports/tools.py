"""Sentences and tables on the tools of a run, the dearest first, and those of an earlier run."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from toon.analysis.tools import (
    ComparedTool,
    RankedTool,
    add_up,
    compare_runs,
    find_bill,
    find_reach,
    rank_tools,
)
from toon.formats import label
from toon.reports.facts import Line, Report, Section
from toon.values.fractions import fraction
from toon.wording import UNKNOWN, dollars, percent, plural, signed_percent

#: The most tools in a table.
SHOWN: Final = 50


def ranked_tools(report: Report) -> Sequence[RankedTool]:
    """Return the tools in a report's run, the dearest first; none if the log names no bill."""
    return rank_tools(report.analysis) if find_bill(report.analysis) else ()


def tool_sections(report: Report) -> Iterator[Section]:
    """Yield the report's section on tools, the dearest first, if the log names a bill; and the one
    on tools before and after, if there is an earlier run.
    """
    if tools := ranked_tools(report):
        lines: list[Line] = [
            {
                "Tool": tool.tool,
                "Server": tool.server,
                "Calls": tool.calls,
                "Tokens": tool.tokens,
                "When asked": dollars(tool.first),
                "Carried": dollars(tool.carried),
                "Share": UNKNOWN if tool.share is None else percent(tool.share, 1),
                "Send as": label(tool.send_as) if tool.send_as else "as today",
                "Saves tokens": tool.saves_tokens,
                "Saves": dollars(tool.saves_money),
            }
            for tool in tools[:SHOWN]
        ]
        words = list(_tool_words(report, tools))
        yield Section("tools", "Tools", words, [("The dearest first", lines)], "spent")
    if report.before:
        yield _comparison(report.before, report)


def _tool_words(report: Report, tools: Sequence[RankedTool]) -> Iterator[str]:
    if (reach := find_reach(report.analysis)) is not None:
        yield (
            f"Formats can touch {percent(reach, 1)} of this bill: the results that are JSON. The "
            "rest is plain text, prompts, definitions and answers."
        )
    if add_up(tool.saves_money for tool in tools):
        yield saving_words(tools)
    yield (
        "“When asked” is the call that a result entered with, “carried” the later calls that had "
        f"it in their prompt. Tokens are counted here, by {report.analysis.choice.tokenizer}, so "
        "these dollars are ≈."
    )
    if len(tools) > SHOWN:
        yield f"Left out: {plural(len(tools) - SHOWN, 'tool')} that cost less."


def _comparison(before: Report, report: Report) -> Section:
    """Return the report's section that compares tools with an earlier run: tokens a call then and
    now, and what was saved against what was promised.
    """
    tools = compare_runs(before.analysis, report.analysis)
    if not tools:
        none = f"No tool of this run is in {before.name}."
        return Section("compared", "Before and after", [none], [], "spent")
    lines: list[Line] = [
        {
            "Tool": tool.now.tool,
            "Server": tool.now.server,
            "Calls then": tool.before.calls,
            "Calls": tool.now.calls,
            "Tokens a call then": round(tool.before.tokens / tool.before.calls),
            "Tokens a call": round(tool.now.tokens / tool.now.calls),
            "vs then": signed_percent(
                fraction(tool.now.tokens * tool.before.calls, tool.before.tokens * tool.now.calls)
            ),
            "Saved": dollars(tool.price(tool.realised)),
            "Promised": dollars(tool.price(tool.promised)),
        }
        for tool in tools[:SHOWN]
    ]
    realised, promised = sum(t.realised for t in tools), sum(t.promised for t in tools)
    money = add_up(tool.price(tool.realised) for tool in tools)
    cost = f" (≈ {dollars(abs(money))})" if money is not None else ""
    money = add_up(tool.price(tool.promised) for tool in tools)
    worth = f" (≈ {dollars(money)})" if money is not None else ""
    verb = "fewer" if realised >= 0 else "more"
    words = [
        f"Against {before.name}, the calls of {plural(len(tools), 'tool')} took "
        f"{plural(round(abs(realised)), 'token')} {verb}{cost} than as many calls took then; "
        f"its recommendations promised {plural(round(promised), 'token')} fewer{worth}.",
        "Priced by what a token of the tool costs now, by its own mix of cache. Calls that ask for "
        "other data differ too.",
    ]
    tables = [("Those that cost most now first", lines)]
    return Section("compared", "Before and after", words, tables, "spent")


def top_tool_words(tool: RankedTool) -> Iterator[str]:
    """Yield a sentence on what a tool, the dearest, costs and what later calls pay for it again;
    none if its price is not known.
    """
    if tool.money is None:
        return
    share = "" if tool.share is None else f", {percent(tool.share, 1)} of the bill"
    carried = "what later calls paid for it again is not in the log"
    if tool.carried is not None:
        carried = f"{dollars(tool.carried)} of that carried"
    yield f"{tool.name} costs most: ≈ {dollars(tool.money)}{share}; {carried}."


def saving_words(tools: Sequence[RankedTool]) -> str:
    """Return a sentence on how many dollars less the tools' results would have cost, had each tool
    sent them in its recommended format.
    """
    saved = add_up(tool.saves_money for tool in tools)
    switched = sum(1 for tool in tools if tool.send_as)
    return (
        f"{plural(switched, 'tool')} sent as recommended would have cost ≈ {dollars(saved)} less "
        "than as sent, notes to the model included."
    )


def comparison_facts(before: Report, report: Report) -> list[dict[str, Any]]:
    """Return the tools that an earlier and a later run share, as plain dicts for --json: calls,
    tokens, and what was saved against what was promised. Dollars are None if unknown.
    """

    def amount(tool: ComparedTool, tokens: float) -> dict[str, float | None]:
        price = tool.price(tokens)
        return {"tokens": tokens, "us_dollars": None if price is None else float(price)}

    return [
        {
            "tool": tool.now.tool,
            "server": tool.now.server,
            "calls": tool.now.calls,
            "calls_before": tool.before.calls,
            "tokens": tool.now.tokens,
            "tokens_before": tool.before.tokens,
            "realised": amount(tool, tool.realised),
            "promised": amount(tool, tool.promised),
        }
        for tool in compare_runs(before.analysis, report.analysis)
    ]
