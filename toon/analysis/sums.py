"""Tokens by group and format, each beside the same payloads as JSON; and those of each payload."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toon.analysis.columns import Floats, Places
from toon.analysis.rows import Rows, Uses
from toon.costs.explanation import Explaining
from toon.formats import AS_TYPED, FORMATS, RECOMMENDED
from toon.measuring.measure import ALWAYS, best_format
from toon.measuring.totals import Total


@dataclass(frozen=True, slots=True)
class Column:
    """Sums of one format: arrays with one entry per group of payloads.

    ``carried`` counts the payloads that the format can carry, ``tokens`` theirs, and ``unproven``
    those that did not come back; ``against`` has the tokens of the same payloads by JSON format.
    ``once`` are the tokens that explain the format's constructs in the group once, ``share`` the
    part of them that each payload bears, and ``cost`` the tokens with these parts.
    """

    carried: Floats
    tokens: Floats
    unproven: Floats
    against: Mapping[str, Floats]
    once: Floats
    share: Floats
    cost: Floats


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of tokens by group and format over the selected rows of a run, by one tokenizer.

    ``groups`` are those that occur, in the run's order, and ``codes`` their indices in it; all
    arrays have one entry per group. ``columns`` are by format, with as-typed. ``comparable`` counts
    the payloads that can differ by format.
    """

    groups: tuple[str, ...]
    codes: NDArray[np.int64]
    payloads: Floats
    columns: Mapping[str, Column]
    comparable: Floats

    def total(self, format: str, place: int | None = None) -> Total:
        """Return a format's Total of payloads and tokens: of all groups or the one at ``place``."""
        column = self.columns[format]
        where = slice(None) if place is None else slice(place, place + 1)
        return Total(
            payloads=int(column.carried[where].sum()),
            tokens=int(column.tokens[where].sum()),
            explanation=math.fsum((column.carried * column.share)[where]),
            unproven=int(column.unproven[where].sum()),
            baselines={name: int(column.against[name][where].sum()) for name in ALWAYS},
        )

    def carries_all(self, format: str) -> bool:
        """Return whether a format can carry every payload that the sums are of."""
        return bool((self.columns[format].carried == self.payloads).all())


def sum_groups(rows: Rows, measured: Places, tokenizer: str, explaining: Explaining) -> Sums:
    """Return the sums of a run's rows at ``measured``: tokens and costs by group and format.

    Nothing is counted to explain JSON as typed, or to a model that needs no explanation.

    Raises:
        RuntimeError, ValueError: The tokenizer, which counts explanations, cannot be loaded
            here.
    """
    present, codes, where = _groups(rows, measured)
    size = present.size

    def add_up(weights: NDArray[Any] | None = None) -> Floats:
        return np.bincount(codes, weights, size + 1)[:size].astype(np.float64)

    def count(flags: NDArray[np.bool_]) -> Floats:
        return add_up(flags[where]) if flags.any() else np.zeros(size)

    counted = rows.tokens[tokenizer]
    always = {name: counted.raw(name)[where] for name in ALWAYS}
    payloads = add_up()
    whole = {name: add_up(always[name]) for name in ALWAYS}
    columns = {}
    for name in counted:
        tokens = counted.raw(name)[where]
        without = tokens < 0
        if (codes[without] == size).all():
            carried, against = payloads, whole
            total = whole[name] if name in whole else add_up(tokens)
        else:
            carried, total = add_up(~without), add_up(np.where(without, 0, tokens))
            against = {json: add_up(np.where(without, 0, always[json])) for json in ALWAYS}
        lost = np.zeros(size) if name == AS_TYPED else count(rows.unproven[name])
        once, share = np.zeros(size), np.zeros(size)
        if explaining.together is not None and name in FORMATS:
            uses = _unite(rows.uses[name], where, codes, size)
            extra = {each: explaining.tokens(name, each, tokenizer) for each in set(uses)}
            once = np.array([explaining.note_cost(extra[each]) for each in uses], np.float64)
            share = np.array([explaining.share(extra[each]) for each in uses], np.float64)
        cost = total + carried * share
        columns[name] = Column(carried, total, lost, against, once, share, cost)
    return Sums(
        groups=tuple(rows.names[code] for code in present),
        codes=present,
        payloads=payloads,
        columns=columns,
        comparable=count(rows.comparable),
    )


def _groups(rows: Rows, measured: Places) -> tuple[NDArray[np.int64], Places, Places | slice]:
    """Return the groups present in the measured rows, each row's index among them, and those rows.

    Where the rows at ``measured`` are many, it is faster to take all rows: the others have the
    index after the last group.
    """
    groups = rows.group[measured]
    present = np.flatnonzero(np.bincount(groups, minlength=len(rows.names)))
    places = np.zeros(len(rows.names), np.intp)
    places[present] = np.arange(present.size)
    codes = places[groups]
    if 2 * measured.size < rows.group.size:
        return present, codes, measured
    whole = np.full(rows.group.size, present.size)
    whole[measured] = codes
    return present, whole, slice(None)


def _unite(uses: Uses, where: Places | slice, codes: Places, size: int) -> list[frozenset[str]]:
    """Return for each group the constructs of a format's texts in the rows at ``where``.

    ``codes`` are the rows' groups, ``size`` is the number of groups.
    """
    if len(uses.sets) == 1:
        return [uses.sets[0]] * size
    united: list[frozenset[str]] = [frozenset()] * (size + 1)
    used = uses.codes[where]
    if not (known := used >= 0).all():
        codes, used = codes[known], used[known]
    pairs = codes * len(uses.sets) + used
    few = len(united) * len(uses.sets) <= pairs.size  # then counting is faster than sorting
    for pair in (np.flatnonzero(np.bincount(pairs)) if few else np.unique(pairs)).tolist():
        group, which = divmod(pair, len(uses.sets))
        united[group] |= uses.sets[which]
    return united[:size]


def sum_kinds(rows: Rows, measured: Places) -> Mapping[str, Floats]:
    """Return the tokens of compact JSON by kind of text: an array each, with an item a group.

    The run's first tokenizer counts them.
    """
    present, codes, where = _groups(rows, measured)
    return {
        kind: np.bincount(codes, tokens[where], present.size + 1)[:-1].astype(np.float64)
        for kind, tokens in rows.kinds.items()
    }


def cost_of_each(
    rows: Rows, places: Places, tokenizer: str, format: str, explaining: Explaining
) -> Floats:
    """Return the tokens of each row at ``places`` in a format, with its part of the explanation.

    NaN where the format cannot carry the row. Nothing is added for JSON as typed, or for a model
    that needs no explanation.
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
    """Return the tokens of each row at ``places`` of a run, if group i is sent in ``sent[i]``.

    A row's part of the format's explanation is included. NaN where the format cannot carry the row.
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
    """Return the best format for each row at ``places``, as if its payload were sent alone."""
    names = [name for name in RECOMMENDED if name in rows.formats]
    costs = {name: cost_of_each(rows, places, tokenizer, name, explaining) for name in names}
    best = []
    for index, place in enumerate(places.tolist()):
        of_row = {name: float(costs[name][index]) for name in names if rows.comparable[place]}
        carried = {name: cost for name, cost in of_row.items() if not math.isnan(cost)}
        proven = {name for name in names if not rows.unproven[name][place]}
        best.append(best_format(carried, proven.__contains__))
    return best
