"""The least saving for which a change of format is worth making, and the format to send.

Every page, command, report and route asks here.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Final

from toon.formats import FORMATS, RECOMMENDED
from toon.formats.json import JSON_COMPACT, JsonFormat

COMPACT: Final = JSON_COMPACT.name

#: The least saving that is worth a change, as a fraction and in tokens; both must be reached.
LEAST_SHARE: Final = 0.01
LEAST_TOKENS: Final = 10


#: Formats to choose from, which models were tested with. Other JSON only has more whitespace;
#: a tokenizer that counts it a token or two shorter is no reason to advise it.
CANDIDATES: Final = tuple(
    name
    for name in RECOMMENDED
    if FORMATS[name].tested and (name == COMPACT or not isinstance(FORMATS[name], JsonFormat))
)

#: Formats that could be sent, but that no model was tested with.
UNTESTED: Final = tuple(name for name in RECOMMENDED if not FORMATS[name].tested)

#: Formats to choose from, and formats to offer beside the choice.
SENDABLE: Final = (*CANDIDATES, *UNTESTED)

#: The least saving of an untested format that is offered, as a fraction and in tokens.
_OFFERED_SHARE: Final = 0.1
_OFFERED_TOKENS: Final = 50


def keep_tested(names: Iterable[str]) -> list[str]:
    """Return those of the formats ``names`` that may be recommended, in their table's order."""
    names = set(names)
    return [name for name in CANDIDATES if name in names]


def is_worth(cost: float, today: float, payloads: int = 1) -> bool:
    """Return whether a change from ``today`` to ``cost``, in tokens a payload, is worth making.

    The least saving in tokens is that of all ``payloads``: nine tokens are worth it in a thousand.
    """
    return today - cost >= _least_saving(today, payloads)


def _least_saving(today: float, payloads: int) -> float:
    return max(LEAST_SHARE * today, LEAST_TOKENS / payloads)


def find_cheapest(
    costs: Mapping[str, float],
    proven: Callable[[str], bool],
    today: str = COMPACT,
    payloads: int = 1,
) -> str:
    """Return the cheapest format that is proven and worth a change, or ``today``.

    Args:
        costs: Tokens by format, notes included; formats that cannot carry the value are left out.
            Of equals the first in the table of formats wins.
        proven: Tells of a format whether the value came back. Called from the cheapest on, and
            never for ``today``, which is sent anyway.
        today: The format to keep if nothing is worth a change.
        payloads: The number of payloads that the costs are the average of.
    """
    worth = [n for n in CANDIDATES if n in costs and is_worth(costs[n], costs[today], payloads)]
    ranked = sorted(worth, key=lambda name: costs[name])
    return next((name for name in ranked if name != today and proven(name)), today)


def pick_offer(
    costs: Mapping[str, float], proven: Callable[[str], bool], chosen: float, payloads: int = 1
) -> str | None:
    """Return the cheapest untested format worth an offer beside the recommendation, or None.

    It saves at least 10 % of the recommendation's cost, ``chosen``, and 50 tokens of all payloads.
    ``costs`` are tokens by format; ``proven`` tells of a format whether the value came back.
    """
    least = max(_OFFERED_SHARE * chosen, _OFFERED_TOKENS / payloads)
    worth = [name for name in UNTESTED if name in costs and chosen - costs[name] >= least]
    return next(filter(proven, sorted(worth, key=lambda name: costs[name])), None)


def break_even(tokens: float, compact: float, explanation: float, payloads: int = 1) -> int | None:
    """Return how many payloads must share a prompt until a format is worth it over compact JSON.

    ``tokens`` are those of the payload in the format and ``compact`` of the same as compact JSON,
    or averages of as many ``payloads``; ``explanation`` are those of explaining the format once.
    Return None if the format is never worth it.
    """
    spare = compact - tokens - _least_saving(compact, payloads)
    if spare < 0 or (not spare and explanation > 0):
        return None
    if explanation <= 0:
        return 1
    near = math.ceil(explanation / spare)  # float division: it may be one too many or too few
    numbers = range(max(1, near - 1), near + 2)
    return next((n for n in numbers if is_worth(tokens + explanation / n, compact, payloads)), None)


def rank_formats(
    formats: Mapping[str, tuple[float, float]], compact: float, payloads: int = 1
) -> list[tuple[int, str]]:
    """Return pairs (n, format): from n payloads in a prompt on, it is worth it over compact JSON.

    The smallest n, of :func:`break_even`, is first; of equals the format that is then cheapest.
    ``formats`` has the tokens of a payload in each format, and of explaining it once.
    """
    paying = [
        (number, tokens + explanation / number, name)
        for name, (tokens, explanation) in formats.items()
        if (number := break_even(tokens, compact, explanation, payloads)) is not None
    ]
    return [(number, name) for number, _, name in sorted(paying, key=itemgetter(0, 1))]
