"""The answer about one payload as one picture: bars on one scale, the steps between them, money.

Pages and editors draw it; nothing here is decided anew: format, costs and words are the verdict's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final, Literal, NamedTuple, TypedDict, final

from toon.costs.answer import answer
from toon.costs.choice import COMPACT, is_worth
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import Choice
from toon.costs.prices import Traffic, unfit_words
from toon.costs.verdict import Rung, Verdict, offer
from toon.costs.why import Step, act, find_steps, note_before, plain, shared, shares, whole
from toon.formats import label
from toon.formats.toon import TOON_BY_DELIMITER
from toon.wording import (
    count,
    decimal,
    dollars,
    falling_dollars,
    percent,
    plural,
    round_trip,
    short_dollars,
    whole_percent,
)

_NO_TRAFFIC: Final = Traffic()

#: Whether the step to a bar saves, costs, changes nothing, or is not to be taken (yet).
Look = Literal["saves", "costs", "same", "apart"]


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


class Bar(TypedDict):
    """One text: what it costs, where its tokens go, and the step from the bar before.

    ``kinds`` are tokens of names, punctuation, whitespace and values; they and ``explanation`` add
    up to ``cost``. ``parts`` are these five as whole numbers that add up to ``figure``, the cost;
    ``exactly`` has them with their decimals. ``sum`` says what ``figure`` is the sum of, where a
    note is in it. ``vs_today`` is the change from the first bar with its sign, and "" there.
    ``credit``, ``how`` and ``told`` are :class:`toon.costs.why.Step`'s.
    """

    format: str
    label: str
    kinds: list[float]
    explanation: float
    parts: list[str]
    exactly: list[str]
    cost: float
    figure: str
    sum: str
    vs_today: str
    credit: str
    how: str
    told: str
    look: Look


class Delimited(TypedDict):
    """TOON with one delimiter: its tokens, those of its note as the payload bears it, and both."""

    tokens: str
    note: str
    cost: str


@final
class Nothing(TypedDict):
    """What stands in place of a headline: ``nothing`` says why there are no figures.

    ``lead`` is all that is said, and ``best`` is "": there is nothing to send.
    """

    nothing: str
    lead: str
    best: str


@final
class Headline(Money):
    """What a person sees first of a payload.

    ``act`` says what to do. ``figure`` is the change of cost by it, from ``today`` to ``cost``, or
    says that it is not worth one; ``against`` says what it is against, ``look`` what it means.
    ``shared`` says what of that is certain, and what the format adds, or is "". ``why`` are
    sentences: what is not certain of it. ``assumed`` is what the money assumes, or "".
    ``best`` is what to send, ``note`` what goes before it or "", and ``copy`` says both on a
    button; ``untested`` says what a format that no model was tested with would save besides, or is
    "". ``delimiter`` is that of the cheapest TOON, and ``delimiters`` what TOON
    takes with each; None and empty where there is none. ``proof`` says that the payload came back
    from what to send.
    """

    act: str
    today: str
    cost: str
    figure: str
    against: str
    shared: str
    look: Look
    lead: str
    why: list[str]
    reasons: list[str]
    assumed: str
    best: str
    note: str
    copy: str
    untested: str
    delimiter: str | None
    delimiters: dict[str, Delimited]
    proof: str
    bars: list[Bar]
    nothing: None


class Picture(NamedTuple):
    """What a headline is made of that takes long to find; ``toons`` are costs by delimiter.

    ``note`` goes before what to send, and is "" where that needs none.
    """

    verdict: Verdict
    steps: list[Step]
    bars: list[Bar]
    note: str
    toons: dict[str, Delimited]


def headline(
    document: Document,
    choice: Choice,
    explaining: Explaining = ALONE,
    traffic: Traffic = _NO_TRAFFIC,
) -> Headline | Nothing:
    """The answer about a text for a model, and its money for ``traffic``.

    Raises:
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    return captioned(picture(document, choice.tokenizer, explaining), choice, traffic)


def picture(document: Document, tokenizer: str, explaining: Explaining = ALONE) -> Picture:
    """The verdict on a text, its steps and bars; there are none where it has nothing to compare.

    Raises:
        RuntimeError: As for :func:`headline`.
    """
    verdict = answer(document, tokenizer, explaining)
    if verdict["nothing"]:
        return Picture(verdict, [], [], "", {})
    steps = find_steps(document, verdict, explaining)
    toons = {
        each: _delimited(document.tokens(name, tokenizer), verdict["tried"][name])
        for each, name in TOON_BY_DELIMITER.items()
        if name in verdict["tried"]
    }
    bars = list(_bars(steps, verdict, document))
    note = note_before(document, verdict, explaining)
    return Picture(verdict, steps, bars, note, toons)


def _delimited(tokens: int, cost: float) -> Delimited:
    text, note = whole([tokens, cost - tokens], cost)
    return {
        "tokens": count(text),
        "note": count(note) if note else "",
        "cost": count(cost),
    }


