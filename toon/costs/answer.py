"""The answer about one payload: its cost today, the format to send, and the saving."""

from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import BreakEven, Fewest, Untested, Verdict, climb, spoken
from toon.costs.worth import COMPACT, cheapest, first_worth, is_worth, offered, tried
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


def _answer(
    document: Document, tokenizer: str, explaining: Explaining, formats: tuple[str, ...]
) -> Verdict:
    nothing = _nothing(document, formats)
    asked = {*formats, COMPACT}
    names = document.written(name for name in RECOMMENDED if name in asked)
    tokens = {name: document.tokens(name, tokenizer) for name in names}
    costs = {
        name: tokens[name] + explaining.share(document.explanation(name, tokenizer, explaining))
        for name in names
    }

    def proven(name: str) -> bool:
        return document.proof(name, tokenizer).ok

    best = COMPACT if nothing else cheapest(costs, proven)
    steps = [name for name in names if name in (AS_TYPED, COMPACT)]
    ladder = climb(
        (name, label(name, document.format(name).name), tokens[name], costs[name])
        for name in [*steps, *([best] if best != COMPACT else [])]
    )
    today, last = ladder[0], ladder[-1]
    is_switch = not nothing and is_worth(last["cost"], today["cost"])
    candidates = tried(names)
    ranked = sorted(candidates, key=lambda name: costs[name])
    lost = {name for name in ranked[: ranked.index(best)] if is_worth(costs[name], costs[COMPACT])}
    others = [name for name in candidates if name != COMPACT] if best == COMPACT else [best]
    even = None if nothing else _break_even(document, tokenizer, explaining, others)
    fewest = None
    if best == COMPACT and not nothing:
        ranked = [even["format"]] if even else sorted(candidates, key=lambda name: tokens[name])
        name = next(filter(proven, ranked), COMPACT)
        fewest = Fewest(format=name, tokens=tokens[name])
    kept = (last if is_switch else today)["cost"]
    offer = None if nothing else offered(costs, proven, kept)
    return spoken(
        {
            "tokenizer": tokenizer,
            "together": explaining.together,
            "cached": explaining.cached,
            "explanation_price": explaining.price,
            "today": today["format"],
            "written_in": document.format(today["format"]).name,
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
            "fewest": fewest,
            "tried": {} if nothing else {n: costs[n] for n in candidates if n not in lost},
            "untested": _untested(offer, tokens[offer], costs[offer], kept) if offer else None,
            "nothing": nothing,
            "shape": shape_words(document.value),
        }
    )


def _nothing(document: Document, formats: tuple[str, ...]) -> str | None:
    """Return in a sentence why ``formats`` cannot differ on a payload, or None if they can."""
    others = [name for name in formats if name not in BASELINES]
    if others and not set(others).intersection(document.written(others)):
        words = listed(label(name) for name in others)
        return f"Nothing to compare: {words} cannot carry this payload"
    return document.nothing()


def _untested(name: str, tokens: int, cost: float, kept: float) -> Untested:
    return {
        "format": name,
        "tokens": tokens,
        "explanation": cost - tokens,
        "cost": cost,
        "saved": kept - cost,
        "vs": fraction(cost, kept),
    }


def _break_even(
    document: Document, tokenizer: str, explaining: Explaining, names: list[str]
) -> BreakEven | None:
    """Return which proven format of ``names`` pays from the fewest payloads in a prompt, or None.

    Of several that pay from the same number on, the cheapest is named, as the answer would be.
    """
    compact = document.tokens(COMPACT, tokenizer)
    once = {name: document.explanation(name, tokenizer, explaining) for name in names}
    texts = {
        name: (document.tokens(name, tokenizer), explaining.priced(once[name])) for name in names
    }
    for payloads, name in first_worth(texts, compact):
        if document.proof(name, tokenizer).ok:
            saved = compact - document.tokens(name, tokenizer)
            return {
                "format": name,
                "saved": saved,
                "explanation": once[name],
                "payloads": payloads,
            }
    return None
