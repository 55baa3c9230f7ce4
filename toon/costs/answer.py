"""The answer about one payload: what it costs today, what to send instead, and what that saves."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, TypedDict

from toon import tokenizers
from toon.costs.break_even import worth_from_rows
from toon.costs.choice import COMPACT, cheapest, is_worth, worth_from
from toon.costs.compare import Row, measured_rows
from toon.costs.explanation import ALONE, Explaining
from toon.formats import AS_TYPED, RECOMMENDED, label
from toon.values.fractions import fraction
from toon.values.shape import shape_of
from toon.wording import listed, plural, signed_percent


class Rung(TypedDict):
    """One step of the ladder: as typed, minified, and the format to send.

    ``tokens`` are those of the text, ``explanation`` is the payload's share of explaining its
    format, ``cost`` is both. ``change`` is the cost less that of the rung before; ``vs_before`` and
    ``vs_today`` are the change from the rung before and from the first one, as signed fractions.
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
    explaining it takes once. ``payloads`` must share a prompt; ``rows`` is how many rows of its
    table one payload needs, None where no table grows or all of its rows are too few.
    """

    format: str
    saved: int
    explanation: int
    payloads: int
    rows: int | None


class Verdict(TypedDict):
    """Which format to send a value in, by one tokenizer.

    ``format`` is the recommendation; ``tokens``, ``explanation`` (the payload's share) and ``cost``
    (both) are of it. ``today`` is what is sent now, ``saved`` the cost by which the recommendation
    is below it, ``switch`` whether that is worth a change. ``vs_today`` is the change of cost as a
    signed fraction, ``vs_json_compact`` that of tokens alone. ``together`` payloads share an
    explanation; None: the model needs none. ``nothing`` says why there is nothing to compare.
    """

    tokenizer: str
    exact: bool
    together: int | None
    today: str
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
    nothing: str | None
    shape: str
    sentence: str


def verdict(
    value: Any, rows: Iterable[Row], tokenizer: str, explaining: Explaining = ALONE
) -> Verdict:
    """The format to send ``value`` in, by the rows of :func:`toon.costs.compare.compare`.

    It is the one that costs least with its share of the explanation, and compact JSON where none is
    worth it. A format that makes no promise is left out even where this value came back from it:
    CSV of nothing but strings does, and the next payload of the same kind may not.
    """
    judge = _Judge(value, rows, tokenizer, explaining)
    nothing = judge.nothing()
    best = COMPACT if nothing else cheapest(judge.costs, judge.proven)
    ladder = judge.ladder(best)
    today, last = ladder[0], ladder[-1]
    switch = is_worth(last["cost"], today["cost"])
    even = None if nothing else judge.break_even(best)
    shape = str(shape_of(value))
    sentence = f"{judge.sentence(best, switch, even)}; {shape}"
    return {
        "tokenizer": tokenizer,
        "exact": judge.rows[best]["exact"],
        "together": explaining.together,
        "today": today["format"],
        "ladder": ladder,
        "format": best,
        "tokens": last["tokens"],
        "explanation": last["explanation"],
        "cost": last["cost"],
        "saved": today["cost"] - last["cost"],
        "switch": switch,
        "vs_today": last["vs_today"],
        "vs_json_compact": judge.rows[best]["vs"][COMPACT],
        "break_even": even,
        "nothing": nothing,
        "shape": shape,
        "sentence": f"{nothing or sentence}.",
    }


def nothing_to_compare(value: Any) -> str | None:
    """Why a value has nothing that formats could write differently; None if it has."""
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "array"
        return None if value else f"Nothing to compare: the payload is an empty {kind}"
    kinds = {str: "text", bool: "boolean", type(None): "null"}
    return f"Nothing to compare: the payload is a single {kinds.get(type(value), 'number')}"


class _Judge:
    """What the formats of one payload cost by one tokenizer, and which are proven."""

    def __init__(
        self, value: Any, rows: Iterable[Row], tokenizer: str, explaining: Explaining
    ) -> None:
        mine = [row for row in rows if row["tokenizer"] == tokenizer]
        self.rows = {row["format"]: row for row in measured_rows(mine)}
        self.refused = [row["format"] for row in mine if row["tokens"] is None]
        self.value = value
        self.tokenizer = tokenizer
        self.explaining = explaining
        self.once = {
            name: explaining.tokens(row["written_in"], frozenset(row["uses"]), tokenizer)
            for name, row in self.rows.items()
        }
        self.costs = {
            name: row["tokens"] + explaining.share(self.once[name])
            for name, row in self.rows.items()
        }

    def proven(self, name: str) -> bool:
        return self.rows[name]["round_trips"]

    def nothing(self) -> str | None:
        """Why there is nothing to compare, or None."""
        if not self.refused or self.rows.keys() - {AS_TYPED, COMPACT}:
            return nothing_to_compare(self.value)
        return f"Nothing to compare: {listed(map(label, self.refused))} cannot carry this payload"

    def ladder(self, best: str) -> list[Rung]:
        """As typed, where that is known, then compact JSON, then ``best`` if that is another."""
        names = [name for name in (AS_TYPED, COMPACT) if name in self.rows]
        names += [best] if best != COMPACT else []
        rungs: list[Rung] = []
        for name in names:
            cost = self.costs[name]
            before = rungs[-1]["cost"] if rungs else cost
            rungs.append(
                {
                    "format": name,
                    "label": label(name),
                    "tokens": self.rows[name]["tokens"],
                    "explanation": self.explaining.share(self.once[name]),
                    "cost": cost,
                    "change": cost - before,
                    "vs_before": fraction(cost, before),
                    "vs_today": fraction(cost, rungs[0]["cost"] if rungs else cost),
                }
            )
        return rungs

    def break_even(self, best: str) -> BreakEven | None:
        """Of ``best``; if that is compact JSON, of the format that is worth it first."""
        compact = self.rows[COMPACT]["tokens"]
        found = [
            (number, self.rows[name]["tokens"], name)
            for name in (RECOMMENDED if best == COMPACT else [best])
            if name in self.rows and name != COMPACT and self.proven(name)
            for number in [worth_from(self.rows[name]["tokens"], compact, self.once[name])]
            if number is not None
        ]
        if not found:
            return None
        number, tokens, name = min(found, key=itemgetter(0, 1))
        counting = tokenizers.get(self.tokenizer)
        return {
            "format": name,
            "saved": compact - tokens,
            "explanation": self.once[name],
            "payloads": number,
            "rows": worth_from_rows(self.value, name, self.explaining, counting),
        }

    def sentence(self, best: str, switch: bool, even: BreakEven | None) -> str:
        """What to send, and why."""
        typed = AS_TYPED in self.rows
        if typed and not switch:
            return f"Keep it as typed: {self._reason(best, even)}"
        if best == COMPACT:
            lead = "Send" if typed else "Stay with"
            fewer = f"{self._fewer(best, AS_TYPED)}; " if typed else ""
            return f"{lead} compact JSON: {fewer}{self._reason(best, even)}"
        fewer = self._fewer(best, COMPACT)
        if typed:
            fewer += f", {self._fewer(best, AS_TYPED)}"
        return f"Send {label(best)}: {fewer}{self._explained(even)}"

    def _fewer(self, best: str, than: str) -> str:
        """``31 o200k_base tokens fewer than compact JSON (−16.5 %)``."""
        tokens, base = self.rows[best]["tokens"], self.rows[than]["tokens"]
        unit = f"{self._about}{plural(base - tokens, 'token')} fewer than {label(than)}"
        return f"{unit} ({signed_percent(fraction(tokens, base))})"

    def _reason(self, best: str, even: BreakEven | None) -> str:
        """Why nothing else than what is sent today, or compact JSON, is worth it."""
        compact = self.rows[COMPACT]["tokens"]
        name = even["format"] if even else self._fewest()
        saved = compact - self.rows[name]["tokens"]
        if best != COMPACT or saved <= 0:
            return "no lossless format with a public library takes fewer tokens"
        share = signed_percent(fraction(self.rows[name]["tokens"], compact))
        saves = f"{label(name)} saves {self._about}{plural(saved, 'token')} a payload ({share})"
        if even is None:
            return f"{saves}, no difference worth a change"
        return f"{saves}{self._explained(even)}"

    def _explained(self, even: BreakEven | None) -> str:
        if even is None or even["explanation"] <= 0:
            return ""
        if self.explaining.together is None:
            return "; the model needs no explanation"
        payloads = plural(even["payloads"], "payload")
        once = f"{self._about}{even['explanation']:,}"
        return f"; explaining it takes {once} once: worth it from {payloads} in one prompt"

    def _fewest(self) -> str:
        """The proven format with the fewest tokens of those that may be recommended."""
        names = [name for name in RECOMMENDED if name in self.rows and self.proven(name)]
        return min(names, key=lambda name: self.rows[name]["tokens"])

    @property
    def _about(self) -> str:
        return "" if self.rows[COMPACT]["exact"] else "about "
