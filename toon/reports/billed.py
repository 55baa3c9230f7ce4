"""Sentences and tables on a log's bill: its calls as they were billed, and the log's own cost."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import reduce
from typing import Any, Final

from toon.analysis.billed import ModelBill, Part, find_bills, find_conversations, find_parts, total
from toon.costs.billed import Billed
from toon.costs.prices import price_source
from toon.reports.facts import Line, Report, Section
from toon.wording import UNKNOWN, dollars, percent, plural, signed_percent

#: The largest difference, as a share, at which a price agrees with the log's own cost.
_CLOSE: Final = 0.01
#: The name of a model for calls whose records name none.
NO_MODEL: Final = "no model named"
#: The most days (the last), projects and sessions (the dearest) in a table.
SHOWN: Final = 30
_PARTS: Final = "Days are in UTC. A project is the name of the folder that a session works in."


def log_bills(report: Report) -> list[ModelBill]:
    """Return the bills of a log's calls, one for each model with its tokens and price, the dearest
    first; [] if the log names no usage.
    """
    return find_bills(report.analysis.rows.about.get("usages"))


def billed_cost(report: Report) -> tuple[str, str] | None:
    """Return as texts the cost of a log's calls as billed, and their tokens; None if unpriced."""
    bills = log_bills(report)
    priced = [bill for bill in bills if bill.dollars is not None]
    if not priced:
        return None
    cost = dollars(total(bill.dollars for bill in priced))
    some = "" if len(priced) == len(bills) else " with a price"
    calls = plural(sum(bill.calls for bill in priced), "call")
    return f"As billed: {cost} for {calls}{some}", _usage(priced)


def _usage(bills: list[ModelBill]) -> str:
    """Return a sentence on the tokens of bills: of input, the part read from a cache, of output."""
    tokens = reduce(Billed.plus, (bill.tokens for bill in bills))
    cached = percent(tokens.cached / max(1, tokens.input))
    input, output = plural(tokens.input, "token"), plural(tokens.output, "token")
    return f"{input} of input, {cached} of them read from the cache; {output} of output."


def conversation_facts(shares: object) -> dict[str, Any] | None:
    """Return a dict of the number of conversations in ``shares``, a part of a run's metadata, and
    the calls, input tokens and dollars of their mean and of the largest; None if there are none.
    """
    parts, more = find_conversations(shares)
    if not parts:
        return None

    def mean(parts: list[Part]) -> dict[str, float | None]:
        cost, number = total(part.dollars for part in parts), len(parts)
        return {
            "calls": sum(part.calls for part in parts) / number,
            "input": sum(part.tokens.input for part in parts) / number,
            "dollars": None if cost is None else float(cost / number),
        }

    largest = max(parts, key=lambda part: (part.dollars or 0, part.tokens.input))
    return {"number": len(parts), "more": more, "mean": mean(parts), "largest": mean([largest])}


def bill_sections(report: Report) -> Iterator[Section]:
    """Yield the report's sections on a log's bill: by model, then by day, project and session as
    far as the log names them; none if it names no usage.
    """
    bills = log_bills(report)
    if not bills:
        return
    by_model: list[Line] = [
        {
            "Model": bill.model or NO_MODEL,
            "Calls": bill.calls,
            "Input": bill.tokens.input,
            "From cache": bill.tokens.cached,
            "To cache": bill.tokens.written,
            "Output": bill.tokens.output,
            "Price": dollars(bill.dollars),
            "In the log": dollars(bill.named) if bill.named_calls else None,
            "vs the log": bill.vs_named,
        }
        for bill in bills
    ]
    words = list(_words(report, bills))
    yield Section("bill", "As billed", words, [("By model", by_model)], "spent")
    tables = list[tuple[str, Sequence[Line]]]()
    for name, parts in find_parts(report.analysis.rows.about).items():
        choice, shown = "the dearest", parts[:SHOWN]
        if name == "day":
            choice, shown = "the last", parts[-SHOWN:]
        more = f", {choice} {SHOWN} of {len(parts):,}" if len(parts) > SHOWN else ""
        lines = [
            {
                name.capitalize(): part.name or f"no {name} named",
                **({"Project": part.project or UNKNOWN} if name == "session" else {}),
                "Calls": part.calls,
                "Input": part.tokens.input,
                "From cache": part.tokens.cached,
                "Output": part.tokens.output,
                "Price": dollars(part.dollars),
            }
            for part in shown
        ]
        tables.append((f"By {name}{more}", lines))
    if tables:
        yield Section("spent", "What was spent where", [_PARTS], tables)


def _words(report: Report, bills: list[ModelBill]) -> Iterator[str]:
    """Yield sentences on a log's bill: tokens of all calls, models without a price, prices against
    the log's own cost, and conversations.
    """
    priced = [bill for bill in bills if bill.dollars is not None]
    calls = sum(bill.calls for bill in bills)
    yield _usage(priced) if priced else f"{plural(calls, 'call')} with usage: {_usage(bills)}"
    if unpriced := [bill.model or NO_MODEL for bill in bills if bill.dollars is None]:
        yield f"Without a price{', and so not in it' if priced else ''}: {', '.join(unpriced)}."
    compared = [(bill, bill.vs_named) for bill in bills if bill.vs_named is not None]
    far = [
        f"{bill.model or NO_MODEL} {signed_percent(vs)} against {dollars(bill.named)} in the log"
        for bill, vs in compared
        if abs(vs) > _CLOSE
    ]
    if far:
        yield f"More than 1 % off what the log itself names for the same calls: {', '.join(far)}."
    elif compared:
        yield "That is within 1 % of what the log itself names for the same calls."
    if facts := conversation_facts(report.analysis.rows.about.get("shares")):
        number, mean = facts["number"], facts["mean"]
        inside, took = round(mean["calls"] * number), f"it {_cost(mean)}"
        subject = f"{'The first ' if facts['more'] else ''}{plural(number, 'conversation')}"
        part = f", with {inside:,} of {plural(calls, 'call')}" if inside < calls else ""
        if number > 1:
            took = f"each {_cost(mean)} on average; the largest {_cost(facts['largest'])}"
        yield f"{subject} in the log{part}: {took}."
    yield f"Prices: {price_source()}, as at the time of the calls; no batches, no discounts."


def _cost(costs: dict[str, Any]) -> str:
    cost = costs["dollars"]
    took = "took" if cost is None else f"cost {dollars(Decimal(repr(cost)))} for"
    return f"{took} {plural(round(costs['input']), 'token')} of input"
