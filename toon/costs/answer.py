"""The answer about one payload: its cost today, the format to send, and the saving."""

from itertools import takewhile

from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import BreakEven, Fewest, Untested, Verdict, add_sentences, climb
from toon.costs.worth import COMPACT, find_cheapest, is_worth, keep_tested, pick_offer, rank_formats
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
    """Return the verdict on a payload: which of ``formats`` or compact JSON to send, and why.

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
    nothing = _explain_nothing(document, formats)
    names = document.list_writable(name for name in RECOMMENDED if name in {*formats, COMPACT})
    tokens = {name: document.tokens(name, tokenizer) for name in names}
    costs = {
        name: tokens[name] + explaining.share(document.explanation(name, tokenizer, explaining))
        for name in names
    }

    def is_proven(name: str) -> bool:
        return document.proof(name, tokenizer).ok

    best = COMPACT if nothing else find_cheapest(costs, is_proven)
    steps = [name for name in dict.fromkeys((AS_TYPED, COMPACT, best)) if name in costs]
    ladder = climb((n, label(n, document.format(n).name), tokens[n], costs[n]) for n in steps)
    today, last = ladder[0], ladder[-1]
    is_switch = not nothing and is_worth(last["cost"], today["cost"])
    candidates = [] if nothing else keep_tested(names)
    ranked = takewhile(best.__ne__, sorted(candidates, key=lambda name: costs[name]))
    refused = {name for name in ranked if is_worth(costs[name], costs[COMPACT])}
    others = candidates if best == COMPACT else [best]
    even, fewest = _break_even(document, tokenizer, explaining, others), None
    if candidates and best == COMPACT:
        least = [even["format"]] if even else sorted(candidates, key=lambda name: tokens[name])
        name = next(filter(is_proven, least), COMPACT)
        fewest = Fewest(format=name, tokens=tokens[name])
    paid = (last if is_switch else today)["cost"]
    offer = None if nothing else pick_offer(costs, is_proven, paid)
    return add_sentences(
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
            "tried": {name: costs[name] for name in candidates if name not in refused},
            "untested": _make_offer(offer, tokens[offer], costs[offer], paid) if offer else None,
            "nothing": nothing,
            "shape": shape_words(document.value),
            "lead": "",
            "reasons": [],
            "sentence": "",
        }
    )


def _explain_nothing(document: Document, formats: tuple[str, ...]) -> str | None:
    """Return in a sentence why no format of ``formats`` saves on a payload, or None if one may."""
    others = [name for name in formats if name not in BASELINES]
    if others and not set(others).intersection(document.list_writable(others)):
        words = listed(label(name) for name in others)
        return f"Nothing to compare: {words} cannot carry this payload"
    return document.explain_nothing()


def _make_offer(name: str, tokens: int, cost: float, paid: float) -> Untested:
    return {
        "format": name,
        "tokens": tokens,
        "explanation": cost - tokens,
        "cost": cost,
        "saved": paid - cost,
        "vs": fraction(cost, paid),
    }


def _break_even(
    document: Document, tokenizer: str, explaining: Explaining, names: list[str]
) -> BreakEven | None:
    """Return which format of ``names`` is worth its note from the fewest payloads in a prompt on,
    with that number, and the tokens that it saves and that its note takes.

    Return None if none is worth it. Only formats that the payload comes back from count. Of several
    that pay from the same number on, the cheapest is named, as the answer would be.
    """
    compact = document.tokens(COMPACT, tokenizer)
    once = {name: document.explanation(name, tokenizer, explaining) for name in names}
    texts = {
        name: (document.tokens(name, tokenizer), explaining.note_cost(once[name])) for name in names
    }
    for payloads, name in rank_formats(texts, compact):
        if document.proof(name, tokenizer).ok:
            saved, explanation = compact - document.tokens(name, tokenizer), once[name]
            return BreakEven(format=name, saved=saved, explanation=explanation, payloads=payloads)
    return None
