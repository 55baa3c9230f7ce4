"""The answer about one payload: its cost today, the format to send, and the saving."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from toon.costs.choice import COMPACT, cheapest, first_worth, is_worth, offered, tried
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.sentences import spoken
from toon.costs.verdict import BreakEven, Fewest, Rung, Untested, Verdict, climb
from toon.formats import AS_TYPED, BASELINES, RECOMMENDED, label
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.shape import shape_of
from toon.wording import listed


def answer(
    document: Document,
    tokenizer: str = DEFAULT_TOKENIZER,
    explaining: Explaining = ALONE,
    formats: tuple[str, ...] = RECOMMENDED,
) -> Verdict:
    """Return which of ``formats`` and compact JSON to send a payload in, with the figures.

    The answer is the tested format that costs least with its share of the explanation, or compact
    JSON if none is worth a change. A format that makes no promise is left out even if this value
    comes back from it: CSV of strings alone does, and the next payload of the same kind may not.

    Raises:
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    return document.ask(_answer, tokenizer, explaining, formats)


def _answer(
    document: Document, tokenizer: str, explaining: Explaining, formats: tuple[str, ...]
) -> Verdict:
    return _Judge(document, tokenizer, explaining, formats).verdict()


@dataclass(frozen=True)
class _Judge:
    """The costs and proofs of one payload's texts, by one tokenizer."""

    document: Document
    tokenizer: str
    explaining: Explaining
    formats: tuple[str, ...]

    def verdict(self) -> Verdict:
        nothing = self.nothing()
        costs = {name: self.cost(name) for name in self.names}
        best = COMPACT if nothing else cheapest(costs, self.proven)
        ladder = self.ladder(best)
        today, last = ladder[0], ladder[-1]
        even = None if nothing else self.break_even(best)
        is_switch = not nothing and is_worth(last["cost"], today["cost"])
        kept = last if is_switch else today
        return spoken(
            {
                "tokenizer": self.tokenizer,
                "together": self.explaining.together,
                "cached": self.explaining.cached,
                "explanation_price": self.explaining.price,
                "today": today["format"],
                "written_in": self.document.format(today["format"]).name,
                "ladder": ladder,
                "format": best,
                "tokens": last["tokens"],
                "explanation": last["explanation"],
                "cost": last["cost"],
                "saved": today["cost"] - last["cost"],
                "switch": is_switch,
                "vs_today": last["vs_today"],
                "vs_json_compact": fraction(last["tokens"], self.tokens(COMPACT)),
                "break_even": even,
                "fewest": None if nothing or best != COMPACT else self.fewest(even),
                "tried": {} if nothing else self.tried(costs, best),
                "untested": None if nothing else self.untested(costs, kept["cost"]),
                "nothing": nothing,
                "shape": str(shape_of(self.document.value)),
            }
        )

    @cached_property
    def names(self) -> list[str]:
        """Return the formats that can carry the value, the text as typed among them."""
        asked = {*self.formats, COMPACT}
        return self.document.written(name for name in RECOMMENDED if name in asked)

    def tokens(self, name: str) -> int:
        return self.document.tokens(name, self.tokenizer)

    def once(self, name: str) -> int:
        """Return the tokens by which explaining a text exceeds explaining JSON."""
        return self.document.explanation(name, self.tokenizer, self.explaining)

    def cost(self, name: str) -> float:
        return self.tokens(name) + self.explaining.share(self.once(name))

    def proven(self, name: str) -> bool:
        return self.document.proof(name, self.tokenizer).ok

    def nothing(self) -> str | None:
        """Return why the formats cannot differ on this payload, or None."""
        others = [name for name in self.formats if name not in BASELINES]
        refused = set(others).difference(self.document.written(others))
        if len(refused) < len(others) or not others:
            return self.document.nothing()
        words = listed(label(name) for name in others)
        return f"Nothing to compare: {words} cannot carry this payload"

    def ladder(self, best: str) -> list[Rung]:
        """Return the rungs: as typed if known, compact JSON, and ``best`` if it is another."""
        names = [name for name in (AS_TYPED, COMPACT) if name in self.names]
        names += [best] if best != COMPACT else []
        written_in = {name: self.document.format(name).name for name in names}
        return climb(
            (name, label(name, written_in[name]), self.tokens(name), self.cost(name))
            for name in names
        )

    @cached_property
    def candidates(self) -> list[str]:
        return tried(self.names)

    def tried(self, costs: dict[str, float], best: str) -> dict[str, float]:
        """Return the costs of the candidates for ``best``, but for those that did not come back."""
        ranked = sorted(self.candidates, key=lambda name: costs[name])
        better = ranked[: ranked.index(best)]
        lost = {name for name in better if is_worth(costs[name], costs[COMPACT])}
        return {name: costs[name] for name in self.candidates if name not in lost}

    def untested(self, costs: dict[str, float], chosen: float) -> Untested | None:
        """Return the untested format to offer beside the recommendation, which costs ``chosen``."""
        name = offered(costs, self.proven, chosen)
        if name is None:
            return None
        tokens, cost = self.tokens(name), costs[name]
        return {
            "format": name,
            "tokens": tokens,
            "explanation": cost - tokens,
            "cost": cost,
            "saved": chosen - cost,
            "vs": fraction(cost, chosen),
        }

    def break_even(self, best: str) -> BreakEven | None:
        """Return when ``best`` pays; if it is compact JSON, when the first other format does.

        Of several that pay from the same number on, the cheapest is named, as the answer would be.
        """
        compact, priced = self.tokens(COMPACT), self.explaining.priced
        names = [name for name in self.candidates if name != COMPACT]
        texts = {
            name: (self.tokens(name), priced(self.once(name)))
            for name in (names if best == COMPACT else [best])
        }
        ranked = first_worth(texts, compact)
        first = next((entry for entry in ranked if self.proven(entry[1])), None)
        if first is None:
            return None
        payloads, name = first
        return {
            "format": name,
            "saved": compact - self.tokens(name),
            "explanation": self.once(name),
            "payloads": payloads,
        }

    def fewest(self, even: BreakEven | None) -> Fewest:
        """Return the format that is worth it first, else the proven one with the fewest tokens."""
        ranked = [even["format"]] if even else sorted(self.candidates, key=self.tokens)
        name = next(filter(self.proven, ranked), COMPACT)
        return {"format": name, "tokens": self.tokens(name)}
