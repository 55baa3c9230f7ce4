"""What a change of format is worth a month, in words, and what that assumes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypedDict

from toon.costs.choice import COMPACT
from toon.costs.models import Choice, Model
from toon.costs.prices import Traffic
from toon.costs.verdict import Rung, Verdict
from toon.wording import dollars, falling_dollars, percent, plural, short_dollars


class Money(TypedDict):
    """What the change is worth a month; "" and empty where that is not known.

    ``months`` say what each bar costs, ``month`` and ``year`` what all steps save, ``minifying``
    what of the month the step to compact JSON saves; "" if there is none.
    """

    money: str
    months: list[str]
    month: str
    year: str
    minifying: str


NO_MONEY: Final[Money] = {"money": "", "months": [], "month": "", "year": "", "minifying": ""}


def _price(model: Model, rung: Rung, verdict: Verdict, traffic: Traffic) -> Decimal | None:
    """US dollars for one call with the text of a rung, and its share of the explanation."""
    explanation = rung["explanation"] / verdict["explanation_price"]
    return traffic.price(model, rung["tokens"], explanation, verdict["cached"])


def money_of(
    choice: Choice, verdict: Verdict, traffic: Traffic, aside: Sequence[Rung] = ()
) -> Money:
    """What the change is worth, and what each rung costs, also those aside the ladder.

    Nothing is known without a model, a price or a call.
    """
    ladder = verdict["ladder"]
    if choice.model is None or not traffic.calls:
        return NO_MONEY
    prices = [_price(choice.model, rung, verdict, traffic) for rung in (*ladder, *aside)]
    amounts = [traffic.calls * price for price in prices if price is not None]
    if len(amounts) < len(prices):
        return NO_MONEY
    amounts, beside = amounts[: len(ladder)], amounts[len(ladder) :]
    before, after = amounts[0], amounts[-1]
    saved, steps, months = falling_dollars(amounts, beside)
    is_minified = ladder[1]["format"] == COMPACT and amounts[1] < before
    return {
        "money": f"saves {saved} a month in input",
        "months": months,
        "month": saved,
        "year": short_dollars(12 * (before - after)),
        "minifying": steps[0] if is_minified else "",
    }


def assumed_of(choice: Choice, verdict: Verdict, traffic: Traffic) -> str:
    """What money assumes: ``100,000 payloads a month, $1.25 a million tokens, uncached``."""
    today = verdict["ladder"][0]
    price = traffic.price(choice.model, today["tokens"]) if choice.model else None
    rate = price and f", {dollars(price * 1_000_000 / today['tokens'])} a million tokens"
    paid = traffic.paid
    if verdict["explanation_price"] < 1:
        paid += f", {percent(verdict['cached'])} of notes read from cache"
    return f"{plural(traffic.calls, 'payload')} a month{rate or ''}{paid or ', uncached'}"
