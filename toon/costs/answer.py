"""The answer about one payload: its cost today, the format to send, and the saving."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from toon.costs.choice import COMPACT, cheapest, first_worth, is_worth, offered, tried
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import BreakEven, Fewest, Untested, Verdict, climb, spoken
from toon.formats import AS_TYPED, BASELINES, RECOMMENDED, label
from toon.limits import DEFAULT_TOKENIZER
from toon.values.fractions import fraction
from toon.values.shape import shape_words
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


class _Texts(NamedTuple):
    """The formats that can carry a payload: their tokens, notes and costs by name.

    ``notes`` are the tokens of explaining a format once. ``candidates`` may be recommended if
    ``proven`` says that the payload came back.
    """

    tokens: dict[str, int]
    notes: dict[str, int]
    costs: dict[str, float]
    candidates: list[str]
    proven: Callable[[str], bool]


def _answer(
    document: Document, tokenizer: str, explaining: Explaining, formats: tuple[str, ...]
) -> Verdict:
    names = document.written(name for name in RECOMMENDED if name in {*formats, COMPACT})
    tokens = {name: document.tokens(name, tokenizer) for name in names}
    notes = {name: document.explanation(name, tokenizer, explaining) for name in names}
    costs = {name: tokens[name] + explaining.share(notes[name]) for name in names}
    proven = partial(document.comes_back, tokenizer=tokenizer)
    texts = _Texts(tokens, notes, costs, tried(names), proven)

    nothing = _nothing(document, formats)
    best = COMPACT if nothing else cheapest(costs, proven)
    rungs = dict.fromkeys([*(name for name in (AS_TYPED, COMPACT) if name in names), best])
    written_in = {name: document.format(name).name for name in rungs}
    ladder = climb((n, label(n, written_in[n]), tokens[n], costs[n]) for n in rungs)
    today, last = ladder[0], ladder[-1]
    is_switch = not nothing and is_worth(last["cost"], today["cost"])
    even = None if nothing else _break_even(texts, best, explaining)
    kept = last if is_switch else today
    return spoken(
        {
            "tokenizer": tokenizer,
            "together": explaining.together,
            "cached": explaining.cached,
            "explanation_price": explaining.price,
            "today": today["format"],
            "written_in": written_in[today["format"]],
            "ladder": ladder,
            "format": best,
            "tokens": last["tokens"],
            "explanation": last["explanation"],
            "cost": last["cost"],
            "saved": today["cost"] - last["cost"],
            "switch": is_switch,
            "vs_today": last["vs_today"],
            "vs_json_compact": fraction(last["tokens"], tokens[COMPACT]),
            "break_even": even,
            "fewest": None if nothing or best != COMPACT else _fewest(texts, even),
            "tried": {} if nothing else _chosen_from(texts, best),
            "untested": None if nothing else _untested(texts, kept["cost"]),
            "nothing": nothing,
            "shape": shape_words(document.value),
        }
    )


def _break_even(texts: _Texts, best: str, explaining: Explaining) -> BreakEven | None:
    """Return when ``best`` pays; if it is compact JSON, when the first other format does.

    Of several that pay from the same number on, the cheapest is named, as the answer would be.
    """
    tokens, notes = texts.tokens, texts.notes
    names = texts.candidates if best == COMPACT else [best]
    paid = {n: (tokens[n], explaining.priced(notes[n])) for n in names if n != COMPACT}
    for payloads, name in first_worth(paid, tokens[COMPACT]):
        if texts.proven(name):
            saved = tokens[COMPACT] - tokens[name]
            return {
                "format": name, "saved": saved, "explanation": notes[name], "payloads": payloads,
            }  # fmt: skip
    return None


def _fewest(texts: _Texts, even: BreakEven | None) -> Fewest:
    """Return the format that is worth it first, else the proven one with the fewest tokens."""
    tokens = texts.tokens
    ranked = [even["format"]] if even else sorted(texts.candidates, key=lambda name: tokens[name])
    name = next(filter(texts.proven, ranked), COMPACT)
    return {"format": name, "tokens": tokens[name]}


def _chosen_from(texts: _Texts, best: str) -> dict[str, float]:
    """Return the costs of the formats that ``best`` was chosen from.

    Those that would be worth a change and cost less did not come back, and are left out.
    """
    costs = texts.costs
    ranked = sorted(texts.candidates, key=lambda name: costs[name])
    better = ranked[: ranked.index(best)]
    lost = {name for name in better if is_worth(costs[name], costs[COMPACT])}
    return {name: costs[name] for name in texts.candidates if name not in lost}


def _untested(texts: _Texts, chosen: float) -> Untested | None:
    """Return the untested format to offer beside the recommendation, which costs ``chosen``."""
    name = offered(texts.costs, texts.proven, chosen)
    if name is None:
        return None
    tokens, cost = texts.tokens[name], texts.costs[name]
    return {
        "format": name, "tokens": tokens, "explanation": cost - tokens, "cost": cost,
        "saved": chosen - cost, "vs": fraction(cost, chosen),
    }  # fmt: skip


def _nothing(document: Document, formats: tuple[str, ...]) -> str | None:
    """Return why ``formats`` cannot differ on a payload, or None."""
    others = [name for name in formats if name not in BASELINES]
    if not others or document.written(others) != document.written(()):
        return document.nothing()
    words = listed(label(name) for name in others)
    return f"Nothing to compare: {words} cannot carry this payload"
