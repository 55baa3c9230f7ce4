"""The answer about a payload as plain data, and the sentences that say it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NotRequired, TypedDict

from toon.costs.worth import COMPACT
from toon.formats import AS_TYPED, READ, label
from toon.values.fractions import fraction
from toon.wording import (
    BADGES,
    capitalised,
    count,
    count_tested,
    decimal,
    plural,
    signed_count,
    signed_percent,
    whole_percent,
)


class Rung(TypedDict):
    """One of a payload's texts (as typed, minified, or in the format to send) with its cost.

    ``tokens`` are the text's, ``explanation`` is the payload's share of the note that explains the
    format, in tokens at the price of input, and ``cost`` is their sum. ``change`` is the cost less
    the previous rung's; ``vs_before`` and ``vs_today`` are the change from the previous and the
    first rung, as signed fractions.
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
    """The format with the fewest tokens of a payload that comes back from it, its note left out."""

    format: str
    tokens: int


class Untested(TypedDict):
    """A format that no model was tested with, and that costs much less than the recommendation.

    ``saved`` is by how much its cost is below that of the recommendation, or of the text as typed
    where that is kept, and ``vs`` the same as a signed fraction.
    """

    format: str
    tokens: int
    explanation: float
    cost: float
    saved: float
    vs: float | None


class Verdict(TypedDict):
    """The answer about a payload: the format to send it in, by one tokenizer or for a ``model``.

    ``format`` is the recommendation, with its ``tokens``, ``explanation`` (the payload's share) and
    ``cost`` (their sum). ``today`` is the text sent now and ``written_in`` the format that reads
    it; ``saved`` is its cost less the recommendation's, ``switch`` whether that is worth a change.
    ``vs_today`` is the change of cost as a signed fraction, ``vs_json_compact`` that of tokens
    alone. ``together`` payloads share an explanation; None: the model needs none. ``cached`` is the
    share of prompts that read it from the cache, ``explanation_price`` a token's price where one of
    input costs 1. ``fewest`` is known where compact JSON is the recommendation. ``tried`` has the
    cost of each lossless format that was chosen from, in the order of their table. ``untested`` is
    offered beside the recommendation, which is always tested. ``nothing`` says why there is nothing
    to compare. ``lead`` says what to send, ``reasons`` why, and ``sentence`` both.
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
    lead: str
    reasons: list[str]
    sentence: str


def climb(texts: Iterable[tuple[str, str, int, float]]) -> list[Rung]:
    """Return a payload's texts with the changes of cost from one to the next.

    Each is given as format, label, tokens and cost.
    """
    rungs: list[Rung] = []
    for format, name, tokens, cost in texts:
        before, today = (rungs[-1]["cost"], rungs[0]["cost"]) if rungs else (cost, cost)
        rungs.append(
            {
                "format": format,
                "label": name,
                "tokens": tokens,
                "explanation": cost - tokens,
                "cost": cost,
                "change": cost - before,
                "vs_before": fraction(cost, before),
                "vs_today": fraction(cost, today),
            }
        )
    return rungs


def ladder_line(ladder: Sequence[Rung]) -> str:
    """Return the texts of an answer with their costs in one line, each with its change.

    ``your JSON 318 → minified JSON 188 (−130, −40.9 %)``
    """
    rungs = [f"{rung['label']} {count(rung['cost'])}" for rung in ladder]
    for place, rung in enumerate(ladder[1:], 1):
        change = signed_count(rung["change"])
        included = ", note included" if rung["explanation"] else ""
        rungs[place] += f" ({change}, {signed_percent(rung['vs_before'])}{included})"
    return " → ".join(rungs)


def add_sentences(verdict: Verdict) -> Verdict:
    """Return a copy of a verdict with its sentences, made of its figures: what to send, and why."""
    lead, reasons = verdict["nothing"] or _lead(verdict), list[str]()
    if not verdict["nothing"]:
        reasons = [*_reasons(verdict), *filter(None, [offer(verdict)]), verdict["shape"]]
    sentence = ". ".join([lead, *reasons]) + "."
    return {**verdict, "lead": lead, "reasons": reasons, "sentence": sentence}


def _lead(verdict: Verdict) -> str:
    """Say what a verdict advises to send, and what that saves against JSON and today's text."""
    (first, *_), best = verdict["ladder"], verdict["ladder"][-1]
    is_typed = first["format"] == AS_TYPED
    if is_typed and not verdict["switch"]:
        written = READ[verdict["written_in"]]
        if not written.recommendable:
            return f"Sent today as {written.label}"
        return f"Keep {first['label']}"
    send = "Send" if is_typed or best["format"] != COMPACT else "Stay with"
    others = [first] if is_typed else []
    included = ""
    if best["format"] != COMPACT:
        compact = verdict["ladder"][-2]
        # Two baselines of one cost are said once.
        others = [compact, *(rung for rung in others if rung["cost"] != compact["cost"])]
        if best["explanation"]:
            is_cached = verdict["explanation_price"] < 1
            included = f", note included{' at what the cache costs' if is_cached else ''}"
    fewer = [
        f"{plural(rung['cost'] - best['cost'], 'token')} fewer than {rung['label']} "
        f"({signed_percent(fraction(best['cost'], rung['cost']))})"
        for rung in others
    ]
    return f"{send} {best['label']}{': ' if fewer else ''}{', '.join(fewer)}{included}"


