"""The answer about one payload as one picture: bars on one scale, the steps between them, money.

Pages and editors draw it; nothing here is decided anew: format, costs and words are the verdict's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypedDict

from toon import tokenizers
from toon.costs.answer import answer
from toon.costs.choice import COMPACT, is_worth
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import Choice, Model, refusal
from toon.costs.prices import Traffic, price_words, saved_within
from toon.costs.verdict import Rung, Verdict
from toon.formats import AS_TYPED, label
from toon.formats.json import JsonFormat, minified
from toon.values.fractions import fraction
from toon.wording import (
    BADGES,
    count,
    decimal,
    formats_tried,
    marked,
    percent,
    round_trip,
    signed_percent,
)

_NO_TRAFFIC: Final = Traffic()

#: Parts of a bar below this have a decimal, so that they add up as shown.
_PRECISE: Final = 10_000

#: Whether the step to a bar saves, costs, changes nothing, or is not to be taken (yet).
Look = Literal["saves", "costs", "same", "apart"]


class Bar(TypedDict):
    """One text: what it costs, where its tokens go, and the step from the bar before.

    ``kinds`` are tokens of names, punctuation, whitespace and values; they and ``explanation`` add
    up to ``cost``. ``parts`` are these five in words, ``figure`` is the cost in words, ``step`` the
    signed change, ``credit`` what it comes from; the last two are "" for the first bar.
    """

    format: str
    label: str
    kinds: list[float]
    explanation: float
    parts: list[str]
    cost: float
    figure: str
    step: str
    credit: str
    look: Look


class Headline(TypedDict):
    """What a person sees first of a payload.

    ``figure`` is the change from what is sent today to what to send, or says that it makes no
    difference; ``against`` says what it is against, ``look`` what it means. ``money`` is what the
    change is worth a month; "" where no model or no price is known. ``proof`` says that the payload
    came back from what to send. ``among`` says how many formats it was chosen from, ``tried`` names
    them with what each costs, the cheapest first. ``nothing`` says why there are no bars; then
    ``lead`` is all that is said.
    """

    figure: str
    against: str
    look: Look
    lead: str
    reasons: list[str]
    money: str
    proof: str
    among: str
    tried: list[str]
    bars: list[Bar]
    nothing: str | None


class Step(NamedTuple):
    """A rung, and what its change comes from; one that stands apart is not to be taken (yet)."""

    rung: Rung
    credit: str
    is_apart: bool = False


class Picture(NamedTuple):
    """What a headline is made of that takes long to find: the verdict, its steps and their bars."""

    verdict: Verdict
    steps: list[Step]
    bars: list[Bar]


def headline(
    document: Document,
    choice: Choice,
    explaining: Explaining = ALONE,
    traffic: Traffic = _NO_TRAFFIC,
) -> Headline:
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
    steps = [] if verdict["nothing"] else list(_steps(document, verdict))
    return Picture(verdict, steps, list(_bars(steps, verdict, document)))


def captioned(picture: Picture, choice: Choice, traffic: Traffic = _NO_TRAFFIC) -> Headline:
    """The headline of a picture for a model, and its money for ``traffic``."""
    verdict, _, bars = picture
    today, last = verdict["ladder"][0], verdict["ladder"][-1]
    if verdict["nothing"]:
        return _nothing(verdict)
    look = look_of(last["cost"], today["cost"])
    change = marked(signed_percent(last["vs_today"]), exact=verdict["exact"])
    return {
        "figure": "no difference" if look == "same" else change,
        "against": f"{last['label']} against {today['label']}",
        "look": look,
        "lead": verdict["lead"],
        "reasons": verdict["reasons"],
        "money": _money(choice, verdict, traffic) if verdict["switch"] else "",
        "proof": round_trip(f"comes back exactly from {label(verdict['format'])}", ok=True),
        "among": formats_tried(len(verdict["tried"])),
        "tried": _tried(verdict),
        "bars": bars,
        "nothing": None,
    }


def _nothing(verdict: Verdict) -> Headline:
    refused = verdict["no_estimate"]
    return {
        "figure": "",
        "against": "",
        "look": "same",
        "lead": refusal(refused) if refused else verdict["sentence"],
        "reasons": [],
        "money": "",
        "proof": "",
        "among": "",
        "tried": [],
        "bars": [],
        "nothing": verdict["nothing"],
    }


def _tried(verdict: Verdict) -> list[str]:
    """Each format that was tried, with its cost."""
    about = partial(marked, exact=verdict["exact"])
    ranked = sorted(verdict["tried"].items(), key=itemgetter(1))
    return [f"{label(name)} {about(decimal(cost))}" for name, cost in ranked]


def _bars(steps: Iterable[Step], verdict: Verdict, document: Document) -> Iterator[Bar]:
    """A bar for each step."""
    before: Rung | None = None
    for rung, credit, is_apart in steps:
        kinds = document.figures(rung["format"], verdict["tokenizer"])["breakdown"]
        about = partial(marked, exact=verdict["exact"])
        shares = [kinds["names"], kinds["punctuation"], kinds["whitespace"], kinds["values"]]
        yield {
            "format": rung["format"],
            "label": rung["label"],
            "kinds": shares,
            "parts": [about(_part(tokens)) for tokens in (*shares, rung["explanation"])],
            "explanation": rung["explanation"],
            "cost": rung["cost"],
            "figure": about(decimal(rung["cost"])),
            "step": about(signed_percent(rung["vs_before"])) if before else "",
            "credit": credit,
            "look": "apart" if is_apart else look_of(rung["cost"], (before or rung)["cost"]),
        }
        before = rung


def _part(tokens: float) -> str:
    return decimal(tokens) if tokens < _PRECISE else count(tokens)


def _steps(document: Document, verdict: Verdict) -> Iterator[Step]:
    """The rungs of the ladder, then a format that is not worth its explanation yet."""
    today, *others = verdict["ladder"]
    yield Step(today, "")
    for rung in others:
        is_compact = rung["format"] == COMPACT
        minifying = credit_compact(document, AS_TYPED, verdict["tokenizer"]) if is_compact else ""
        yield Step(rung, minifying or "by the format")
    if more := rival(verdict):
        yield Step(more, f"{BADGES['not-recommended']} here", True)


def look_of(cost: float, before: float) -> Look:
    """Whether a change of cost is a saving, a cost, or no difference worth a change."""
    if is_worth(cost, before):
        return "saves"
    return "costs" if is_worth(before, cost) else "same"


def winner(verdict: Verdict) -> str:
    """Who wins against compact JSON: ``TOON −33.9 %``, explanation included, or itself."""
    last = verdict["ladder"][-1]
    if verdict["nothing"]:
        return "nothing to compare"
    if last["format"] == COMPACT:
        return f"{last['label']} wins"
    change = marked(signed_percent(last["vs_before"]), exact=verdict["exact"])
    return f"{last['label']} {change}"


def rival(verdict: Verdict) -> Rung | None:
    """A format that is not worth its explanation yet, as a rung beside the ladder."""
    ladder, even, together = verdict["ladder"], verdict["break_even"], verdict["together"]
    last = ladder[-1]
    if even is None or last["format"] == even["format"]:
        return None
    tokens = last["tokens"] - even["saved"]
    once = even["explanation"] * verdict["explanation_price"]
    share = once / together if together else 0.0
    cost = tokens + share
    return {
        "format": even["format"],
        "label": label(even["format"]),
        "tokens": tokens,
        "explanation": share,
        "cost": cost,
        "change": cost - last["cost"],
        "vs_before": fraction(cost, last["cost"]),
        "vs_today": fraction(cost, ladder[0]["cost"]),
    }


def credit_compact(document: Document, today: str, tokenizer: str) -> str:
    """What makes compact JSON shorter than ``today``, the name of the text before it."""
    if not isinstance(document.format(today), JsonFormat):
        return "by writing it as JSON"
    is_minified = minified(document.text(today, tokenizer)) == document.text(COMPACT, tokenizer)
    return f"by minifying{'' if is_minified else ', shorter numbers and escapes'}"


def _price(model: Model, rung: Rung, verdict: Verdict, traffic: Traffic) -> Decimal | None:
    """US dollars for one call with the text of a rung, and its share of the explanation."""
    explanation = rung["explanation"] / verdict["explanation_price"]
    return traffic.price(model, rung["tokens"], explanation, verdict["cached"])


def _money(choice: Choice, verdict: Verdict, traffic: Traffic) -> str:
    """What the change is worth a month; "" without a model, a price or a call."""
    if choice.model is None or not traffic.calls:
        return ""
    rungs = verdict["ladder"][0], verdict["ladder"][-1]
    prices = [_price(choice.model, rung, verdict, traffic) for rung in rungs]
    if prices[0] is None or prices[1] is None:
        return ""
    before, after = traffic.calls * prices[0], traffic.calls * prices[1]
    known = tokenizers.get(choice.tokenizer).at(min(rung["tokens"] for rung in rungs))
    within = saved_within(known.error, before, after)
    words = price_words(before - after, known.band, within)
    paid = ""
    verb = "changes" if within and within >= before - after else "saves"
    if verdict["explanation_price"] < 1:
        paid = f", {percent(verdict['cached'])} of notes read from cache"
    return f"{verb} {words} a month at {traffic}{paid}"
