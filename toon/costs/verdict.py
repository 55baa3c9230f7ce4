"""What the one answer about a payload holds, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from toon.values.fractions import fraction


class Rung(TypedDict):
    """One step of the ladder: as typed, minified, and the format to send.

    ``tokens`` are those of the text, ``explanation`` is what the payload bears of explaining its
    format, in tokens at the price of input, ``cost`` is both. ``change`` is the cost less that of
    the rung before; ``vs_before`` and ``vs_today`` are the change from the rung before and from the
    first one, as signed fractions.
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
    """When a format is worth its explanation, against compact JSON.

    ``saved`` are the tokens that ``format`` saves in each payload, ``explanation`` those that
    explaining it takes once. ``payloads`` must share a prompt.
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

    ``saved`` is the cost by which it is below what is recommended, or below what is kept, and
    ``vs`` the same as a signed fraction.
    """

    format: str
    tokens: int
    explanation: float
    cost: float
    saved: float
    vs: float | None


class Facts(TypedDict):
    """Which format to send a value in, by one tokenizer, or for a ``model``.

    ``format`` is the recommendation; ``tokens``, ``explanation`` (the payload's share) and ``cost``
    (both) are of it. ``today`` is what is sent now and ``written_in`` the format that reads it,
    ``saved`` the cost by which the recommendation is below it, ``switch`` whether that is worth a
    change. ``vs_today`` is the change of cost as a signed fraction, ``vs_json_compact`` that of
    tokens alone. ``together`` payloads share an explanation; None: the model needs
    none. ``cached`` is the share of prompts that read it from the cache, ``explanation_price`` what
    a token of it costs where one of input costs 1. ``fewest`` is known where compact JSON is the
    recommendation. ``tried`` has the cost of each lossless format that this one was chosen from, in
    the order of their table. ``untested`` is offered beside the recommendation, which is always
    tested. ``nothing`` says why there is nothing to compare, and so no figures.
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
    """A ladder of texts, each given by its format, label, tokens and cost."""
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