def offer(verdict: Verdict) -> str:
    """Say which untested format an answer offers: ``TRON would be 255 fewer …``; "" for none."""
    untested = verdict["untested"]
    if untested is None:
        return ""
    share = whole_percent(untested["vs"])
    name = capitalised(label(untested["format"]))
    return f"{name} would be {count(untested['saved'])} fewer ({share}), not tested with any model"


def _reasons(verdict: Verdict) -> Iterator[str]:
    """Yield why an answer advises what it does, in one to three sentences without full stops."""
    (today, *_), best, fewest = verdict["ladder"], verdict["ladder"][-1], verdict["fewest"]
    tried, against = count_tested(len(verdict["tried"])), label(COMPACT)
    cheapest = f"None of {tried} is worth a change"
    if verdict["cost"] <= min(verdict["tried"].values()):
        cheapest = f"{capitalised(label(verdict['format']))} is the cheapest of {tried}"
    written, is_typed = READ[verdict["written_in"]], today["format"] == AS_TYPED
    if is_typed and not verdict["switch"] and not written.recommendable:
        reason = "No public library reads it" if written.lossless else "It may lose data"
        yield f"{reason}, so it is {BADGES['not-recommended']}"
        cost, before = best["cost"], today["cost"]
        size = f"{plural(abs(cost - before), 'token')} {'fewer' if cost < before else 'more'}"
        share = signed_percent(fraction(cost, before))
        yield f"The best of {tried} is {best['label']}: {size} ({share})"
    elif best["format"] == COMPACT and (fewest is None or fewest["tokens"] >= verdict["tokens"]):
        yield f"{capitalised(against)} has the fewest tokens of {tried}"
    elif best["format"] == COMPACT and fewest:
        share = signed_percent(fraction(fewest["tokens"], verdict["tokens"]))
        saved = plural(verdict["tokens"] - fewest["tokens"], "token")
        saves = f"{label(fewest['format'])} saves {saved} a payload against {against} ({share})"
        if verdict["break_even"] is None:
            alone = " without its note" if verdict["together"] else ""
            yield f"{saves}{alone}, no difference worth a change"
        else:
            yield "; ".join(filter(None, [saves, _explain_note(verdict)]))
        yield cheapest
    elif not verdict["switch"]:
        yield f"None of {tried} is worth a change"
    else:
        if reason := _explain_note(verdict):
            yield capitalised(reason)
        yield cheapest


def _explain_note(verdict: Verdict) -> str:
    """Say from how many payloads in one prompt a format's note pays off; "" without a note."""
    even = verdict["break_even"]
    if even is None or even["explanation"] <= 0:
        return ""
    if verdict["together"] is None:
        return "the model needs no note"
    takes = f"its note to the model takes {even['explanation']:,} once"
    if (price := verdict["explanation_price"]) < 1:
        takes += f", {decimal(even['explanation'] * price)} at what the cache costs"
    return f"{takes}: worth it from {plural(even['payloads'], 'payload')} in a prompt"
