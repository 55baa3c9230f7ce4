"""Single payloads: what each costs with its own share of an explanation, and its best format."""

from __future__ import annotations

import math

import numpy as np

from toon.analysis.columns import Floats, Places
from toon.analysis.rows import Rows
from toon.costs.explanation import Explaining
from toon.formats import FORMATS, RECOMMENDED
from toon.measuring.measure import best_format


def share_of_each(
    rows: Rows, places: Places, tokenizer: str, format: str, explaining: Explaining
) -> Floats:
    """What each of the rows at ``places`` bears of explaining a format; NaN where it has no text.

    Nothing is counted for JSON as typed, or for a model that needs no explanation.
    """
    if explaining.together is None or format not in FORMATS:
        return np.zeros(places.size)
    uses = rows.uses[format]
    shares = [explaining.share(explaining.tokens(format, each, tokenizer)) for each in uses.sets]
    of_rows: Floats = np.array([*shares, np.nan])[uses.codes[places]]  # -1 takes the last entry
    return of_rows


def cost_of_each(
    rows: Rows, places: Places, tokenizer: str, format: str, explaining: Explaining
) -> Floats:
    """The tokens of the rows at ``places`` in a format, explained; NaN where it has no text."""
    share = share_of_each(rows, places, tokenizer, format, explaining)
    return rows.tokens[tokenizer].at(format, places) + share


def best_of_each(rows: Rows, places: Places, tokenizer: str, explaining: Explaining) -> list[str]:
    """The format to send each of the rows at ``places`` in, as the verdict on it alone has it."""
    names = [name for name in RECOMMENDED if name in rows.formats]
    costs = {name: cost_of_each(rows, places, tokenizer, name, explaining) for name in names}
    best = []
    for index, place in enumerate(places.tolist()):
        of_row = {name: float(costs[name][index]) for name in names if rows.comparable[place]}
        carried = {name: cost for name, cost in of_row.items() if not math.isnan(cost)}
        proven = {name for name in names if not rows.unproven[name][place]}
        best.append(best_format(carried, proven.__contains__))
    return best
