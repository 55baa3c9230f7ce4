"""The types of the answer about a payload, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NotRequired, TypedDict

from toon.values.fractions import fraction


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
