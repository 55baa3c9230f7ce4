"""What to do with a payload, and why, in numbers that a reader can check against the bars.

Every figure includes the note to the model, and is whole: parts are rounded so that they add up.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.verdict import Rung, Verdict, climb
from toon.costs.worth import COMPACT, break_even
from toon.formats import AS_TYPED, READ, label
from toon.formats.json import JsonFormat, minify
from toon.formats.toon import ToonFormat
from toon.layout.spans import KINDS
from toon.values.fractions import fraction
from toon.values.json_text import repeats_keys
from toon.wording import capitalised, count, join_all, plural, signed_count, whole_percent

#: TOON as its current specification writes it, with each delimiter.
TOONS: Final = ("toon", "toon-tab", "toon-pipe")

#: Which text is asked for.
Wish = Literal["best", "minified", "untested"]

#: How a format is shorter, by the kinds of text of which it saves most.
_HOW: Final = {
    "names": "names once",
    "punctuation": "less punctuation",
    "whitespace": "less whitespace",
    "values": "values written shorter",
}
#: How minifying saves where it removes nothing but whitespace.
_PLAINLY: Final = "any JSON library does that"


class Step(NamedTuple):
    """One of a payload's texts, with the words on what the step to it saves.

    ``credit`` is a sentence, "" where the step changes nothing. ``how`` says in few words beside
    the bar by what the step saves; ``detail`` is the sentence where that does not say all of it, or
    "". A step apart is not to be taken (yet).
    """

    rung: Rung
    credit: str = ""
    how: str = ""
    detail: str = ""
    is_apart: bool = False


def apportion(parts: Sequence[float], total: float) -> list[int]:
    """Round ``parts`` to whole numbers that add up to ``total``, rounded: by largest remainders."""
    floors = [int(part) for part in parts]
    missing = round(total) - sum(floors)
    places = range(len(parts))
    ranked = sorted(places, key=lambda place: floors[place] - parts[place])
    raised = set(ranked[: max(0, missing)])
    return [floors[place] + (place in raised) for place in places]


def family(name: str) -> str:
    """Return the name of a format in a sentence, without its delimiter: ``TOON``."""
    return label(name).partition(",")[0]


def order(verdict: Verdict) -> str:
    """Return an answer as an order: ``Send TOON``, or ``Keep your JSON``."""
    (today, *_), best = verdict["ladder"], verdict["format"]
    if today["format"] == AS_TYPED and not verdict["switch"]:
        return f"Keep {today['label']}"
    if best != COMPACT:
        return f"Send {family(best)}"
    is_json = isinstance(READ[verdict["written_in"]], JsonFormat)
    if is_json and today["format"] == AS_TYPED:
        return "Minify it, and keep JSON"
    return f"Send {label(COMPACT)}"


def split_gain(verdict: Verdict, steps: Sequence[Step]) -> str:
    """Return a sentence on how much of an answer's saving minifying brings; or "".

    It is "" where minifying does more than take whitespace away. The two shares are of today's
    text, and add up as they are shown.
    """
    sent = [step for step in steps if not step.is_apart]
    if not verdict["switch"] or _PLAINLY not in sent[1].credit:
        return ""
    if len(sent) == 2:
        return "The same JSON, only without whitespace."
    safe, total = (round(-100 * (step.rung["vs_today"] or 0)) for step in sent[1:])
    if not 0 < safe < total:
        return ""
    name = family(sent[-1].rung["format"])
    return f"Minifying saves {safe}\u202f% without risk, {name} {total - safe} points more."


def compose(document: Document, tokenizer: str, explaining: Explaining, wish: Wish = "best") -> str:
    """Return the text of a payload to send, behind the note that explains its format to a model.

    ``wish`` asks for the answer's text, minified JSON, or the untested format, in whose place the
    answer stands where none is offered. It is the text as typed where that is to be kept.

    Raises:
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    if wish == "minified":
        return document.text(COMPACT, tokenizer)
    verdict = answer(document, tokenizer, explaining)
    if wish == "untested" and (untested := verdict["untested"]):
        name, explanation = untested["format"], untested["explanation"]
        note = explaining.text(name, document.uses(name, tokenizer)) if explanation else ""
    else:
        name = verdict["format"] if verdict["switch"] else verdict["today"]
        note = find_note(document, verdict, explaining)
    text = document.text(name, tokenizer)
    return f"{note}\n\n{text}" if note else text


def find_note(document: Document, verdict: Verdict, explaining: Explaining) -> str:
    """Return the note to the model that goes before what an answer sends; "" without a note."""
    name = verdict["format"]
    if not verdict["explanation"] or not (verdict["switch"] or name == verdict["today"]):
        return ""
    return explaining.text(name, document.uses(name, verdict["tokenizer"]))


def shares(document: Document, rung: Rung, tokenizer: str) -> list[float]:
    """Return a text's tokens by kind (names, punctuation, whitespace, values), then its note's."""
    kinds = document.figures(rung["format"], tokenizer)["breakdown"]
    parts = [kinds["names"], kinds["punctuation"], kinds["whitespace"], kinds["values"]]
    return [*parts, rung["explanation"]]