def captioned(picture: Picture, choice: Choice, traffic: Traffic) -> Headline | Nothing:
    """The headline of a picture for a model, and its money for ``traffic``."""
    verdict = picture.verdict
    if verdict["nothing"]:
        return without_figures(verdict["nothing"])
    today, last = verdict["ladder"][0], verdict["ladder"][-1]
    look: Look = "saves" if is_worth(last["cost"], today["cost"]) else "same"
    aside = [step.rung for step in picture.steps if step.is_apart]
    unfit = [unfit_words(choice.model, each["cost"], each["label"]) for each in (last, today)]
    is_paid = verdict["switch"] and not any(unfit)
    money = money_of(choice, verdict, traffic, aside) if is_paid else NO_MONEY
    return {
        "act": act(verdict),
        "today": count(today["cost"]),
        "cost": count(last["cost"]),
        "figure": "not worth a change" if look == "same" else whole_percent(last["vs_today"]),
        "against": f"{last['label']} against {today['label']}",
        "shared": shared(verdict, picture.steps),
        "look": look,
        "lead": verdict["lead"],
        "why": list(filter(None, unfit))[:1],
        "reasons": verdict["reasons"],
        **money,
        "assumed": assumed_of(choice, verdict, traffic) if money["money"] else "",
        "best": verdict["format"] if verdict["switch"] else verdict["today"],
        "note": picture.note,
        "copy": _copied(verdict),
        "untested": offer(verdict),
        "delimiter": _cheapest_delimiter(verdict),
        "delimiters": picture.toons,
        "proof": round_trip(f"comes back exactly from {label(verdict['format'])}", ok=True),
        "bars": picture.bars,
        "nothing": None,
    }


def without_figures(why: str) -> Nothing:
    """Return what stands in place of a headline; ``why`` has no full stop."""
    return {"nothing": why, "lead": f"{why}.", "best": ""}


def _cheapest_delimiter(verdict: Verdict) -> str | None:
    """That of the TOON to send, or of the cheapest one; None where there is none."""
    written = {name: each for each, name in TOON_BY_DELIMITER.items() if name in verdict["tried"]}
    ranked = sorted(written, key=lambda name: (name != verdict["format"], verdict["tried"][name]))
    return written[ranked[0]] if ranked else None


def _copied(verdict: Verdict) -> str:
    """What the button says that copies what to send."""
    if not verdict["switch"]:
        return "Copy it"
    note = " and note" if verdict["explanation"] else ""
    return f"Copy {plain(verdict['format'])}{note}"


def _bars(steps: Iterable[Step], verdict: Verdict, document: Document) -> Iterator[Bar]:
    """A bar for each step."""
    today = verdict["ladder"][0]
    before = today
    for rung, credit, how, told, is_apart in steps:
        parts = shares(document, rung, verdict["tokenizer"])
        shown = [count(tokens) for tokens in whole(parts, rung["cost"])]
        note = rung["explanation"]
        yield {
            "format": rung["format"],
            "label": rung["label"],
            "kinds": parts[:-1],
            "parts": shown,
            "exactly": [decimal(tokens) for tokens in parts],
            "explanation": note,
            "cost": rung["cost"],
            "figure": count(rung["cost"]),
            "sum": f"{count(rung['tokens'])} + {shown[-1]} note" if note else "",
            "vs_today": "" if rung is today else whole_percent(rung["vs_today"]),
            "credit": credit,
            "how": how,
            "told": told,
            "look": "apart" if is_apart else look_of(rung["cost"], before["cost"]),
        }
        before = rung


def look_of(cost: float, before: float) -> Look:
    """Whether a change of cost is a saving, a cost, or no difference worth a change."""
    if is_worth(cost, before):
        return "saves"
    return "costs" if is_worth(before, cost) else "same"


# -- money ----------------------------------------------------------------------------------


def money_of(
    choice: Choice, verdict: Verdict, traffic: Traffic, aside: Sequence[Rung] = ()
) -> Money:
    """Return what a change of format saves a month, and what each text costs, in US dollars.

    ``aside`` are texts that are not on the ladder. Without a model, a price or a call there is no
    money.
    """
    ladder = verdict["ladder"]
    if choice.model is None or not traffic.calls:
        return NO_MONEY
    amounts: list[Decimal] = []
    for rung in (*ladder, *aside):
        note = rung["explanation"] / verdict["explanation_price"]
        price = traffic.price(choice.model, rung["tokens"], note, verdict["cached"])
        if price is None:
            return NO_MONEY
        amounts.append(traffic.calls * price)
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
    """Say what money assumes: ``100,000 payloads a month, $1.25 a million tokens, uncached``."""
    today = verdict["ladder"][0]
    price = traffic.price(choice.model, today["tokens"]) if choice.model else None
    rate = price and f", {dollars(price * 1_000_000 / today['tokens'])} a million tokens"
    paid = traffic.paid
    if verdict["explanation_price"] < 1:
        paid += f", {percent(verdict['cached'])} of notes read from cache"
    return f"{plural(traffic.calls, 'payload')} a month{rate or ''}{paid or ', uncached'}"
