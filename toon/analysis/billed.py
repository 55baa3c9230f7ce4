"""The bill of a log: what its calls took by model, priced, beside what the log itself names."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache, reduce
from typing import Any, NamedTuple, cast

from toon.costs.billed import Billed, price_billed
from toon.costs.named import find_price
from toon.measuring.table import About
from toon.traffic.tallies import BEYOND
from toon.values.fractions import fraction


@dataclass(slots=True)
class ModelBill:
    """The calls of one model, by the name in the log, with their tokens and what they cost.

    ``key`` finds the model's price; None if it is unknown. ``dollars`` is the price of all calls;
    None if some have none. Of the ``named_calls``, whose cost the log states, ``named`` is that
    cost and ``compared`` the price.
    """

    model: str
    key: str | None
    calls: int = 0
    tokens: Billed = field(default_factory=Billed)
    dollars: Decimal | None = Decimal(0)
    compared: Decimal | None = Decimal(0)
    named: Decimal = Decimal(0)
    named_calls: int = 0

    @property
    def vs_named(self) -> float | None:
        """Our price against the cost that the log states, as a signed fraction, or None."""
        if self.compared is None or not self.named_calls:
            return None
        return fraction(float(self.compared), float(self.named))


def find_bills(facts: object) -> list[ModelBill]:
    """Return the bill of each model from the ``usages`` in a run's metadata, the dearest first.

    Rows of another form than :meth:`toon.traffic.tallies.Usages.facts` gives are left out.
    """
    bills = dict[str, ModelBill]()
    for model, named, calls, tokens, cost, last in _rows(facts):
        bill = bills.setdefault(model, ModelBill(model, find_price(model) if model else None))
        at = None if last is None else datetime.fromtimestamp(last, UTC)
        dollars = _price(bill.key, tokens, calls, at) if bill.key else None
        bill.calls += calls
        bill.tokens = bill.tokens.plus(tokens)
        bill.dollars = _sum(bill.dollars, dollars)
        if named:
            bill.named_calls += calls
            bill.named += cost
            bill.compared = _sum(bill.compared, dollars)
    return sorted(
        bills.values(), key=lambda bill: (-(bill.dollars or 0), -bill.tokens.input, bill.model)
    )


@lru_cache(maxsize=16_384)  # a price takes 0.1 ms, and a run is looked at again with each click
def _price(key: str, tokens: Billed, calls: int, at: datetime | None) -> Decimal | None:
    return price_billed(key, tokens, calls, at)


class Part(NamedTuple):
    """The calls of a day, a project or a session, with their tokens and US dollars.

    A session has a ``project`` and ended at ``last``, in seconds since 1970. ``dollars`` is None if
    the price of some call is not known.
    """

    name: str
    calls: int
    tokens: Billed
    dollars: Decimal | None
    project: str = ""
    last: float | None = None


def find_parts(about: About) -> dict[str, list[Part]]:
    """Return the bill of a run as lists of parts by ``day`` in UTC, ``project`` and ``session``.

    The first day stands first, and the dearest project and session. The part named "" has the calls
    that name none; a list of that alone is left out, and so are sessions without a name in the run.
    """
    named, sessions = about.get("sessions"), list[Part]()
    known: dict[int, Any] = dict(enumerate(named, 1)) if isinstance(named, list) else {}
    for part in find_conversations(about.get("shares"))[0]:
        if isinstance(session := known.get(int(part.name)), dict):
            name, project = (str(session.get(key, "")) for key in ("name", "project"))
            sessions.append(part._replace(name=name, project=project))

    def by_dollars(part: Part) -> tuple[Decimal, int, str]:
        return -(part.dollars or Decimal(0)), -part.tokens.input, part.name

    parts = {
        "day": sorted(_parts(about.get("days"), "day")),
        "project": sorted(_parts(about.get("projects"), "project"), key=by_dollars),
        "session": sorted(sessions, key=by_dollars),
    }
    return {name: found for name, found in parts.items() if any(part.name for part in found)}


def find_conversations(facts: object) -> tuple[list[Part], bool]:
    """Return the conversations in a run's metadata (``shares``) as parts named by number.

    The flag beside them says that there are more than the run tells apart. Rows of another form
    than :meth:`toon.traffic.tallies.Usages.part_facts` gives are left out.
    """
    parts = list(_parts(facts, "conversation", range(1, BEYOND + 1)))
    found = [part for part in parts if part.name != str(BEYOND)]
    return found, len(found) < len(parts)


def _parts(facts: object, key: str, names: Container[str | int] | None = None) -> Iterator[Part]:
    """Yield a bill (Part) for each value that rows have under ``key``, or for ``names`` alone."""
    found = defaultdict[str | int, list[Any]](list)
    for row in facts if isinstance(facts, list) else ():
        name = row.get(key) if isinstance(row, dict) else None
        if not isinstance(name, str | int) or isinstance(name, bool):
            continue
        if names is None or name in names:
            found[name].append(row)
    for name, rows in found.items():
        if bills := find_bills(rows):
            tokens = reduce(Billed.plus, (bill.tokens for bill in bills))
            calls, dollars = (bill.calls for bill in bills), (bill.dollars for bill in bills)
            last = max((row[-1] for row in _rows(rows) if row[-1] is not None), default=None)
            yield Part(str(name), sum(calls), tokens, total(dollars), last=last)


def _rows(facts: object) -> Iterator[tuple[str, bool, int, Billed, Decimal, float | None]]:
    """Yield each row of a run's usages as a tuple; skip rows of another form.

    It is the model, whether the log states a cost, calls, tokens, that cost and the last time.
    """
    for row in facts if isinstance(facts, list) else ():
        with suppress(LookupError, TypeError, ValueError, ArithmeticError):
            tokens = Billed(*(int(row["tokens"][name]) for name in Billed._fields))
            last = None if row["last"] is None else float(row["last"])
            datetime.fromtimestamp(last or 0.0, UTC)
            cost = Decimal(repr(float(row["cost"])))
            calls = int(row["calls"])
            if min(*tokens, row["calls"] - 1) >= 0:
                yield str(row["model"]), bool(row["named"]), calls, tokens, cost, last


def total(dollars: Iterable[Decimal | None]) -> Decimal | None:
    """Return the sum of prices in US dollars; None if one of them is None."""
    return reduce(_sum, dollars, cast("Decimal | None", Decimal(0)))


def _sum(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return None if one is None or other is None else one + other
