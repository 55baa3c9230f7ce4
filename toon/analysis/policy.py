"""The recommendation of a format for each group of a log's payloads."""

from dataclasses import dataclass

from toon.analysis.sums import Sums
from toon.costs.explanation import Explaining
from toon.costs.worth import CANDIDATES, COMPACT, SENDABLE, is_worth, pick_offer, rank_formats
from toon.measuring.measure import best_format
from toon.values.fractions import fraction


@dataclass(frozen=True, slots=True)
class Worth:
    """The fewest ``payloads`` in one prompt with which ``format`` saves more than its explanation.

    Both are counted in tokens, by a group's averages.
    """

    format: str
    payloads: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An untested ``format`` and the tokens that it would ``save`` a group beyond its advice."""

    format: str
    save: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation for one group of payloads: the format to send, and its tokens.

    ``tokens`` are those of its payloads in the recommended ``format``, ``explanation`` is their
    part of explaining it, and ``cost`` is both. ``now`` is the cost of what is sent today.
    ``switch`` says whether a change is worth making. ``worth`` is about the format or, if that is
    compact JSON, about the first that could be worth it; None where there is none. ``offer`` is an
    untested format that would save more, and how many tokens more over all payloads of the group.
    """

    group: str
    payloads: int
    format: str
    tokens: int
    explanation: float
    now: float
    switch: bool
    worth: Worth | None
    offer: Offer | None

    @property
    def cost(self) -> float:
        return self.tokens + self.explanation

    @property
    def change(self) -> float:
        """A group's tokens in its recommended format less those sent today; negative is fewer."""
        return self.cost - self.now

    @property
    def vs_now(self) -> float | None:
        """A group's cost in its recommended format against today's, as a signed fraction."""
        return fraction(self.cost, self.now)


@dataclass(frozen=True, slots=True)
class Policy:
    """The advice on a format for each group of a log, most tokens saved first.

    ``sent`` has the format of each group in the order of the sums; a group not worth a change keeps
    today's.
    """

    advice: tuple[Advice, ...]
    sent: tuple[str, ...]

    @property
    def switches(self) -> tuple[Advice, ...]:
        """The advice for the groups that are worth a change of format, most tokens saved first."""
        return tuple(row for row in self.advice if row.switch)


def recommend(sums: Sums, now: str, explaining: Explaining) -> Policy:
    """Return the Policy for a log: the recommended format of each group, from its sums.

    The group's averages decide, since an endpoint sends one format; a saving counts if it is large
    enough over all its payloads. A format is proven if all of the group's payloads came back from
    it.
    """
    advice = [_advise(sums, place, now, explaining) for place in range(len(sums.groups))]
    sent = tuple(row.format if row.switch else now for row in advice)
    advice.sort(key=lambda row: (row.change if row.switch else 0.0, row.group))
    return Policy(tuple(advice), sent)


def _advise(sums: Sums, place: int, now: str, explaining: Explaining) -> Advice:
    payloads, columns = int(sums.payloads[place]), sums.columns
    proven = {
        name
        for name in SENDABLE
        if (column := columns.get(name)) is not None
        and column.carried[place] == payloads
        and not column.unproven[place]
    }
    usable = [name for name in SENDABLE if name in proven or name == COMPACT]
    if not sums.comparable[place]:
        usable = []
    averages = {
        name: float(columns[name].tokens[place]) / payloads for name in (now, COMPACT, *usable)
    }
    costs = {name: tokens + float(columns[name].share[place]) for name, tokens in averages.items()}
    of_usable = {name: costs[name] for name in usable}
    format = best_format(of_usable, proven.__contains__, payloads)
    tested = proven.intersection(CANDIDATES) - {COMPACT}
    others = [name for name in usable if name in tested and format in (name, COMPACT)]
    texts = {name: (averages[name], float(columns[name].once[place])) for name in others}
    ranked = rank_formats(texts, averages[COMPACT], payloads) if explaining.together else []
    is_switch = is_worth(costs[format], costs[now], payloads)
    chosen = costs[format if is_switch else now]
    offer = pick_offer(of_usable, proven.__contains__, chosen, payloads)
    return Advice(
        group=sums.groups[place],
        payloads=payloads,
        format=format,
        tokens=int(columns[format].tokens[place]),
        explanation=float(columns[format].share[place]) * payloads,
        now=float(columns[now].cost[place]),
        switch=is_switch,
        worth=next((Worth(name, number) for number, name in ranked), None),
        offer=Offer(offer, payloads * (chosen - costs[offer])) if offer else None,
    )
