"""Sentences and tables on tool definitions, the fixed part of the bill of every request."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from operator import itemgetter
from typing import Any, Final

from toon.analysis import Filter, analyse
from toon.analysis.fixed import Defined, FixedBill, find_fixed_bill
from toon.analysis.tools import rank_tools
from toon.costs.prices import call_price
from toon.reports.facts import Line, Report, Section
from toon.values.fractions import fraction
from toon.wording import (
    JSON_HEADS,
    capitalised,
    count,
    dollars,
    duration,
    listed,
    plural,
    signed_percent,
)

#: The head of the column of definitions without blanks.
MINIFIED: Final = capitalised(JSON_HEADS["json-compact"])

#: The name of a server that the log does not name: the program's own tools.
OWN: Final = "own tools"
#: The tools of a server that are named as never called.
_NAMED: Final = 5
_SAVED: Final = {
    "unused": "Leaving out those never called",
    "minified": "Minifying all",
    "both": "Doing both",
}

CAVEAT: Final = (
    "Counted as the JSON in the log; a provider shows it to its model in a form of its own, which "
    "may take more tokens or fewer."
)


def fixed_bill(report: Report) -> FixedBill | None:
    """Return what the tool definitions in a report's run cost; None if its log has none."""
    return find_fixed_bill(report.analysis.rows.about.get("definitions"))


def fixed_sections(report: Report) -> Iterator[Section]:
    """Yield the report's section on tool definitions, with tables by server and tool, if any."""
    if (bill := fixed_bill(report)) is None:
        return
    tools: list[Line] = [
        {
            "Tool": tool.tool,
            "Server": tool.server or OWN,
            "Called": "yes" if tool.called else "never",
            "Tokens": tool.tokens,
            MINIFIED: tool.minified,
            "Requests": tool.requests,
            "Tokens sent": tool.sent,
        }
        for tool in bill.tools
    ]
    tables = [("By server", _server_lines(report, bill)), ("By tool", tools)]
    yield Section("fixed", "Tool definitions", list(_words(report, bill)), tables)


def _words(report: Report, bill: FixedBill) -> Iterator[str]:
    """Yield sentences on tool definitions: their tokens, those never called, what leaving out and
    minifying save, and a month's price without and with a cache.
    """
    servers = len({tool.server for tool in bill.tools if tool.server})
    origin = f" of {plural(servers, 'MCP server')}" if servers else ""
    size, tools = _tokens(sum(tool.tokens for tool in bill.tools)), plural(len(bill.tools), "tool")
    yield f"{tools}{origin}: {size} by {bill.tokenizer} to define each once."
    if bill.requests:
        yield _request_words(bill)
    unused = sum(not tool.called for tool in bill.tools)
    yield f"{unused:,} of {tools} {'was' if unused == 1 else 'were'} never called in these files."
    for key, saved in bill.saved.items() if bill.requests else ():
        share = fraction(bill.sent - saved, bill.sent)
        if share is not None:
            verb, part = "adds" if saved < 0 else "saves", signed_percent(share)
            tokens = _tokens(abs(saved))
            yield f"{_SAVED[key]} {verb} {tokens} ({part} against all definitions as sent)."
    model = report.analysis.choice.model
    if bill.requests and bill.monthly and model and model.tokenizer == bill.tokenizer:
        mean, month, key = Decimal(bill.each), Decimal(bill.monthly), model.price or ""
        never, always = (call_price(key, mean, cached_share=share) for share in (0.0, 1.0))
        if never is not None:
            cached = always and f", {dollars(always * month)} if always read from the cache"
            costs = f"costs {dollars(never * month)} if never cached"
            yield f"A month with {model.label} {costs}{cached or ''}."
    if bill.left_out:
        yield f"Left out: {plural(bill.left_out, 'definition')} beyond what is kept."
    yield CAVEAT


def _request_words(bill: FixedBill) -> str:
    rate = ""
    if bill.monthly is not None:
        month, requests = _tokens(bill.each * bill.monthly), plural(round(bill.monthly), "request")
        rate = f", {month} a month at {requests}, as observed over {duration(bill.seconds)}"
        if untimed := bill.requests - bill.timed:
            words = plural(untimed, "request that names", "requests that name")
            rate += f", without {words} no time"
    mean = f"{_tokens(bill.each)} a request on average"
    if bill.conversations:
        tokens = _tokens(bill.sent / bill.conversations)
        mean += f", {tokens} a conversation in {plural(bill.conversations, 'conversation')}"
    return f"Sent in {plural(bill.requests, 'request')}: {mean}, {_tokens(bill.sent)} in all{rate}."


def _tokens(number: float) -> str:
    return f"{count(number)} tokens"


def _server_lines(report: Report, bill: FixedBill) -> list[Line]:
    """Return a table of MCP servers with the tokens of their tool definitions, most first."""
    calls, servers = Counter[str](), defaultdict[str, list[Defined]](list)
    run = report.analysis
    if run.choice.filter != Filter():  # filters have no part in what a server is sent for
        run = analyse(run.rows, replace(run.choice, filter=Filter()))
    for ranked in rank_tools(run):
        calls[ranked.server or ""] += ranked.calls
    for tool in bill.tools:
        servers[tool.server].append(tool)
    lines: list[dict[str, Any]] = [
        {
            "Server": server or OWN,
            "Tools": len(tools),
            "Tools called": sum(tool.called for tool in tools),
            "Calls": calls[server],
            "Never called": listed((tool.tool for tool in tools if not tool.called), _NAMED)
            or None,
            "Tokens": sum(tool.tokens for tool in tools),
            "Tokens sent": sum(tool.sent for tool in tools),
        }
        for server, tools in sorted(servers.items())
    ]
    return sorted(lines, key=itemgetter("Tokens sent", "Tokens"), reverse=True)
