"""Single payloads: what each costs with its share of an explanation, and its best format."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from toon.analysis.columns import Floats, Places
from toon.analysis.rows import Rows
from toon.analysis.sums import Sums
from toon.costs.explanation import Explaining
from toon.formats import FORMATS, RECOMMENDED
from toon.measuring.measure import best_format


def cost_of_each(
    rows: Rows, places: Places, tokenizer: str, format: str, explaining: Explaining
) -> Floats:
    """Return the tokens of each row at ``places`` in a format, with its note; NaN without a text.

    Nothing is added for JSON as typed, or for a model that needs no explanation.
    """
    tokens = rows.tokens[tokenizer].at(format, places)
    if explaining.together is None or format not in FORMATS:
        return tokens
    uses = rows.uses[format]
    shares = [explaining.share(explaining.tokens(format, each, tokenizer)) for each in uses.sets]
    tokens += np.array([*shares, np.nan])[uses.codes[places]]  # -1 takes the last entry
    return tokens


def cost_in_groups(
    rows: Rows, places: Places, tokenizer: str, sums: Sums, sent: Sequence[str]
) -> Floats:
    """Return the tokens of each row at ``places``, with its share of its group's note.

    ``sent`` has the format of each group of the sums. The cost is NaN where it cannot carry the
    row.
    """
    groups = np.searchsorted(sums.codes, rows.group[places])
    names = np.array(sent)
    costs = np.zeros(places.size)
    for name in set(sent):
        where = np.flatnonzero((names == name)[groups]) if len(set(sent)) > 1 else slice(None)
        costs[where] = rows.tokens[tokenizer].at(name, places[where])
        costs[where] += sums.columns[name].share[groups[where]]
    return costs


def best_of_each(rows: Rows, places: Places, tokenizer: str, explaining: Explaining) -> list[str]:
    """Return the format to send each row at ``places`` in, as the answer about it alone has it."""
    names = [name for name in RECOMMENDED if name in rows.formats]
    costs = {name: cost_of_each(rows, places, tokenizer, name, explaining) for name in names}
    best = []
    for index, place in enumerate(places.tolist()):
        of_row = {name: float(costs[name][index]) for name in names if rows.comparable[place]}
        carried = {name: cost for name, cost in of_row.items() if not math.isnan(cost)}
        proven = {name for name in names if not rows.unproven[name][place]}
        best.append(best_format(carried, proven.__contains__))
    return best
