"""What is said of the definitions of tools, and their tables: the fixed bill of every request."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from toon.analysis.fixed import FixedBill, find_fixed_bill
from toon.analysis.tools import rank_definitions, rank_tools
from toon.costs.prices import call_price
from toon.measuring.table import About
from toon.reports.facts import Report
from toon.wording import (
    JSON_HEADS,
    UNKNOWN,
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

#: What a server is called that no name tells: the program's own tools.
OWN: Final = "own tools"
#: The tools of a server that are named as never called.
_NAMED: Final = 5

CAVEAT: Final = (
    "Counted as the JSON in the log; a provider shows it to its model in a form of its own, which "
    "may take more tokens or fewer."
)


def fixed_bill(report: Report) -> FixedBill | None:
    """The definitions of tools in the report's run; None if it has none."""
    about: About = report.analysis.rows.about
    return find_fixed_bill(about.get("definitions"))


def fixed_words(report: Report, bill: FixedBill) -> Iterator[str]:
    """The bill in sentences: what it takes, what could be left out, and what that saves."""
    servers = sum(1 for each in bill.servers if each.server)
    of = f" of {plural(servers, 'MCP server')}" if servers else ""
    once = _tokens(bill.once)
    yield f"{plural(len(bill.tools), 'tool')}{of}: {once} by {bill.tokenizer} to define each once."
    if bill.requests:
        yield _sent(report, bill)
    unused = len(bill.unused)
    yield (
        f"{unused:,} of {plural(len(bill.tools), 'tool')} "
        f"{'was' if unused == 1 else 'were'} never called in these files."
    )
    if bill.requests:
        yield from _saved(report, bill)
        yield from _money(report, bill)
    if bill.left_out:
        yield f"Left out: {plural(bill.left_out, 'definition')} beyond what is kept."
    yield CAVEAT


def _sent(report: Report, bill: FixedBill) -> str:
    month = bill.a_month(bill.sent)
    at = ""
    if month is not None and bill.monthly is not None:
        at = (
            f", {_tokens(month)} a month at {plural(round(bill.monthly), 'request')}, as "
            f"observed over {duration(bill.seconds)}"
        )
        if untimed := bill.requests - bill.timed:
            words = plural(untimed, "request that names", "requests that name")
            at += f", without {words} no time"
    each = f"{_tokens(bill.each)} a request on average"
    if bill.conversations:
        mean = _tokens(bill.sent / bill.conversations)
        each += f", {mean} a conversation in {plural(bill.conversations, 'conversation')}"
    return f"Sent in {plural(bill.requests, 'request')}: {each}, {_tokens(bill.sent)} in all{at}."


def _saved(report: Report, bill: FixedBill) -> Iterator[str]:
    names = {
        "unused": "Leaving out those never called",
        "minified": "Minifying all",
        "both": "Doing both",
    }
    for key, saved in bill.saved.items():
        share = bill.share(saved)
        if share is not None:
            part = signed_percent(-share)
            verb = "adds" if saved < 0 else "saves"
            yield (
                f"{names[key]} {verb} {_tokens(abs(saved))} "
                f"({part} against all definitions as sent)."
            )


def _money(report: Report, bill: FixedBill) -> Iterator[str]:
    """What a month of definitions costs, not cached and all read from the cache."""
    model = report.analysis.choice.model
    if model is None or bill.monthly is None or bill.each is None:
        return
    if model.tokenizer != bill.tokenizer:
        return
    each, key = Decimal(bill.each), model.price or ""
    prices = [call_price(key, each, cached_share=share) for share in (0.0, 1.0)]
    never, always = (
        None if price is None else dollars(price * Decimal(bill.monthly)) for price in prices
    )
    if never is not None:
        cached = "" if always is None else f", {always} if always read from the cache"
        yield f"A month with {model.label} costs {never} if never cached{cached}."


def _tokens(number: float | None) -> str:
    return f"{UNKNOWN if number is None else count(number)} tokens"


def server_lines(report: Report) -> list[dict[str, object]]:
    """The table of servers, those with most tokens first."""
    found = rank_definitions(report.analysis, rank_tools(report.analysis))
    return [
        {
            "Server": each.server or OWN,
            "Tools": each.tools,
            "Tools called": each.tools - len(each.never_called),
            "Calls": each.calls,
            "Never called": listed(each.never_called, _NAMED) or None,
            "Tokens": each.tokens,
            "Tokens sent": each.sent,
        }
        for each in found
    ]


def tool_lines(bill: FixedBill) -> list[dict[str, object]]:
    """The table of tools, those with most tokens first."""
    return [
        {
            "Tool": each.tool,
            "Server": each.server or OWN,
            "Called": "yes" if each.called else "never",
            "Tokens": each.tokens,
            MINIFIED: each.minified,
            "Requests": each.requests,
            "Tokens sent": each.sent,
        }
        for each in bill.tools
    ]
