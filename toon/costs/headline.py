"""The answer about one payload as one picture: bars on one scale, the steps between them, money.

Pages and editors draw it; nothing here is decided anew: format, costs and words are the verdict's.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypedDict, final

from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import Choice
from toon.costs.prices import Traffic, explain_misfit
from toon.costs.verdict import Rung, Verdict, offer
from toon.costs.why import Step, apportion, family, find_note, find_steps, order, shares, split_gain
from toon.costs.worth import COMPACT, is_worth
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


class Bar(TypedDict):
    """A bar of the answer's picture: one text, its cost, where its tokens go, and what it saves.

    ``kinds`` are tokens of names, punctuation, whitespace and values; they and ``explanation`` add
    up to ``cost``. ``parts`` are these five as whole numbers that add up to ``figure``, the cost;
    ``exactly`` has them with their decimals. ``sum`` says what ``figure`` is the sum of, where a
    note is in it. ``vs_today`` is the change from the first bar with its sign, and "" there.
    ``credit`` and ``how`` are :class:`toon.costs.why.Step`'s, ``told`` its ``detail``.
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
    """TOON's cost with one delimiter, as texts: its tokens, its share of the note, and the sum."""

    tokens: str
    note: str
    cost: str


@final
class Nothing(TypedDict):
    """The answer about a payload without figures: ``nothing`` says why, ``lead`` as a sentence.

    ``best`` is "": there is nothing to send.
    """

    nothing: str
    lead: str
    best: str


class Money(TypedDict):
    """What a change of format saves a month, as texts in dollars; "" and empty if not known.

    ``months`` say what each bar costs, ``month`` and ``year`` what all steps save, ``minifying``
    what of the month the step to compact JSON saves; "" if there is none.
    """

    money: str
    months: list[str]
    month: str
    year: str
    minifying: str


NO_MONEY: Final[Money] = {"money": "", "months": [], "month": "", "year": "", "minifying": ""}


