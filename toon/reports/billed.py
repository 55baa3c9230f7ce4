"""What is said of the bill of a log: its calls as they were billed, and the log's own cost."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from typing import Any, Final

from toon.analysis.billed import (
    ModelBill,
    Part,
    find_bills,
    find_conversations,
    find_days,
    find_projects,
    find_sessions,
    total,
)
from toon.costs.billed import Billed
from toon.costs.prices import price_source
from toon.reports.facts import Report
from toon.wording import UNKNOWN, dollars, percent, plural, signed_percent

#: The price and a log's own cost are of the same calls within this share.
_CLOSE: Final = 0.01
#: What the calls of records are called that name no model.
NO_MODEL: Final = "no model named"
#: The last days, and the dearest projects and sessions, that tables have.
SHOWN: Final = 30

Line = Mapping[str, object]


def log_bills(report: Report) -> list[ModelBill]:
    """Return what the calls of a report's run took, a bill for each model, the dearest first; [] if
    the log names no usage.
    """
    return find_bills(report.analysis.rows.about.get("usages"))


def spent(report: Report) -> tuple[str, str] | None:
    """Return what the calls cost as they were billed, and their tokens; None without any price."""
    bills = log_bills(report)
    priced = [bill for bill in bills if bill.dollars is not None]
    if not priced:
        return None
    cost = dollars(total(bill.dollars for bill in priced))
    some = "" if len(priced) == len(bills) else " with a price"
    calls = plural(sum(bill.calls for bill in priced), "call")
    return f"As billed: {cost} for {calls}{some}", _taken(priced)


def _taken(bills: list[ModelBill]) -> str:
    """Say what calls took: the tokens of their input, how many of them were cached, and output."""
    tokens = reduce(Billed.plus, (bill.tokens for bill in bills))
    cached = percent(tokens.cached / max(1, tokens.input))
    input, output = plural(tokens.input, "token"), plural(tokens.output, "token")
    return f"{input} of input, {cached} of them read from the cache; {output} of output."


def conversation_facts(shares: object) -> dict[str, Any] | None:
    """Return what conversations took, of a run's metadata, as plain values; None without any."""
    found, more = find_conversations(shares)
    if not found:
        return None
    largest = max(found, key=lambda part: (part.dollars or 0, part.tokens.input))
    return {
        "number": len(found),
        "more": more,
        "mean": _mean(found),
        "largest": _mean([largest]),
    }


def _mean(found: list[Part]) -> dict[str, float | None]:
    cost, number = total(part.dollars for part in found), len(found)
    return {
        "calls": sum(part.calls for part in found) / number,
        "input": sum(part.tokens.input for part in found) / number,
        "dollars": None if cost is None else float(cost / number),
    }


def bill_words(report: Report, bills: list[ModelBill]) -> Iterator[str]:
    """Say what all calls took, what has no price, how the price fits the log's own cost, and what a
    conversation took.
    """
    priced = [bill for bill in bills if bill.dollars is not None]
    calls = sum(bill.calls for bill in bills)
    yield _taken(priced) if priced else f"{plural(calls, 'call')} with usage: {_taken(bills)}"
    if unpriced := [bill.model or NO_MODEL for bill in bills if bill.dollars is None]:
        yield f"Without a price{', and so not in it' if priced else ''}: {', '.join(unpriced)}."
    yield from _compared(bills)
    yield from _conversations(report, calls)
    yield f"Prices: {price_source()}, as at the time of the calls; no batches, no discounts."


def _compared(bills: list[ModelBill]) -> Iterator[str]:
    named = [bill for bill in bills if bill.vs_named is not None]
    if not named:
        return
    far = [bill for bill in named if abs(bill.vs_named or 0) > _CLOSE]
    if not far:
        yield "That is within 1 % of what the log itself names for the same calls."
        return
    words = (
        f"{bill.model or NO_MODEL} {signed_percent(bill.vs_named)} against "
        f"{dollars(bill.named)} in the log"
        for bill in far
    )
    yield f"More than 1 % off what the log itself names for the same calls: {', '.join(words)}."


def _conversations(report: Report, calls: int) -> Iterator[str]:
    """Say what a conversation took on average, and the largest; nothing if the log names none."""
    found = conversation_facts(report.analysis.rows.about.get("shares"))
    if found is None:
        return
    number, mean = found["number"], found["mean"]
    inside, took = round(mean["calls"] * number), f"it {_took(mean)}"
    whose = f"{'The first ' if found['more'] else ''}{plural(number, 'conversation')} in the log"
    part = f", with {inside:,} of {plural(calls, 'call')}" if inside < calls else ""
    if number > 1:
        took = f"each {_took(mean)} on average; the largest {_took(found['largest'])}"
    yield f"{whose}{part}: {took}."


def _took(found: dict[str, Any]) -> str:
    cost = found["dollars"]
    took = "took" if cost is None else f"cost {dollars(Decimal(repr(cost)))} for"
    return f"{took} {plural(round(found['input']), 'token')} of input"


def part_tables(report: Report) -> Iterator[tuple[str, Sequence[Line]]]:
    """Yield the tables of the bill by day, project and session, of each that the log names."""
    for name, parts in bill_parts(report):
        shown = parts[-SHOWN:] if name == "Day" else parts[:SHOWN]
        which = "the last" if name == "Day" else "the dearest"
        more = f", {which} {SHOWN} of {len(parts):,}" if len(parts) > SHOWN else ""
        lines = [
            {
                name: part.name or f"no {name.lower()} named",
                **({"Project": part.project or UNKNOWN} if name == "Session" else {}),
                "Calls": part.calls,
                "Input": part.tokens.input,
                "From cache": part.tokens.cached,
                "Output": part.tokens.output,
                "Price": dollars(part.dollars),
            }
            for part in shown
        ]
        yield f"By {name.lower()}{more}", lines


def bill_parts(report: Report) -> Iterator[tuple[str, list[Part]]]:
    """Yield the bill by day, by project and by session, of each that the log names."""
    about = report.analysis.rows.about
    for name, parts in (
        ("Day", find_days(about)),
        ("Project", find_projects(about)),
        ("Session", find_sessions(about)),
    ):
        if any(part.name for part in parts):
            yield name, parts


def bill_lines(bills: list[ModelBill]) -> list[dict[str, object]]:
    """Return the table of a log's bill: for each model its calls, their tokens and dollars, and the
    cost that the log itself names.
    """
    return [
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
