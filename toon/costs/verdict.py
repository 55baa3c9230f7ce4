"""The answer about a payload as plain data, and its words: what to send, why, and how sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NotRequired, TypedDict

from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, READ, label
from toon.values.fractions import fraction
from toon.wording import (
    BADGES,
    capitalised,
    count,
    decimal,
    formats_tried,
    plural,
    signed_count,
    signed_percent,
    whole_percent,
)


class Rung(TypedDict):
    """A step of the ladder: as typed, minified, or the format to send.

    ``tokens`` are the text's, ``explanation`` is the payload's share of explaining its format, in
    tokens at the price of input, and ``cost`` is their sum. ``change`` is the cost less the
    previous rung's; ``vs_before`` and ``vs_today`` are the change from the previous and the first
    rung, as signed fractions.
    """

    format: str
    label: str
    tokens: int
    explanation: float
    cost: float
    change: float
    vs_before: float | None
    vs_today: float | None


class BreakEven(TypedDict):
    """The number of ``payloads`` in a prompt from which a format is worth it over compact JSON.

    ``saved`` are the tokens that ``format`` saves in each payload, ``explanation`` those that
    explaining it takes once.
    """

    format: str
    saved: int
    explanation: int
    payloads: int


class Fewest(TypedDict):
    """The proven format with the fewest tokens of a payload, explanation left out."""

    format: str
    tokens: int


class Untested(TypedDict):
    """A format that no model was tested with, and that costs much less than the recommendation.

    ``saved`` is the cost by which it is below the recommendation, or below the kept text, and
    ``vs`` the same as a signed fraction.
    """

    format: str
    tokens: int
    explanation: float
    cost: float
    saved: float
    vs: float | None


class Facts(TypedDict):
    """The format to send a value in, by one tokenizer, or for a ``model``.

    ``format`` is the recommendation, with its ``tokens``, ``explanation`` (the payload's share) and
    ``cost`` (their sum). ``today`` is the text sent now and ``written_in`` the format that reads
    it; ``saved`` is its cost less the recommendation's, ``switch`` whether that is worth a change.
    ``vs_today`` is the change of cost as a signed fraction, ``vs_json_compact`` that of tokens
    alone. ``together`` payloads share an explanation; None: the model needs none. ``cached`` is the
    share of prompts that read it from the cache, ``explanation_price`` a token's price where one of
    input costs 1. ``fewest`` is known where compact JSON is the recommendation. ``tried`` has the
    cost of each lossless format that was chosen from, in the order of their table. ``untested`` is
    offered beside the recommendation, which is always tested. ``nothing`` says why there is nothing
    to compare.
    """

    model: NotRequired[str]
    tokenizer: str
    together: int | None
    cached: float
    explanation_price: float
    today: str
    written_in: str
    ladder: list[Rung]
    format: str
    tokens: int
    explanation: float
    cost: float
    saved: float
    switch: bool
    vs_today: float | None
    vs_json_compact: float | None
    break_even: BreakEven | None
    fewest: Fewest | None
    tried: dict[str, float]
    untested: Untested | None
    nothing: str | None
    shape: str


class Verdict(Facts):
    """The facts; what to send (``lead``), and in ``sentence`` the same with the ``reasons``."""

    lead: str
    reasons: list[str]
    sentence: str


def climb(texts: Iterable[tuple[str, str, int, float]]) -> list[Rung]:
    """Return the ladder of some texts, given as format, label, tokens and cost."""
    rungs: list[Rung] = []
    for format, called, tokens, cost in texts:
        before, today = (rungs[-1]["cost"], rungs[0]["cost"]) if rungs else (cost, cost)
        rungs.append(
            {
                "format": format,
                "label": called,
                "tokens": tokens,
                "explanation": cost - tokens,
                "cost": cost,
                "change": cost - before,
                "vs_before": fraction(cost, before),
                "vs_today": fraction(cost, today),
            }
        )
    return rungs


# -- in words ------------------------------------------------------------------------------


def spoken(facts: Facts) -> Verdict:
    """Return the facts of an answer with their words: what to send, and the reasons for it."""
    lead, reasons = facts["nothing"] or "", list[str]()
    if not lead:
        lead = _lead(facts)
        reasons = [*filter(None, (*_why_this(facts), offer(facts))), facts["shape"]]
    sentence = ". ".join([lead, *reasons]) + "."
    return {**facts, "lead": lead, "reasons": reasons, "sentence": sentence}


def ladder_line(ladder: Sequence[Rung]) -> str:
    """Write a ladder in a line: ``JSON as typed 318 → compact JSON 188 (−130, −40.9 %)``."""
    rungs = [f"{rung['label']} {count(rung['cost'])}" for rung in ladder]
    for place, rung in enumerate(ladder[1:], 1):
        change = signed_count(rung["change"])
        included = ", note included" if rung["explanation"] else ""
        rungs[place] += f" ({change}, {signed_percent(rung['vs_before'])}{included})"
    return " → ".join(rungs)


def _today(facts: Facts) -> Rung | None:
    """Return the rung of the text as typed; None if the value alone is known."""
    first = facts["ladder"][0]
    return first if first["format"] == AS_TYPED else None


def _lead(facts: Facts) -> str:
    """Say what to send, and what that saves against compact JSON and against the text of today."""
    today, best = _today(facts), facts["ladder"][-1]
    if today and not facts["switch"]:
        written = READ[facts["written_in"]]
        if not written.recommendable:
            return f"Sent today as {written.label}"
        return f"Keep {today['label']}"
    fewer = partial(_fewer, facts, best)
    if best["format"] == COMPACT:
        send = "Send" if today else "Stay with"
        return f"{send} {best['label']}" + (f": {fewer(today)}" if today else "")
    compact = next(rung for rung in facts["ladder"] if rung["format"] == COMPACT)
    # Two baselines of one cost are said once.
    others = [today] if today and today["cost"] != compact["cost"] else []
    included = ", note included" if best["explanation"] else ""
    if included and facts["explanation_price"] < 1:
        included += " at what the cache costs"
    return f"Send {best['label']}: {', '.join(map(fewer, [compact, *others]))}{included}"


def _fewer(facts: Facts, rung: Rung, than: Rung) -> str:
    """Say how much less one rung costs than another: ``31 tokens fewer than JSON (−16.5 %)``."""
    fewer = plural(than["cost"] - rung["cost"], "token")
    share = signed_percent(fraction(rung["cost"], than["cost"]))
    return f"{fewer} fewer than {than['label']} ({share})"


def offer(facts: Facts) -> str:
    """Say what the offered untested format saves: ``TRON would be 255 fewer …``; or ""."""
    untested = facts["untested"]
    if untested is None:
        return ""
    share = whole_percent(untested["vs"])
    called = capitalised(label(untested["format"]))
    return (
        f"{called} would be {count(untested['saved'])} fewer ({share}), not tested with any model"
    )


def _why_this(facts: Facts) -> Iterator[str]:
    """Yield the reasons for the recommendation, as sentences without a full stop."""
    today, best = _today(facts), facts["ladder"][-1]
    if today and not facts["switch"] and not READ[facts["written_in"]].recommendable:
        yield from _why_not_typed(facts, today, best)
    elif best["format"] == COMPACT:
        yield from _why_compact(facts)
    elif not facts["switch"]:
        yield f"None of {formats_tried(len(facts['tried']))} is worth a change"
    else:
        yield capitalised(_explained(facts))
        yield _cheapest(facts)


def _cheapest(facts: Facts) -> str:
    """Say that the recommendation is the cheapest of all tried, or that none is worth it."""
    if facts["cost"] <= min(facts["tried"].values()):
        cheapest = capitalised(label(facts["format"]))
        return f"{cheapest} is the cheapest of {formats_tried(len(facts['tried']))}"
    return f"None of {formats_tried(len(facts['tried']))} is worth a change"


def _why_not_typed(facts: Facts, today: Rung, best: Rung) -> Iterator[str]:
    """Yield why the text of today is not recommended, though nothing else is worth a change."""
    lossless = READ[facts["written_in"]].lossless
    why = "No public library reads it" if lossless else "It may lose data"
    yield f"{why}, so it is {BADGES['not-recommended']}"
    cost, before = best["cost"], today["cost"]
    size = plural(abs(cost - before), "token")
    share = signed_percent(fraction(cost, before))
    change = f"{size} {'fewer' if cost < before else 'more'} ({share})"
    yield f"The best of {formats_tried(len(facts['tried']))} is {best['label']}: {change}"


def _why_compact(facts: Facts) -> Iterator[str]:
    """Yield why no other format is worth a change from compact JSON."""
    compact, fewest = facts["tokens"], facts["fewest"]
    if fewest is None or fewest["tokens"] >= compact:
        fewest_of = formats_tried(len(facts["tried"]))
        yield f"{capitalised(label(COMPACT))} has the fewest tokens of {fewest_of}"
        return
    share = signed_percent(fraction(fewest["tokens"], compact))
    saved = plural(compact - fewest["tokens"], "token")
    against = label(COMPACT)
    saves = f"{label(fewest['format'])} saves {saved} a payload against {against} ({share})"
    if facts["break_even"] is None:
        alone = " without its note" if facts["together"] else ""
        yield f"{saves}{alone}, no difference worth a change"
    else:
        yield "; ".join(filter(None, [saves, _explained(facts)]))
    yield _cheapest(facts)


def _explained(facts: Facts) -> str:
    """Say from how many payloads in a prompt on a format is worth its explanation; or ""."""
    even = facts["break_even"]
    if even is None or even["explanation"] <= 0:
        return ""
    if facts["together"] is None:
        return "the model needs no note"
    once = f"{even['explanation']:,}"
    payloads = plural(even["payloads"], "payload")
    takes = f"its note to the model takes {once} once"
    if (price := facts["explanation_price"]) < 1:
        takes += f", {decimal(even['explanation'] * price)} at what the cache costs"
    return f"{takes}: worth it from {payloads} in a prompt"