def find_steps(document: Document, verdict: Verdict, explaining: Explaining) -> list[Step]:
    """Return an answer's texts, each with what it saves in words, then TOON if it is not sent."""
    ladder = verdict["ladder"]
    steps = [Step(ladder[0])]
    for before, after in pairwise(ladder):
        steps.append(_step(document, verdict["tokenizer"], before, after, more=len(steps) > 1))
    aside = _toon_step(document, verdict, explaining)
    return [*steps, aside] if aside else steps


def _step(document: Document, tokenizer: str, before: Rung, after: Rung, *, more: bool) -> Step:
    """Say in a Step what one text of an answer saves over another; ``more``: after minifying."""
    subject, how = family(after["format"]), ""
    if after["format"] != COMPACT:
        # The kinds of text that bring at least half of what the first does.
        changes = _changes(document, tokenizer, after, before)
        most = min(changes[name] for name in KINDS)
        how = ", ".join(_HOW[name] for name in KINDS if 2 * changes[name] <= most < 0)
    elif after["cost"] == before["cost"]:
        return Step(after, "It is minified already.", detail="It is minified already.")
    elif not isinstance(document.format(AS_TYPED), JsonFormat):
        subject = capitalised(label(COMPACT))
    else:
        subject, text = "Minifying", document.text(AS_TYPED)
        if minify(text) == document.text(COMPACT, tokenizer):
            how = _PLAINLY
        elif repeats_keys(text):
            how = "of keys that come again the last counts, as for JSON readers"
    sentence, saved = "", round(before["cost"]) - round(after["cost"])
    if saved:
        sentence = f"{subject} {'saves' if saved > 0 else 'adds'} {count(abs(saved))}"
        if more:
            change = whole_percent(fraction(after["cost"], before["cost"]))
            sentence += f" more, {change} vs {before['label']}"
        sentence += f"{how and f': {how}'}."
    reason = "" if how == _PLAINLY else how
    if after["cost"] >= before["cost"] or (after["format"] == COMPACT and reason):
        return Step(after, sentence, detail=sentence)
    return Step(after, sentence, reason)


def _toon_step(document: Document, verdict: Verdict, explaining: Explaining) -> Step | None:
    """Return the cheapest TOON as a step that is not to be taken (yet): how much more it takes.

    Return None where TOON is sent, or cannot be.
    """
    costs = {name: verdict["tried"][name] for name in TOONS if name in verdict["tried"]}
    is_sent = any(isinstance(READ[verdict[key]], ToonFormat) for key in ("format", "written_in"))
    if is_sent or not costs:
        return None
    tokenizer, best = verdict["tokenizer"], verdict["ladder"][-1]
    name = min(costs, key=lambda n: costs[n])
    ends = [
        (rung["format"], rung["label"], rung["tokens"], rung["cost"])
        for rung in (verdict["ladder"][0], best)
    ]
    tokens = document.tokens(name, tokenizer)
    toon = climb([*ends, (name, label(name), tokens, costs[name])])[-1]
    takes, more = f"TOON takes {count(toon['cost'])}", round(toon["cost"]) - round(best["cost"])
    changes = _changes(document, tokenizer, toon, best)
    surplus = f"{count(more)} more than {label(best['format'])}"
    how = ""
    if more <= 0:
        sentence = f"TOON takes as much: {count(toon['cost'])}."
    elif best["format"] != COMPACT:
        of_note, of_text = signed_count(changes["note"]), signed_count(more - changes["note"])
        how = f"{surplus}: {of_note} note, {of_text} text"
        sentence = f"{takes}, {surplus}: {of_note} for its note, {of_text} for its text."
    else:
        once = explaining.note_cost(document.explanation(name, tokenizer, explaining))
        payloads = break_even(tokens, best["cost"], once)
        if payloads is None or explaining.together is None:
            labels = {"note": "its note", "whitespace": "line ends and indentation"}
            parts = [(labels.get(name, name), change) for name, change in changes.items()]
            extras = [f"{count(change)} for {name}" for name, change in parts if change > 0]
            savings = [f"{count(-change)} for {name}" for name, change in parts if change < 0]
            tail = f", and saves only {join_all(savings)}" if savings else ""
            sentence = f"TOON costs {surplus}: it adds {join_all(extras)}{tail}."
        else:
            sentence = (
                f"TOON beats {label(COMPACT)} from {plural(payloads, 'payload')} in a prompt: "
                f"{count(payloads * tokens + once)} against {count(payloads * best['cost'])}. "
                f"Alone, this one costs {count(more)} more as TOON: the note takes {count(once)}."
            )
    return Step(toon, sentence, how, "" if how else sentence, is_apart=True)


def _changes(document: Document, tokenizer: str, rung: Rung, before: Rung) -> dict[str, int]:
    """Return how many tokens more one text of an answer has than another, by kind and note."""
    now, then = (apportion(shares(document, r, tokenizer), r["cost"]) for r in (rung, before))
    return {name: new - old for name, new, old in zip((*KINDS, "note"), now, then, strict=True)}
