"""The answer about one payload: what it costs today, what to send instead, and what that saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypedDict

from toon import tokenizers
from toon.codec.normalise import is_normalised, normalise
from toon.costs.break_even import worth_from_rows
from toon.costs.choice import CANDIDATES, COMPACT, cheapest, is_worth, worth_from
from toon.costs.compare import Row, measured_rows
from toon.costs.explanation import ALONE, Explaining
from toon.costs.proof import Prover
from toon.costs.typed import Typed, no_estimate, nothing_to_compare, shortest_json
from toon.formats import AS_TYPED, BASELINES, FORMATS, RECOMMENDED, Format, label, write_each
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.tokenizers.fast_openai import get_fast
from toon.values.fractions import fraction
from toon.values.shape import shape_of
from toon.wording import listed, marked, plural, signed_percent


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
    signed fraction, ``vs_json_compact`` that of tokens alone. ``band`` holds for all tokens.
    ``together`` payloads share an explanation; None: the model needs none. ``nothing`` says why
    there is nothing to compare, ``no_estimate`` why the tokens do not hold for this payload; both
    are reasons to show no figures. ``sentence`` is ``lead``, what to send, and the ``reasons``.
    """

    tokenizer: str
    exact: bool
    band: str
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
    no_estimate: str | None
    shape: str
    lead: str
    reasons: list[str]
    sentence: str


def verdict(
    value: Any, rows: Iterable[Row], tokenizer: str, explaining: Explaining = ALONE
) -> Verdict:
    """The format to send ``value`` in, by the rows of :func:`toon.costs.compare.compare`.

    It is the one that costs least with its share of the explanation, and compact JSON where none is
    worth it. A format that makes no promise is left out even where this value came back from it:
    CSV of nothing but strings does, and the next payload of the same kind may not.
    """
    mine = [row for row in rows if row["tokenizer"] == tokenizer]
    counted = {
        row["format"]: _Counted(row["tokens"], row["written_in"], frozenset(row["uses"]))
        for row in measured_rows(mine)
    }
    came_back = {row["format"] for row in mine if row["round_trips"]}
    refused = [row["format"] for row in mine if row["tokens"] is None]
    unlike = next((row["no_estimate"] for row in mine), None)
    judge = _Judge(value, counted, came_back.__contains__, tokenizer, explaining)
    return judge.verdict(judge.nothing(refused), unlike)


def answer(
    value: Any,
    typed: Typed | None = None,
    tokenizer: str = DEFAULT_TOKENIZER,
    explaining: Explaining = ALONE,
) -> Verdict:
    """The same answer without rows: every text is counted once, and few are read back.

    Raises:
        ValueError: as :func:`toon.costs.compare.compare`.
    """
    return weigh(value, typed, tokenizer, explaining).verdict


class Weighed(NamedTuple):
    """A verdict and the texts that it is about, by format, each with the format that reads it."""

    verdict: Verdict
    texts: Mapping[str, tuple[Format, str]]


def weigh(
    value: Any, typed: Typed | None, tokenizer: str, explaining: Explaining = ALONE
) -> Weighed:
    """The same answer with its texts, so that whoever draws them need not write them again."""
    value = value if is_normalised(value) else normalise(value)
    count = cache(get_fast(tokenizer).count)
    texts: dict[str, tuple[Format, str]] = {}
    if typed is not None:
        texts[AS_TYPED] = typed.format, typed.text
    written = write_each(value, (name for name in RECOMMENDED if name != COMPACT))
    refused = [name for name, text in written.items() if text is None]
    for name in RECOMMENDED:
        text = shortest_json(value, typed, count) if name == COMPACT else written[name]
        if text is not None:
            texts[name] = FORMATS[name], text
    counted = {
        name: _Counted(count(text), format.name, format.uses(text))
        for name, (format, text) in texts.items()
    }
    prover = Prover(value)

    @cache
    def proven(name: str) -> bool:
        return prover.prove(*texts[name]).ok

    judge = _Judge(value, counted, proven, tokenizer, explaining)
    unlike = no_estimate(value, typed, tokenizers.get(tokenizer))
    return Weighed(judge.verdict(judge.nothing(refused), unlike), texts)


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