@final
class Headline(Money):
    """The answer about a payload in the words and figures that a person sees first.

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
    """The answer about a payload before money and captions: its verdict, its steps and bars.

    ``note`` goes before what to send, and is "" where that needs none. ``toons`` are TOON's costs
    by delimiter.
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
    """Return the answer about a payload for people: what to send, and what it saves a month.

    Raises:
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    return caption(picture(document, choice.tokenizer, explaining), choice, traffic)


def picture(document: Document, tokenizer: str, explaining: Explaining = ALONE) -> Picture:
    """Return the answer about a payload as steps and bars, none of them if nothing is to compare.

    Raises:
        RuntimeError: As for :func:`headline`.
    """
    verdict = answer(document, tokenizer, explaining)
    if verdict["nothing"]:
        return Picture(verdict, [], [], "", {})
    steps = find_steps(document, verdict, explaining)
    toons: dict[str, Delimited] = {}
    for delimiter, name in TOON_BY_DELIMITER.items():
        if cost := verdict["tried"].get(name):
            tokens = document.tokens(name, tokenizer)
            text, note = apportion([tokens, cost - tokens], cost)
            toons[delimiter] = {
                "tokens": count(text),
                "note": count(note) if note else "",
                "cost": count(cost),
            }
    bars = list(_bars(steps, verdict, document))
    return Picture(verdict, steps, bars, find_note(document, verdict, explaining), toons)


def caption(picture: Picture, choice: Choice, traffic: Traffic) -> Headline | Nothing:
    """Return the answer about a payload in words, from its steps and bars.

    With a model it says what the change saves in a month of ``traffic``.
    """
    verdict = picture.verdict
    if verdict["nothing"]:
        return empty_headline(verdict["nothing"])
    today, last, name = verdict["ladder"][0], verdict["ladder"][-1], verdict["format"]
    look: Look = "saves" if is_worth(last["cost"], today["cost"]) else "same"
    aside = [step.rung for step in picture.steps if step.is_apart]
    unfit = [explain_misfit(choice.model, rung["cost"], rung["label"]) for rung in (last, today)]
    is_paid = verdict["switch"] and not any(unfit)
    money = money_of(choice, verdict, traffic, aside) if is_paid else NO_MONEY
    copy = "Copy it"
    if verdict["switch"]:
        copy = f"Copy {family(name)}{' and note' if verdict['explanation'] else ''}"
    tried = verdict["tried"]
    toons = {sign: toon for sign, toon in TOON_BY_DELIMITER.items() if toon in tried}
    return {
        "act": order(verdict),
        "today": count(today["cost"]),
        "cost": count(last["cost"]),
        "figure": "not worth a change" if look == "same" else whole_percent(last["vs_today"]),
        "against": f"{last['label']} against {today['label']}",
        "shared": split_gain(verdict, picture.steps),
        "look": look,
        "lead": verdict["lead"],
        "why": list(filter(None, unfit))[:1],
        "reasons": verdict["reasons"],
        **money,
        "assumed": _assumptions(choice, verdict, traffic) if money["money"] else "",
        "best": name if verdict["switch"] else verdict["today"],
        "note": picture.note,
        "copy": copy,
        "untested": offer(verdict),
        "delimiter": min(toons, key=lambda d: (toons[d] != name, tried[toons[d]]), default=None),
        "delimiters": picture.toons,
        "proof": round_trip(f"comes back exactly from {label(name)}", ok=True),
        "bars": picture.bars,
        "nothing": None,
    }


def empty_headline(reason: str) -> Nothing:
    """Return the answer about a payload without figures, for a ``reason`` without full stop."""
    return {"nothing": reason, "lead": f"{reason}.", "best": ""}


def _bars(steps: Iterable[Step], verdict: Verdict, document: Document) -> Iterator[Bar]:
    today = verdict["ladder"][0]
    before = today["cost"]
    for rung, credit, how, detail, is_apart in steps:
        parts, cost = shares(document, rung, verdict["tokenizer"]), rung["cost"]
        figures = [count(tokens) for tokens in apportion(parts, cost)]
        note = rung["explanation"]
        look: Look = "costs" if is_worth(before, cost) else "same"
        if is_apart or is_worth(cost, before):
            look = "apart" if is_apart else "saves"
        yield {
            "format": rung["format"],
            "label": rung["label"],
            "kinds": parts[:-1],
            "parts": figures,
            "exactly": [decimal(tokens) for tokens in parts],
            "explanation": note,
            "cost": cost,
            "figure": count(cost),
            "sum": f"{count(rung['tokens'])} + {figures[-1]} note" if note else "",
            "vs_today": "" if rung is today else whole_percent(rung["vs_today"]),
            "credit": credit,
            "how": how,
            "told": detail,
            "look": look,
        }
        before = cost


def money_of(
    choice: Choice, verdict: Verdict, traffic: Traffic, aside: Sequence[Rung] = ()
) -> Money:
    """Return, as texts in dollars a month, what a verdict saves and what ``traffic`` costs with
    each text of its ladder, then ``aside``; ``NO_MONEY`` without a model, a price or a call.
    """
    ladder = verdict["ladder"]
    if choice.model is None or not traffic.calls:
        return NO_MONEY
    amounts = []
    for rung in (*ladder, *aside):
        explanation = rung["explanation"] / verdict["explanation_price"]
        price = traffic.price(choice.model, rung["tokens"], explanation, verdict["cached"])
        if price is None:
            return NO_MONEY
        amounts.append(traffic.calls * price)
    amounts, beside = amounts[: len(ladder)], amounts[len(ladder) :]
    saved, steps, months = falling_dollars(amounts, beside)
    is_minified = ladder[1]["format"] == COMPACT and amounts[1] < amounts[0]
    return {
        "money": f"saves {saved} a month in input",
        "months": months,
        "month": saved,
        "year": short_dollars(12 * (amounts[0] - amounts[-1])),
        "minifying": steps[0] if is_minified else "",
    }


def _assumptions(choice: Choice, verdict: Verdict, traffic: Traffic) -> str:
    """Return what money assumes: ``100,000 payloads a month, $1.25 a million tokens, uncached``."""
    today = verdict["ladder"][0]
    price = traffic.price(choice.model, today["tokens"]) if choice.model else None
    rate = price and f", {dollars(price * 1_000_000 / today['tokens'])} a million tokens"
    paid = traffic.terms
    if verdict["explanation_price"] < 1:
        paid += f", {percent(verdict['cached'])} of notes read from cache"
    return f"{plural(traffic.calls, 'payload')} a month{rate or ''}{paid or ', uncached'}"
