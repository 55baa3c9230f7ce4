"""Which format to send: the one choice that every page, command, report and route takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Final

from toon.formats import FORMATS, RECOMMENDED
from toon.formats.json import JSON_COMPACT, JsonFormat

COMPACT: Final = JSON_COMPACT.name

#: A saving below either, as a fraction or in tokens, is no difference worth a change.
LEAST_SHARE: Final = 0.01
LEAST_TOKENS: Final = 10


#: What is chosen from: formats that models were tested with. Other JSON only has more whitespace;
#: where a tokenizer happens to count less for it, by a token or two, that is no advice to give.
CANDIDATES: Final = tuple(
    name
    for name in RECOMMENDED
    if FORMATS[name].tested and (name == COMPACT or not isinstance(FORMATS[name], JsonFormat))
)

#: Formats that could be sent, and that no model was tested with.
UNTESTED: Final = tuple(name for name in RECOMMENDED if not FORMATS[name].tested)

#: What is chosen from, and what may be offered beside it.
SENDABLE: Final = (*CANDIDATES, *UNTESTED)

#: What an untested format must save at least to be offered, as a fraction and in tokens.
_OFFERED_SHARE: Final = 0.1
_OFFERED_TOKENS: Final = 50


def tried(names: Iterable[str]) -> list[str]:
    """Which of these formats are chosen from, in the order of the table."""
    known = set(names)
    return [name for name in CANDIDATES if name in known]


def is_worth(cost: float, today: float, payloads: int = 1) -> bool:
    """Whether a change from ``today`` to ``cost``, tokens a payload, is worth making.

    The fewest tokens are those of all ``payloads`` that are asked about: where a thousand save
    nine each, that is a difference.
    """
    return today - cost >= _least(today, payloads)


def _least(today: float, payloads: int) -> float:
    return max(LEAST_SHARE * today, LEAST_TOKENS / payloads)


def cheapest(
    costs: Mapping[str, float],
    proven: Callable[[str], bool],
    today: str = COMPACT,
    payloads: int = 1,
) -> str:
    """The format with the lowest cost that may be recommended, is proven and worth a change.

    Args:
        costs: Tokens by format, explanations included; formats that cannot carry the value are
            left out. Of equals the first in the table of formats wins.
        proven: Whether the value came back from a format. Asked from the cheapest on, and never
            of ``today``, which needs no proof: it is what one has anyway.
        today: What is sent if nothing is worth a change.
        payloads: How many the costs are the average of, see :func:`is_worth`.
    """
    worth = [n for n in CANDIDATES if n in costs and is_worth(costs[n], costs[today], payloads)]
    ranked = sorted(worth, key=lambda name: costs[name])
    return next((name for name in ranked if name != today and proven(name)), today)


def offered(
    costs: Mapping[str, float], proven: Callable[[str], bool], chosen: float, payloads: int = 1
) -> str | None:
    """Return the cheapest untested format that is worth an offer beside the recommendation.

    It saves at least 10 % of what the recommendation costs, and 50 tokens of all payloads.

    Args:
        costs: Tokens by format, as for :func:`cheapest`.
        proven: Whether the value came back from a format.
        chosen: The cost of what is recommended, or of what is kept.
        payloads: How many the costs are the average of.
    """
    least = max(_OFFERED_SHARE * chosen, _OFFERED_TOKENS / payloads)
    worth = [name for name in UNTESTED if name in costs and chosen - costs[name] >= least]
    return next(filter(proven, sorted(worth, key=lambda name: costs[name])), None)


def worth_from(tokens: float, compact: float, explanation: float, payloads: int = 1) -> int | None:
    """How many payloads must share a prompt before a format is worth it against compact JSON.

    Args:
        tokens: Of the payload in the format, or of many on average.
        compact: Of the same as compact JSON.
        explanation: What explaining the format takes once.
        payloads: How many the tokens are the average of, see :func:`is_worth`.

    Returns:
        The smallest number; None if the format is not worth it however many there are.
    """
    spare = compact - tokens - _least(compact, payloads)
    if not is_worth(tokens, compact, payloads):
        return None
    if explanation <= 0:
        return 1
    if spare <= 0:
        return None
    near = math.ceil(explanation / spare)  # of floats: it may be one too many or too few
    numbers = range(max(1, near - 1), near + 2)
    return next((n for n in numbers if is_worth(tokens + explanation / n, compact, payloads)), None)


def first_worth(
    formats: Mapping[str, tuple[float, float]], compact: float, payloads: int = 1
) -> list[tuple[int, str]]:
    """Return which formats are ever worth it, each behind the number from :func:`worth_from`.

    The one of the smallest number is first; of equals the cheapest with so many payloads.

    Args:
        formats: The tokens of each, and of explaining it once.
        compact: As for :func:`worth_from`.
        payloads: As for :func:`worth_from`.
    """
    found = [
        (number, tokens + explanation / number, name)
        for name, (tokens, explanation) in formats.items()
        if (number := worth_from(tokens, compact, explanation, payloads)) is not None
    ]
    return [(number, name) for number, _, name in sorted(found, key=itemgetter(0, 1))]