class _Counted(NamedTuple):
    """A text's tokens, the format that reads it, and the constructs that explaining it names."""

    tokens: int
    written_in: str
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Judge:
    """What the texts of one payload cost by one tokenizer, and which of them are proven."""

    value: Any
    counted: Mapping[str, _Counted]
    proven: Callable[[str], bool]
    tokenizer: str
    explaining: Explaining

    def verdict(self, nothing: str | None, no_estimate: str | None) -> Verdict:
        nothing = nothing or no_estimate
        costs = {name: self.cost(name) for name in self.counted}
        best = COMPACT if nothing else cheapest(costs, self.proven)
        ladder = self.ladder(best)
        today, last = ladder[0], ladder[-1]
        switch = not nothing and is_worth(last["cost"], today["cost"])
        even = None if nothing else self.break_even(best)
        shape = str(shape_of(self.value))
        counter = tokenizers.get(self.tokenizer).at(min(rung["tokens"] for rung in ladder))
        lead = nothing or self.lead(best, switch)
        whys = [*self.reasons(best, switch, even), *self.doubts(best, counter)]
        reasons = [] if nothing else [*whys, shape]
        return {
            "tokenizer": self.tokenizer,
            "exact": counter.exact,
            "band": counter.band,
            "together": self.explaining.together,
            "today": today["format"],
            "ladder": ladder,
            "format": best,
            "tokens": last["tokens"],
            "explanation": last["explanation"],
            "cost": last["cost"],
            "saved": today["cost"] - last["cost"],
            "switch": switch,
            "vs_today": last["vs_today"],
            "vs_json_compact": fraction(last["tokens"], self.counted[COMPACT].tokens),
            "break_even": even,
            "nothing": nothing,
            "no_estimate": no_estimate,
            "shape": shape,
            "lead": lead,
            "reasons": reasons,
            "sentence": ". ".join([lead, *reasons]) + ".",
        }

    def label(self, name: str) -> str:
        return label(name, self.counted[name].written_in)

    def once(self, name: str) -> int:
        """The tokens that explaining a text takes, beyond JSON's."""
        found = self.counted[name]
        return self.explaining.tokens(found.written_in, found.uses, self.tokenizer)

    def cost(self, name: str) -> float:
        return self.counted[name].tokens + self.explaining.share(self.once(name))

    def nothing(self, refused: Sequence[str]) -> str | None:
        """Why there is nothing to compare, or None."""
        others = [name for name in self.counted if name not in (AS_TYPED, *BASELINES)]
        if others or not refused:
            return nothing_to_compare(self.value)
        return f"Nothing to compare: {listed(map(label, refused))} cannot carry this payload"

    def ladder(self, best: str) -> list[Rung]:
        """As typed, where that is known, then compact JSON, then ``best`` if that is another."""
        names = [name for name in (AS_TYPED, COMPACT) if name in self.counted]
        names += [best] if best != COMPACT else []
        return climb(
            (name, self.label(name), self.counted[name].tokens, self.cost(name)) for name in names
        )

    def break_even(self, best: str) -> BreakEven | None:
        """Of ``best``; if that is compact JSON, of the format that is worth it first."""
        compact = self.counted[COMPACT].tokens
        names = [name for name in CANDIDATES if name in self.counted and name != COMPACT]
        found = [
            (number, self.counted[name].tokens, name)
            for name in (names if best == COMPACT else [best])
            for number in [worth_from(self.counted[name].tokens, compact, self.once(name))]
            if number is not None
        ]
        ranked = sorted(found, key=itemgetter(0, 1))
        first = next((entry for entry in ranked if self.proven(entry[2])), None)
        if first is None:
            return None
        payloads, tokens, name = first
        measure = get_fast(self.tokenizer)
        is_whole = is_worth(self.cost(name), compact)
        return {
            "format": name,
            "saved": compact - tokens,
            "explanation": self.once(name),
            "payloads": payloads,
            "rows": worth_from_rows(self.value, name, self.explaining, measure)
            if is_whole
            else None,
        }

    def lead(self, best: str, switch: bool) -> str:
        """What to send, and what that saves against compact JSON and against today."""
        typed = AS_TYPED in self.counted
        if typed and not switch:
            today = self.counted[AS_TYPED].written_in
            return "Keep it as typed" if today in RECOMMENDED else f"Sent today as {label(today)}"
        if best == COMPACT:
            fewer = f": {self._fewer(best, AS_TYPED)}" if typed else ""
            return f"{'Send' if typed else 'Stay with'} compact JSON{fewer}"
        # Two baselines of one cost are said once.
        others = typed and self.cost(AS_TYPED) != self.cost(COMPACT)
        than = [COMPACT, *([AS_TYPED] if others else [])]
        fewer = ", ".join(self._fewer(best, name) for name in than)
        included = ", explanation included" if self._share(best) else ""
        return f"Send {label(best)}: {fewer}{included}"

    def reasons(self, best: str, switch: bool, even: BreakEven | None) -> list[str]:
        """Why, in sentences."""
        typed = self.counted.get(AS_TYPED)
        if typed and not switch and typed.written_in not in RECOMMENDED:
            return self._why_not_typed(best, FORMATS[typed.written_in].lossless)
        if best == COMPACT:
            return [self._why_compact(even)]
        if not switch:
            return ["No lossless format with a public library is worth a change"]
        why = self._explained(even)
        return [why[0].upper() + why[1:]] if why else []

    def doubts(self, best: str, counter: Tokenizer) -> list[str]:
        """How far to trust an estimate, and the difference it shows between two formats."""
        doubts = [counter.caveat] if counter.caveat else []
        than = COMPACT if best != COMPACT else AS_TYPED
        if counter.error and than in self.counted:
            cost, before = self.cost(best), self.cost(than)
            if 0 < before - cost <= counter.error.difference * before:
                doubts.append(f"{label(best)} differs from {self.label(than)} by less than that")
        return doubts

    def _why_not_typed(self, best: str, lossless: bool) -> list[str]:
        """Why what is sent today is not recommended, though nothing else is worth a change."""
        cost, today = self.cost(best), self.cost(AS_TYPED)
        share = signed_percent(fraction(cost, today))
        size = self._about(plural(abs(cost - today), "token"))
        change = f"{size} {'fewer' if cost < today else 'more'} ({share})"
        why = "No public library reads it" if lossless else "It may lose data"
        return [
            f"{why}, so it is not recommended",
            f"The cheapest that may be recommended is {label(best)}: {change}",
        ]

    def _share(self, name: str) -> float:
        """What the payload bears of explaining a text."""
        return self.explaining.share(self.once(name))

    def _fewer(self, best: str, than: str) -> str:
        """``31 tokens fewer than compact JSON (−16.5 %)``, by the cost of both."""
        cost, base = self.cost(best), self.cost(than)
        fewer = self._about(plural(base - cost, "token"))
        unit = f"{fewer} fewer than {self.label(than)}"
        return f"{unit} ({signed_percent(fraction(cost, base))})"

    def _why_compact(self, even: BreakEven | None) -> str:
        """Why no other format is worth it against compact JSON."""
        compact = self.counted[COMPACT].tokens
        name = even["format"] if even else self._fewest()
        tokens = self.counted[name].tokens
        if tokens >= compact:
            return "No lossless format with a public library takes fewer tokens"
        share = signed_percent(fraction(tokens, compact))
        saved = self._about(plural(compact - tokens, "token"))
        saves = f"{label(name)} saves {saved} a payload against compact JSON ({share})"
        if even is None:
            return f"{saves}, no difference worth a change"
        return "; ".join(filter(None, [saves, self._explained(even)]))

    def _explained(self, even: BreakEven | None) -> str:
        if even is None or even["explanation"] <= 0:
            return ""
        if self.explaining.together is None:
            return "the model needs no explanation"
        payloads = plural(even["payloads"], "payload")
        once = self._about(f"{even['explanation']:,}")
        return f"explaining it takes {once} once: worth it from {payloads} in one prompt"

    def _fewest(self) -> str:
        """The proven format with the fewest tokens of those that may be recommended."""
        names = [name for name in CANDIDATES if name in self.counted]
        ranked = sorted(names, key=lambda name: self.counted[name].tokens)
        return next(filter(self.proven, ranked), COMPACT)

    def _about(self, figure: str) -> str:
        return marked(figure, exact=tokenizers.get(self.tokenizer).exact)
