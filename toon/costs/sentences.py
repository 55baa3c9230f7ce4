"""The one answer in words: what to send, why, and how far to trust the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from toon.costs.choice import COMPACT
from toon.costs.verdict import Facts, Rung, Verdict
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


def spoken(facts: Facts) -> Verdict:
    """The facts with their words."""
    lead = facts["nothing"] or _lead(facts)
    reasons = [] if facts["nothing"] else [*_reasons(facts), facts["shape"]]
    sentence = ". ".join([lead, *reasons]) + "."
    return {**facts, "lead": lead, "reasons": reasons, "sentence": sentence}


def ladder_line(ladder: Sequence[Rung]) -> str:
    """The rungs in one line: ``JSON as typed 318 → compact JSON 188 (−130, −40.9 %)``."""
    rungs = [f"{rung['label']} {count(rung['cost'])}" for rung in ladder]
    for place, rung in enumerate(ladder[1:], 1):
        change = signed_count(rung["change"])
        included = ", note included" if rung["explanation"] else ""
        rungs[place] += f" ({change}, {signed_percent(rung['vs_before'])}{included})"
    return " → ".join(rungs)


def _rung(facts: Facts, name: str) -> Rung | None:
    return next((rung for rung in facts["ladder"] if rung["format"] == name), None)


def _lead(facts: Facts) -> str:
    """What to send, and what that saves against compact JSON and against today."""
    today, best = _rung(facts, AS_TYPED), facts["ladder"][-1]
    if today and not facts["switch"]:
        written = READ[facts["written_in"]]
        if not written.recommendable:
            return f"Sent today as {written.label}"
        return f"Keep {today['label']}"
    fewer = partial(_fewer, facts, best)
    if best["format"] == COMPACT:
        send = "Send" if today else "Stay with"
        return f"{send} {best['label']}" + (f": {fewer(today)}" if today else "")
    compact = _rung(facts, COMPACT)
    assert compact is not None
    # Two baselines of one cost are said once.
    others = [today] if today and today["cost"] != compact["cost"] else []
    included = _included(facts) if best["explanation"] else ""
    return f"Send {best['label']}: {', '.join(map(fewer, [compact, *others]))}{included}"


def _included(facts: Facts) -> str:
    cached = facts["explanation_price"] < 1
    return f", note included{' at what the cache costs' if cached else ''}"


def _fewer(facts: Facts, rung: Rung, than: Rung) -> str:
    """``31 tokens fewer than compact JSON (−16.5 %)``, by the cost of both."""
    fewer = plural(than["cost"] - rung["cost"], "token")
    share = signed_percent(fraction(rung["cost"], than["cost"]))
    return f"{fewer} fewer than {than['label']} ({share})"


def _reasons(facts: Facts) -> Iterator[str]:
    """Why, in sentences."""
    yield from _why_this(facts)
    if untested := offer(facts):
        yield untested


def offer(facts: Facts) -> str:
    """The untested format that is offered: ``TRON would be 255 fewer (−24 %), …``; or ""."""
    untested = facts["untested"]
    if untested is None:
        return ""
    share = whole_percent(untested["vs"])
    called = capitalised(label(untested["format"]))
    return (
        f"{called} would be {count(untested['saved'])} fewer ({share}), not tested with any model"
    )


def _why_this(facts: Facts) -> Iterator[str]:
    today, best = _rung(facts, AS_TYPED), facts["ladder"][-1]
    if today and not facts["switch"] and not READ[facts["written_in"]].recommendable:
        yield from _why_not_typed(facts, today, best)
    elif best["format"] == COMPACT:
        yield from _why_compact(facts)
    elif not facts["switch"]:
        yield f"None of {_tried(facts)} is worth a change"
    else:
        if why := _explained(facts):
            yield capitalised(why)
        yield _cheapest(facts)


def _tried(facts: Facts) -> str:
    return formats_tried(len(facts["tried"]))


def _cheapest(facts: Facts) -> str:
    """Out of what the recommendation was chosen."""
    if facts["cost"] <= min(facts["tried"].values()):
        return f"{capitalised(label(facts['format']))} is the cheapest of {_tried(facts)}"
    return f"None of {_tried(facts)} is worth a change"


def _why_not_typed(facts: Facts, today: Rung, best: Rung) -> Iterator[str]:
    """Why what is sent today is not recommended, though nothing else is worth a change."""
    lossless = READ[facts["written_in"]].lossless
    why = "No public library reads it" if lossless else "It may lose data"
    yield f"{why}, so it is {BADGES['not-recommended']}"
    cost, before = best["cost"], today["cost"]
    size = plural(abs(cost - before), "token")
    share = signed_percent(fraction(cost, before))
    change = f"{size} {'fewer' if cost < before else 'more'} ({share})"
    yield f"The best of {_tried(facts)} is {best['label']}: {change}"


def _why_compact(facts: Facts) -> Iterator[str]:
    """Why no other format is worth it against compact JSON."""
    compact, fewest = facts["tokens"], facts["fewest"]
    if fewest is None or fewest["tokens"] >= compact:
        yield f"{capitalised(label(COMPACT))} has the fewest tokens of {_tried(facts)}"
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
    """From how many payloads in one prompt the format is worth its explanation."""
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
